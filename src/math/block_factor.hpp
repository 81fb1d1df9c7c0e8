// Factors of a block-diagonal matrix: LU with row pivoting for dense blocks, LDL^T for bands.
#pragma once

#include <span>
#include <vector>

#include <escapement/block_matrix.hpp>

namespace esc {

class BlockFactor {
 public:
  explicit BlockFactor(std::span<const MatrixBlock> blocks);

  // Factors one block of A (the values of the whole matrix). False: singular, not positive definite (band) or not
  // finite.
  [[nodiscard]] bool factor(int block, std::span<const double> A);
  // x <- A^-1 x over the block's own velocities; x points to the first one of the block.
  void solve(int block, double* x) const;
  // The same where x is zero before index `first`.
  void solve_from(int block, int first, double* x) const;
  void solve_all(std::span<double> x) const;

 private:
  std::vector<MatrixBlock> blocks_;
  std::vector<double> a_;   // dense: L, U with reciprocal diagonal; band: reciprocal D, then L
  std::vector<int> pivot_;  // dense: row exchanged with row i, by velocity
};

}  // namespace esc
