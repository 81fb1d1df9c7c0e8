#include <escapement/solvers/nsgs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cone/local.hpp"
#include "src/cone/operator.hpp"

namespace esc {
namespace {

constexpr int large_rows = 150;

// One cone's exact answer to the present impulses of all others.
template <class Operator>
bool solve_cone(const Operator& W, ConeProblem& problem, int c) {
  const ConeBlock& block = problem.cones[c];
  const cone::DiagonalBlock diagonal = cone::diagonal_block(W, problem, c);
  double* p = &problem.p[block.first];
  double q[3];
  cone::cone_velocity(W, problem, c, problem.p.data(), q);
  const int dim = dimension(block.kind);
  if (dim == 1) {
    q[0] -= diagonal(0, 0) * p[0];
    return block.kind == ConeKind::free ? cone::solve_free(diagonal(0, 0), q[0], p[0])
                                        : cone::solve_positive(diagonal(0, 0), q[0], p[0]);
  }
  double w[9];
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      w[i * dim + j] = diagonal(i, j);
      q[i] -= w[i * dim + j] * p[j];
    }
  }
  if (block.kind == ConeKind::coulomb2) return cone::solve_coulomb2(w, q, block.mu, p);
  if (block.kind == ConeKind::coulomb3) return cone::solve_coulomb3(w, q, block.mu, p);
  return cone::solve_polyhedral(w, q, cone::polygon(problem, block), p);
}

// One cone alone: no other impulse, q = b exactly.
template <class Operator>
SolveReport solve_single(const Operator& W, ConeProblem& problem, double tol) {
  const ConeBlock& block = problem.cones[0];
  const double* w = cone::diagonal_block(W, problem, 0).a;
  const double* q = problem.b.data();
  double* p = problem.p.data();
  double guess[3];
  std::copy_n(p, problem.p.size(), guess);
  if (block.kind == ConeKind::free) cone::solve_free(w[0], q[0], p[0]);
  if (block.kind == ConeKind::positive) cone::solve_positive(w[0], q[0], p[0]);
  if (block.kind == ConeKind::coulomb2) cone::solve_coulomb2(w, q, block.mu, p);
  if (block.kind == ConeKind::coulomb3) cone::solve_coulomb3(w, q, block.mu, p);
  if (block.kind == ConeKind::polyhedral) cone::solve_polyhedral(w, q, cone::polygon(problem, block), p);

  const double r = cone::judge(problem);
  if (r <= tol) return {SolveStatus::solved, 1, r};
  std::copy_n(guess, problem.p.size(), p);
  return {SolveStatus::no_solution, 1, cone::judge(problem)};
}

bool all_zero(const double* a, int count) {
  return std::all_of(a, a + count, [](double x) { return x == 0.0; });
}

bool row_is_zero(const DenseW& W, const ConeProblem& problem, int c) {
  const int n = problem.rows();
  return all_zero(&W.a[problem.cones[c].first * n], n);
}

bool row_is_zero(const BlockSparseW& W, const ConeProblem& problem, int c) {
  for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
    const int size = dimension(problem.cones[c].kind) * dimension(problem.cones[W.column[k]].kind);
    if (!all_zero(&W.a[W.value_start[k]], size)) return false;
  }
  return true;
}

// The normal row of a cone on which no impulse acts (infinite inertia) and whose b cannot be helped.
template <class Operator>
bool hopeless(const Operator& W, const ConeProblem& problem, int c) {
  const ConeBlock& block = problem.cones[c];
  const double b = problem.b[block.first];
  const bool feasible = block.kind == ConeKind::free ? b == 0.0 : b >= 0.0;
  return !feasible && row_is_zero(W, problem, c);
}

}  // namespace

template <class Operator>
void Nsgs::sweep(const Operator& W, ConeProblem& problem, double relaxation) {
  const int cones = static_cast<int>(problem.cones.size());
  for (int c = 0; c < cones; ++c) {
    if (relaxation == 1.0) {
      solve_cone(W, problem, c);
      continue;
    }
    const int dim = dimension(problem.cones[c].kind);
    double* p = &problem.p[problem.cones[c].first];
    double old[3];
    std::copy_n(p, dim, old);
    solve_cone(W, problem, c);
    for (int i = 0; i < dim; ++i) p[i] = old[i] + relaxation * (p[i] - old[i]);
  }
}

// Keeps p if it is the best so far.
void Nsgs::judge(const ConeProblem& problem, const std::vector<double>& p, SolveReport& report) {
  const double r = residual(problem, p);
  if (!(r < report.residual)) return;
  report.residual = r;
  std::copy(p.begin(), p.end(), best_.begin());
}

// Newton steps from the present point; the sweeps go on from there as if they had not been.
void Nsgs::newton(ConeProblem& problem, SolveReport& report) {
  swept_ = problem.p;
  if (newton_.solve(problem).status != SolveStatus::not_supported) judge(problem, problem.p, report);
  std::copy(swept_.begin(), swept_.end(), problem.p.begin());
}

template <class Operator>
SolveReport Nsgs::iterate(const Operator& W, ConeProblem& problem) {
  const int cones = static_cast<int>(problem.cones.size());
  if (cones == 1) return solve_single(W, problem, options_.tol);
  for (int c = 0; c < cones; ++c) {
    if (hopeless(W, problem, c)) return {SolveStatus::no_solution, 0, cone::judge(problem)};
  }

  best_.assign(problem.p.begin(), problem.p.end());
  SolveReport report{SolveStatus::stalled, 0, residual(problem, problem.p)};
  if (std::isnan(report.residual)) report.residual = std::numeric_limits<double>::infinity();
  double relaxation = 1.0;
  double mark = report.residual;
  int marked = 0;
  int tries = 0;
  int next_try = 8 + std::min(problem.rows(), large_rows) / 4;
  for (int check = 1; report.iterations < options_.max_sweeps && report.residual > options_.tol;) {
    sweep(W, problem, relaxation);
    if (++report.iterations < check && report.iterations < options_.max_sweeps) continue;

    judge(problem, problem.p, report);
    check = report.iterations + std::min(10, 1 + report.iterations / 8);
    // A few sweeps find the modes of small problems as a rule, and Newton steps then finish: n^3 against many n^2.
    // Large ones are tried again whenever the sweeps have doubled.
    if (tries < options_.newton_tries && report.residual > options_.tol && report.iterations >= next_try) {
      ++tries;
      newton(problem, report);
      next_try = problem.rows() > large_rows ? 2 * report.iterations : options_.max_sweeps;
    }
    if (report.residual < 0.5 * mark) {
      mark = report.residual;
      marked = report.iterations;
    } else if (report.iterations - marked >= options_.patience) {
      if (tries++ < options_.newton_tries) newton(problem, report);
      // Large problems converge slowly but well; only a residual that stands still asks for smaller steps.
      if (report.residual > 0.9 * mark) relaxation = relaxation > 0.05 ? 0.5 * relaxation : 1.0;
      mark = report.residual;
      marked = report.iterations;
    }
  }
  std::copy(best_.begin(), best_.end(), problem.p.begin());
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

SolveReport Nsgs::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  if (const auto* W = std::get_if<DenseW>(&problem.W)) return iterate(*W, problem);
  return iterate(*std::get_if<BlockSparseW>(&problem.W), problem);
}

}  // namespace esc
