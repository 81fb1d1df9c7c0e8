#include <cmath>
#include <limits>

#include "src/cone/cones.hpp"
#include "src/cone/operator.hpp"
#include "src/math/vectors.hpp"

namespace esc::cone {
namespace {

// Unit directions positively span the plane when each has another one strictly within half a turn counterclockwise.
bool spans(const ConeProblem& problem, const ConeBlock& cone) {
  const int total = static_cast<int>(problem.directions.size()) / 2;
  if (cone.direction_count < 3 || cone.first_direction < 0) return false;
  if (cone.direction_count > total || cone.first_direction > total - cone.direction_count) return false;
  const Polygon directions = polygon(problem, cone);
  for (int i = 0; i < directions.count(); ++i) {
    const double* d = &directions.d[2 * i];
    if (!(std::abs(norm2(d[0], d[1]) - 1.0) < 1e-9)) return false;
    if (next_direction(directions, i) == i) return false;
  }
  return true;
}

bool fits(const DenseW& W, const ConeProblem& problem) {
  return W.a.size() == problem.b.size() * problem.b.size() && all_finite(W.a);
}

bool row_fits(const BlockSparseW& W, const ConeProblem& problem, int c) {
  const int cones = static_cast<int>(problem.cones.size());
  const int values = static_cast<int>(W.a.size());
  const int dim = dimension(problem.cones[c].kind);
  bool has_diagonal = false;
  for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
    const int column = W.column[k];
    if (column < 0 || column >= cones || (k > W.row_start[c] && column <= W.column[k - 1])) return false;
    const int size = dim * dimension(problem.cones[column].kind);
    if (W.value_start[k] < 0 || W.value_start[k] > values - size) return false;
    has_diagonal = has_diagonal || column == c;
  }
  return has_diagonal;
}

bool fits(const BlockSparseW& W, const ConeProblem& problem) {
  const int cones = static_cast<int>(problem.cones.size());
  if (W.row_start.size() != problem.cones.size() + 1 || W.row_start.front() != 0) return false;
  if (W.row_start.back() != static_cast<int>(W.column.size()) || W.column.size() != W.value_start.size()) return false;
  for (int c = 0; c < cones; ++c) {
    if (W.row_start[c] > W.row_start[c + 1]) return false;
  }
  for (int c = 0; c < cones; ++c) {
    if (!row_fits(W, problem, c)) return false;
  }
  return all_finite(W.a);
}

}  // namespace

bool well_formed(const ConeProblem& problem) {
  const auto* dense_w = std::get_if<DenseW>(&problem.W);
  int rows = 0;
  for (const ConeBlock& cone : problem.cones) {
    const int dim = dimension(cone.kind);
    if (dim == 0 || cone.first != rows) return false;
    if (dim > 1 && !(cone.mu >= 0.0 && std::isfinite(cone.mu))) return false;
    rows += dim;
  }
  if (problem.rows() != rows || problem.p.size() != problem.b.size()) return false;
  if (!all_finite(problem.b, problem.p)) return false;
  const auto* sparse_w = std::get_if<BlockSparseW>(&problem.W);
  if (dense_w != nullptr ? !fits(*dense_w, problem) : sparse_w == nullptr || !fits(*sparse_w, problem)) return false;
  for (const ConeBlock& cone : problem.cones) {
    if (cone.kind == ConeKind::polyhedral && !spans(problem, cone)) return false;
  }
  return true;
}

SolveReport judge_round_cones(ConeProblem& problem, double tol) {
  if (!well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  SolveReport report{SolveStatus::stalled, 0, judge(problem)};
  if (report.residual <= tol) report.status = SolveStatus::solved;
  for (const ConeBlock& c : problem.cones)
    if (c.kind == ConeKind::polyhedral) report.status = SolveStatus::not_supported;
  return report;
}

}  // namespace esc::cone
