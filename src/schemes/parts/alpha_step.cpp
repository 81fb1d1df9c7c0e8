#include "src/schemes/parts/alpha_step.hpp"

#include <algorithm>
#include <cmath>

#include "src/math/vectors.hpp"

namespace esc {

AlphaStep::AlphaStep(const System& system, const AlphaEquations& equations, TangentForm tangents, Scratch& scratch)
    : memory_(scratch),
      system_(system),
      equations_(equations),
      tangents_(tangents),
      c_((1.0 - equations.alpha_m) / ((1.0 - equations.alpha_f) * equations.gamma)),
      matrix_(system, scratch),
      mass_factor_(system),
      N_(system.tangent_size(), 0.0) {
  scratch_.resize(system.scratch_size());
  for (auto* vector : {&v, &v_tilde, &f, &shift, &a_n_, &vdot_n_, &a_, &vdot_, &n_, &F_, &work_})
    vector->resize(system.nv());
  for (auto* vector : {&q, &q_tilde}) vector->resize(system.nq());
  for (auto* rows : {&Lambda, &nu, &lambda_, &rows_, &scaled_}) rows->resize(system.joint_rows());
  // The constant components are regular: compile() has seen their masses.
  const State& x = system.initial_state();
  const std::span M(N_.data(), static_cast<std::size_t>(system.matrix_size()));
  system.mass({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data()}, M, Part::all);
  for (int k = 0; k < static_cast<int>(system.components().size()); ++k)
    if (system.components()[k].joints == 0) static_cast<void>(mass_factor_.factor(k, N_, {}));
}

void AlphaStep::start(State& x) const {
  Scratch scratch;
  AlphaStep step(system_, equations_, tangents_, scratch);
  const auto nv = static_cast<std::size_t>(system_.nv());
  const std::span<double> history = x.histories.back().values;
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), step.scratch_.data()};
  step.system_.evaluate(at, step.joints_);
  step.system_.force(at, step.F_);
  if (!step.find_consistent(at, history.first(nv), history.subspan(2 * nv, step.lambda_.size())))
    return std::fill(history.begin(), history.end(), 0.0);
  std::copy_n(history.begin(), nv, history.begin() + static_cast<std::ptrdiff_t>(nv));
}

// M a = F + Gb^T lambda, Gb a = -d/dt (Gb v + gb_t) at constant v.
bool AlphaStep::find_consistent(const Point& at, std::span<double> a, std::span<double> lambda) {
  if (!factor_mass(at)) return false;
  std::copy(F_.begin(), F_.end(), a.begin());
  if (jointed()) system_.joint_curvature(at, rows_);
  for (std::size_t i = 0; i < rows_.size(); ++i) lambda[i] = -rows_[i];
  mass_factor_.solve_all(a.data(), lambda.data());
  return all_finite(a, lambda);
}

bool AlphaStep::prepare(const State& x, double h, std::span<double> history) {
  x_ = &x;
  h_ = h;
  history_ = history;
  const std::size_t nv = v.size();
  const double ratio = x.h > 0.0 ? h / x.h : 1.0;  // a_n is that of t_n + (alpha_m - alpha_f) h: moved with h
  for (std::size_t i = 0; i < nv; ++i) {
    vdot_n_[i] = history[nv + i];
    a_n_[i] = vdot_n_[i] + ratio * (history[i] - vdot_n_[i]);
  }
  rows_known_ = false;
  at_ = {x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data(), tangents_};
  const double of_v = h / c_;
  return matrix_.prepare(at_, {of_v * position_weight(), of_v});
}

void AlphaStep::begin() {
  memory_.clock.enter(Stage::evaluation);
  vdot_ = vdot_n_;
  std::copy_n(history_.begin() + 2 * system_.nv(), lambda_.size(), lambda_.begin());
  for (auto* zero : {&shift, &Lambda, &nu}) std::fill(zero->begin(), zero->end(), 0.0);
  recur();
  v = v_tilde;
  place();
}

// (30a), (30c), (30e).
void AlphaStep::recur() {
  const double alpha_m = equations_.alpha_m, alpha_f = equations_.alpha_f;
  const double beta = equations_.beta, gamma = equations_.gamma;
  const double* v_n = x_->v.data();
  for (std::size_t i = 0; i < v.size(); ++i) {
    a_[i] = ((1.0 - alpha_f) * vdot_[i] + alpha_f * vdot_n_[i] - alpha_m * a_n_[i]) / (1.0 - alpha_m);
    v_tilde[i] = v_n[i] + h_ * ((1.0 - gamma) * a_n_[i] + gamma * a_[i]);
    n_[i] = h_ * (v_n[i] + h_ * ((0.5 - beta) * a_n_[i] + beta * a_[i]));
  }
}

void AlphaStep::place() {
  place_smooth();
  system_.retract(q_tilde, shift, q);
}

void AlphaStep::update() {
  memory_.clock.enter(Stage::evaluation);
  at_ = {end(), q.data(), v.data(), x_->u.data(), scratch_.data(), tangents_};
  system_.dynamics(at_, matrix_.mass(), F_, Part::varying);
  note_mass(matrix_, memory_, F_);
  f = F_;
  subtract_momentum(vdot_, f);
  evaluate_joints();
  for (double& value : f) value *= h_;
}

