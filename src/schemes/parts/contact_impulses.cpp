#include "src/schemes/parts/contact_impulses.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include <escapement/options.hpp>

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

ContactImpulses::ContactImpulses(const System& system, const ImpulseOptions& options, Executor& executor)
    : system_(system), executor_(executor), shape_(options.friction_cone, options.friction_directions) {
  refuse_cones(system, options);
  const auto components = system.components().size();
  for (auto* list : {&parent_, &island_of_component_, &at_start_, &at_count_}) list->resize(components);
  island_start_.assign(1, 0);
  for (int i = 0; i < executor.workers(); ++i) workers_.push_back({{}, ConeSolvers(options)});
}

void ContactImpulses::couple(const ContactSet& set) {
  set_ = &set;
  find_touches();
  find_islands();
  find_neighbours();
}

void ContactImpulses::find_touches() {
  touch_start_.clear();
  touches_.clear();
  int x0 = 0;
  for (const Contact& contact : set_->contacts) {
    const auto first = touches_.size();
    touch_start_.push_back(static_cast<int>(first));
    for (const Segment& segment : contact.segments) {
      const int component = system_.component_of(segment.first);
      const auto same = [&](const Touch& touch) { return touch.component == component; };
      if (std::any_of(touches_.begin() + static_cast<std::ptrdiff_t>(first), touches_.end(), same)) continue;
      const int size = system_.components()[component].n + system_.components()[component].rows;
      touches_.push_back({component, x0, size});
      x0 += contact.rows * size;
    }
  }
  touch_start_.push_back(static_cast<int>(touches_.size()));
  X_.resize(x0);
}

void ContactImpulses::assemble(const SystemFactor& factor) {
  const ContactSet& set = *set_;
  for (int c = 0; c < set.size(); ++c) {
    const Contact& contact = set.contacts[c];
    for (const Touch& touch : touches(c)) {
      const Component& component = system_.components()[touch.component];
      const double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.rows; ++row) {
        double* x = X_.data() + touch.x0 + row * touch.size;
        std::fill_n(x, touch.size, 0.0);
        int first = component.n - 1;
        for (const Segment& segment : contact.segments) {
          if (system_.component_of(segment.first) == touch.component) {
            const int local = segment.first - component.v0;
            for (int j = 0; j < segment.length; ++j) x[local + j] += G[j];
            first = std::min(first, local);
          }
          G += segment.length;
        }
        factor.solve_from(touch.component, first, x);
      }
    }
  }
}

int ContactImpulses::root(int component) {
  while (parent_[component] != component) component = parent_[component] = parent_[parent_[component]];
  return component;
}

void ContactImpulses::find_islands() {
  const int contacts = set_->size();
  for (const Touch& touch : touches_) {
    parent_[touch.component] = touch.component;
    island_of_component_[touch.component] = -1;
  }
  for (int c = 0; c < contacts; ++c) {
    const auto mine = touches(c);
    for (std::size_t i = 1; i < mine.size(); ++i) parent_[root(mine[i].component)] = root(mine[0].component);
  }
  // Islands are numbered by their first contact, so their order follows the keys.
  island_of_.resize(contacts);
  island_start_.assign(1, 0);
  for (int c = 0; c < contacts; ++c) {
    int& island = island_of_component_[root(touches(c)[0].component)];
    if (island < 0) {
      island = static_cast<int>(island_start_.size()) - 1;
      island_start_.push_back(0);
    }
    island_of_[c] = island;
    ++island_start_[island + 1];
  }
  for (std::size_t i = 1; i < island_start_.size(); ++i) island_start_[i] += island_start_[i - 1];
  members_.resize(contacts);
  for (int c = contacts - 1; c >= 0; --c) members_[--island_start_[island_of_[c] + 1]] = c;
  // The countdown has moved every start one island to the left; move them back.
  for (std::size_t i = 1; i + 1 < island_start_.size(); ++i) island_start_[i] = island_start_[i + 1];
  island_start_.back() = contacts;
}

// Which contacts share a component: the pattern of W.
void ContactImpulses::find_neighbours() {
  const int contacts = set_->size();
  neighbour_start_.assign(1, 0);
  neighbours_.clear();
  if (contacts <= dense_contacts) return;  // every island is dense
  for (const Touch& touch : touches_) at_count_[touch.component] = 0;
  for (const Touch& touch : touches_) ++at_count_[touch.component];
  int start = 0;
  for (const Touch& touch : touches_) {
    if (at_count_[touch.component] < 0) continue;
    at_start_[touch.component] = start;
    start += at_count_[touch.component];
    at_count_[touch.component] = -1;
  }
  contacts_at_.resize(start);
  for (const Touch& touch : touches_) at_count_[touch.component] = 0;
  for (int c = 0; c < contacts; ++c)
    for (const Touch& touch : touches(c)) contacts_at_[at_start_[touch.component] + at_count_[touch.component]++] = c;

  last_seen_.assign(contacts, -1);
  place_.resize(contacts);
  for (int i = 0; i + 1 < static_cast<int>(island_start_.size()); ++i)
    for (int j = island_start_[i]; j < island_start_[i + 1]; ++j) place_[members_[j]] = j - island_start_[i];
  for (int c = 0; c < contacts; ++c) {
    for (const Touch& touch : touches(c))
      for (int k = 0; k < at_count_[touch.component]; ++k) {
        const int d = contacts_at_[at_start_[touch.component] + k];
        if (last_seen_[d] == c) continue;
        last_seen_[d] = c;
        neighbours_.push_back(d);
      }
    std::sort(neighbours_.begin() + neighbour_start_.back(), neighbours_.end());
    neighbour_start_.push_back(static_cast<int>(neighbours_.size()));
  }
}

