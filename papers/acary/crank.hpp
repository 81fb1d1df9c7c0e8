// Runs of the slider-crank of section 6.4, Figs 23 to 26, Table 3, and what is asked of them.
#pragma once

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

enum class Mechanism {
  minimal,  // three angles, section 6.4.1
  spatial,  // three rigid bodies in space with ideal revolute joints, section 6.4.2
};

// Columns t, revolutions (of the crank), crank_rate, rod_rate, x, y, vx (slider), tilt, gap (smallest), U_1 (normal
// velocity of corner 1), corner_1 ... corner_4 (transverse motion / c: 1 at the upper wall, -1 at the lower one) and
// energies.
Run crank_run(const SchemeChoice& scheme, const Grid& grid, Mechanism mechanism = Mechanism::minimal);

double violation(const Run& run);    // largest penetration, m
double revolutions(const Run& run);  // of the crank at the end

Judgement is_pure_translation(const Run& run);  // |tilt| < 1e-9 rad
// The tilt is at least a thousand times that of a run whose contact problems are solved well.
Judgement loses_symmetry(const Run& run, const Run& solved_well);
Judgement corners_move_alike(const Run& run);  // 1e-6 of the clearance
Judgement energy_never_exceeds_start(const Run& run);
Judgement violates_in_proportion(const Run& run, double h);       // 0.8 to 1.6 h (at 1 m/s)
Judgement reaches_revolutions(const Run& run, double tolerance);  // 2.8781 in 0.2 s

// Of the velocity of corner 1 for revolutions in [0.15, 0.25], where the slider stays at the wall.
struct CornerVelocity {
  int steps = 0;
  int sign_changes = 0;       // between velocities above 1e-8 m/s, to which the law is solved
  double largest_jump = 0.0;  // between steps, m/s
};
CornerVelocity corner_velocity(const Run& run);
Judgement is_smooth(const CornerVelocity& velocity);   // jumps of at most 3.6e-3 and no change of sign
Judgement oscillates(const CornerVelocity& velocity);  // jumps of 2e-2 to 5e-2 and at least 19 changes of sign

// Mean of |a - b| over the first two revolutions, both as functions of the crank's revolutions.
double mean_distance(const Run& a, const Run& b, const char* column);

}  // namespace esc::papers::acary
