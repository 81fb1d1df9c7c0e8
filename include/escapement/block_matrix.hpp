// Block-diagonal matrices over the velocities: one block per set of coupled coordinates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <escapement/export.hpp>

namespace esc {

enum class Storage : std::uint8_t {
  dense,  // row-major n x n, any matrix
  band,   // symmetric positive definite; a[k * n + i] = A(i + k, i) for k = 0 .. half
};

struct MatrixBlock {
  int v0 = 0;  // first velocity
  int n = 0;   // velocities in the block
  Storage storage = Storage::dense;
  int half = 0;                // band: number of subdiagonals
  int a0 = 0;                  // first value
  bool constant_mass = false;  // M does not depend on (t, q)
  bool linear = false;         // constant mass, and F is affine in (q, v) with constant tangents

  int values() const { return storage == Storage::dense ? n * n : (half + 1) * n; }
  int diagonal(int i) const { return a0 + (storage == Storage::dense ? i * n + i : i); }  // index of A(i, i)
};

// A leaf's part of the values of a block, as it is given to mass and tangent functions.
struct MatrixView {
  double* a = nullptr;
  int n = 0;
  int stride = 0;                                                       // dense: between rows; band: between diagonals
  double& operator()(int i, int j) const { return a[i * stride + j]; }  // dense
  double& diagonal(int k, int i) const { return a[k * stride + i]; }    // band: A(i + k, i)
};

// The largest Euclidean norm that x has over a block: it does not grow with the number of bodies. NaN if x has one.
ESC_API double largest_block(std::span<const MatrixBlock> blocks, std::span<const double> x);

// y += alpha A x, over all blocks.
ESC_API void add_times(std::span<const MatrixBlock> blocks, std::span<const double> A, double alpha,
                       std::span<const double> x, std::span<double> y);

}  // namespace esc
