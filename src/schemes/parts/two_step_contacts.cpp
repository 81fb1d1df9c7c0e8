#include "src/schemes/parts/two_step_contacts.hpp"

#include <algorithm>
#include <limits>

#include "src/schemes/parts/contact_sets.hpp"

namespace esc {

TwoStepContacts::TwoStepContacts(const System& system, Scratch& scratch)
    : memory_(scratch), system_(system), part_(scratch.contacts()) {
  for (const ContactLaw& law : system.pair_laws())
    if (std::find(restitutions_.begin(), restitutions_.end(), law.e) == restitutions_.end())
      restitutions_.push_back(law.e);
}

bool TwoStepContacts::inelastic() const {
  return std::all_of(restitutions_.begin(), restitutions_.end(), [](double e) { return e == 0.0; });
}

bool TwoStepContacts::add_closed(TwoStep& motion, double reach, ContactSet& set) {
  memory_.clock.enter(Stage::detection);
  bool grown = false;
  for (const double e : restitutions_) {
    system_.detect(motion.contact_time(e), motion.contact_position(e), reach, part_);
    std::erase_if(part_.contacts, [e](const Contact& contact) { return contact.law.e != e; });
    grown = merge(part_, set) || grown;
  }
  if (grown) set.layout();
  return grown;
}

void TwoStepContacts::evaluate(TwoStep& motion, ContactSet& set) {
  if (restitutions_.size() == 1)
    return system_.evaluate(motion.contact_time(restitutions_[0]), motion.contact_position(restitutions_[0]), set);
  for (const double e : restitutions_) {
    part_.contacts.clear();
    for (const Contact& contact : set.contacts)
      if (contact.law.e == e) part_.contacts.push_back(contact);
    part_.layout();
    system_.evaluate(motion.contact_time(e), motion.contact_position(e), part_);

    auto from = part_.contacts.begin();
    for (Contact& contact : set.contacts) {
      if (contact.law.e != e) continue;
      contact.gap = from->gap;
      static_cast<ContactFrame&>(contact) = *from;
      std::copy_n(part_.G.begin() + from->first_value, contact.width, set.G.begin() + contact.first_value);
      set.g_t[contact.first_row] = part_.g_t[from->first_row];
      ++from;
    }
  }
}

}  // namespace esc
