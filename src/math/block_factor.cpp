#include "src/math/block_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

template <class Size>
bool factor_dense(Size n, double* a, int* pivot) {
  return all_below(n, [=](auto k) {
    int p = k;
    double largest = std::abs(a[k * n + k]);
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > largest) largest = std::abs(a[i * n + k]), p = i;
    pivot[k] = p;
    if (p != k)
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
    const double r = 1.0 / a[k * n + k];
    if (!std::isfinite(r) || r == 0.0) return false;
    a[k * n + k] = r;
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i * n + k] * r;
      a[i * n + k] = l;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
    }
    return true;
  });
}

template <class Size>
void solve_dense(Size n, const double* a, const int* pivot, double* x) {
  each_below(n, [=](auto i) {
    if (pivot[i] != i) std::swap(x[i], x[pivot[i]]);
  });
  each_below(n, [=](auto i) {
    double rest = x[i];
    for (int j = 0; j < i; ++j) rest -= a[i * n + j] * x[j];
    x[i] = rest;
  });
  each_below(n, [=](auto k) {
    const int i = n - 1 - k;
    double rest = x[i];
    for (int j = i + 1; j < n; ++j) rest -= a[i * n + j] * x[j];
    x[i] = rest * a[i * n + i];
  });
}

// a = [1/D, L_1, ..., L_half]: A = L D L^T.
bool factor_band(int n, int half, double* a) {
  for (int j = 0; j < n; ++j) {
    const double d = a[j];
    const double r = 1.0 / d;
    if (!(d > 0.0) || !std::isfinite(r) || r == 0.0) return false;
    const int last = j + half < n ? half : n - 1 - j;
    for (int k = 1; k <= last; ++k) {
      const double l = a[k * n + j] * r;
      for (int i = k; i <= last; ++i) a[(i - k) * n + j + k] -= l * a[i * n + j];
    }
    for (int k = 1; k <= last; ++k) a[k * n + j] *= r;
    a[j] = r;
  }
  return true;
}

void solve_band(int n, int half, const double* a, int first, double* x) {
  for (int j = first; j < n; ++j)
    for (int k = 1; k <= half && j + k < n; ++k) x[j + k] -= a[k * n + j] * x[j];
  for (int j = first; j < n; ++j) x[j] *= a[j];
  for (int j = n - 1; j >= 0; --j)
    for (int k = 1; k <= half && j + k < n; ++k) x[j] -= a[k * n + j] * x[j + k];
}

// Tridiagonal systems are eliminated from both ends towards the middle row m: the recurrences are bound by latency, and
// two independent ones take the time of one. a = [1/D, L], L[i] between rows i and i + 1.
bool factor_tridiagonal(int n, double* a) {
  double* d = a;
  double* l = a + n;
  const int m = n / 2;
  const auto invert = [&](int i) {
    const double r = 1.0 / d[i];
    const bool good = d[i] > 0.0 && std::isfinite(r) && r != 0.0;
    d[i] = r;
    return good;
  };
  for (int i = 0; i < m; ++i) {
    if (!invert(i)) return false;
    const double off = l[i];
    l[i] = off * d[i];
    d[i + 1] -= l[i] * off;
  }
  for (int i = n - 1; i > m; --i) {
    if (!invert(i)) return false;
    const double off = l[i - 1];
    l[i - 1] = off * d[i];
    d[i - 1] -= l[i - 1] * off;
  }
  return invert(m);
}

// x is zero before `first`.
void solve_tridiagonal(int n, const double* a, int first, double* x) {
  const double* l = a + n;
  const int m = n / 2;
  int i = std::min(first, m);
  int j = n - 1;
  double up = x[i];
  double down = x[j];
  for (; i < m && j > m + 1; ++i, --j) {
    x[i + 1] = up = x[i + 1] - l[i] * up;
    x[j - 1] = down = x[j - 1] - l[j - 1] * down;
  }
  for (; j > m + 1; --j) x[j - 1] = down = x[j - 1] - l[j - 1] * down;
  for (; i < m; ++i) x[i + 1] = up = x[i + 1] - l[i] * up;
  if (j == m + 1) x[m] -= l[m] * down;

  for (int k = std::min(first, m); k < n; ++k) x[k] *= a[k];

  up = down = x[m];
  for (i = m - 1, j = m + 1; i >= 0 && j < n; --i, ++j) {
    x[i] = up = x[i] - l[i] * up;
    x[j] = down = x[j] - l[j - 1] * down;
  }
  for (; i >= 0; --i) x[i] = up = x[i] - l[i] * up;
  for (; j < n; ++j) x[j] = down = x[j] - l[j - 1] * down;
}

}  // namespace

BlockFactor::BlockFactor(std::span<const MatrixBlock> blocks) : blocks_(blocks.begin(), blocks.end()) {
  int values = 0;
  int velocities = 0;
  for (const MatrixBlock& block : blocks_) {
    values = block.a0 + block.values();
    velocities = block.v0 + block.n;
  }
  a_.resize(values);
  pivot_.resize(velocities);
}

bool BlockFactor::factor(int index, std::span<const double> A) {
  const MatrixBlock& block = blocks_[index];
  double* a = a_.data() + block.a0;
  const double* from = A.data() + block.a0;
  if (block.storage == Storage::dense)
    return with_size(block.n, [&](auto n) {
      std::copy_n(from, n * n, a);
      return factor_dense(n, a, pivot_.data() + block.v0);
    });
  std::copy_n(from, block.values(), a);
  return block.half == 1 ? factor_tridiagonal(block.n, a) : factor_band(block.n, block.half, a);
}

void BlockFactor::solve(int index, double* x) const { solve_from(index, 0, x); }

void BlockFactor::solve_from(int index, int first, double* x) const {
  const MatrixBlock& block = blocks_[index];
  const double* a = a_.data() + block.a0;
  if (block.n == 1)
    *x *= *a;  // whatever the storage
  else if (block.storage == Storage::dense)
    with_size(block.n, [&](auto n) { solve_dense(n, a, pivot_.data() + block.v0, x); });
  else if (block.half == 1)
    solve_tridiagonal(block.n, a, first, x);
  else
    solve_band(block.n, block.half, a, first, x);
}

void BlockFactor::solve_all(std::span<double> x) const {
  for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) solve(i, x.data() + blocks_[i].v0);
}

}  // namespace esc
