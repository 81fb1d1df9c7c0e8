// What the reference tests measure: a run seen step by step, error norms over its grid, orders of convergence.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/statistics.hpp"

namespace esc::test {

// Calls observe(system, state) after every step. The run must end well, and every certificate asked for must hold.
template <class S = MoreauJean, class Observe>
RunReport follow(const Model& model, const typename S::Options& options, SimulateOptions run, Observe observe) {
  const System system = compile(model);
  S scheme(system, options);
  State x = system.initial_state();
  run.keep_going = [&](const State& now) {
    observe(system, now);
    return true;
  };
  RunReport report = simulate(scheme, x, run);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.failed_certificates, 0) << to_string(report.worst_check);
  return report;
}

inline double energy(const System& system, const State& x) {
  std::vector<double> scratch(system.scratch_size());
  const Energy e = system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()});
  return e.kinetic + e.potential;
}

// Every pair with its gap and frame.
inline ContactSet contacts_at(const System& system, const State& x) {
  ContactSet set;
  system.detect(x.t, x.q, any_gap, set);
  system.evaluate(x.t, x.q, set);
  return set;
}

inline double smallest_gap(const System& system, const State& x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_at(system, x).contacts) smallest = std::min(smallest, contact.gap);
  return smallest;
}

// The largest |U_N| of a pair, closed or not.
inline double fastest_corner(const System& system, const State& x) {
  const ContactSet set = contacts_at(system, x);
  double fastest = 0.0;
  for (const Contact& contact : set.contacts) {
    double U[3];
    velocity(set, contact, x.v, U);
    fastest = std::max(fastest, std::abs(U[0]));
  }
  return fastest;
}

// Of the errors e_k at the grid times: max |e_k|, h sum |e_k|, sqrt(h sum e_k^2).
class ErrorNorms {
 public:
  void add(double error) {
    largest_ = std::max(largest_, std::abs(error));
    sum_ += std::abs(error);
    squares_ += error * error;
  }
  double inf() const { return largest_; }
  double l1(double h) const { return h * sum_; }
  double l2(double h) const { return std::sqrt(h * squares_); }

 private:
  double largest_ = 0.0, sum_ = 0.0, squares_ = 0.0;
};

using examples::Sample;
using examples::slope;

}  // namespace esc::test
