#include "src/cone/linear_cones.hpp"

#include <algorithm>
#include <cmath>

namespace esc::cone {

void LinearCones::analyse(const ConeProblem& problem) {
  const auto& W = std::get<BlockSparseW>(problem.W);
  sizes_.clear();
  for (const ConeBlock& c : problem.cones) sizes_.push_back(dimension(c.kind));
  lu_.analyse(sizes_, W.row_start, W.column);
}

void LinearCones::factor(const ConeProblem& problem, const std::vector<ConeRows>& rows, double proximal) {
  const auto& W = std::get<BlockSparseW>(problem.W);
  scale_.resize(problem.b.size());
  for (std::size_t c = 0; c < problem.cones.size(); ++c) {
    const int dim = sizes_[c];
    double* scale = &scale_[problem.cones[c].first];
    for (int i = 0; i < dim; ++i) {
      double largest = 0.0;
      for (int j = 0; j < dim; ++j)
        largest = std::max({largest, std::abs(rows[c].P[3 * i + j]), std::abs(rows[c].U[3 * i + j])});
      scale[i] = largest > 0.0 ? 1.0 / largest : 1.0;
    }
    for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
      const int d = W.column[k], columns = sizes_[d];
      const double* w = &W.a[W.value_start[k]];
      double* to = lu_.block(k);
      const bool diagonal = d == static_cast<int>(c);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < columns; ++j) {
          double sum = diagonal ? rows[c].P[3 * i + j] + proximal * rows[c].U[3 * i + j] : 0.0;
          for (int l = 0; l < dim; ++l) sum += rows[c].U[3 * i + l] * w[l * columns + j];
          to[i * columns + j] = scale[i] * sum;
        }
    }
  }
  lu_.factor();
}

void LinearCones::solve(std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale_[i];
  lu_.solve(x.data());
}

void multiply(const ConeProblem& problem, const std::vector<double>& x, std::vector<double>& out) {
  const auto& W = std::get<BlockSparseW>(problem.W);
  for (std::size_t c = 0; c < problem.cones.size(); ++c) {
    const int dim = dimension(problem.cones[c].kind);
    double* u = &out[problem.cones[c].first];
    std::fill_n(u, dim, 0.0);
    for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
      const ConeBlock& other = problem.cones[W.column[k]];
      const int columns = dimension(other.kind);
      const double* w = &W.a[W.value_start[k]];
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < columns; ++j) u[i] += w[i * columns + j] * x[other.first + j];
    }
  }
}

}  // namespace esc::cone
