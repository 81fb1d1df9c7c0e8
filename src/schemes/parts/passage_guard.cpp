#include "src/schemes/parts/passage_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/schemes/parts/culprits.hpp"

namespace esc {

namespace {

bool carries(const void* of, std::uint32_t pair) {
  const auto& active = *static_cast<const PassageGuard::Active*>(of);
  return std::any_of(active.set.contacts.begin(), active.set.contacts.end(), [&](const Contact& contact) {
    return contact.key.pair == pair && active.P[contact.first_row] > 0.0;
  });
}

}  // namespace

PassageGuard::PassageGuard(const System& system, double tol, Scratch& scratch)
    : memory_(scratch), system_(system), tol_(tol), possible_(system.may_pass(std::numeric_limits<double>::max())) {
  for (auto* vector : {&way_, &dv_}) vector->resize(system.nv());
}

bool PassageGuard::look(const Motion& motion, const Active& active, StepReport& report) {
  double speed = 0.0, size = 0.0;
  for (std::size_t i = 0; i < way_.size(); ++i)
    speed = std::max({speed, std::abs(motion.v0[i]), std::abs(motion.v1[i])});
  for (const double part : motion.shift) size = std::max(size, std::abs(part));
  size += motion.h * speed;
  if (!system_.may_pass(size)) return false;

  for (std::size_t i = 0; i < way_.size(); ++i) {
    way_[i] = motion.h * ((1.0 - motion.theta) * motion.v0[i] + motion.theta * motion.v1[i]);
    dv_[i] = motion.v1[i] - motion.v0[i];
  }
  const double t1 = motion.x.t + motion.h;
  near_.clear();
  if (const double reach = system_.passage_reach(size); reach > 0.0) system_.detect(t1, motion.q, reach, near_);
  const Sweep sweep{system_,     motion.x.t, t1,   motion.x.q.data(),  motion.q.data(),
                    way_.data(), size,       tol_, {&active, carries}, {path_, gaps_, samples_, sampled_},
                    dv_};
  const Passage passage = system_.passage(sweep, near_.contacts);
  if (!(passage.depth > tol_)) return false;
  report.status = StepStatus::contact_missed;
  blame_passed(passage.key, report.stuck_at);
  return true;
}

}  // namespace esc
