#include "src/schemes/parts/cone_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace esc {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
constexpr std::size_t coarse_contacts = 50;  // islands of more contacts are solved to large_island_tol, if that is set
constexpr int short_sweeps = 50;    // of Nsgs, for small islands: what it has not solved by then, pivoting does
constexpr int short_shifts = 20;    // problems of Proximal before pivoting: two to three times what belts need
constexpr int first_sweeps = 1000;  // of Nsgs, before the others are asked

// Where round-off keeps the residual above the tolerance, the promise of the scheme decides; but nothing above this
// counts as solved.
constexpr double loosest = 1e-8;

}  // namespace

// Who is asked, in turn, until one solves the problem: docs/solvers/README.md. Each goes on from the best point of the
// one before, or from the guess again.
constexpr std::array<ConeSolvers::Turn, 7> ConeSolvers::turns{{
    {Cones::flat,
     4,
     {Attempt::enumerate, Attempt::short_sweeps, Attempt::polygons, Attempt::few_sweeps, Attempt::interior_point,
      Attempt::newton, Attempt::smoothing, Attempt::proximal, Attempt::lemke, Attempt::sweeps}},
    {Cones::flat,
     dense_contacts,
     {Attempt::short_sweeps, Attempt::polygons, Attempt::few_sweeps, Attempt::interior_point, Attempt::newton,
      Attempt::smoothing, Attempt::proximal, Attempt::lemke, Attempt::sweeps}},
    {Cones::flat,
     any,
     {Attempt::newton, Attempt::few_sweeps, Attempt::interior_point, Attempt::newton, Attempt::smoothing,
      Attempt::proximal, Attempt::sweeps}},
    {Cones::space,
     dense_contacts,
     {Attempt::short_sweeps, Attempt::short_proximal, Attempt::polygons, Attempt::few_sweeps, Attempt::interior_point,
      Attempt::newton, Attempt::smoothing, Attempt::proximal, Attempt::sweeps}},
    {Cones::space,
     any,
     {Attempt::newton, Attempt::guess, Attempt::few_sweeps, Attempt::smoothing, Attempt::few_sweeps, Attempt::guess,
      Attempt::interior_point, Attempt::newton, Attempt::smoothing, Attempt::proximal, Attempt::guess,
      Attempt::proximal, Attempt::sweeps}},
    {Cones::polygon, dense_contacts, {Attempt::few_sweeps, Attempt::lemke, Attempt::sweeps}},
    {Cones::polygon, any, {Attempt::sweeps}},
}};

ConeSolvers::ConeSolvers(const ImpulseOptions& options)
    : options_(options),
      enumerate_({.tol = options.tol}),
      lemke_({.tol = options.tol}),
      newton_({.tol = options.tol}),
      short_sweeps_({.tol = options.tol, .max_sweeps = std::min(short_sweeps, options.max_iterations)}),
      short_proximal_({.tol = options.tol, .max_iterations = short_shifts}),
      polygons_({.tol = options.tol}),
      few_sweeps_({.tol = options.tol, .max_sweeps = std::min(first_sweeps, options.max_iterations)}),
      interior_point_({.tol = options.tol}),
      finest_({.tol = std::min(options.tol, 1e-16), .max_iterations = 100}),
      smoothing_({.tol = options.tol}),
      proximal_({.tol = options.tol}),
      sweeps_({.tol = options.tol, .max_sweeps = options.max_iterations}),
      coarse_({.tol = options.large_tol > 0.0 ? options.large_tol : options.tol,
               .max_sweeps = options.max_iterations,
               .newton_tries = 0}) {}

bool ConeSolvers::coarse(std::size_t contacts) const {
  const bool iterates = options_.solver == ConeSolver::automatic || options_.solver == ConeSolver::nsgs;
  return options_.large_tol > 0.0 && iterates && contacts > coarse_contacts;
}

SolveReport ConeSolvers::solve(ConeProblem& problem) {
  if (coarse(problem.cones.size())) {
    const SolveReport report = coarse_.solve(problem);
    if (report.status == SolveStatus::solved) return report;
  }
  switch (options_.solver) {
    case ConeSolver::enumerate:
      return enumerate_.solve(problem);
    case ConeSolver::lemke:
      return lemke_.solve(problem);
    case ConeSolver::nsgs:
      return sweeps_.solve(problem);
    case ConeSolver::automatic:
      break;
  }
  return solve_in_turn(problem);
}

