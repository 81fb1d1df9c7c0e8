// Loops over vectors. The long sums by four independent ones: one alone would wait for each addition.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace esc {

// f(i) for i < n, where no f(i) touches what another one writes. The compiler then needs no checks for overlap, which
// cost more than the loop where n is the few coordinates of a mechanism. Capture pointers by value.
template <class F>
inline void elementwise(std::size_t n, F f) {
  if (n == 1) return f(std::size_t{0});  // to prepare the loop costs more than its few turns
  if (n < 4) {
    for (std::size_t i : {0, 1, 2})
      if (i < n) f(i);
    return;
  }
#ifndef __clang__  // whose pragma warns where it does not vectorise, as under the sanitizers
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < n; ++i) f(i);
}

// As x.resize(n), of which the library makes a call even where the size stays.
inline void fit(std::vector<double>& x, std::size_t n) {
  if (x.size() != n) x.resize(n);
}

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

// NaN and infinity give NaN. Not inlined: the four sums then share two registers.
[[gnu::noinline]] inline double sum_of_zeros(std::span<const double> x) {
  return detail::sum_of(x, [](double value) { return value * 0.0; });
}

inline double zero_if_finite(std::span<const double> x) {
  if (x.size() > 3) return sum_of_zeros(x);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * 0.0;
  return sum;
}

template <class... Vector>
bool all_finite(const Vector&... x) {
  return (zero_if_finite(x) + ...) == 0.0;
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
