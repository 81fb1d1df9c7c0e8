#include "src/schemes/parts/contact_impulses.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <variant>

#include <escapement/options.hpp>

#include "src/cone/one_row.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

// Enumerate takes no friction in space, Lemke polygons only: said here, not in the step that meets the first contact.
void refuse_cones(const System& system, const ImpulseOptions& options) {
  const ConeSolver solver = options.solver;
  const bool polygon = options.friction_cone == FrictionCone::polygon;
  if (solver != ConeSolver::enumerate && (solver != ConeSolver::lemke || polygon)) return;
  const State x = system.initial_state();
  ContactSet set;
  system.detect(x.t, x.q, std::numeric_limits<double>::max(), set);
  for (const Contact& contact : set.contacts) {
    if (cone_of(contact) != ConeKind::coulomb3) continue;
    const std::string name(cone_solver_names[static_cast<std::size_t>(solver)]);
    const bool lemke = solver == ConeSolver::lemke;
    throw OptionError("solver", name +
                                    (lemke ? " takes round friction cones in the plane only, and "
                                           : " takes friction in the plane only, and ") +
                                    system.contact_name(contact.key) + " has friction in space; use automatic or nsgs" +
                                    (lemke ? ", friction_cone = polygon, or mu = 0" : ", or set mu = 0"));
  }
}

}  // namespace

ContactImpulses::ContactImpulses(const System& system, const ImpulseOptions& options, Workspace workspace)
    : executor_(workspace.executor),
      shape_(options.friction_cone, options.friction_directions),
      alone_(options.solver == ConeSolver::automatic),
      tol_(options.tol),
      W_(system, workspace.scratch),
      sharing_(workspace.scratch),
      shared_(workspace.scratch.vector()),
      moved_(workspace.scratch.vector(system.nv())) {
  refuse_cones(system, options);
  for (int i = 0; i < executor_.workers(); ++i) workers_.push_back({{}, ConeSolvers(options)});
  workspace.scratch.on_poison([this] {
    for (Worker& worker : workers_) worker.problem = {};
  });
}

void ContactImpulses::fill(int island, std::span<const double> b, std::span<const double> P, std::span<const char> held,
                           ConeProblem& problem) const {
  fill_rows(island, b, P, held, problem);
  const auto members = W_.graph().members(island);
  if (members.size() <= dense_contacts)
    W_.fill_dense(members, problem);
  else
    W_.fill_sparse(members, problem);
}

void ContactImpulses::fill_rows(int island, std::span<const double> b, std::span<const double> P,
                                std::span<const char> held, ConeProblem& problem) const {
  const auto members = W_.graph().members(island);
  if (!shape_.round()) problem.directions.assign(shape_.directions().begin(), shape_.directions().end());
  if (problem.cones.size() != members.size()) problem.cones.resize(members.size());
  ConeBlock* cone = problem.cones.data();
  int rows = 0;
  for (const int c : members) {
    const Contact& contact = W_.set().contacts[c];
    const bool equality = !held.empty() && held[c] != 0;
    *cone++ = equality ? ConeBlock{ConeKind::free, rows} : shape_.block(contact, rows);
    rows += contact.row_count;
  }
  for (auto* values : {&problem.b, &problem.p, &problem.u}) fit(*values, static_cast<std::size_t>(rows));
  double *to_b = problem.b.data(), *to_p = problem.p.data();
  for (const int c : members) {
    const Contact& contact = W_.set().contacts[c];
    for (int row = contact.first_row; row < contact.first_row + contact.row_count; ++row) {
      *to_b++ = b[row];
      *to_p++ = P[row];
    }
  }
}

bool ContactImpulses::solve_alone(int island, std::span<const double> b, std::span<double> P) {
  const auto members = W_.graph().members(island);
  if (members.size() != 1) return false;
  const Contact& contact = W_.set().contacts[members[0]];
  if (contact.row_count != 1) return false;
  const int row = contact.first_row;
  solved_[island] = {cone::solve_one_row(W_.diagonal(members[0]), b[row], tol_, P[row]), false};
  return solved_[island].report.status == SolveStatus::solved;
}

