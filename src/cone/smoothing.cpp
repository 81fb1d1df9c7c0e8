#include <escapement/solvers/smoothing.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <escapement/solvers/newton.hpp>

#include "src/cone/best_point.hpp"
#include "src/cone/linear_cones.hpp"
#include "src/cone/lorentz.hpp"
#include "src/cone/operator.hpp"
#include "src/cone/own_units.hpp"
#include "src/math/vectors.hpp"

namespace esc {
namespace {

constexpr double smoothing_proximal = 1e-13;
constexpr double sharpen = 0.3;    // of the smoothing, once the shift has moved by less than it
constexpr double solved_to = 0.3;  // of the smoothing: then the shift is renewed
constexpr double sharp = 1e-2;     // of the size of the problem: below, Newton steps may finish
constexpr int newton_every = 4;    // renewals of the shift
constexpr int halvings = 12;

// max(0, x), smoothed over eps (Chen, Harker, Kanzow, Smale), and its derivative.
struct Ramp {
  double value, slope;
};

Ramp ramp(double x, double eps) {
  const double root = std::sqrt(x * x + 4.0 * eps * eps);
  if (x >= 0.0) return {0.5 * (x + root), 0.5 * (1.0 + x / root)};
  const double small = 2.0 * eps * eps / (root - x);
  return {small, small / root};
}

}  // namespace

using cone::Lorentz;

// All in units of the problem's own.
struct Smoothing::Work {
  cone::OwnUnits units;
  cone::LinearCones linear;
  cone::BestPoint best;
  Newton newton;
  std::vector<cone::ConeRows> rows;
  std::vector<double> p, u, F, dp, trial;
  std::vector<double> shift;  // by cone: mu |u_T|
  double eps = 0.0;

