#include "src/cone/own_units.hpp"

#include <algorithm>
#include <cmath>

#include "src/cone/operator.hpp"

namespace esc::cone {

void OwnUnits::read(const ConeProblem& from) {
  problem.cones = from.cones;
  problem.b = from.b;
  problem.p = from.p;
  problem.u.resize(from.b.size());
  const auto find_scales = [&](const auto& W) {
    const double mean = mean_diagonal(W, from);
    scale_.resize(from.cones.size());
    for (std::size_t c = 0; c < from.cones.size(); ++c)
      scale_[c] = std::sqrt(cone_unit(W, from, static_cast<int>(c), mean));
  };
  std::visit(find_scales, from.W);
  if (const auto* W = std::get_if<BlockSparseW>(&from.W)) {
    problem.sparse() = *W;
  } else {
    read_dense(from);
  }
  scale_blocks();

  unit_ = 0.0;
  for (std::size_t c = 0; c < from.cones.size(); ++c)
    for (int i = 0; i < dimension(from.cones[c].kind); ++i) {
      double& b = problem.b[from.cones[c].first + i];
      b /= scale_[c];
      unit_ = std::max(unit_, std::abs(b));
    }
  if (all_zero()) return;
  for (std::size_t c = 0; c < from.cones.size(); ++c)
    for (int i = 0; i < dimension(from.cones[c].kind); ++i) {
      problem.b[from.cones[c].first + i] /= unit_;
      problem.p[from.cones[c].first + i] *= scale_[c] / unit_;
    }
}

// Blocks that are zero are left out, but for those of the diagonal.
void OwnUnits::read_dense(const ConeProblem& from) {
  const std::vector<double>& dense = std::get_if<DenseW>(&from.W)->a;
  const int n = from.rows(), cones = static_cast<int>(from.cones.size());
  BlockSparseW& W = problem.sparse();
  W.clear();
  for (int c = 0; c < cones; ++c) {
    for (int d = 0; d < cones; ++d) {
      const int rows = dimension(from.cones[c].kind), columns = dimension(from.cones[d].kind);
      const double* block = &dense[static_cast<std::size_t>(from.cones[c].first) * n + from.cones[d].first];
      bool zero = c != d;
      for (int i = 0; i < rows * columns && zero; ++i) zero = block[i / columns * n + i % columns] == 0.0;
      if (zero) continue;
      W.column.push_back(d);
      W.value_start.push_back(static_cast<int>(W.a.size()));
      for (int i = 0; i < rows * columns; ++i) W.a.push_back(block[i / columns * n + i % columns]);
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
}

void OwnUnits::scale_blocks() {
  auto& W = std::get<BlockSparseW>(problem.W);
  for (std::size_t c = 0; c < problem.cones.size(); ++c)
    for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
      const int d = W.column[k];
      const int size = dimension(problem.cones[c].kind) * dimension(problem.cones[d].kind);
      for (int i = 0; i < size; ++i) W.a[W.value_start[k] + i] /= scale_[c] * scale_[d];
    }
}

void OwnUnits::write(const std::vector<double>& own, ConeProblem& to) const {
  for (std::size_t c = 0; c < to.cones.size(); ++c)
    for (int i = 0; i < dimension(to.cones[c].kind); ++i)
      to.p[to.cones[c].first + i] = own[to.cones[c].first + i] * unit_ / scale_[c];
}

}  // namespace esc::cone
