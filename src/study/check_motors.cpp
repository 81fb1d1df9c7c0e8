// Rates that contradict each other: no velocity satisfies the joint rows U = G v + g_t = 0 of the start.
#include <vector>

#include "src/math/text.hpp"
#include "src/model/rate_conflicts.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

void look_at_motors(const System& system, Findings& findings) {
  const State& x = system.initial_state();
  std::vector<double> scratch(system.scratch_size());
  JointSet set;
  system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);
  for (const Component& component : system.components()) {
    const RateConflict conflict = rate_conflict(system, component, set);
    std::string names;
    for (const int j : conflict.joints) names += (names.empty() ? "'" : ", '") + system.joint_names()[j] + "'";
    if (!names.empty())
      findings.warn("joints", "joints and motors contradict each other: no velocity satisfies " + names +
                                  " together (nearest misses by " + short_text(conflict.miss) +
                                  " m/s or rad/s); correct the rates, or remove one of them");
  }
}

}  // namespace esc::study
