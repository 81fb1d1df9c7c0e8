#include <escapement/solvers/interior_point.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cone/cones.hpp"
#include "src/cone/operator.hpp"
#include "src/math/dense_lu.hpp"

namespace esc {
namespace {

constexpr double centring = 0.1;       // least share of tau that a step aims at
constexpr double boundary = 0.9;       // share of the way to the boundary of the cones that a step takes
constexpr double plain_modes = 1e-14;  // of tau's first value: below, the modes can be read off
constexpr double end_of_path = 1e-28;
constexpr double at_rest = 1e-13;  // rho |u| below this share of the problem's scale is rest
constexpr double damping = 1e-14;
constexpr int polish_steps = 6;

// A cone as a Lorentz cone of dimension `dim`: p^ = (mu p_N, p_T), y^ = (y_N, mu y_T). Without friction only the normal
// row is one; dim = 0 is a free row.
struct Lorentz {
  int first = 0;
  int dim = 1;
  double mu = 1.0;

  double p_unit(int i) const { return i == 0 ? mu : 1.0; }
  double y_unit(int i) const { return i == 0 ? 1.0 : mu; }
};

Lorentz lorentz(const ConeBlock& cone) {
  if (cone.kind == ConeKind::free) return {cone.first, 0, 1.0};
  if (cone.kind == ConeKind::positive || cone.mu == 0.0) return {cone.first, 1, 1.0};
  return {cone.first, dimension(cone.kind), cone.mu};
}

struct Hat {
  double x[3] = {};
};

Hat p_hat(const Lorentz& c, const std::vector<double>& p) {
  Hat hat;
  for (int i = 0; i < c.dim; ++i) hat.x[i] = c.p_unit(i) * p[c.first + i];
  return hat;
}

Hat y_hat(const Lorentz& c, const std::vector<double>& y) {
  Hat hat;
  for (int i = 0; i < c.dim; ++i) hat.x[i] = c.y_unit(i) * y[c.first + i];
  return hat;
}

// a o b = (a . b, a_0 b_T + b_0 a_T).
Hat product(const Hat& a, const Hat& b) {
  return {{a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2], a.x[0] * b.x[1] + b.x[0] * a.x[1],
           a.x[0] * b.x[2] + b.x[0] * a.x[2]}};
}

// The matrix of b -> a o b.
double arrow(const Hat& a, int i, int j) {
  if (i == j) return a.x[0];
  return i == 0 ? a.x[j] : j == 0 ? a.x[i] : 0.0;
}

// The largest s with x + s d in the cone.
double step_to_boundary(const Hat& x, const Hat& d, int dim) {
  double longest = std::numeric_limits<double>::infinity();
  if (d.x[0] < 0.0) longest = -x.x[0] / d.x[0];
  if (dim == 1) return longest;
  const double a = d.x[0] * d.x[0] - d.x[1] * d.x[1] - d.x[2] * d.x[2];
  const double b = x.x[0] * d.x[0] - x.x[1] * d.x[1] - x.x[2] * d.x[2];
  const double c = x.x[0] * x.x[0] - x.x[1] * x.x[1] - x.x[2] * x.x[2];
  const double root = b * b - a * c;
  if (!(root >= 0.0)) return longest;
  const double q = b <= 0.0 ? -b + std::sqrt(root) : -b - std::sqrt(root);
  for (const double s : {q / a, c / q}) {
    if (s > 0.0) longest = std::min(longest, s);
  }
  return longest;
}

// y_N - mu |y_T|, y_N + mu |y_T| and the like.
struct Spectrum {
  double least = 0.0;
  double largest = 0.0;
};

Spectrum spectrum(const Hat& x) {
  const double t = cone::norm2(x.x[1], x.x[2]);
  return {x.x[0] - t, x.x[0] + t};
}

double largest_entry(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

double length(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

double mean_diagonal(const double* W, int n) {
  double trace = 0.0;
  for (int i = 0; i < n; ++i) trace += W[i * n + i];
  return trace / n;
}

}  // namespace

void InteriorPoint::size(const ConeProblem& problem) {
  const int n = problem.rows();
  for (auto* list : {&p_, &y_, &defect_, &dp_, &dy_, &u_, &trial_, &best_, &scale_}) list->resize(n);
  a_.resize(n * n);
  work_.resize(n * (n + 1));
  row_.resize(n);
  column_.resize(n);
  mode_.resize(problem.cones.size());
}

void InteriorPoint::start(const ConeProblem& problem) {
  best_ = problem.p;
  W_ = cone::dense(problem, dense_);
  const double mean = mean_diagonal(W_, problem.rows());
  unit_u_ = largest_entry(problem.b);
  unit_p_ = mean > 0.0 ? unit_u_ / mean : 0.0;
  std::fill(p_.begin(), p_.end(), 0.0);
  for (auto* list : {&y_, &dp_, &dy_}) std::fill(list->begin(), list->end(), 0.0);
  for (const ConeBlock& block : problem.cones) {
    if (block.kind == ConeKind::free) continue;
    p_[block.first] = unit_p_;
    y_[block.first] = unit_u_;
  }
}

// tau = mean of p^ . y^.
double InteriorPoint::complementarity(const ConeProblem& problem) const {
  double sum = 0.0;
  int cones = 0;
  for (const ConeBlock& block : problem.cones) {
    const Lorentz c = lorentz(block);
    if (c.dim == 0) continue;
    sum += product(p_hat(c, p_), y_hat(c, y_)).x[0];
    ++cones;
  }
  return cones > 0 ? sum / cones : 0.0;
}

void InteriorPoint::factor() {
  LuFactors lu{static_cast<int>(row_.size()), a_.data(), row_.data(), column_.data(), scale_.data()};
  lu_factor(lu);
  rank_ = lu.rank;
}

// y^ o dp^ + p^ o dy^ with dy = W dp + defect; a free row is W dp, a tangential row without friction dp.
void InteriorPoint::write_path_matrix(const ConeProblem& problem) {
  const int n = problem.rows();
  apply(problem, p_, defect_);
  std::fill(a_.begin(), a_.end(), 0.0);
  for (const ConeBlock& block : problem.cones) {
    const Lorentz c = lorentz(block);
    const Hat p = p_hat(c, p_);
    const Hat y = y_hat(c, y_);
    if (c.dim > 0) defect_[c.first] += (c.dim > 1 ? spectrum(y).largest - y.x[0] : 0.0) - y.x[0];
    for (int i = 0; i < dimension(block.kind); ++i) {
      double* row = &a_[(c.first + i) * n];
      if (i > 0 && i < c.dim) defect_[c.first + i] -= y_[c.first + i];
      if (c.dim == 0) std::copy_n(W_ + c.first * n, n, row);
      if (c.dim > 0 && i >= c.dim) row[c.first + i] = 1.0;
      for (int k = 0; i < c.dim && k < c.dim; ++k) {
        const double factor_of_dy = arrow(p, i, k) * c.y_unit(k);
        for (int j = 0; factor_of_dy != 0.0 && j < n; ++j) row[j] += factor_of_dy * W_[(c.first + k) * n + j];
        row[c.first + k] += arrow(y, i, k) * c.p_unit(k);
      }
    }
  }
}

// The step towards p o y = target e, less `correction` times the second-order term of the last step. Returns how much
// of it stays in the cones.
double InteriorPoint::path_step(const ConeProblem& problem, double target, double correction) {
  for (const ConeBlock& block : problem.cones) {
    const Lorentz c = lorentz(block);
    const Hat p = p_hat(c, p_);
    const Hat now = product(p, y_hat(c, y_));
    const Hat second = product(p_hat(c, dp_), y_hat(c, dy_));
    for (int i = 0; i < dimension(block.kind); ++i) {
      double& right = trial_[c.first + i];
      right = c.dim == 0 ? -defect_[c.first] : 0.0;
      if (i >= c.dim) continue;
      right = (i == 0 ? target : 0.0) - now.x[i] - correction * second.x[i];
      for (int k = 0; k < c.dim; ++k) right -= arrow(p, i, k) * c.y_unit(k) * defect_[c.first + k];
    }
  }
  const int n = problem.rows();
  lu_solve({n, a_.data(), row_.data(), column_.data(), scale_.data(), rank_}, trial_.data(), work_.data());
  dp_ = trial_;
  for (int i = 0; i < n; ++i) {
    dy_[i] = defect_[i];
    for (int j = 0; j < n; ++j) dy_[i] += W_[i * n + j] * dp_[j];
  }
  return longest_step(problem);
}

double InteriorPoint::longest_step(const ConeProblem& problem) const {
  double step = std::numeric_limits<double>::infinity();
  for (const ConeBlock& block : problem.cones) {
    const Lorentz c = lorentz(block);
    if (c.dim == 0) continue;
    step = std::min(step, step_to_boundary(p_hat(c, p_), p_hat(c, dp_), c.dim));
    step = std::min(step, step_to_boundary(y_hat(c, y_), y_hat(c, dy_), c.dim));
  }
  return step;
}

void InteriorPoint::advance(double step) {
  for (std::size_t i = 0; i < p_.size(); ++i) {
    p_[i] += step * dp_[i];
    y_[i] += step * dy_[i];
  }
}

// A contact that rests to within the tolerance sticks, and so does one whose p is inside its cone by more than y over
// `inside`; one that moves is open or slips, and p says which.
void InteriorPoint::choose_modes(const ConeProblem& problem, double inside) {
  const double rho = unit_p_ / unit_u_;
  const double size = std::max(rho * length(problem.b), length(p_));
  for (std::size_t k = 0; k < problem.cones.size(); ++k) {
    const Lorentz c = lorentz(problem.cones[k]);
    const Spectrum y = spectrum(y_hat(c, y_));
    const Spectrum p = spectrum(p_hat(c, p_));
    mode_[k] = c.dim == 0 || rho * y.largest <= std::max(at_rest * size, inside * p.least) ? Mode::stick
               : p.largest < rho * y.least                                                 ? Mode::open
                                                                                           : Mode::slip;
  }
}

// Newton on the equations of the modes: p = 0; u = 0; u_N = 0, |p_T| = mu p_N and p_T parallel to u_T. The last two
// apart, since round-off turns a slow u_T, and p must be on its cone all the same.
void InteriorPoint::write_mode_system(const ConeProblem& problem) {
  const int n = problem.rows();
  apply(problem, trial_, u_);
  std::fill(a_.begin(), a_.end(), 0.0);
  for (std::size_t k = 0; k < problem.cones.size(); ++k) {
    const Lorentz c = lorentz(problem.cones[k]);
    const double* u = &u_[c.first];
    const double* p = &trial_[c.first];
    const int rows = dimension(problem.cones[k].kind);
    for (int i = 0; i < rows; ++i) {
      double* row = &a_[(c.first + i) * n];
      const bool none = mode_[k] == Mode::open || (c.dim == 1 && i > 0);
      dp_[c.first + i] = none ? -p[i] : -u[i];
      if (none) row[c.first + i] = 1.0;
      if (!none) std::copy_n(W_ + (c.first + i) * n, n, row);
    }
    const double friction = rows == 1 ? 0.0 : cone::norm2(p[1], rows == 3 ? p[2] : 0.0);
    if (mode_[k] != Mode::slip || c.dim == 1 || !(friction > 0.0)) continue;

    double* row = &a_[(c.first + 1) * n];
    dp_[c.first + 1] = c.mu * p[0] - friction;
    std::fill_n(row, n, 0.0);
    row[c.first] = -c.mu;
    for (int i = 1; i < rows; ++i) row[c.first + i] = p[i] / friction;
    if (rows == 2) continue;
    row += n;
    const double e[2] = {p[1] / friction, p[2] / friction};
    const double* W1 = W_ + (c.first + 1) * n;
    dp_[c.first + 2] = e[1] * u[1] - e[0] * u[2];
    for (int j = 0; j < n; ++j) row[j] = e[0] * W1[n + j] - e[1] * W1[j];
    row[c.first + 1] += u[2] / friction;
    row[c.first + 2] -= u[1] / friction;
  }
}

// a := a^T a + damping 1 and dp := a^T dp, every row of a scaled to length one.
void InteriorPoint::write_normal_equations() {
  const int n = static_cast<int>(row_.size());
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum += a_[i * n + j] * a_[i * n + j];
    const double scale = sum > 0.0 ? 1.0 / std::sqrt(sum) : 0.0;
    for (int j = 0; j < n; ++j) a_[i * n + j] *= scale;
    dp_[i] *= scale;
  }
  normal_.assign(a_.size(), 0.0);
  std::fill(dy_.begin(), dy_.end(), 0.0);
  for (int k = 0; k < n; ++k) {
    const double* row = &a_[k * n];
    for (int i = 0; i < n; ++i) {
      if (row[i] == 0.0) continue;
      dy_[i] += row[i] * dp_[k];
      for (int j = 0; j < n; ++j) normal_[i * n + j] += row[i] * row[j];
    }
  }
  for (int i = 0; i < n; ++i) normal_[i * n + i] += damping;
  std::swap(a_, normal_);
  std::swap(dp_, dy_);
}

void InteriorPoint::polish(const ConeProblem& problem, double tol, SolveReport& report) {
  const int n = problem.rows();
  trial_ = p_;
  for (int step = 0; step < polish_steps && report.residual > tol; ++step) {
    write_mode_system(problem);
    write_normal_equations();
    factor();
    lu_solve({n, a_.data(), row_.data(), column_.data(), scale_.data(), rank_}, dp_.data(), work_.data());
    for (int i = 0; i < n; ++i) trial_[i] += dp_[i];
    judge(problem, trial_, report);
  }
}

// Keeps p, projected on its cones, if it is the best so far.
void InteriorPoint::judge(const ConeProblem& problem, const std::vector<double>& p, SolveReport& report) {
  dy_ = p;
  for (const ConeBlock& c : problem.cones) project(problem, c, std::span(dy_).subspan(c.first, dimension(c.kind)));
  const double r = residual(problem, dy_);
  if (!(r < report.residual)) return;
  report.residual = r;
  best_ = dy_;
}

SolveReport InteriorPoint::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  SolveReport report{SolveStatus::stalled, 0, residual(problem, problem.p)};
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::polyhedral) report.status = SolveStatus::not_supported;
  }
  if (problem.rows() > options_.max_rows) report.status = SolveStatus::too_large;
  if (report.status != SolveStatus::stalled) return report;

  size(problem);
  start(problem);
  const double first = complementarity(problem);
  double tau = first;
  while (unit_p_ > 0.0 && report.residual > options_.tol && report.iterations < options_.max_iterations) {
    ++report.iterations;
    write_path_matrix(problem);
    factor();
    const double predicted = std::min(1.0, path_step(problem, 0.0, 0.0));
    const double target = std::max(centring, std::pow(1.0 - predicted, 3)) * tau;
    const double longest = path_step(problem, target, predicted > 0.1 ? predicted * predicted : 0.0);
    advance(std::min(1.0, boundary * longest));
    judge(problem, p_, report);
    tau = complementarity(problem);
    if (report.residual > options_.tol && tau < plain_modes * first) {
      choose_modes(problem, 0.0);
      polish(problem, options_.tol, report);
    }
    if (!(tau > end_of_path * first)) break;
  }
  std::copy(best_.begin(), best_.end(), problem.p.begin());
  report.residual = cone::judge(problem);
  open_contacts(problem, report);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

