// Runs of the rocking block of section 5.3, Fig. 9, and what is asked of them.
#pragma once

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// Columns t, y, theta, vy, omega, gap (smallest), U_A, U_B, force_A, force_B, tau_A, tau_B and energies; h = 1e-2 s
// until 2 s.
Run block_run(const SchemeChoice& scheme);

double late_speed(const Run& run);           // largest |U| of a corner from 1.5 s on, m/s
double energy_at(const Run& run, double t);  // J
double deepest(const Run& run);              // smallest gap, m

// At the end y = 0.75, theta = 0 (1e-12), E = 7.3575 (1e-10), the forces carry the weight (1e-8), |U| < 1e-12.
Judgement block_rests(const Run& run);
// Late corner velocities between 0.05 and 0.2 m/s.
Judgement block_chatters(const Run& run);
// The first has at most the energy of the second at every step (1e-9).
Judgement dissipates_more(const Run& first, const Run& second);

}  // namespace esc::papers::acary
