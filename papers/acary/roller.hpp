// Runs of the slider on a roller, Fig. 8, and what is asked of them.
#pragma once

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// Columns t, y, phi, vy, omega, force; until 4 s.
Run roller_run(const SchemeChoice& scheme, double h);

// From 3 s on nothing moves (1e-9) and the force is the weight, 9.81 N (1e-6).
Judgement roller_rests(const Run& run);

struct RollerCycle {
  double speed;  // m/s, of the slider, h g / (1 - e^2) or h g / (1 + e)
  double rate;   // rad/s, mean slip of the roller
};
// From 3 s on the slider bounces at this speed (1e-3) and the roller slips at this rate (2 %).
Judgement roller_slips(const Run& run, const RollerCycle& cycle);

}  // namespace esc::papers::acary
