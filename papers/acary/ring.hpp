// Runs of the rod in a turning ring of section 6.3, Fig. 20, and what is asked of them.
#pragma once

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// Columns t, gap, cad_gap, force, U: gap to the inner side of the ring; cad_gap as a distance to the nearer side of the
// ring of 2 mm, negative inside its material. h = 5e-4 s.
Run ring_run(const SchemeChoice& scheme, double until);

// From the impact on: the gap stays between -3.3e-4 m (1.5 h times the speed of the impact) and -2e-4 m.
Judgement keeps_first_penetration(const Run& run);
// The gap passes -0.7, -1.5 and -3.1 mm at 0.5, 1 and 2 s, and leaves the ring of 2 mm at 1.31 s, to 5 %.
Judgement drifts_through_the_ring(const Run& run);
// gap >= -1e-10 m always and an impulse in every step after the impact.
Judgement keeps_contact(const Run& run);
int steps_without_impulse(const Run& run);  // after the impact

}  // namespace esc::papers::acary
