#include "src/math/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {
namespace {

constexpr double zero_pivot = 1e-12;

struct Pivot {
  int row = 0;
  int column = 0;
  double size = 0.0;  // relative to its original row
};

Pivot largest_entry(const LuFactors& lu, int k) {
  Pivot best{k, k, 0.0};
  for (int i = k; i < lu.n; ++i) {
    for (int j = k; j < lu.n; ++j) {
      const double size = std::abs(lu.a[i * lu.n + j]) * lu.scale[i];
      if (size > best.size) best = {i, j, size};
    }
  }
  return best;
}

void exchange(LuFactors& lu, int k, const Pivot& pivot) {
  if (pivot.row != k) {
    std::swap_ranges(lu.a + k * lu.n, lu.a + (k + 1) * lu.n, lu.a + pivot.row * lu.n);
    std::swap(lu.row[k], lu.row[pivot.row]);
    std::swap(lu.scale[k], lu.scale[pivot.row]);
  }
  if (pivot.column != k) {
    for (int i = 0; i < lu.n; ++i) std::swap(lu.a[i * lu.n + k], lu.a[i * lu.n + pivot.column]);
    std::swap(lu.column[k], lu.column[pivot.column]);
  }
}

// y := U11^-1 y, the leading rank x rank triangle.
void back_substitute(const LuFactors& lu, double* y) {
  for (int i = lu.rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < lu.rank; ++j) y[i] -= lu.a[i * lu.n + j] * y[j];
    y[i] /= lu.a[i * lu.n + i];
  }
}

// Removes from y its part in the null space of [U11 U12], whose basis is orthonormalised in `basis`.
void remove_null_space(const LuFactors& lu, double* y, double* basis) {
  const int n = lu.n;
  for (int f = lu.rank; f < n; ++f) {
    double* z = basis + (f - lu.rank) * n;
    std::fill(z, z + n, 0.0);
    for (int i = 0; i < lu.rank; ++i) z[i] = -lu.a[i * n + f];
    back_substitute(lu, z);
    z[f] = 1.0;
    for (int g = lu.rank; g < f; ++g) subtract_component(basis + (g - lu.rank) * n, n, z);
    const double length = std::sqrt(dot(z, z, n));
    for (int i = 0; i < n; ++i) z[i] /= length;
    subtract_component(z, n, y);
  }
}

template <class Size>
bool eliminate(Size n, double* a, double* x) {
  const auto scale = [=](auto i) {
    double largest = 0.0;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(a[i * n + j]));
    if (!(largest > 0.0)) return false;
    const double inverse = 1.0 / largest;
    for (int j = 0; j < n; ++j) a[i * n + j] *= inverse;
    x[i] *= inverse;
    return true;
  };
  const auto eliminate_column = [=](auto k) {
    int pivot = k;
    double largest = std::abs(a[k * n + k]);
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > largest) largest = std::abs(a[i * n + k]), pivot = i;
    if (!(largest > zero_pivot)) return false;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(x[k], x[pivot]);
    }
    const double inverse = 1.0 / a[k * n + k];
    a[k * n + k] = inverse;
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i * n + k] * inverse;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
      x[i] -= l * x[k];
    }
    return true;
  };
  if (!all_below(n, scale) || !all_below(n, eliminate_column)) return false;
  each_below(n, [=](auto k) {
    const int i = n - 1 - k;
    double rest = x[i];
    for (int j = i + 1; j < n; ++j) rest -= a[i * n + j] * x[j];
    x[i] = rest * a[i * n + i];
  });
  return true;
}

}  // namespace

bool solve_regular(int n, double* a, double* x) {
  return with_size(n, [&](auto size) { return eliminate(size, a, x); });
}

void lu_factor(LuFactors& lu) {
  const int n = lu.n;
  for (int i = 0; i < n; ++i) {
    lu.row[i] = lu.column[i] = i;
    double largest = 0.0;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(lu.a[i * n + j]));
    lu.scale[i] = largest > 0.0 ? 1.0 / largest : 0.0;
  }

  for (lu.rank = 0; lu.rank < n; ++lu.rank) {
    const int k = lu.rank;
    const Pivot pivot = largest_entry(lu, k);
    if (!(pivot.size > zero_pivot)) return;
    exchange(lu, k, pivot);
    const double inverse = 1.0 / lu.a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double l = lu.a[i * n + k] *= inverse;
      if (l == 0.0) continue;
      for (int j = k + 1; j < n; ++j) lu.a[i * n + j] -= l * lu.a[k * n + j];
    }
  }
}

double lu_solve(const LuFactors& lu, double* x, double* work) {
  const int n = lu.n;
  double* y = work;
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    y[i] = x[lu.row[i]];
    largest = std::max(largest, std::abs(y[i]));
    for (int j = 0; j < std::min(i, lu.rank); ++j) y[i] -= lu.a[i * n + j] * y[j];
  }

  double defect = 0.0;
  for (int i = lu.rank; i < n; ++i) {
    defect = std::max(defect, std::abs(y[i]));
    y[i] = 0.0;
  }
  back_substitute(lu, y);
  remove_null_space(lu, y, work + n);

  for (int j = 0; j < n; ++j) x[lu.column[j]] = y[j];
  return largest > 0.0 ? defect / largest : 0.0;
}

}  // namespace esc
