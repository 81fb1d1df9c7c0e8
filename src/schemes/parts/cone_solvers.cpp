#include "src/schemes/parts/cone_solvers.hpp"

namespace esc {

namespace {

constexpr int enumerate_contacts = 4;  // islands up to this size go to Enumerate first: 4^4 choices at most
constexpr int exact_contacts = 50;     // beyond, and where the full tolerance is not reached, large_tol counts

}  // namespace

ConeSolvers::ConeSolvers(const ImpulseOptions& options)
    : solver_(options.solver),
      enumerate_({.tol = options.tol}),
      lemke_({.tol = options.tol}),
      nsgs_({.tol = options.tol, .max_sweeps = options.max_iterations}),
      large_({.tol = options.large_tol, .max_sweeps = options.max_iterations, .newton_rows = 0}) {}

SolveReport ConeSolvers::solve(ConeProblem& problem) {
  if (solver_ == ConeSolver::enumerate) return enumerate_.solve(problem);
  if (solver_ == ConeSolver::lemke) return lemke_.solve(problem);
  const bool large = problem.cones.size() > exact_contacts;
  if (solver_ == ConeSolver::nsgs) return (large ? large_ : nsgs_).solve(problem);

  SolveReport report;
  const auto attempt = [&](Solver& solver) {
    const int before = report.iterations;
    report = solver.solve(problem);
    report.iterations += before;
    return report.status == SolveStatus::solved || report.status == SolveStatus::bad_input;
  };
  if (problem.cones.size() <= enumerate_contacts && attempt(enumerate_)) return report;
  if (large || attempt(nsgs_)) return large ? large_.solve(problem) : report;
  if (problem.cones.size() <= dense_contacts && attempt(lemke_)) return report;
  if (problem.cones.size() > dense_contacts) attempt(large_);
  return report;
}

}  // namespace esc
