#include "src/schemes/parts/cone_solvers.hpp"

#include <algorithm>

namespace esc {

namespace {

constexpr int enumerate_contacts = 4;  // islands up to this size go to Enumerate first: 4^4 choices at most
constexpr int exact_contacts = 50;     // beyond, and where the full tolerance is not reached, large_tol counts
constexpr int first_sweeps = 1000;     // of Nsgs with friction in space, before InteriorPoint is asked

// Dependent contacts may have to creep against each other, and where they do so at 1e-11 of the speeds of the problem
// round-off hides in which direction: the best point then counts from this many tolerances on.
constexpr double creeping = 100.0;

bool has(const ConeProblem& problem, ConeKind kind) {
  return std::any_of(problem.cones.begin(), problem.cones.end(),
                     [kind](const ConeBlock& cone) { return cone.kind == kind; });
}

}  // namespace

ConeSolvers::ConeSolvers(const ImpulseOptions& options)
    : solver_(options.solver),
      tol_(options.tol),
      slow_(options.slow),
      friction_tol_(options.friction_tol),
      enumerate_({.tol = options.tol}),
      lemke_({.tol = options.tol}),
      first_nsgs_({.tol = options.tol, .max_sweeps = std::min(first_sweeps, options.max_iterations)}),
      interior_point_({.tol = options.tol}),
      nsgs_({.tol = options.tol, .max_sweeps = options.max_iterations}),
      large_({.tol = options.large_tol, .max_sweeps = options.max_iterations, .newton_tries = 0}) {}

SolveReport ConeSolvers::solve(ConeProblem& problem) {
  if (solver_ == ConeSolver::enumerate) return enumerate_.solve(problem);
  if (solver_ == ConeSolver::lemke) return lemke_.solve(problem);
  const bool large = problem.cones.size() > exact_contacts;
  SolveReport report = large                         ? large_.solve(problem)
                       : solver_ == ConeSolver::nsgs ? nsgs_.solve(problem)
                                                     : solve_in_turn(problem);
  if (problem.rows() < 3 || problem.cones.size() > dense_contacts || report.status != SolveStatus::solved)
    return report;
  if (!(misdirected(problem) > friction_tol_)) return report;
  interior_point_.refine(problem);
  report.residual = residual(problem, problem.p);
  return report;
}

SolveReport ConeSolvers::solve_in_turn(ConeProblem& problem) {
  SolveReport report;
  const auto attempt = [&](Solver& solver) {
    const int before = report.iterations;
    report = solver.solve(problem);
    report.iterations += before;
    return report.status == SolveStatus::solved || report.status == SolveStatus::bad_input;
  };
  const bool dense = problem.cones.size() <= dense_contacts;
  if (has(problem, ConeKind::polyhedral)) {  // sweeps have no Newton steps here, and Lemke is exact
    if (attempt(first_nsgs_) || (dense && attempt(lemke_)) || attempt(nsgs_)) return report;
    if (!dense) attempt(large_);
    return report;
  }
  if (problem.cones.size() <= enumerate_contacts && attempt(enumerate_)) return report;
  if (has(problem, ConeKind::coulomb3)) {
    if (attempt(first_nsgs_) || attempt(interior_point_)) return report;
    if (report.residual <= creeping * tol_) report.status = SolveStatus::solved;
    if (report.status == SolveStatus::solved) return report;
  }
  if (attempt(nsgs_)) return report;
  if (dense && attempt(lemke_)) return report;
  if (!dense) attempt(large_);
  return report;
}

double ConeSolvers::misdirected(const ConeProblem& problem) const {
  double worst = 0.0;
  for (const ConeBlock& cone : problem.cones) {
    if (cone.kind != ConeKind::coulomb3) continue;
    worst =
        std::max(worst, FrictionShape().misdirection(cone.mu, &problem.p[cone.first], &problem.u[cone.first], slow_));
  }
  return worst;
}

}  // namespace esc
