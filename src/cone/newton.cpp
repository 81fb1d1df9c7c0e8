#include <escapement/solvers/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cone/best_point.hpp"
#include "src/cone/cones.hpp"
#include "src/cone/linear_cones.hpp"
#include "src/cone/operator.hpp"
#include "src/cone/own_units.hpp"

namespace esc {
namespace {

// Where contacts that hold depend on each other, round-off makes their equations contradict each other; a smaller shift
// would turn that into large steps along what W does not see.
constexpr double newton_proximal = 1e-9;
constexpr int shortenings = 4;

// The rows of one cone, F + P dp + U du = 0, in units in which its W is one:
//   free: u = 0;   N: p_N = max(0, p_N - u_N);   T: p_T = proj(p_T - u_T) onto the disc of radius mu max(0, p_N).
void linearise(const ConeBlock& cone, const double* p, const double* u, cone::ConeRows& row, double* F) {
  row = {};
  const int dim = dimension(cone.kind);
  const bool closed = cone.kind == ConeKind::free || p[0] - u[0] >= 0.0;  // a contact at rest holds
  for (int i = 0; i < dim; ++i) {
    F[i] = closed ? u[i] : p[i];
    (closed ? row.U : row.P)[3 * i + i] = 1.0;
  }
  if (dim == 1 || !closed) return;

  const double t[2] = {p[1] - u[1], dim == 3 ? p[2] - u[2] : 0.0};
  const double length = cone::norm2(t[0], t[1]);
  const double radius = cone.mu * std::max(0.0, p[0]);
  if (length <= radius) return;

  // Slip: p_T - mu p_N t / |t| = 0, with d(t / |t|) = (1 - t t^T / |t|^2) dt / |t|.
  const double e[2] = {t[0] / length, t[1] / length};
  for (int i = 1; i < dim; ++i) {
    F[i] = p[i] - radius * e[i - 1];
    row.P[3 * i] = -cone.mu * e[i - 1];
    row.U[3 * i + i] = 0.0;
    for (int j = 1; j < dim; ++j) {
      const double turn = radius / length * ((i == j ? 1.0 : 0.0) - e[i - 1] * e[j - 1]);
      row.P[3 * i + j] = (i == j ? 1.0 : 0.0) - turn;
      row.U[3 * i + j] = turn;
    }
  }
}

}  // namespace

struct Newton::Work {
  cone::OwnUnits units;
  cone::LinearCones linear;
  cone::BestPoint best;
  std::vector<cone::ConeRows> rows;
  std::vector<double> p, dp, trial, u;
};

Newton::Newton(const NewtonOptions& options) : options_(options), work_(std::make_unique<Work>()) { validate(options); }
Newton::Newton(Newton&&) noexcept = default;
Newton::~Newton() = default;

SolveReport Newton::solve(ConeProblem& problem) {
  SolveReport report = cone::judge_round_cones(problem, options_.tol);
  if (report.status != SolveStatus::stalled) return report;
  auto& [units, linear, best, rows, p, dp, trial, u] = *work_;
  units.read(problem);
  linear.analyse(units.problem);
  if (linear.cost() > options_.max_cost) report.status = SolveStatus::too_large;
  if (report.status != SolveStatus::stalled) return report;

  const ConeProblem& own = units.problem;
  const std::size_t n = own.b.size();
  for (auto* list : {&dp, &trial, &u}) list->resize(n);
  rows.resize(own.cones.size());
  p = own.p;
  best.start(own, p);
  double r = best.residual;
  for (int wasted = 0; wasted < options_.patience && best.residual > options_.tol;) {
    if (report.iterations++ == options_.max_iterations) break;
    apply(own, p, u);
    for (std::size_t c = 0; c < own.cones.size(); ++c) {
      const int first = own.cones[c].first;
      linearise(own.cones[c], &p[first], &u[first], rows[c], &dp[first]);
    }
    for (double& x : dp) x = -x;
    linear.factor(own, rows, newton_proximal);
    linear.solve(dp);

    // The full step unless a shorter one is better.
    double length = 1.0, least = std::numeric_limits<double>::infinity(), chosen = 1.0;
    for (int k = 0; k <= shortenings && !(least < r); ++k, length *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) trial[i] = p[i] + length * dp[i];
      const double now = best.offer(own, trial);
      if (now < least) {
        least = now;
        chosen = length;
      }
    }
    if (!std::isfinite(least)) break;
    wasted = least < r ? 0 : wasted + 1;
    for (std::size_t i = 0; i < n; ++i) p[i] += chosen * dp[i];
    r = least;
  }
  if (!(best.residual < report.residual)) return report;
  units.write(best.p, problem);
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

}  // namespace esc
