// Errors against an exact motion, and the orders in h of a scheme with impacts, as acary section 5 measures them.
// Example::exact(t) gives q and v.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/norms.hpp"

namespace esc::test::orders {

constexpr double root2 = std::numbers::sqrt2;
constexpr std::array<double, 7> reference_steps{50e-3, 20e-3, 10e-3, 5e-3, 2e-3, 1e-3, 0.5e-3};  // s, times sqrt 2

enum Norm { q_inf, q_l1, q_l2, v_l1, v_l2, v_inf, norm_count };
using Errors = std::array<double, norm_count>;

// Steps by which the velocity of a state lags behind its time: a two-step scheme says v(t_k) at t_{k+1}.
template <class S>
constexpr double velocity_lag = 0.0;

template <class S = MoreauJean, class Example>
Errors errors(const Example& example, double h, double until, const typename S::Options& options = {}) {
  ErrorNorms q, v;
  follow<S>(example.model(), options, {.step = h, .until = until, .certify = false},
            [&](const System&, const State& x) {
              q.add(x.q[0] - example.exact(x.t).q);
              v.add(x.v[0] - example.exact(x.t - velocity_lag<S> * h).v);
            });
  return {q.inf(), q.l1(h), q.l2(h), v.l1(h), v.l2(h), v.inf()};
}

// Five levels of sixteen steps h0 / (1 + .37 i / 16): a single step's error depends on where in the step the impacts
// fall.
constexpr int levels = 5, steps_of_a_level = 16;
inline double level_step(double largest, int level) { return std::ldexp(largest, -level) / root2; }
inline double level_step(double largest, int level, int i) {
  return level_step(largest, level) / (1.0 + 0.37 * i / steps_of_a_level);
}

inline Errors slopes(const std::vector<double>& steps, const std::array<std::vector<double>, norm_count>& errors) {
  Errors slopes;
  for (int n = 0; n < norm_count; ++n) slopes[n] = slope(steps, errors[n]);
  return slopes;
}

// Slopes over the levels of the mean errors, each brought to h0 by the expected order.
template <class S = MoreauJean, class Example>
Errors mean_slopes(const Example& example, double largest, double until) {
  std::vector<double> steps;
  std::array<std::vector<double>, norm_count> means;
  for (int level = 0; level < levels; ++level) {
    const double h0 = level_step(largest, level);
    Errors mean{};
    for (int i = 0; i < steps_of_a_level; ++i) {
      const double h = level_step(largest, level, i);
      const Errors error = errors<S>(example, h, until);
      for (int n = 0; n < norm_count; ++n)
        mean[n] += error[n] * std::pow(h0 / h, n == v_l2 ? 0.5 : 1.0) / steps_of_a_level;
    }
    steps.push_back(h0);
    for (int n = 0; n < norm_count; ++n) means[n].push_back(mean[n]);
  }
  return slopes(steps, means);
}

// Slopes over the reference steps.
template <class S = MoreauJean, class Example>
Errors sequence_slopes(const Example& example, double until) {
  std::vector<double> steps;
  std::array<std::vector<double>, norm_count> all;
  for (const double h0 : reference_steps) {
    const Errors error = errors<S>(example, h0 / root2, until);
    steps.push_back(h0);
    for (int n = 0; n < norm_count; ++n) all[n].push_back(error[n]);
  }
  return slopes(steps, all);
}

}  // namespace esc::test::orders
