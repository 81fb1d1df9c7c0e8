// The best point that an iteration has met, on its cones.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <escapement/cone_problem.hpp>

namespace esc::cone {

struct BestPoint {
  std::vector<double> p;
  double residual = 0.0;
  std::vector<double> trial;

  void start(const ConeProblem& problem, const std::vector<double>& first) {
    residual = std::numeric_limits<double>::infinity();
    p = first;
    offer(problem, first);
  }
  // residual() of x projected on its cones, kept if it is the smallest so far.
  double offer(const ConeProblem& problem, const std::vector<double>& x) {
    trial = x;
    for (const ConeBlock& c : problem.cones) project(problem, c, std::span(trial).subspan(c.first, dimension(c.kind)));
    const double r = esc::residual(problem, trial);
    if (r < residual) {
      residual = r;
      std::copy(trial.begin(), trial.end(), p.begin());  // a swap would mix capacities, and later allocate
    }
    return r;
  }
};

}  // namespace esc::cone
