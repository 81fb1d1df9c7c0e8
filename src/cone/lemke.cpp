#include <escapement/solvers/lemke.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cone/operator.hpp"
#include "src/math/dense_lu.hpp"

namespace esc {
namespace {

// M and q are scaled to order one.
constexpr double smallest_pivot = 1e-11;
constexpr double slack_after_a_ray = 1e-11;

// Variables of one cone in the complementarity problem: N; and with friction one beta per direction, and lambda.
int variables_of(const ConeBlock& cone) {
  switch (cone.kind) {
    case ConeKind::positive:
      return 1;
    case ConeKind::coulomb2:
      return 4;
    case ConeKind::polyhedral:
      return cone.direction_count + 2;
    default:
      return 0;
  }
}

// splitmix64, as a number in [0.25, 1.75).
double random_cover(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return 0.25 + 1.5 * static_cast<double>(x >> 11) * 0x1p-53;
}

}  // namespace

SolveReport Lemke::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  SolveReport report{SolveStatus::ray, 0, residual(problem, problem.p)};
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::coulomb3) return {SolveStatus::not_supported, 0, report.residual};
  }
  if (order(problem) > options_.max_order) return {SolveStatus::too_large, 0, report.residual};

  reduce(problem);
  formulate(problem);
  random_ = options_.seed;
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= options_.retries && !(best <= options_.tol); ++run) {
    cover(run > 0);
    if (pivot_to_end(options_.pivots_per_row * n_, report.iterations) != End::solution) continue;
    const auto judge = [&] {
      expand(problem);
      const double r = residual(problem, p_);
      if (!(r < best)) return;
      best = r;
      best_ = p_;
    };
    read_tableau();
    refine();
    judge();
    if (best <= options_.tol) break;
    read_tableau();
    judge();
  }

  if (std::isfinite(best)) {
    report.status = best <= options_.tol ? SolveStatus::solved : SolveStatus::stalled;
    std::copy(best_.begin(), best_.end(), problem.p.begin());
  }
  report.residual = cone::judge(problem);
  return report;
}

int Lemke::order(const ConeProblem& problem) const {
  int count = 0;
  for (const ConeBlock& c : problem.cones) count = std::min(count + variables_of(c), options_.max_order + 1);
  return count;
}

// Eliminates the free rows: with f free and c the others, p_f = -W_ff^+ (W_fc p_c + b_f).
void Lemke::reduce(const ConeProblem& problem) {
  const int n = problem.rows();
  const double* W = cone::dense(problem, dense_);
  kept_.assign(n, 0);
  rows_ = 0;
  int free_rows = 0;
  for (const ConeBlock& c : problem.cones) {
    for (int i = 0; i < dimension(c.kind); ++i)
      kept_[c.first + i] = c.kind == ConeKind::free ? -1 - free_rows++ : rows_++;
  }

  // elimination_ = W_ff^+ [W_fc, b_f], column by column.
  const int width = rows_ + 1;
  elimination_.assign(free_rows * width, 0.0);
  a_.resize(free_rows * free_rows);
  scale_.resize(std::max(free_rows, 1));
  row_.resize(free_rows);
  column_.resize(free_rows);
  for (int r = 0; r < n; ++r) {
    if (kept_[r] >= 0) continue;
    const int f = -1 - kept_[r];
    for (int s = 0; s < n; ++s) {
      if (kept_[s] < 0) {
        a_[f * free_rows - 1 - kept_[s]] = W[r * n + s];
      } else {
        elimination_[f * width + kept_[s]] = W[r * n + s];
      }
    }
    elimination_[f * width + rows_] = problem.b[r];
  }
  LuFactors lu{free_rows, a_.data(), row_.data(), column_.data(), scale_.data()};
  lu_factor(lu);
  work_.resize(free_rows * (free_rows - lu.rank + 2));
  double* x = work_.data();
  for (int j = 0; j < width && free_rows > 0; ++j) {
    for (int f = 0; f < free_rows; ++f) x[f] = elimination_[f * width + j];
    lu_solve(lu, x, x + free_rows);
    for (int f = 0; f < free_rows; ++f) elimination_[f * width + j] = x[f];
  }

  reduced_.assign(rows_ * rows_, 0.0);
  b_.assign(rows_, 0.0);
  unit_of_row_.assign(rows_, 0.0);
  for (int r = 0; r < n; ++r) {
    if (kept_[r] < 0) continue;
    const double* row = W + r * n;
    const auto schur = [&](double whole, int j) {
      for (int s = 0; s < n && free_rows > 0; ++s) {
        if (kept_[s] < 0) whole -= row[s] * elimination_[(-1 - kept_[s]) * width + j];
      }
      return whole;
    };
    unit_of_row_[kept_[r]] = row[r];
    b_[kept_[r]] = schur(problem.b[r], rows_);
    for (int s = 0; s < n; ++s) {
      if (kept_[s] >= 0) reduced_[kept_[r] * rows_ + kept_[s]] = schur(row[s], kept_[s]);
    }
  }
}

