// Features that the bodies have left: I is found where the bodies are without a contact, whose impulse may then move
// them beyond the face or edge at which it acts. There the equations go on and would hold a contact in the air.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <escapement/scheme.hpp>

#include "src/schemes/parts/contact_sets.hpp"
#include "src/schemes/parts/culprits.hpp"

namespace esc {

class LeftFeatures {
 public:
  LeftFeatures(const System& system, Scratch& scratch)
      : system_(system), near_(scratch.contacts()), next_(scratch.contacts()) {}
  void begin_step() {
    releases_ = 0;
    any_ = false;
  }

  // Marks the contacts of the set, by number, that carry something and are not among those found closed.
  template <class Carries>
  void look(const ContactSet& set, const ContactSet& found, Carries carries) {
    marks_.resize(set.contacts.size());
    for (int i = 0; i < set.size(); ++i) marks_[i] = carries(i) && !contains(found, set.contacts[i].key);
    any_ = std::find(marks_.begin(), marks_.end(), 1) != marks_.end();
  }

  // The marked contacts leave the set; false: there are none, or it has been done too often. Lay out the set then.
  bool release(ContactSet& set) {
    if (!any_ || releases_ == most) return false;
    ++releases_;
    auto mark = marks_.begin();
    std::erase_if(set.contacts, [&](const Contact&) { return *mark++ != 0; });
    return true;
  }
  // The same, and of the same pairs those that are nearest at this place follow: what touches goes on touching, though
  // a round corner may leave the next feature a little open.
  bool follow(double t, const std::vector<double>& q, ContactSet& set) {
    before_.clear();
    for (std::size_t i = 0; i < marks_.size(); ++i)
      if (marks_[i] != 0) before_.push_back(set.contacts[i].key.pair);
    if (!release(set)) return false;
    system_.detect(t, q, any_gap, near_);
    next_.clear();
    for (const Contact& contact : near_.contacts)
      if (is_next(contact)) next_.contacts.push_back(contact);
    merge(next_, set);
    return true;
  }

  // At the end of a step: the bodies have left a feature that carries something, which fails it.
  bool missed(const ContactSet& set, std::span<const double> P, std::span<const double> Lambda,
              StepReport& report) const {
    if (!any_) return false;
    report.status = StepStatus::contact_missed;
    blame_loaded(system_, set, P, Lambda, report.stuck_at);
    return true;
  }

 private:
  static constexpr int most = 3;  // releases of a step; a feature that comes and goes needs a shorter one

  bool is_next(const Contact& contact) const {
    if (std::find(before_.begin(), before_.end(), contact.key.pair) == before_.end()) return false;
    return std::none_of(near_.contacts.begin(), near_.contacts.end(), [&](const Contact& other) {
      return other.key.pair == contact.key.pair && other.gap < contact.gap;
    });
  }

  const System& system_;
  ContactSet &near_, &next_;
  std::vector<char> marks_;
  std::vector<std::uint32_t> before_;  // pairs that leave a feature
  int releases_ = 0;
  bool any_ = false;
};

}  // namespace esc
