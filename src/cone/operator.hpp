// Rows of u = W p + b, cone by cone, for both storages of W.
#pragma once

#include <algorithm>
#include <span>

#include <escapement/cone_problem.hpp>
#include <escapement/solver.hpp>

namespace esc::cone {

// A cone's own block of W, row-major with the given stride.
struct DiagonalBlock {
  const double* a = nullptr;
  int stride = 0;

  double operator()(int i, int j) const { return a[i * stride + j]; }
};

inline DiagonalBlock diagonal_block(const DenseW& W, const ConeProblem& problem, int c) {
  const int n = problem.rows();
  const int first = problem.cones[c].first;
  return {&W.a[first * n + first], n};
}

inline DiagonalBlock diagonal_block(const BlockSparseW& W, const ConeProblem& problem, int c) {
  const auto begin = W.column.begin() + W.row_start[c];
  const auto end = W.column.begin() + W.row_start[c + 1];
  const auto k = std::lower_bound(begin, end, c) - W.column.begin();
  return {&W.a[W.value_start[k]], dimension(problem.cones[c].kind)};
}

// Of all rows; 1 where W has none.
template <class Operator>
double mean_diagonal(const Operator& W, const ConeProblem& problem) {
  double sum = 0.0;
  for (int c = 0; c < static_cast<int>(problem.cones.size()); ++c) {
    const DiagonalBlock block = diagonal_block(W, problem, c);
    for (int i = 0; i < dimension(problem.cones[c].kind); ++i) sum += block(i, i);
  }
  return sum > 0.0 ? sum / problem.rows() : 1.0;
}

// The unit of W at one cone: the mean diagonal of its block, or that of all where the cone has next to none (infinite
// inertia).
template <class Operator>
double cone_unit(const Operator& W, const ConeProblem& problem, int c, double mean) {
  const DiagonalBlock block = diagonal_block(W, problem, c);
  const int dim = dimension(problem.cones[c].kind);
  double sum = block(0, 0);
  for (int i = 1; i < dim; ++i) sum += block(i, i);
  sum /= dim;
  return sum > 1e-14 * mean ? sum : mean;
}

// u_c = b_c + sum_k W_ck p_k: the rows of cone c only, into u[0 .. dim).
inline void cone_velocity(const DenseW& W, const ConeProblem& problem, int c, const double* p, double* u) {
  const int n = problem.rows();
  const ConeBlock& cone = problem.cones[c];
  const int dim = dimension(cone.kind);
  for (int i = 0; i < dim; ++i) {
    const double* row = &W.a[(cone.first + i) * n];
    double sum = problem.b[cone.first + i];
    for (int j = 0; j < n; ++j) sum += row[j] * p[j];
    u[i] = sum;
  }
}

inline void cone_velocity(const BlockSparseW& W, const ConeProblem& problem, int c, const double* p, double* u) {
  const ConeBlock& cone = problem.cones[c];
  const int dim = dimension(cone.kind);
  for (int i = 0; i < dim; ++i) u[i] = problem.b[cone.first + i];
  for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
    const ConeBlock& other = problem.cones[W.column[k]];
    const int columns = dimension(other.kind);
    const double* block = &W.a[W.value_start[k]];
    for (int i = 0; i < dim; ++i) {
      for (int j = 0; j < columns; ++j) u[i] += block[i * columns + j] * p[other.first + j];
    }
  }
}

// W as a dense row-major matrix: its own storage, or a copy in scratch.
const double* dense(const ConeProblem& problem, std::vector<double>& scratch);

// u := W p + b, and residual() of p, in one pass.
double judge(ConeProblem& problem);

// Sizes fit, every number is finite, mu >= 0, cones tile the rows in order, directions are unit and positively span.
bool well_formed(const ConeProblem& problem);

// What a solver of round cones knows of the guess: bad_input, solved, not_supported, or else stalled.
SolveReport judge_round_cones(ConeProblem& problem, double tol);

}  // namespace esc::cone
