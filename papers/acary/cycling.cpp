#include "papers/acary/cycling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <escapement/solvers/enumerate.hpp>

namespace esc::papers::acary {

namespace {

// One step from x: v = v_free + M^-1 G^T P with 0 <= U + e U_k _|_ P >= 0 on a given set.
class Step {
 public:
  Step(const System& system, const State& x, double h) : system_(system), x_(x), h_(h), v_(x.v), q_(x.q) {
    std::vector<double> M(system.matrix_size()), F(system.nv()), scratch(system.scratch_size());
    system.dynamics({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, M, F, Part::all);
    inverse_mass_.resize(system.nv());
    for (const MatrixBlock& block : system.blocks())
      for (int i = 0; i < block.n; ++i) inverse_mass_[block.v0 + i] = 1.0 / M[block.a0 + i * block.n + i];
    free_ = x.v;
    for (int i = 0; i < system.nv(); ++i) free_[i] += h * inverse_mass_[i] * F[i];
    system.detect(x.t, x.q, any_gap, start_);
    system.evaluate(x.t, x.q, start_);
    move_to(free_);
  }

  // Contacts with g <= 0 at the current iterate.
  ActiveSet closed() const {
    ActiveSet set;
    for (const Contact& contact : now_.contacts)
      if (contact.gap <= 0.0) set.push_back(contact.key);
    return set;
  }

  double least_gap() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Contact& contact : now_.contacts) least = std::min(least, contact.gap);
    return least;
  }

  // One Newton iteration: frames of the current iterate. Returns the change of v.
  double iterate(const ActiveSet& active) {
    std::vector<std::vector<double>> rows;  // G
    ConeProblem problem;
    for (std::size_t i = 0; i < now_.contacts.size(); ++i) {
      const Contact& contact = now_.contacts[i];
      if (std::find(active.begin(), active.end(), contact.key) == active.end()) continue;
      rows.emplace_back(system_.nv(), 0.0);
      const double one = 1.0;
      add_impulse(now_, contact, &one, rows.back());
      double before[3], free[3];
      velocity(start_, start_.contacts[i], x_.v, before);
      velocity(now_, contact, free_, free);
      problem.cones.push_back({.first = static_cast<int>(problem.b.size())});
      problem.b.push_back(free[0] + contact.law.e * before[0]);
    }
    const std::vector<double> P = solve(problem, rows);
    std::vector<double> v = free_;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (int j = 0; j < system_.nv(); ++j) v[j] += inverse_mass_[j] * rows[i][j] * P[i];
    double change = 0.0;
    for (int j = 0; j < system_.nv(); ++j) change = std::max(change, std::abs(v[j] - v_[j]));
    move_to(v);
    return change;
  }

 private:
  std::vector<double> solve(ConeProblem& problem, const std::vector<std::vector<double>>& rows) const {
    DenseW W;
    for (const auto& a : rows)
      for (const auto& b : rows) {
        double sum = 0.0;
        for (int j = 0; j < system_.nv(); ++j) sum += a[j] * inverse_mass_[j] * b[j];
        W.a.push_back(sum);
      }
    problem.W = W;
    problem.p.assign(problem.b.size(), 0.0);
    problem.u = problem.p;
    if (!rows.empty() && Enumerate().solve(problem).status != SolveStatus::solved)
      throw std::runtime_error("the contact problem was not solved");
    return problem.p;
  }

  void move_to(const std::vector<double>& v) {
    v_ = v;
    std::vector<double> xi(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) xi[j] = 0.5 * h_ * (x_.v[j] + v[j]);
    system_.retract(x_.q, xi, q_);
    system_.detect(x_.t + h_, q_, any_gap, now_);
    system_.evaluate(x_.t + h_, q_, now_);
  }

  const System& system_;
  const State& x_;
  double h_;
  std::vector<double> inverse_mass_, free_, v_, q_;
  ContactSet start_, now_;
};

constexpr double converged = 1e-12;  // m/s

}  // namespace

Settling settle(const System& system, const State& x, double h, Following rule, int most) {
  Settling result;
  Step step(system, x, h);
  ActiveSet active;
  for (int round = 0; round < most; ++round) {
    double change = step.iterate(active);
    for (int n = 0; rule != Following::iterates && change > converged && n < 100; ++n) change = step.iterate(active);
    result.sets.push_back(active);
    result.least_gap.push_back(step.least_gap());
    ActiveSet next = step.closed();
    if (rule == Following::growing) {
      ActiveSet grown;
      std::set_union(active.begin(), active.end(), next.begin(), next.end(), std::back_inserter(grown));
      next = grown;
    }
    result.settled = next == active && change <= converged;
    if (result.settled) break;
    active = next;
  }
  return result;
}

}  // namespace esc::papers::acary