ConeSolvers::Cones ConeSolvers::cones_of(const ConeProblem& problem) {
  Cones cones = Cones::flat;
  for (const ConeBlock& cone : problem.cones) {
    if (cone.kind == ConeKind::polyhedral) return Cones::polygon;
    if (cone.kind == ConeKind::coulomb3) cones = Cones::space;
  }
  return cones;
}

SolveReport ConeSolvers::attempt(Attempt which, ConeProblem& problem) {
  switch (which) {
    case Attempt::enumerate:
      return enumerate_.solve(problem);
    case Attempt::newton:
      return newton_.solve(problem);
    case Attempt::short_sweeps:
      return short_sweeps_.solve(problem);
    case Attempt::short_proximal:
      return short_proximal_.solve(problem);
    case Attempt::polygons:
      return polygons_.solve(problem);
    case Attempt::few_sweeps:
      return few_sweeps_.solve(problem);
    case Attempt::interior_point:
      return interior_point_.solve(problem);
    case Attempt::smoothing:
      return smoothing_.solve(problem);
    case Attempt::proximal:
      return proximal_.solve(problem);
    case Attempt::sweeps:
      return sweeps_.solve(problem);
    case Attempt::lemke:
      return lemke_.solve(problem);
    case Attempt::none:
    case Attempt::guess:
      break;
  }
  return {};
}

SolveReport ConeSolvers::solve_in_turn(ConeProblem& problem) {
  const Cones cones = cones_of(problem);
  const auto fits = [&](const Turn& turn) { return turn.cones == cones && problem.cones.size() <= turn.contacts; };
  const Turn& turn = *std::find_if(turns.begin(), turns.end(), fits);
  SolveReport report;
  if (problem.cones.size() > dense_contacts) guess_.assign(problem.p.begin(), problem.p.end());
  for (const Attempt which : turn.attempts) {
    if (which == Attempt::none) break;
    // What Newton steps and the interior point leave above the tolerance is as a rule at round-off already.
    const bool last_resort = which == Attempt::proximal || which == Attempt::lemke || which == Attempt::sweeps;
    if (last_resort && accepts(problem, report)) report.status = SolveStatus::solved;
    if (report.status == SolveStatus::solved || (last_resort && options_.hurried && *options_.hurried)) break;
    if (which == Attempt::guess) {
      std::copy(guess_.begin(), guess_.end(), problem.p.begin());
      continue;
    }
    const int before = report.iterations;
    report = attempt(which, problem);
    report.iterations += before;
    if (report.status == SolveStatus::bad_input) return report;
    if (report.status == SolveStatus::solved && which == Attempt::enumerate) return report;
  }
  if (accepts(problem, report)) report.status = SolveStatus::solved;
  const bool exact = cones == Cones::space || (cones == Cones::flat && options_.promised);
  if (report.status != SolveStatus::solved || !exact || keeps_laws(problem)) return report;
  interior_point_.refine(problem);
  if (!keeps_laws(problem) && problem.cones.size() <= dense_contacts)
    report.iterations += finest_.solve(problem).iterations;
  report.residual = residual(problem, problem.p);
  return report;
}

bool ConeSolvers::accepts(const ConeProblem& problem, const SolveReport& report) const {
  return options_.promised && report.residual <= loosest && keeps_laws(problem);
}

// The laws of every contact to half of what the scheme promises, as its certificate measures them.
bool ConeSolvers::keeps_laws(const ConeProblem& problem) const {
  const double velocity = 0.5 * options_.slow, momentum = options_.friction_tol;
  for (const ConeBlock& cone : problem.cones) {
    const double* p = &problem.p[cone.first];
    const double* u = &problem.u[cone.first];
    const bool acts = cone.kind == ConeKind::free || p[0] > 1e-6 * momentum;
    if (!((acts ? std::abs(u[0]) : -u[0]) <= velocity)) return false;
    const int dim = dimension(cone.kind);
    if (dim == 1 || !acts) continue;
    const double slip[3] = {0.0, u[1], dim == 3 ? u[2] : 0.0};
    const double impulse[3] = {p[0], p[1], dim == 3 ? p[2] : 0.0};
    if (FrictionShape().misdirection(cone.mu, impulse, slip, velocity) > momentum) return false;
  }
  return true;
}

}  // namespace esc
