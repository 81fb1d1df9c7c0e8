// One contact without friction: the whole problem is a division.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <escapement/solver.hpp>

#include "src/cone/local.hpp"

namespace esc::cone {

// residual() of the problem with one positive cone; u = W p + b.
inline double residual_of_one_row(double W, double b, double p, double& u) {
  u = b + W * p;
  const double rho = W > 0.0 ? 1.0 / W : 1.0;
  const double scale = std::max({rho * std::abs(b), std::abs(p), rho * std::abs(u)});
  if (!std::isfinite(b + p + u)) return std::numeric_limits<double>::quiet_NaN();
  return std::abs(std::min(p, rho * u)) / (scale > 0.0 ? scale : 1.0);
}

// As Enumerate does it: p in as the guess, out as the solution; where there is none the guess stays.
inline SolveReport solve_one_row(double W, double b, double tol, double& p) {
  double solution = p, u = 0.0;
  solve_positive(W, b, solution);
  const double r = residual_of_one_row(W, b, solution, u);
  if (!(r <= tol)) return {SolveStatus::no_solution, 1, r};
  p = solution;
  return {SolveStatus::solved, 1, r};
}

}  // namespace esc::cone
