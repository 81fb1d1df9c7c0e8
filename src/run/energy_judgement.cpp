// The energy of a run judged: docs/certificate.md#the-energy-of-a-run.
#include <algorithm>
#include <cmath>

#include <escapement/impact_marks.hpp>

#include "src/run/energy_judgement.hpp"

namespace esc {

void EnergyJudgement::see(const Audit& step, const Audit& total, double t) {
  const double own = step.unexplained();
  kinetic = std::max({kinetic, step.before.kinetic, step.after.kinetic});
  given = std::max(given, std::abs(total.given));
  if (std::isfinite(worst) && !(std::abs(own) <= std::abs(worst))) {
    worst = own;
    worst_t = t;
  }
  const double free = total.change - total.given, closed = free - total.taken;
  if (!(free - lowest <= gained)) {
    gained = free - lowest;
    gained_t = t;
  }
  if (!(highest - closed <= lost)) {
    lost = highest - closed;
    lost_t = t;
  }
  lowest = std::min(lowest, free);
  highest = std::max(highest, closed);
}

double EnergyJudgement::part(const Audit& total) const {
  const double own = std::max(gained, lost) - total.slack;
  if (own <= 0.0) return 0.0;
  return own / in_motion(total);
}

double energy_bound(const SchemeTraits& traits, const System& system) {
  const bool smooth = system.pairs() == 0 && system.joint_rows() == 0;
  return std::pow(0.25, smooth ? traits.order : 1);
}

// An impact that is spread over two steps is judged after the second.
void add_energy(RunReport& report, const Audit& step, const State& after, const Promise& promise) {
  Audit& total = report.total;
  total.change += step.change;
  total.given += step.given;
  total.taken += step.taken;
  total.slack += step.slack;
  const bool impact = std::ranges::any_of(after.contacts, &ContactRecord::impact);
  if (!impact || spread_impacts({&promise, 1}) == SpreadImpacts::no) report.energy.see(step, total, after.t);
}

}  // namespace esc
