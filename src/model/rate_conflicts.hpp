// Rates of joints and motors that contradict each other.
#pragma once

#include <vector>

#include <escapement/system.hpp>

namespace esc {

struct RateConflict {
  std::vector<int> joints;  // into System::joints(): no velocity satisfies them together
  double miss = 0.0;        // m/s or rad/s: what the v that comes nearest leaves of the worst row U = G v + g_t
};
// In a component of up to 600 velocities; the set is evaluated at the place in question.
RateConflict rate_conflict(const System& system, const Component& component, const JointSet& set);

}  // namespace esc