// The path ends inside the cones: contacts that separate get p = 0, unless that makes the residual too large.
void InteriorPoint::open_contacts(ConeProblem& problem, SolveReport& report) {
  const double rho = unit_u_ > 0.0 ? unit_p_ / unit_u_ : 0.0;
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::free || !(problem.p[c.first] < rho * problem.u[c.first])) continue;
    std::fill_n(problem.p.begin() + c.first, dimension(c.kind), 0.0);
  }
  const double r = cone::judge(problem);
  if (!(r > std::max(report.residual, options_.tol))) {
    report.residual = r;
    return;
  }
  std::copy(best_.begin(), best_.end(), problem.p.begin());
  report.residual = cone::judge(problem);
}

void InteriorPoint::refine(ConeProblem& problem) {
  if (problem.rows() > options_.max_rows) return;
  SolveReport report{SolveStatus::solved, 0, cone::judge(problem)};
  size(problem);
  start(problem);
  if (!(unit_p_ > 0.0)) return;
  p_ = problem.p;
  y_ = problem.u;
  for (const ConeBlock& block : problem.cones) {
    const Lorentz c = lorentz(block);
    if (c.dim > 1) y_[c.first] += spectrum(y_hat(c, y_)).largest - y_[c.first];
  }
  choose_modes(problem, 1.0);
  polish(problem, 0.0, report);
  std::copy(best_.begin(), best_.end(), problem.p.begin());
  cone::judge(problem);
}

}  // namespace esc