// w = M z + q, 0 <= w _|_ z >= 0, per cone (Stewart and Trinkle 1996, Anitescu and Potra 1997):
//   w_N = u_N,   w_i = d_i . u_T + lambda,   w_lambda = mu p_N - sum beta_i,   p_T = sum beta_i d_i,
// with impulses and velocities of each cone scaled so that its diagonal of W (before elimination) has mean one.
void Lemke::formulate(const ConeProblem& problem) {
  variables_.clear();
  n_ = order(problem);
  M_.assign(n_ * n_, 0.0);
  q_.assign(n_, 0.0);
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::free) continue;
    const int first = kept_[c.first];
    const int dim = dimension(c.kind);
    double trace = 0.0;
    for (int i = first; i < first + dim; ++i) trace += unit_of_row_[i];
    for (int i = first; i < first + dim; ++i) unit_of_row_[i] = trace > 0.0 ? std::sqrt(dim / trace) : 1.0;

    const int at = static_cast<int>(variables_.size());
    variables_.push_back({first, {1.0, 0.0}});
    if (c.kind == ConeKind::positive) continue;
    if (c.kind == ConeKind::coulomb2) {
      variables_.push_back({first + 1, {1.0, 0.0}});
      variables_.push_back({first + 1, {-1.0, 0.0}});
    }
    for (int i = 0; c.kind == ConeKind::polyhedral && i < c.direction_count; ++i) {
      const double* d = &problem.directions[2 * (c.first_direction + i)];
      variables_.push_back({first + 1, {d[0], d[1]}});
    }
    const int lambda = static_cast<int>(variables_.size());
    variables_.push_back({first, {0.0, 0.0}});
    M_[lambda * n_ + at] = c.mu;
    for (int beta = at + 1; beta < lambda; ++beta) {
      M_[lambda * n_ + beta] = -1.0;
      M_[beta * n_ + lambda] = 1.0;
    }
  }

  unit_ = 0.0;
  for (int r = 0; r < problem.rows(); ++r) {
    if (kept_[r] >= 0) unit_ = std::max(unit_, std::abs(unit_of_row_[kept_[r]] * problem.b[r]));
  }
  if (unit_ == 0.0) unit_ = 1.0;
  for (int i = 0; i < rows_; ++i) {
    b_[i] *= unit_of_row_[i] / unit_;
    for (int j = 0; j < rows_; ++j) reduced_[i * rows_ + j] *= unit_of_row_[i] * unit_of_row_[j];
  }
  for (int i = 0; i < n_; ++i) {
    const Variable& v = variables_[i];
    q_[i] = v.c[0] * b_[v.row] + (v.c[1] != 0.0 ? v.c[1] * b_[v.row + 1] : 0.0);
    for (int j = 0; j < n_; ++j) M_[i * n_ + j] += entry(i, j);
  }
}

// The part of M_ij that comes from W.
double Lemke::entry(int i, int j) const {
  const Variable& v = variables_[i];
  const Variable& x = variables_[j];
  double sum = 0.0;
  for (int k = 0; k < 2; ++k) {
    for (int l = 0; l < 2; ++l) {
      const double c = v.c[k] * x.c[l];
      if (c != 0.0) sum += c * reduced_[(v.row + k) * rows_ + x.row + l];
    }
  }
  return sum;
}

// After a ray: another covering vector, and a slack in q, because rounding alone makes a problem infeasible that is
// feasible in one point only (redundant rows). The final basis is solved again without the slack.
void Lemke::cover(bool after_a_ray) {
  cover_.resize(n_);
  for (double& c : cover_) c = after_a_ray ? random_cover(random_) : 1.0;
  slack_ = after_a_ray ? slack_after_a_ray : 0.0;
}

// Lemke's algorithm on [I, -M, -cover | q]; columns 0..n-1 are w, n..2n-1 are z, 2n is z0.
Lemke::End Lemke::pivot_to_end(int max_pivots, int& pivots) {
  const int width = 2 * n_ + 2;
  const int z0 = 2 * n_;
  tableau_.assign(n_ * width, 0.0);
  basis_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    double* row = &tableau_[i * width];
    row[i] = 1.0;
    for (int j = 0; j < n_; ++j) row[n_ + j] = -M_[i * n_ + j];
    row[z0] = -cover_[i];
    row[width - 1] = q_[i] + slack_ * cover_[i];
    basis_[i] = i;
  }

  int leaving = -1;
  double most = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double ratio = tableau_[i * width + width - 1] / cover_[i];
    if (ratio >= most) continue;
    most = ratio;
    leaving = i;
  }
  if (leaving < 0) return End::solution;

  for (int entering = z0, count = 0; count < max_pivots; ++count) {
    const int left = basis_[leaving];
    pivot(leaving, entering);
    ++pivots;
    if (left == z0) return End::solution;
    entering = left < n_ ? left + n_ : left - n_;
    leaving = leaving_row(entering);
    if (leaving < 0) return End::ray;
  }
  return End::pivot_limit;
}