void AlphaStep::subtract_momentum(std::span<const double> x, std::span<double> out) const {
  add_times(system_.blocks(), matrix_.mass(), -1.0, x, out);
}

// The joint rows at the iterate, their defects, and f += Gb^T lambda~.
void AlphaStep::evaluate_joints() {
  defect_ = drift_ = 0.0;
  if (!jointed()) return;
  if (rows_known_)
    system_.reexpress_joints(at_, joints_, lambda_);
  else
    system_.evaluate(at_, joints_);
  rows_known_ = true;
  const auto see = [](double value, double& worst) {
    if (!(std::abs(value) <= worst)) worst = std::abs(value);
  };
  for (const Joint& joint : system_.joints()) {
    double* rates = rows_.data() + joint.first_row;
    const double* g = joints_.g.data() + joint.first_row;
    const bool at_position = joint.position && equations_.levels == Levels::position;
    velocity(joints_, joint, v, rates);
    for (int i = 0; i < joint.row_count && !at_position; ++i) see(rates[i], defect_);
    velocity(joints_, joint, v_tilde, rates);
    for (int i = 0; i < joint.row_count; ++i) {
      if (joint.position) see(g[i], drift_);
      if (at_position)
        rates[i] = g[i] / position_weight();
      else
        see(rates[i], defect_);
    }
    add_impulse(joints_, joint, lambda_.data() + joint.first_row, f);
  }
}

bool AlphaStep::any_redundant() const {
  for (int k = 0; k < static_cast<int>(system_.components().size()); ++k)
    if (matrix_.factor().redundant(k)) return true;
  return false;
}

bool AlphaStep::solve(Factors factors) {
  memory_.clock.enter(Stage::factorisation);
  const bool keep = factors == Factors::keep && !any_redundant();
  if (!system_.constant_matrix()) {
    const double of_v = h_ / c_;
    for (std::size_t i = 0; i < lambda_.size(); ++i) scaled_[i] = of_v * lambda_[i];
    const double turning = tangents_ == TangentForm::semidefinite ? 0.0 : position_weight();
    if (!matrix_.factor_varying(at_, {of_v * position_weight(), of_v}, {joints_, at_, turning, scaled_}, keep))
      return false;
  }
  for (std::size_t i = 0; i < f.size(); ++i) work_[i] = f[i] / c_;
  for (double& row : rows_) row = -row;
  matrix_.factor().solve_all(work_.data(), rows_.data());
  move(work_, rows_);
  return true;
}

void AlphaStep::move(std::span<const double> dv, std::span<const double> rows) {
  for (std::size_t i = 0; i < dv.size(); ++i) vdot_[i] += c_ / h_ * dv[i];
  for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += c_ / h_ * rows[i];
  for (int k = 0; k < static_cast<int>(system_.components().size()); ++k)
    if (matrix_.factor().redundant(k)) matrix_.factor().project_to_least_norm(k, lambda_.data());
  recur();
}

bool AlphaStep::factor_mass() {
  memory_.clock.enter(Stage::factorisation);
  return factor_mass(at_);
}

bool AlphaStep::factor_mass(const Point& at) {
  const std::span M(N_.data(), static_cast<std::size_t>(system_.matrix_size()));
  if (!system_.constant_mass()) system_.mass(at, M, Part::varying);
  const auto components = system_.components();
  for (int k = 0; k < static_cast<int>(components.size()); ++k) {
    const auto blocks = system_.blocks().subspan(components[k].block0, components[k].blocks);
    const bool constant = components[k].joints == 0 && std::all_of(blocks.begin(), blocks.end(), [](const auto& block) {
                            return block.constant_mass;
                          });
    if (!constant && !mass_factor_.factor(k, N_, joints_)) return false;
  }
  return true;
}

void AlphaStep::evaluate_tangents() {
  K_.assign(system_.tangent_size(), 0.0);
  C_.assign(system_.tangent_size(), 0.0);
  system_.add_tangent(at_, 1.0, 0.0, K_, Part::all);
  system_.add_tangent(at_, 0.0, 1.0, C_, Part::all);
}

void AlphaStep::answer(std::span<const double> W, std::span<const double> moved, std::span<double> y,
                       std::span<double> rows) {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(rows.begin(), rows.end(), 0.0);
  system_.add_times(C_, -h_ / c_, W, y);
  system_.add_times(K_, -h_ / c_, moved, y);
  matrix_.factor().solve_all(y.data(), rows.data());
}

void AlphaStep::finish(State& x, bool restart) {
  const auto nv = static_cast<std::ptrdiff_t>(v.size());
  for (std::size_t i = 0; i < lambda_.size(); ++i) x.joint_impulse[i] = Lambda[i] + h_ * lambda_[i];
  if (jointed()) x.joint_tau = nu;
  const auto a = history_.begin(), vdot = a + nv, lambda = vdot + nv;
  std::copy(lambda_.begin(), lambda_.end(), lambda);
  restart = restart && find_consistent(at_, a_, Lambda);
  if (restart) vdot_ = a_;
  std::copy(a_.begin(), a_.end(), a);
  std::copy(vdot_.begin(), vdot_.end(), vdot);
  history_.back() = restart ? 1.0 : 0.0;
  x.t += h_;
  x.h = x.impulse_time = h_;
  x.q.swap(q);
  x.v.swap(v);
}

}  // namespace esc
