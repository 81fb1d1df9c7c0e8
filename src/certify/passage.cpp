// What went through what between the two states.
#include <algorithm>

#include "src/certify/checks.hpp"

namespace esc {

namespace {

// Whether a contact of this pair carries an impulse of the step.
bool holds(const void* of, std::uint32_t pair) {
  const auto& records = static_cast<const State*>(of)->contacts;
  const auto before = [](const ContactRecord& record, std::uint32_t p) { return record.key.pair < p; };
  auto record = std::lower_bound(records.begin(), records.end(), pair, before);
  for (; record != records.end() && record->key.pair == pair; ++record)
    if (record->P[0] > 0.0) return true;
  return false;
}

}  // namespace

void Checks::look_for_passage(double reach, const Motion& motion) {
  system.detect(after_->t, after_->q, std::max(reach, system.passage_reach(motion.size)), near_);
  const Sweep sweep{system,           before_->t,
                    after_->t,        before_->q.data(),
                    after_->q.data(), motion.way.data(),
                    motion.size,      promise_->tol.gap,
                    {after_, holds},  {path_, gaps_, samples_, sampled_},
                    motion.dv};
  const Passage worst = system.passage(sweep, near_.contacts);
  (*this)[Check::passage].see(worst.depth, worst.key);

  end_closed_.clear();
  for (const Contact& contact : near_.contacts)
    if (!(contact.gap > reach)) end_closed_.contacts.push_back(contact);
  end_closed_.layout();
}

}  // namespace esc
