#include "src/schemes/parts/contact_impulses.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace esc {

namespace {

constexpr int enumerate_contacts = 4;  // islands up to this size go to Enumerate first: 4^4 choices at most
constexpr int dense_contacts = 24;     // beyond, W is stored by blocks

ConeKind cone_of(const Contact& contact) {
  return contact.rows == 1 ? ConeKind::positive : contact.rows == 2 ? ConeKind::coulomb2 : ConeKind::coulomb3;
}

}  // namespace

ContactImpulses::ContactImpulses(const System& system, const ImpulseOptions& options, Executor& executor)
    : system_(system), options_(options), executor_(executor) {
  const auto blocks = system.blocks().size();
  parent_.resize(blocks);
  island_of_block_.resize(blocks);
  island_start_.assign(1, 0);
  for (int i = 0; i < executor.workers(); ++i)
    workers_.push_back({{},
                        Enumerate({.tol = options.tol}),
                        Lemke({.tol = options.tol}),
                        Nsgs({.tol = options.tol, .max_sweeps = options.max_iterations})});
}

void ContactImpulses::couple(const ContactSet& set) {
  set_ = &set;
  find_touches();
  find_islands();
}

void ContactImpulses::find_touches() {
  touch_start_.clear();
  touches_.clear();
  int x0 = 0;
  for (const Contact& contact : set_->contacts) {
    const auto first = touches_.size();
    touch_start_.push_back(static_cast<int>(first));
    for (const Segment& segment : contact.segments) {
      const int block = system_.block_of(segment.first);
      const auto same = [&](const Touch& touch) { return touch.block == block; };
      if (std::any_of(touches_.begin() + static_cast<std::ptrdiff_t>(first), touches_.end(), same)) continue;
      touches_.push_back({block, x0});
      x0 += contact.rows * system_.blocks()[block].n;
    }
  }
  touch_start_.push_back(static_cast<int>(touches_.size()));
  X_.resize(x0);
}

void ContactImpulses::assemble(const BlockFactor& factor) {
  const ContactSet& set = *set_;
  for (int c = 0; c < set.size(); ++c) {
    const Contact& contact = set.contacts[c];
    for (const Touch& touch : touches(c)) {
      const MatrixBlock& block = system_.blocks()[touch.block];
      const double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.rows; ++row) {
        double* x = X_.data() + touch.x0 + row * block.n;
        std::fill_n(x, block.n, 0.0);
        int first = block.n - 1;
        for (const Segment& segment : contact.segments) {
          if (system_.block_of(segment.first) == touch.block) {
            const int local = segment.first - block.v0;
            for (int j = 0; j < segment.length; ++j) x[local + j] = G[j];
            first = std::min(first, local);
          }
          G += segment.length;
        }
        factor.solve_from(touch.block, first, x);
      }
    }
  }
}

int ContactImpulses::root(int block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

void ContactImpulses::find_islands() {
  const int contacts = set_->size();
  for (const Touch& touch : touches_) {
    parent_[touch.block] = touch.block;
    island_of_block_[touch.block] = -1;
  }
  for (int c = 0; c < contacts; ++c) {
    const auto mine = touches(c);
    for (std::size_t i = 1; i < mine.size(); ++i) parent_[root(mine[i].block)] = root(mine[0].block);
  }
  // Islands are numbered by their first contact, so their order follows the keys.
  island_of_.resize(contacts);
  island_start_.assign(1, 0);
  for (int c = 0; c < contacts; ++c) {
    int& island = island_of_block_[root(touches(c)[0].block)];
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

std::span<const ContactImpulses::Touch> ContactImpulses::touches(int contact) const {
  return {touches_.data() + touch_start_[contact], touches_.data() + touch_start_[contact + 1]};
}

// W_cd += G_c X_d over the blocks that both contacts touch.
void ContactImpulses::add_coupling(int c, int d, double* W, int stride) const {
  const Contact& contact = set_->contacts[c];
  const int columns = set_->contacts[d].rows;
  for (const Touch& touch : touches(d)) {
    const MatrixBlock& block = system_.blocks()[touch.block];
    const double* G = set_->G.data() + contact.first_value;
    for (int row = 0; row < contact.rows; ++row)
      for (const Segment& segment : contact.segments) {
        if (system_.block_of(segment.first) == touch.block)
          for (int k = 0; k < columns; ++k) {
            const double* x = X_.data() + touch.x0 + k * block.n + (segment.first - block.v0);
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
  const auto coupled = [&](int c, int d) {
    for (const Touch& a : touches(c))
      for (const Touch& b : touches(d))
        if (a.block == b.block) return true;
    return false;
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < members.size(); ++j) {
      if (!coupled(members[i], members[j])) continue;
      const int columns = set_->contacts[members[j]].rows;
      W.column.push_back(static_cast<int>(j));
      W.value_start.push_back(static_cast<int>(W.a.size()));
      W.a.resize(W.a.size() + static_cast<std::size_t>(set_->contacts[members[i]].rows) * columns, 0.0);
      add_coupling(members[i], members[j], W.a.data() + W.value_start.back(), columns);
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
}

void ContactImpulses::fill(int island, std::span<const double> b, std::span<const double> P,
                           ConeProblem& problem) const {
  const std::span members(members_.data() + island_start_[island], members_.data() + island_start_[island + 1]);
  problem.cones.clear();
  problem.b.clear();
  problem.p.clear();
  for (const int c : members) {
    const Contact& contact = set_->contacts[c];
    problem.cones.push_back({cone_of(contact), problem.rows(), contact.law.mu, 0, 0});
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

SolveReport ContactImpulses::solve_one(Worker& worker) const {
  ConeProblem& problem = worker.problem;
  if (options_.solver == ConeSolver::enumerate) return worker.enumerate.solve(problem);
  if (options_.solver == ConeSolver::lemke) return worker.lemke.solve(problem);
  if (options_.solver == ConeSolver::nsgs) return worker.nsgs.solve(problem);

  SolveReport report;
  const auto attempt = [&](Solver& solver) {
    const int before = report.iterations;
    report = solver.solve(problem);
    report.iterations += before;
    return report.status == SolveStatus::solved || report.status == SolveStatus::bad_input;
  };
  if (problem.cones.size() <= enumerate_contacts && attempt(worker.enumerate)) return report;
  if (attempt(worker.nsgs) || attempt(worker.lemke)) return report;
  return report;
}

ContactImpulses::Outcome ContactImpulses::solve(std::span<const double> b, std::span<double> P) {
  reports_.resize(islands());
  const auto task = [&](int island, int number) {
    Worker& worker = workers_[number];
    fill(island, b, P, worker.problem);
    reports_[island] = solve_one(worker);
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

void ContactImpulses::add_velocity(std::span<const double> P, std::span<double> v) const {
  for (int c = 0; c < set_->size(); ++c) {
    const Contact& contact = set_->contacts[c];
    for (const Touch& touch : touches(c)) {
      const MatrixBlock& block = system_.blocks()[touch.block];
      for (int row = 0; row < contact.rows; ++row) {
        const double p = P[contact.first_row + row];
        if (p == 0.0) continue;
        const double* x = X_.data() + touch.x0 + row * block.n;
        for (int i = 0; i < block.n; ++i) v[block.v0 + i] += x[i] * p;
      }
    }
  }
}

void ContactImpulses::poison() {
  std::fill(X_.begin(), X_.end(), std::numeric_limits<double>::quiet_NaN());
  for (Worker& worker : workers_) worker.problem = {};
}

}  // namespace esc
