// Reductions over vectors. The long ones by four independent sums: one alone would wait for each addition.
#pragma once

#include <cmath>
#include <span>

namespace esc {

namespace detail {

template <class Term>
double sum_of(std::span<const double> x, Term term) {
  const std::size_t n = x.size();
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += term(x[i]);
    s1 += term(x[i + 1]);
    s2 += term(x[i + 2]);
    s3 += term(x[i + 3]);
  }
  for (; i < n; ++i) s0 += term(x[i]);
  return (s0 + s1) + (s2 + s3);
}

}  // namespace detail

inline double norm(std::span<const double> x) {
  return std::sqrt(detail::sum_of(x, [](double value) { return value * value; }));
}

inline bool all_finite(std::span<const double> x) {
  return detail::sum_of(x, [](double value) { return value * 0.0; }) == 0.0;  // NaN and infinity give NaN
}

inline double dot(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// x minus its part along `unit`.
inline void subtract_component(const double* unit, int n, double* x) {
  const double c = dot(x, unit, n);
  for (int i = 0; i < n; ++i) x[i] -= c * unit[i];
}

}  // namespace esc
