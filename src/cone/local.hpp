// Exact solutions of one cone's own problem u = w p + q, w row-major dim x dim, not necessarily symmetric.
// p comes in as the guess, whose mode is tried first, and goes out as the solution. False: no solution of this local
// problem was found; p is then a point of the cone and finite.
#pragma once

#include <cmath>

#include "src/cone/cones.hpp"

namespace esc::cone {

inline bool solve_free(double w, double q, double& p) {
  const double root = -q / w;
  if (w != 0.0 && std::isfinite(root)) {
    p = root;
    return true;
  }
  return q == 0.0;
}

inline bool solve_positive(double w, double q, double& p) {
  const double root = -q / w;
  const bool closed = w != 0.0 && root >= 0.0 && std::isfinite(root);
  if (closed && (p > 0.0 || q < 0.0)) {
    p = root;
    return true;
  }
  p = 0.0;
  return q >= 0.0;
}

bool solve_coulomb2(const double* w, const double* q, double mu, double* p);
bool solve_coulomb3(const double* w, const double* q, double mu, double* p);
bool solve_polyhedral(const double* w, const double* q, const Polygon& polygon, double* p);

// p with w p = -q, of least norm if w is singular (n <= 3). False: inconsistent.
bool stick_impulse(const double* w, const double* q, int n, double* p);

}  // namespace esc::cone
