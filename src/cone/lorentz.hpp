// Friction cones as Lorentz cones, and the product of their Jordan algebra.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <escapement/cone_problem.hpp>

#include "src/cone/cones.hpp"

namespace esc::cone {

// A cone as a Lorentz cone of dimension `dim`: p^ = (mu p_N, p_T), y^ = (y_N, mu y_T). Without friction only the normal
// row is one; dim = 0 is a free row.
struct Lorentz {
  int first = 0;
  int dim = 1;
  double mu = 1.0;

  double p_unit(int i) const { return i == 0 ? mu : 1.0; }
  double y_unit(int i) const { return i == 0 ? 1.0 : mu; }
};

inline Lorentz lorentz(const ConeBlock& cone) {
  if (cone.kind == ConeKind::free) return {cone.first, 0, 1.0};
  if (cone.kind == ConeKind::positive || cone.mu == 0.0) return {cone.first, 1, 1.0};
  return {cone.first, dimension(cone.kind), cone.mu};
}

struct Hat {
  double x[3] = {};
};

inline Hat p_hat(const Lorentz& c, const std::vector<double>& p) {
  Hat hat;
  for (int i = 0; i < c.dim; ++i) hat.x[i] = c.p_unit(i) * p[c.first + i];
  return hat;
}

inline Hat y_hat(const Lorentz& c, const std::vector<double>& y) {
  Hat hat;
  for (int i = 0; i < c.dim; ++i) hat.x[i] = c.y_unit(i) * y[c.first + i];
  return hat;
}

// a o b = (a . b, a_0 b_T + b_0 a_T).
inline Hat product(const Hat& a, const Hat& b) {
  return {{a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2], a.x[0] * b.x[1] + b.x[0] * a.x[1],
           a.x[0] * b.x[2] + b.x[0] * a.x[2]}};
}

// The matrix of b -> a o b.
inline double arrow(const Hat& a, int i, int j) {
  if (i == j) return a.x[0];
  return i == 0 ? a.x[j] : j == 0 ? a.x[i] : 0.0;
}

// The largest s with x + s d in the cone.
inline double step_to_boundary(const Hat& x, const Hat& d, int dim) {
  double longest = std::numeric_limits<double>::infinity();
  if (d.x[0] < 0.0) longest = -x.x[0] / d.x[0];
  if (dim == 1) return longest;
  const double a = d.x[0] * d.x[0] - d.x[1] * d.x[1] - d.x[2] * d.x[2];
  const double b = x.x[0] * d.x[0] - x.x[1] * d.x[1] - x.x[2] * d.x[2];
  const double c = x.x[0] * x.x[0] - x.x[1] * x.x[1] - x.x[2] * x.x[2];
  const double root = b * b - a * c;
  if (!(root >= 0.0)) return longest;
  const double q = b <= 0.0 ? -b + std::sqrt(root) : -b - std::sqrt(root);
  for (const double s : {q / a, c / q}) {
    if (s > 0.0) longest = std::min(longest, s);
  }
  return longest;
}

// y_N - mu |y_T|, y_N + mu |y_T| and the like.
struct Spectrum {
  double least = 0.0;
  double largest = 0.0;
};

inline Spectrum spectrum(const Hat& x) {
  const double t = norm2(x.x[1], x.x[2]);
  return {x.x[0] - t, x.x[0] + t};
}

}  // namespace esc::cone
