// Runs of the bouncing pendulum of section 10.2, Figs 8 to 16, and what is asked of them.
#pragma once

#include "papers/bruels/measures.hpp"

namespace esc::papers::bruels {

inline constexpr double pendulum_step = 1e-3;  // s

// Columns t, x, y, theta, vx, gap, P and nu (of the wall), energies, and of the first joint row its residual g1, its
// multipliers Lambda1, lambda1 (smooth) and nu1, and the reaction Lambda1 / h + lambda1; residual of the second row g2.
Run pendulum_run(const SchemeChoice& scheme, double h = pendulum_step, double until = 6.0);

double drift(const Run& run);  // largest |g| of both rows, m
// Largest error of the reaction of the first row before the impact, from the motion of a physical pendulum, N.
double reaction_error(const Run& run);
// Largest |lambda_{k+1} - 2 lambda_k + lambda_{k-1}| from the fourth to the tenth step after the first impact, N.
double swing_after_impact(const Run& run);
double swing_later(const Run& run);        // from 10 to 20 ms after it
Judgement pendulum_rests(const Run& run);  // x = -y = sqrt(2)/2, forces 10 and -10 N, to 1e-6
// Impulses of the second run at the first three impacts, from those of the first, relative.
double impulses_apart(const Run& a, const Run& b);

}  // namespace esc::papers::bruels