std::span<const int> ContactImpulses::neighbours(int contact) const {
  return {neighbours_.data() + neighbour_start_[contact], neighbours_.data() + neighbour_start_[contact + 1]};
}

std::span<const ContactImpulses::Touch> ContactImpulses::touches(int contact) const {
  return {touches_.data() + touch_start_[contact], touches_.data() + touch_start_[contact + 1]};
}

// W_cd += G_c X_d over the components that both contacts touch.
void ContactImpulses::add_coupling(int c, int d, double* W, int stride) const {
  const Contact& contact = set_->contacts[c];
  const int columns = set_->contacts[d].rows;
  for (const Touch& touch : touches(d)) {
    const int v0 = system_.components()[touch.component].v0;
    const double* G = set_->G.data() + contact.first_value;
    for (int row = 0; row < contact.rows; ++row)
      for (const Segment& segment : contact.segments) {
        if (system_.component_of(segment.first) == touch.component)
          for (int k = 0; k < columns; ++k) {
            const double* x = X_.data() + touch.x0 + k * touch.size + (segment.first - v0);
            double sum = 0.0;
            for (int j = 0; j < segment.length; ++j) sum += G[j] * x[j];
            W[row * stride + k] += sum;
          }
        G += segment.length;
      }
  }
}

void ContactImpulses::fill_dense(std::span<const int> members, ConeProblem& problem) const {
  if (!std::holds_alternative<DenseW>(problem.W)) problem.W.emplace<DenseW>();
  auto& a = std::get<DenseW>(problem.W).a;
  const int rows = problem.rows();
  a.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = 0; j < members.size(); ++j)
      add_coupling(members[i], members[j], a.data() + problem.cones[i].first * rows + problem.cones[j].first, rows);
}

void ContactImpulses::fill_sparse(std::span<const int> members, ConeProblem& problem) const {
  if (!std::holds_alternative<BlockSparseW>(problem.W)) problem.W.emplace<BlockSparseW>();
  auto& W = std::get<BlockSparseW>(problem.W);
  W.row_start.assign(1, 0);
  W.column.clear();
  W.value_start.clear();
  W.a.clear();
  for (const int c : members) {
    for (const int d : neighbours(c)) {
      const int columns = set_->contacts[d].rows;
      W.column.push_back(place_[d]);
      W.value_start.push_back(static_cast<int>(W.a.size()));
      W.a.resize(W.a.size() + static_cast<std::size_t>(set_->contacts[c].rows) * columns, 0.0);
      add_coupling(c, d, W.a.data() + W.value_start.back(), columns);
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
}

void ContactImpulses::fill(int island, std::span<const double> b, std::span<const double> P, std::span<const char> held,
                           ConeProblem& problem) const {
  const std::span members(members_.data() + island_start_[island], members_.data() + island_start_[island + 1]);
  problem.cones.clear();
  problem.b.clear();
  problem.p.clear();
  problem.directions.assign(shape_.directions().begin(), shape_.directions().end());
  for (const int c : members) {
    const Contact& contact = set_->contacts[c];
    const bool equality = !held.empty() && held[c] != 0;
    problem.cones.push_back(equality ? ConeBlock{ConeKind::free, problem.rows()}
                                     : shape_.block(contact, problem.rows()));
    for (int row = 0; row < contact.rows; ++row) {
      problem.b.push_back(b[contact.first_row + row]);
      problem.p.push_back(P[contact.first_row + row]);
    }
  }
  problem.u.resize(problem.b.size());
  if (members.size() <= dense_contacts)
    fill_dense(members, problem);
  else
    fill_sparse(members, problem);
}

ContactImpulses::Outcome ContactImpulses::solve(std::span<const double> b, std::span<double> P,
                                                std::span<const char> held) {
  reports_.resize(islands());
  const auto task = [&](int island, int number) {
    Worker& worker = workers_[number];
    fill(island, b, P, held, worker.problem);
    reports_[island] = worker.solvers.solve(worker.problem);
    int row = 0;
    for (int i = island_start_[island]; i < island_start_[island + 1]; ++i) {
      const Contact& contact = set_->contacts[members_[i]];
      for (int k = 0; k < contact.rows; ++k) P[contact.first_row + k] = worker.problem.p[row++];
    }
  };
  if (executor_.workers() == 1) {
    for (int island = 0; island < islands(); ++island) task(island, 0);
  } else {
    executor_.for_each(islands(), std::ref(task));  // by reference: a std::function of this size allocates
  }

  Outcome outcome;
  for (const SolveReport& report : reports_) {
    outcome.solved = outcome.solved && report.status == SolveStatus::solved;
    outcome.iterations += report.iterations;
    outcome.residual = std::max(outcome.residual, report.residual);
  }
  return outcome;
}

void ContactImpulses::add_to(std::span<double> v, std::span<double> Lambda, std::span<const double> P) const {
  for (int c = 0; c < set_->size(); ++c) {
    const Contact& contact = set_->contacts[c];
    for (const Touch& touch : touches(c)) {
      const Component& component = system_.components()[touch.component];
      for (int row = 0; row < contact.rows; ++row) {
        const double p = P[contact.first_row + row];
        if (p == 0.0) continue;
        const double* x = X_.data() + touch.x0 + row * touch.size;
        for (int i = 0; i < component.n; ++i) v[component.v0 + i] += x[i] * p;
        for (int i = 0; i < component.rows; ++i) Lambda[component.row0 + i] += x[component.n + i] * p;
      }
    }
  }
}

void ContactImpulses::poison() {
  std::fill(X_.begin(), X_.end(), std::numeric_limits<double>::quiet_NaN());
  for (Worker& worker : workers_) worker.problem = {};
}

}  // namespace esc
