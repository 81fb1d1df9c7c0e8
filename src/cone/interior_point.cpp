#include <escapement/solvers/interior_point.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/cone/best_point.hpp"
#include "src/cone/linear_cones.hpp"
#include "src/cone/lorentz.hpp"
#include "src/cone/modes.hpp"
#include "src/cone/operator.hpp"
#include "src/cone/own_units.hpp"
#include "src/math/vectors.hpp"

namespace esc {
namespace {

constexpr double centring = 0.1;       // least share of tau that a step aims at
constexpr double boundary = 0.9;       // share of the way to the boundary of the cones that a step takes
constexpr double plain_modes = 1e-14;  // of tau's first value: below, the modes can be read off
constexpr double end_of_path = 1e-28;
constexpr double path_proximal = 1e-14;
constexpr double jammed = 0.1;   // of a step: two shorter ones in a row, and the path steps back from the boundary
constexpr double retreat = 0.1;  // by this share of sqrt(tau) or of the mean defect, whichever is larger

}  // namespace

using cone::Hat;
using cone::Lorentz;

// All in units of the problem's own.
struct InteriorPoint::Path {
  cone::OwnUnits units;
  cone::LinearCones linear;
  cone::Modes modes;
  cone::BestPoint best;
  std::vector<cone::ConeRows> rows;
  std::vector<double> p, y, dp, dy;
  std::vector<double> defect;  // W p + b + mu |y_T| e_N - y

  const ConeProblem& problem() const { return units.problem; }
  void start();
  double complementarity() const;
  void linearise();
  double solve_step(double target, double correction);
  double longest_step() const;
  void advance(double step);
  void step_back(double tau);
  void follow(const InteriorPointOptions& options, SolveReport& report);
  void open_contacts(double tol);
};

InteriorPoint::InteriorPoint(const InteriorPointOptions& options) : options_(options), path_(std::make_unique<Path>()) {
  validate(options);
}
InteriorPoint::InteriorPoint(InteriorPoint&&) noexcept = default;
InteriorPoint::~InteriorPoint() = default;

void InteriorPoint::Path::start() {
  const std::size_t n = problem().b.size();
  for (auto* list : {&p, &y, &dp, &dy, &defect}) list->assign(n, 0.0);
  rows.resize(problem().cones.size());
  for (const ConeBlock& c : problem().cones) {
    if (c.kind == ConeKind::free) continue;
    p[c.first] = 1.0;
    y[c.first] = 1.0;
  }
  best.start(problem(), problem().p);
}

// tau = mean of p^ . y^.
double InteriorPoint::Path::complementarity() const {
  double sum = 0.0;
  int cones = 0;
  for (const ConeBlock& block : problem().cones) {
    const Lorentz c = cone::lorentz(block);
    if (c.dim == 0) continue;
    sum += product(p_hat(c, p), y_hat(c, y)).x[0];
    ++cones;
  }
  return cones > 0 ? sum / cones : 0.0;
}

// y^ o dp^ + p^ o dy^ with dy = W dp + defect; a free row is W dp, a tangential row without friction dp.
void InteriorPoint::Path::linearise() {
  apply(problem(), p, defect);
  for (std::size_t k = 0; k < problem().cones.size(); ++k) {
    const Lorentz c = cone::lorentz(problem().cones[k]);
    const Hat a = p_hat(c, p), b = y_hat(c, y);
    if (c.dim > 0) defect[c.first] += (c.dim > 1 ? cone::spectrum(b).largest - b.x[0] : 0.0) - b.x[0];
    cone::ConeRows& row = rows[k] = {};
    if (c.dim == 0) row.U[0] = 1.0;
    for (int i = 0; c.dim > 0 && i < dimension(problem().cones[k].kind); ++i) {
      if (i > 0 && i < c.dim) defect[c.first + i] -= y[c.first + i];
      if (i >= c.dim) row.P[3 * i + i] = 1.0;
      for (int j = 0; i < c.dim && j < c.dim; ++j) {
        row.U[3 * i + j] = arrow(a, i, j) * c.y_unit(j);
        row.P[3 * i + j] = arrow(b, i, j) * c.p_unit(j);
      }
    }
  }
  linear.factor(problem(), rows, path_proximal);
}

// The step towards p o y = target e, less `correction` times the second-order term of the last step. Returns how much
// of it stays in the cones.
double InteriorPoint::Path::solve_step(double target, double correction) {
  for (const ConeBlock& block : problem().cones) {
    const Lorentz c = cone::lorentz(block);
    const Hat a = p_hat(c, p);
    const Hat now = product(a, y_hat(c, y));
    const Hat second = product(p_hat(c, dp), y_hat(c, dy));
    for (int i = 0; i < dimension(block.kind); ++i) {
      double& right = dp[c.first + i];
      right = c.dim == 0 ? -defect[c.first] : 0.0;
      if (i >= c.dim) continue;
      right = (i == 0 ? target : 0.0) - now.x[i] - correction * second.x[i];
      for (int k = 0; k < c.dim; ++k) right -= arrow(a, i, k) * c.y_unit(k) * defect[c.first + k];
    }
  }
  linear.solve(dp);
  cone::multiply(problem(), dp, dy);
  for (std::size_t i = 0; i < dy.size(); ++i) dy[i] += defect[i];
  return longest_step();
}

double InteriorPoint::Path::longest_step() const {
  double step = std::numeric_limits<double>::infinity();
  for (const ConeBlock& block : problem().cones) {
    const Lorentz c = cone::lorentz(block);
    if (c.dim == 0) continue;
    step = std::min(step, step_to_boundary(p_hat(c, p), p_hat(c, dp), c.dim));
    step = std::min(step, step_to_boundary(y_hat(c, y), y_hat(c, dy), c.dim));
  }
  return step;
}

void InteriorPoint::Path::advance(double step) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] += step * dp[i];
    y[i] += step * dy[i];
  }
}

