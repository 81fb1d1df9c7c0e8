#include "src/schemes/parts/two_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace esc {

TwoStep::TwoStep(const System& system, const TwoStepOptions& options, Scratch& scratch)
    : memory_(scratch),
      system_(system),
      theta_(options.theta),
      frame_(options.frame),
      tangents_(options.tangents),
      matrix_(system, scratch) {
  scratch_.resize(system.scratch_size());
  for (auto* vector : {&w, &f, &before_, &F_, &v_theta_, &xi_}) vector->resize(system.nv());
  for (auto* vector : {&q, &q_theta_, &q_c_}) vector->resize(system.nq());
  for (auto* rows : {&Lambda, &rows_}) rows->resize(system.joint_rows());
}

bool TwoStep::prepare(const State& x, double h, std::span<double> history) {
  const double h_k = history.back();
  x_ = &x;
  history_ = history;
  h_ = h;
  s_ = 0.5 * (h + h_k);
  a_ = (theta_ * h + 0.5 * h_k) / s_;
  b_ = 0.5 * h_k / s_;
  std::copy_n(h_k == 0.0 ? x.v.data() : history.data(), system_.nv(), before_.begin());
  at_ = {x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data(), tangents_};
  return matrix_.prepare(at_, {s_ * h * theta_, s_ * a_});
}

void TwoStep::begin() {
  std::copy(before_.begin(), before_.end(), w.begin());
  std::fill(Lambda.begin(), Lambda.end(), 0.0);
  update();
}

void TwoStep::place() {
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = h_ * w[i];
  system_.retract(x_->q, xi_, q);
}

// Where M and Gb are taken.
Point TwoStep::frame() {
  const bool end = frame_ == FrameAt::end, begin = frame_ == FrameAt::begin;
  const std::vector<double>& where = end ? q : begin ? x_->q : q_theta_;
  const double t = x_->t + (end ? h_ : begin ? 0.0 : theta_ * h_);
  return {t, where.data(), w.data(), x_->u.data(), scratch_.data()};
}

void TwoStep::update() {
  memory_.clock.enter(Stage::evaluation);
  place();
  for (int i = 0; i < system_.nv(); ++i) {
    xi_[i] *= theta_;
    v_theta_[i] = before_[i] + a_ * (w[i] - before_[i]);
  }
  system_.retract(x_->q, xi_, q_theta_);

  at_ = {x_->t + theta_ * h_, q_theta_.data(), v_theta_.data(), x_->u.data(), scratch_.data(), tangents_};
  system_.force(at_, F_);
  system_.mass(frame(), matrix_.mass(), Part::varying);
  note_mass(matrix_, memory_, F_);
  for (int i = 0; i < system_.nv(); ++i) {
    f[i] = s_ * F_[i];
    xi_[i] = w[i] - before_[i];
  }
  add_times(system_.blocks(), matrix_.mass(), -1.0, xi_, f);  // (20a)
  evaluate_joints();
}

// The joint rows at q^n, their defects, and f += Gb^T Lambda. K has the rows at q^n in both places: where the frame is
// another, Lambda converges as a fixed point.
void TwoStep::evaluate_joints() {
  if (system_.joint_rows() == 0) return;
  system_.evaluate({x_->t + h_, q.data(), w.data(), x_->u.data(), scratch_.data()}, joints_);
  if (frame_ != FrameAt::end) system_.evaluate(frame(), reactions_);
  for (const Joint& joint : system_.joints()) {
    double* rows = rows_.data() + joint.first_row;
    velocity(joints_, joint, w, rows);
    for (int row = 0; row < joint.row_count; ++row)
      rows[row] = joint.position ? -joints_.g[joint.first_row + row] / h_ : -rows[row];
    add_impulse(reactions(), joint, Lambda.data() + joint.first_row, f);
  }
}

double TwoStep::joint_defect() const {
  double worst = 0.0;
  for (const double row : rows_)
    if (!(std::abs(row) <= worst)) worst = std::abs(row);
  return h_ * worst;
}

bool TwoStep::solve() {
  memory_.clock.enter(Stage::factorisation);
  const TangentWeights weights{s_ * h_ * theta_, s_ * a_};
  if (!system_.constant_matrix() && !matrix_.factor_varying(at_, weights, {joints_, {}, 0.0, {}}, false)) return false;
  const int components = static_cast<int>(system_.components().size());
  matrix_.factor().solve_all(f.data(), rows_.data());
  for (int i = 0; i < system_.nv(); ++i) w[i] += f[i];
  for (int i = 0; i < system_.joint_rows(); ++i) Lambda[i] += rows_[i];
  for (int c = 0; c < components; ++c)
    if (matrix_.factor().redundant(c)) matrix_.factor().project_to_least_norm(c, Lambda.data());
  return true;
}

const std::vector<double>& TwoStep::contact_position(double e) {
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = h_ * (w[i] - e * before_[i]) / (1.0 + e);
  system_.retract(x_->q, xi_, q_c_);
  return q_c_;
}

void TwoStep::finish(State& x) {
  for (int i = 0; i < system_.nv(); ++i) x.v[i] = before_[i] + b_ * (w[i] - before_[i]);  // (20b)
  std::copy(w.begin(), w.end(), history_.begin());
  history_.back() = h_;
  x.t += h_;
  x.h = h_;
  x.impulse_time = s_;
  x.joint_impulse.swap(Lambda);
  x.q.swap(q);
}

}  // namespace esc