LoadSharing::May ContactImpulses::may(const Contact& contact, const Loads& loads) const {
  using enum LoadSharing::May;
  const double *p = &loads.P[contact.first_row], *u = &loads.u[contact.first_row];
  if (u[0] > loads.still || (p[0] == 0.0 && contact.gap > loads.closed)) return nothing;
  if (contact.row_count == 1) return push;
  const bool slips = std::abs(u[1]) > loads.still || (contact.row_count == 3 && std::abs(u[2]) > loads.still);
  // In which corner of a polygon a contact slips without a load is not known here.
  if (slips && p[0] == 0.0 && contact.row_count == 3 && !shape_.round()) return nothing;
  return slips ? slip : stick;
}

// One impulse alone is the only one that gives its motion.
bool ContactImpulses::may_share(int island, const Loads& loads) const {
  const auto members = W_.graph().members(island);
  if (members.size() < 2 || members.size() > dense_contacts) return false;
  int impulses = 0;
  for (const int c : members) {
    const Contact& contact = W_.set().contacts[c];
    const LoadSharing::May what = may(contact, loads);
    impulses += what == LoadSharing::May::nothing ? 0 : what == LoadSharing::May::stick ? contact.row_count : 1;
  }
  return impulses > 1;
}

void ContactImpulses::find_may(std::span<const int> members, const Loads& loads) {
  may_.clear();
  for (const int c : members) may_.push_back(may(W_.set().contacts[c], loads));
}

bool ContactImpulses::alone(const Loads& loads) {
  if (islands() != 1 || executor_.workers() != 1) return false;
  const auto members = W_.graph().members(0);
  ConeProblem& problem = workers_[0].problem;
  const auto* W = std::get_if<DenseW>(&problem.W);
  if (members.size() != 2 || problem.cones.size() != 2 || W == nullptr) return false;
  fill_rows(0, loads.u, loads.P, {}, problem);
  if (W->a.size() != problem.b.size() * problem.b.size()) return false;
  find_may(members, loads);
  return sharing_.alone(problem, may_);
}

bool ContactImpulses::share(int island, const Loads& loads) {
  const auto members = W_.graph().members(island);
  ConeProblem& problem = workers_[0].problem;
  fill(island, loads.u, loads.P, {}, problem);
  find_may(members, loads);
  if (!sharing_.share(problem, may_)) return false;
  int row = 0;
  for (const int c : members) {
    const Contact& contact = W_.set().contacts[c];
    for (int k = contact.first_row; k < contact.first_row + contact.row_count; ++k)
      shared_[k] = problem.p[row++] - loads.P[k];
  }
  return true;
}

bool ContactImpulses::share(const SystemFactor& factor, const Loads& loads) {
  bool assembled = false, changed = false;
  for (int island = 0; island < islands(); ++island) {
    if (!may_share(island, loads)) continue;
    if (!assembled) {
      shared_.reserve(loads.P.size());  // a later step may share
      if (alone(loads)) return false;
      W_.assemble(factor);
      shared_.assign(loads.P.size(), 0.0);
      assembled = true;
    }
    changed = share(island, loads) || changed;
  }
  if (!changed) return false;
  std::fill(moved_.begin(), moved_.end(), 0.0);
  W_.add_to(moved_, loads.Lambda, shared_);
  for (std::size_t i = 0; i < shared_.size(); ++i) loads.P[i] += shared_[i];
  return true;
}

ContactImpulses::Outcome ContactImpulses::solve(std::span<const double> b, std::span<double> P,
                                                std::span<const char> held) {
  solved_.resize(islands());
  const auto task = [&](int island, int number) {
    if (alone_ && held.empty() && solve_alone(island, b, P)) return;
    Worker& worker = workers_[number];
    fill(island, b, P, held, worker.problem);
    const bool coarse = worker.solvers.coarse(worker.problem.cones.size());
    solved_[island] = {worker.solvers.solve(worker.problem), coarse};
    int row = 0;
    for (const int c : W_.graph().members(island)) {
      const Contact& contact = W_.set().contacts[c];
      for (int k = 0; k < contact.row_count; ++k) P[contact.first_row + k] = worker.problem.p[row++];
    }
  };
  if (executor_.workers() == 1) {
    for (int island = 0; island < islands(); ++island) task(island, 0);
  } else {
    executor_.for_each(islands(), std::ref(task));  // by reference: a std::function of this size allocates
  }

  Outcome outcome;
  for (const auto& [report, coarse] : solved_) {
    outcome.coarse += coarse;
    outcome.solved = outcome.solved && report.status == SolveStatus::solved;
    outcome.iterations += report.iterations;
    outcome.residual = std::max(outcome.residual, report.residual);
  }
  return outcome;
}

}  // namespace esc