  explicit Work(const NewtonOptions& options) : newton(options) {}
  const ConeProblem& problem() const { return units.problem; }
  void equations(std::size_t k, const std::vector<double>& x);
  double evaluate(const std::vector<double>& x);
  bool step();
  double renew_shift();
  int finish();
  void iterate(const SmoothingOptions& options, SolveReport& report);
};

Smoothing::Smoothing(const SmoothingOptions& options)
    : options_(options),
      work_(std::make_unique<Work>(NewtonOptions{.tol = options.tol, .max_iterations = 12, .patience = 3})) {
  validate(options);
}
Smoothing::Smoothing(Smoothing&&) noexcept = default;
Smoothing::~Smoothing() = default;

// F = p^ - proj(p^ - y^) of one cone with y = u + shift e_N, the projection smoothed in its spectrum, and its
// derivatives.
void Smoothing::Work::equations(std::size_t k, const std::vector<double>& x) {
  const Lorentz c = cone::lorentz(problem().cones[k]);
  cone::ConeRows& row = rows[k] = {};
  double* f = &F[c.first];
  if (c.dim == 0) {
    f[0] = u[c.first];
    row.U[0] = 1.0;
    return;
  }
  const cone::Hat a = cone::p_hat(c, x);
  cone::Hat z;
  for (int i = 0; i < c.dim; ++i) z.x[i] = a.x[i] - c.y_unit(i) * (u[c.first + i] + (i == 0 ? shift[k] : 0.0));
  const double t = cone::norm2(z.x[1], z.x[2]);
  const double e[3] = {0.0, t > 0.0 ? z.x[1] / t : 1.0, t > 0.0 ? z.x[2] / t : 0.0};
  const Ramp low = ramp(z.x[0] - t, eps), high = ramp(z.x[0] + t, eps);
  const double along = 0.5 * (low.slope + high.slope), mixed = 0.5 * (high.slope - low.slope);
  const double across = t > 0.0 ? 0.5 * (high.value - low.value) / t : along;
  for (int i = 0; i < c.dim; ++i) {
    f[i] = a.x[i] - (i == 0 ? 0.5 * (low.value + high.value) : 0.5 * (high.value - low.value) * e[i]);
    for (int j = 0; j < c.dim; ++j) {
      const double one = i == j ? 1.0 : 0.0;
      const double slope = i == 0 && j == 0 ? along
                           : i == 0         ? mixed * e[j]
                           : j == 0         ? mixed * e[i]
                                            : across * one + (along - across) * e[i] * e[j];
      row.P[3 * i + j] = (one - slope) * c.p_unit(j);
      row.U[3 * i + j] = slope * c.y_unit(j);
    }
  }
  for (int i = c.dim; i < dimension(problem().cones[k].kind); ++i) {
    f[i] = x[c.first + i];
    row.P[3 * i + i] = 1.0;
  }
}

double Smoothing::Work::evaluate(const std::vector<double>& x) {
  apply(problem(), x, u);
  for (std::size_t k = 0; k < problem().cones.size(); ++k) equations(k, x);
  return norm(F) / std::sqrt(static_cast<double>(F.size()));
}

// A Newton step with the shift held, as long as it lessens |F|. True: F is as small as this smoothing needs, or no step
// makes it smaller.
bool Smoothing::Work::step() {
  const double before = evaluate(p);
  for (std::size_t i = 0; i < F.size(); ++i) dp[i] = -F[i];
  linear.factor(problem(), rows, smoothing_proximal);
  linear.solve(dp);
  double length = 1.0;
  for (int k = 0; k < halvings; ++k, length *= 0.5) {
    for (std::size_t i = 0; i < p.size(); ++i) trial[i] = p[i] + length * dp[i];
    const double now = evaluate(trial);
    if (!(now <= (1.0 - 1e-4 * length) * before)) continue;
    std::copy(trial.begin(), trial.end(), p.begin());
    best.offer(problem(), p);
    return now < solved_to * eps;
  }
  return true;
}

// Returns by how much it has moved.
double Smoothing::Work::renew_shift() {
  apply(problem(), p, u);
  double moved = 0.0;
  for (std::size_t k = 0; k < problem().cones.size(); ++k) {
    const Lorentz c = cone::lorentz(problem().cones[k]);
    const double now = c.dim > 1 ? c.mu * cone::norm2(u[c.first + 1], c.dim == 3 ? u[c.first + 2] : 0.0) : 0.0;
    moved += (now - shift[k]) * (now - shift[k]);
    shift[k] = now;
  }
  return std::sqrt(moved / static_cast<double>(p.size()));
}

// Newton steps on the equations themselves, from the present point.
int Smoothing::Work::finish() {
  units.problem.p = p;
  for (const ConeBlock& c : problem().cones)
    project(problem(), c, std::span(units.problem.p).subspan(c.first, dimension(c.kind)));
  const SolveReport report = newton.solve(units.problem);
  best.offer(problem(), problem().p);
  return report.iterations;
}

void Smoothing::Work::iterate(const SmoothingOptions& options, SolveReport& report) {
  const std::size_t n = problem().b.size();
  for (auto* list : {&u, &F, &dp, &trial}) list->resize(n);
  rows.resize(problem().cones.size());
  shift.assign(problem().cones.size(), 0.0);
  p = problem().p;
  best.start(problem(), p);
  const double size = std::max(norm(p), norm(problem().b)) / std::sqrt(static_cast<double>(n));
  eps = options.first * size;
  renew_shift();
  for (int renewals = 0; best.residual > options.tol && report.iterations < options.max_iterations;) {
    ++report.iterations;
    if (!step()) continue;
    if (renew_shift() < eps) eps *= sharpen;
    if (++renewals % newton_every == 0 && eps < sharp * size) report.iterations += finish();
  }
}

SolveReport Smoothing::solve(ConeProblem& problem) {
  SolveReport report = cone::judge_round_cones(problem, options_.tol);
  if (report.status != SolveStatus::stalled) return report;

  Work& work = *work_;
  work.units.read(problem);
  work.linear.analyse(work.problem());
  if (work.linear.cost() > options_.max_cost) return {SolveStatus::too_large, 0, report.residual};
  work.iterate(options_, report);
  if (!(work.best.residual < report.residual)) return report;
  work.units.write(work.best.p, problem);
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

}  // namespace esc
