// Runs of the bouncing ball (Example 1) and of the oscillator (Example 2), Figs 2 to 7, and what is asked of them.
#pragma once

#include <array>
#include <vector>

#include "examples/bouncing_ball.hpp"
#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// The paper starts at rest. Then a projected scheme meets impacts exactly on grid times and round-off decides what it
// does, for any h; the start at -0.3 m/s and an irrational h have no such ties.
struct BallCase {
  double h, until;  // s
  double velocity = -0.3;
  double e = 0.5;
  static constexpr double force = 2.0;  // N, downwards
};

// Columns t, q, v, force, tau and energies.
Run ball_run(const SchemeChoice& scheme, const BallCase& ball);

// A periodic motion: velocities, positions and forces of one period.
struct Cycle {
  std::vector<double> v, q, force;
};

// v = -h |f| / (1 - e^2) (1, -e, e^2) or -h |f| / (1 + e) (1, -e): the limit cycles of the direct projected scheme with
// the forecasts gamma = 0 and gamma > 0.
Cycle direct_cycle(const BallCase& ball, double gamma, double theta);

// In the last second the motion is this cycle, to 1e-6 h |f| and 1e-6 N.
Judgement chatters(const Run& run, const Cycle& cycle, const BallCase& ball);

// After `from` the ball stands still and its weight is carried: |v| <= speed, |force - 2 N| <= 1e-4 N, q constant.
Judgement comes_to_rest(const Run& run, double from, double speed);

double largest(const Run& run, std::string_view column);  // magnitude

// Of the total energy over one step.
struct EnergySteps {
  double start = 0.0, end = 0.0, highest = 0.0;
  double largest_increase = 0.0;  // of one step
  bool projected = false;         // whether that step has tau > 0
  int increases = 0;              // steps that gain more than 1e-12
};
EnergySteps energy_steps(const Run& run);
Judgement never_gains(const EnergySteps& energy);       // 1e-14
Judgement projection_gains(const EnergySteps& energy);  // the largest gain is above 1e-2, of a projected step

// Norms of the errors at the grid times. For Schatzman-Paoli v_{k+1} belongs to t_k.
struct Errors {
  static constexpr int count = 6;
  enum Norm { q_inf, q_l1, q_l2, v_l1, v_l2, v_inf };
  std::array<double, count> norm{};
};
Errors ball_errors(const SchemeChoice& scheme, const BallCase& ball);
Errors oscillator_errors(const SchemeChoice& scheme, double h, double until);

}  // namespace esc::papers::acary
