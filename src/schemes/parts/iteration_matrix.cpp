#include "src/schemes/parts/iteration_matrix.hpp"

#include <algorithm>
#include <limits>

namespace esc {

IterationMatrix::IterationMatrix(const System& system)
    : system_(system), M_(system.matrix_size()), A_(system.matrix_size()), factor_(system.blocks()) {}

bool IterationMatrix::prepare(const Point& at, double h, double theta) {
  if (h == h_ && theta == theta_) return true;
  system_.mass(at, M_, Part::all);
  A_ = M_;
  system_.add_tangent(at, h * h * theta * theta, h * theta, A_, Part::all);
  const auto blocks = system_.blocks();
  for (int i = 0; i < static_cast<int>(blocks.size()); ++i)
    if (blocks[i].linear && !factor_.factor(i, A_)) return false;
  h_ = h;
  theta_ = theta;
  return true;
}

bool IterationMatrix::factor_varying(const Point& at, double h, double theta) {
  if (system_.linear()) return true;
  const auto blocks = system_.blocks();
  for (const MatrixBlock& block : blocks)
    if (!block.linear) std::copy_n(M_.begin() + block.a0, block.values(), A_.begin() + block.a0);
  system_.add_tangent(at, h * h * theta * theta, h * theta, A_, Part::varying);
  for (int i = 0; i < static_cast<int>(blocks.size()); ++i)
    if (!blocks[i].linear && !factor_.factor(i, A_)) return false;
  return true;
}

void IterationMatrix::poison() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const MatrixBlock& block : system_.blocks()) {
    if (!block.linear) std::fill_n(A_.begin() + block.a0, block.values(), nan);
    if (block.constant_mass) continue;
    // Zeros stay: the masses between the parts of a merged block are zero, and nobody writes them.
    for (int i = block.a0; i < block.a0 + block.values(); ++i)
      if (M_[i] != 0.0) M_[i] = nan;
  }
}

}  // namespace esc