// The row whose basic variable first reaches zero; z0 wins every tie. -1: none, a ray.
int Lemke::leaving_row(int entering) const {
  const int width = 2 * n_ + 2;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_; ++i) {
    const double* row = &tableau_[i * width];
    if (row[entering] > smallest_pivot) least = std::min(least, std::max(0.0, row[width - 1]) / row[entering]);
  }
  if (!std::isfinite(least)) return -1;
  return lexicographic(entering, least + 1e-12 * (1.0 + least));
}

// Among the rows within the tie: z0 if present, else the lexicographically smallest row of B^-1 over its pivot.
int Lemke::lexicographic(int entering, double tie) const {
  const int width = 2 * n_ + 2;
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    const double* row = &tableau_[i * width];
    if (!(row[entering] > smallest_pivot) || std::max(0.0, row[width - 1]) / row[entering] > tie) continue;
    if (basis_[i] == 2 * n_) return i;
    if (best < 0) {
      best = i;
      continue;
    }
    const double* other = &tableau_[best * width];
    for (int j = 0; j < n_; ++j) {
      const double difference = row[j] / row[entering] - other[j] / other[entering];
      if (std::abs(difference) <= 1e-12) continue;
      if (difference < 0.0) best = i;
      break;
    }
  }
  return best;
}

void Lemke::pivot(int row, int entering) {
  const int width = 2 * n_ + 2;
  double* pivot_row = &tableau_[row * width];
  const double inverse = 1.0 / pivot_row[entering];
  for (int j = 0; j < width; ++j) pivot_row[j] *= inverse;
  pivot_row[entering] = 1.0;
  for (int i = 0; i < n_; ++i) {
    double* other = &tableau_[i * width];
    const double factor = other[entering];
    if (i == row || factor == 0.0) continue;
    for (int j = 0; j < width; ++j) other[j] -= factor * pivot_row[j];
    other[entering] = 0.0;
  }
  basis_[row] = entering;
}

void Lemke::read_tableau() {
  const int width = 2 * n_ + 2;
  z_.assign(n_, 0.0);
  for (int i = 0; i < n_; ++i) {
    const int j = basis_[i] - n_;
    if (j >= 0 && j < n_) z_[j] = tableau_[i * width + width - 1];
  }
}

// The final basis once more from M and q, free of the tableau's accumulated rounding: M_BB z_B = -q_B.
void Lemke::refine() {
  column_.clear();
  for (const int j : basis_) {
    if (j >= n_ && j < 2 * n_) column_.push_back(j - n_);
  }
  const int m = static_cast<int>(column_.size());
  a_.resize(m * m);
  scale_.resize(m);
  row_.resize(3 * m);
  std::copy(column_.begin(), column_.end(), row_.begin());
  const int* basic = row_.data();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) a_[i * m + j] = M_[basic[i] * n_ + basic[j]];
  }
  LuFactors lu{m, a_.data(), row_.data() + m, row_.data() + 2 * m, scale_.data()};
  lu_factor(lu);
  if (lu.rank < m) return;
  work_.resize(2 * m);
  for (int i = 0; i < m; ++i) work_[i] = -q_[basic[i]];
  lu_solve(lu, work_.data(), work_.data() + m);
  for (int i = 0; i < m; ++i) z_[basic[i]] = work_[i];
}

// p_ of the cone problem from z_, projected onto its cones.
void Lemke::expand(const ConeProblem& problem) {
  b_.assign(rows_ + 1, 0.0);
  for (int j = 0; j < n_; ++j) {
    const Variable& v = variables_[j];
    for (int k = 0; k < 2; ++k) {
      if (v.c[k] != 0.0) b_[v.row + k] += v.c[k] * z_[j] * unit_of_row_[v.row + k] * unit_;
    }
  }
  b_[rows_] = 1.0;

  p_.resize(problem.b.size());
  for (int r = 0; r < problem.rows(); ++r) p_[r] = kept_[r] >= 0 ? b_[kept_[r]] : 0.0;
  for (const ConeBlock& c : problem.cones) {
    project(problem, c, std::span(p_).subspan(c.first, dimension(c.kind)));
    if (c.kind != ConeKind::free) std::copy_n(&p_[c.first], dimension(c.kind), &b_[kept_[c.first]]);
  }
  for (int r = 0; r < problem.rows(); ++r) {
    if (kept_[r] >= 0) continue;
    const double* row = &elimination_[(-1 - kept_[r]) * (rows_ + 1)];
    for (int j = 0; j <= rows_; ++j) p_[r] -= row[j] * b_[j];
  }
}

}  // namespace esc
