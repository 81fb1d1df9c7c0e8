#include <escapement/solvers/proximal.hpp>

#include <algorithm>
#include <cmath>

#include <escapement/solvers/newton.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "src/cone/best_point.hpp"
#include "src/cone/operator.hpp"
#include "src/cone/own_units.hpp"

namespace esc {
namespace {

constexpr double shrink = 0.4;  // of the shift, after a problem that was solved
constexpr double grow = 3.0;    // of the shift, after one that was not
constexpr double largest = 10.0;
constexpr int sweeps = 50;

}  // namespace

// All in units of the problem's own.
struct Proximal::Work {
  cone::OwnUnits units;
  cone::BestPoint best;
  ConeProblem shifted;
  std::vector<double> p;
  Newton newton;
  Nsgs nsgs;

  explicit Work(const ProximalOptions& o)
      : newton({.tol = o.tol, .max_cost = o.max_cost}), nsgs({.tol = o.tol, .max_sweeps = sweeps, .newton_tries = 0}) {}
  void shift(double rho);
  SolveReport solve_shifted();
  bool iterate(const ProximalOptions& options, SolveReport& report);
};

Proximal::Proximal(const ProximalOptions& options) : options_(options) {
  validate(options);
  work_ = std::make_unique<Work>(options);
}
Proximal::Proximal(Proximal&&) noexcept = default;
Proximal::~Proximal() = default;

// u = (W + rho) p + b - rho p_k: that of the problem where p = p_k.
void Proximal::Work::shift(double rho) {
  const ConeProblem& own = units.problem;
  shifted.p = p;
  shifted.b = own.b;
  BlockSparseW& W = shifted.sparse();
  W.a = std::get<BlockSparseW>(own.W).a;
  for (std::size_t c = 0; c < own.cones.size(); ++c) {
    const int dim = dimension(own.cones[c].kind), first = own.cones[c].first;
    const auto row = W.column.begin() + W.row_start[c], end = W.column.begin() + W.row_start[c + 1];
    const auto diagonal = std::lower_bound(row, end, static_cast<int>(c)) - W.column.begin();
    for (int i = 0; i < dim; ++i) {
      W.a[W.value_start[diagonal] + i * (dim + 1)] += rho;
      shifted.b[first + i] -= rho * p[first + i];
    }
  }
}

SolveReport Proximal::Work::solve_shifted() {
  SolveReport report;
  int iterations = 0;
  for (Solver* solver : {static_cast<Solver*>(&newton), static_cast<Solver*>(&nsgs), static_cast<Solver*>(&newton)}) {
    if (solver == &nsgs) shifted.p = p;
    report = solver->solve(shifted);
    report.iterations = iterations += report.iterations;
    if (report.status != SolveStatus::stalled) break;
  }
  return report;
}

// False: the problem is too large.
bool Proximal::Work::iterate(const ProximalOptions& options, SolveReport& report) {
  const ConeProblem& own = units.problem;
  shifted = own;
  p = own.p;
  best.start(own, p);
  double rho = options.first;
  for (int n = 0; n < options.max_iterations && best.residual > options.tol; ++n) {
    shift(rho);
    const SolveReport inner = solve_shifted();
    if (inner.status == SolveStatus::too_large) return false;
    report.iterations += inner.iterations;
    const double before = best.residual;
    const bool solved = inner.status == SolveStatus::solved, better = best.offer(own, shifted.p) < before;
    if (solved || better) p = shifted.p;
    rho = solved ? shrink * rho : std::min(grow * rho, largest);
  }
  return true;
}

SolveReport Proximal::solve(ConeProblem& problem) {
  SolveReport report = cone::judge_round_cones(problem, options_.tol);
  if (report.status != SolveStatus::stalled) return report;
  Work& work = *work_;
  work.units.read(problem);
  if (!work.iterate(options_, report)) return {SolveStatus::too_large, 0, report.residual};
  if (!(work.best.residual < report.residual)) return report;
  work.units.write(work.best.p, problem);
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

}  // namespace esc
