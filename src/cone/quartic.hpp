// Real roots of polynomials up to degree 4, by bracketing between the roots of the derivative.
#pragma once

#include <algorithm>
#include <cmath>

namespace esc::cone {

struct Roots {
  int count = 0;
  double x[8] = {};  // ascending; near-double roots are reported once or twice
};

inline double polynomial(const double* a, int degree, double x) {
  double value = a[degree];
  for (int k = degree - 1; k >= 0; --k) value = value * x + a[k];
  return value;
}

// Regula falsi (Illinois) inside [lo, hi] with a sign change, bisecting whenever it gains less than half.
inline double bracketed_root(const double* a, int degree, double lo, double hi) {
  double f_lo = polynomial(a, degree, lo);
  double f_hi = polynomial(a, degree, hi);
  if (f_lo == 0.0) return lo;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double width = hi - lo;
    double x = lo - f_lo * width / (f_hi - f_lo);
    if (!(x > lo && x < hi) || iteration % 3 == 2) x = 0.5 * (lo + hi);
    if (!(x > lo && x < hi) || width < 1e-14 * (1.0 + std::abs(x))) break;
    const double f = polynomial(a, degree, x);
    if (f == 0.0) return x;
    if ((f < 0.0) == (f_lo < 0.0)) {
      lo = x;
      f_lo = f;
      f_hi *= 0.5;
    } else {
      hi = x;
      f_hi = f;
      f_lo *= 0.5;
    }
  }
  return 0.5 * (lo + hi);
}

// a[degree] must not be zero.
inline Roots real_roots(const double* a, int degree) {
  Roots roots;
  if (degree == 1) {
    roots.x[roots.count++] = -a[0] / a[1];
    return roots;
  }
  double derivative[4];
  double bound = 0.0;
  double size = std::abs(a[degree]);
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * a[k];
  for (int k = 0; k < degree; ++k) {
    bound = std::max(bound, std::abs(a[k] / a[degree]));
    size += std::abs(a[k]);
  }
  bound += 1.0;  // Cauchy: every root lies within

  const Roots turns = real_roots(derivative, degree - 1);
  double lo = -bound;
  for (int k = 0; k <= turns.count; ++k) {
    const double hi = k < turns.count ? turns.x[k] : bound;
    const double f_hi = polynomial(a, degree, hi);
    const double reach = std::pow(std::max(1.0, std::abs(hi)), degree);
    if ((polynomial(a, degree, lo) < 0.0) != (f_hi < 0.0)) {
      roots.x[roots.count++] = bracketed_root(a, degree, lo, hi);
    } else if (k < turns.count && std::abs(f_hi) < 1e-12 * size * reach) {
      roots.x[roots.count++] = hi;  // a double root up to rounding
    }
    lo = hi;
  }
  return roots;
}

}  // namespace esc::cone
