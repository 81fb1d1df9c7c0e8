// Runs of the bouncing ball of section 10.1, Figs 2 to 7, and what is asked of them.
#pragma once

#include "examples/bouncing_ball.hpp"
#include "papers/bruels/measures.hpp"

namespace esc::papers::bruels {

// m = 1 kg, a_g = 10 m/s^2, e = 0.8; h0 = 1.001 m is the height of a centre 0.2 m above the gap.
inline constexpr examples::BouncingBall ball{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0};

// The paper's step is 2e-3 s. There the second impact falls exactly on a grid time, and round-off decides what it does;
// at this step no impact does.
inline constexpr double ball_step = 1.8e-3;

// Columns t, q (the gap), v, P, nu, force and energies.
Run ball_run(const SchemeChoice& scheme, double h = ball_step, double until = 5.0);
Table exact_ball(double h, double until);  // t, q, v

double late_speed(const Run& run, double from);                   // largest |v| from then on
double rest_from(const Run& run);                                 // s, after which |q| and |v| stay below 1e-8
double largest_error(const Run& run, double until = 1e9);         // of q, m
double loss_in_flight(const Run& run);                            // J per step until the first impact
Judgement first_impulses(const Run& run);                         // rational numbers, to 1e-10
Judgement carries_its_weight(const Run& run);                     // 10 N to 1e-8 at the end
Judgement stays_above(const Run& run);                            // gap >= -1e-15
Judgement rests_at_the_accumulation(const Run& run);              // 3.602 s to 5e-2
Judgement corrections_are_first_order(const Run& run, double h);  // 0 <= nu <= 1.05 h |v-|

}  // namespace esc::papers::bruels
