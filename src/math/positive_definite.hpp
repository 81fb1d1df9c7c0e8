// Whether a mass matrix is positive definite, by the pivots of its elimination.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <escapement/block_matrix.hpp>

namespace esc {

// What elimination leaves of a diagonal entry, less than this part of it: nothing but round-off.
constexpr double least_pivot = 1e-15;

struct WeakestPivot {
  int row = -1;
  double value = 0.0;
  double part = std::numeric_limits<double>::infinity();  // of the diagonal entry; NaN if an entry is not finite

  bool positive() const { return part > least_pivot; }  // false for NaN
};

// A, symmetric, n x n by rows, is destroyed. Elimination ends at the first pivot that is not positive.
inline WeakestPivot weakest_pivot(int n, double* A) {
  WeakestPivot weakest;
  for (int k = 0; k < n; ++k) {
    const double d = A[k * n + k];
    double eliminated = 0.0;  // what the rows above have taken from the diagonal, kept below it
    for (int j = 0; j < k; ++j) eliminated += A[k * n + j];
    const double whole = d + eliminated;
    const double part = d / (whole > 0.0 ? whole : -whole);
    if (!(part >= weakest.part)) weakest = {k, d, whole == 0.0 && d == 0.0 ? 0.0 : part};
    if (!weakest.positive()) return weakest;
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / d;
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      A[i * n + k] *= factor;  // >= 0: what row i loses of its diagonal
    }
  }
  return weakest;
}

// Of a block; a band is positive definite by construction. The memory holds a copy.
[[gnu::noinline]] inline WeakestPivot weakest_pivot(const MatrixBlock& block, std::span<const double> M,
                                                    std::vector<double>& memory) {
  if (block.storage == Storage::band) return {};
  memory.assign(M.begin() + block.a0, M.begin() + block.a0 + block.values());
  return weakest_pivot(block.n, memory.data());
}

// Whether the leading minors of a small block are far above round-off: then so are its pivots, for a tenth of the work.
inline bool clearly_positive(const MatrixBlock& block, const double* A) {
  constexpr double far = 1e-9;
  if (block.n == 1) return A[0] > 0.0 && A[0] < std::numeric_limits<double>::infinity();
  if (block.n > 3 || block.storage == Storage::band) return false;
  const int n = block.n;
  const double a = A[0], b = A[n + 1], x = A[1], ab = a * b, two = ab - x * x;
  if (!(a > 0.0 && b > 0.0 && two > far * ab)) return false;
  if (n == 2) return two < std::numeric_limits<double>::infinity();
  const double c = A[8], y = A[2], z = A[5];
  const double whole = c * two;
  const double three = whole - a * z * z - b * y * y + 2.0 * x * y * z;
  return c > 0.0 && three > far * whole && three < std::numeric_limits<double>::infinity();
}

// The first block whose mass varies and is not positive definite; -1: none. One that is not finite does not count.
inline int lost_mass(std::span<const MatrixBlock> blocks, std::span<const double> M, std::vector<double>& memory) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].constant_mass || clearly_positive(blocks[i], M.data() + blocks[i].a0)) continue;
    const WeakestPivot pivot = weakest_pivot(blocks[i], M, memory);
    if (!pivot.positive() && !std::isnan(pivot.part)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace esc
