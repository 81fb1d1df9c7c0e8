// Mhat = M + h theta C + h^2 theta^2 K and its factors. Blocks that cannot change are a cache, factored once per
// (h, theta); the others are scratch.
#pragma once

#include <span>
#include <vector>

#include <escapement/system.hpp>

#include "src/math/block_factor.hpp"

namespace esc {

class IterationMatrix {
 public:
  explicit IterationMatrix(const System& system);

  // Brings the cache up to date for this step size; false if a block is singular.
  [[nodiscard]] bool prepare(const Point& at, double h, double theta);
  // Factors the varying blocks from mass() and the tangents at this point.
  [[nodiscard]] bool factor_varying(const Point& at, double h, double theta);

  std::span<double> mass() { return M_; }  // constant blocks are kept; the caller fills the varying ones
  const BlockFactor& factor() const { return factor_; }
  void poison();
  void invalidate() { h_ = -1.0; }

 private:
  const System& system_;
  std::vector<double> M_;
  std::vector<double> A_;
  BlockFactor factor_;
  double h_ = -1.0;  // of the cache; -1: empty
  double theta_ = -1.0;
};

}  // namespace esc