// Where the shift mu |u_T| still moves, the path may run into the boundary: both p and y move inwards, and it starts
// anew from there.
void InteriorPoint::Path::step_back(double tau) {
  const double mean = norm(defect) / std::sqrt(static_cast<double>(defect.size()));
  const double inwards = retreat * std::max(std::sqrt(tau), mean);
  for (const ConeBlock& c : problem().cones) {
    if (c.kind == ConeKind::free) continue;
    p[c.first] += inwards;
    y[c.first] += inwards;
  }
}

void InteriorPoint::Path::follow(const InteriorPointOptions& options, SolveReport& report) {
  const double first = complementarity();
  double tau = first;
  int short_steps = 0;
  while (best.residual > options.tol && report.iterations < options.max_iterations) {
    ++report.iterations;
    linearise();
    const double predicted = std::min(1.0, solve_step(0.0, 0.0));
    const double target = std::max(centring, std::pow(1.0 - predicted, 3)) * tau;
    const double longest = solve_step(target, predicted > 0.1 ? predicted * predicted : 0.0);
    advance(std::min(1.0, boundary * longest));
    best.offer(problem(), p);
    tau = complementarity();
    if (best.residual > options.tol && tau < plain_modes * first) {
      modes.choose(problem(), p, y, 0.0);
      modes.polish(problem(), p, options.tol, linear, best);
    }
    short_steps = longest < jammed ? short_steps + 1 : 0;
    if (short_steps == 2) {
      step_back(tau);
      tau = complementarity();
      short_steps = 0;
    }
    if (!(tau > end_of_path * first)) break;
  }
}

// The path ends inside the cones: contacts that separate get p = 0, unless that makes the residual too large.
void InteriorPoint::Path::open_contacts(double tol) {
  dp = best.p;
  apply(problem(), dp, dy);
  for (const ConeBlock& c : problem().cones) {
    if (c.kind == ConeKind::free || !(dp[c.first] < dy[c.first])) continue;
    std::fill_n(dp.begin() + c.first, dimension(c.kind), 0.0);
  }
  const double r = residual(problem(), dp);
  if (!(r > std::max(best.residual, tol))) std::copy(dp.begin(), dp.end(), best.p.begin());
}

SolveReport InteriorPoint::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  SolveReport report{SolveStatus::stalled, 0, cone::judge(problem)};
  for (const ConeBlock& c : problem.cones)
    if (c.kind == ConeKind::polyhedral) report.status = SolveStatus::not_supported;
  if (report.status != SolveStatus::stalled) return report;

  Path& path = *path_;
  path.units.read(problem);
  path.linear.analyse(path.problem());
  if (path.linear.cost() > options_.max_cost) return {SolveStatus::too_large, 0, report.residual};
  if (path.units.all_zero()) {
    std::fill(problem.p.begin(), problem.p.end(), 0.0);
  } else {
    path.start();
    path.follow(options_, report);
    path.open_contacts(options_.tol);
    path.units.write(path.best.p, problem);
  }
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

void InteriorPoint::refine(ConeProblem& problem) {
  Path& path = *path_;
  path.units.read(problem);
  path.linear.analyse(path.problem());
  if (path.units.all_zero() || path.linear.cost() > options_.max_cost) return;
  path.start();
  const double before = path.best.residual;
  path.p = path.problem().p;
  apply(path.problem(), path.p, path.y);
  for (const ConeBlock& block : path.problem().cones) {
    const Lorentz c = cone::lorentz(block);
    if (c.dim > 1) path.y[c.first] += cone::spectrum(y_hat(c, path.y)).largest - path.y[c.first];
  }
  path.modes.choose(path.problem(), path.p, path.y, 1.0);
  path.modes.polish(path.problem(), path.p, 0.0, path.linear, path.best);
  if (!(path.best.residual < before)) return;
  path.units.write(path.best.p, problem);
  cone::judge(problem);
}

}  // namespace esc
