#include "src/certify/step_view.hpp"

#include <algorithm>
#include <cmath>

namespace esc {

namespace {

constexpr double activation_slack = 1e-12;  // m; a forecast this close to zero may go either way

}  // namespace

StepView::StepView(const System& system) : system_(system), M_(system.matrix_size()), scratch_(system.scratch_size()) {
  for (auto* vector : {&F_, &F_k_, &v_theta_, &xi_, &defect_}) vector->resize(system.nv());
  for (auto* vector : {&q_theta_, &q_probe_}) vector->resize(system.nq());
}

void StepView::look(const State& before, const State& after, const Promise& promise) {
  before_ = &before;
  after_ = &after;
  promise_ = promise;
  h_ = after.t - before.t;
  for (int i = 0; i < system_.nv(); ++i) v_theta_[i] = (1.0 - promise.theta) * before.v[i] + promise.theta * after.v[i];
  system_.interpolate(before.q, after.q, promise.theta, q_theta_);

  system_.detect(after.t, after.q, 0.0, candidates_);
  penetration_ = {};
  for (const Contact& contact : candidates_.contacts)
    if (!(-contact.gap <= penetration_.size)) penetration_ = {-contact.gap, contact.key};

  find_active();
  read_records();
  find_momentum();
}

void StepView::find_active() {
  const bool look_ahead = promise_.forecast == Forecast::position && promise_.gamma > 0.0;
  const bool only_near = promise_.forecast == Forecast::position && !look_ahead;
  system_.detect(before_->t, before_->q, only_near ? activation_slack : everything, candidates_);
  if (look_ahead) system_.evaluate(before_->t, before_->q, candidates_);
  active_.contacts.clear();
  for (const Contact& contact : candidates_.contacts) {
    double forecast = contact.gap;
    if (look_ahead) {
      double U[3];
      velocity(candidates_, contact, before_->v, U);
      forecast += promise_.gamma * h_ * U[0];
    }
    // The free forecast (62) needs a solve; of its contacts only those with a record are held to the law.
    const bool must = promise_.forecast == Forecast::position && forecast < -activation_slack;
    const bool may = promise_.forecast == Forecast::free || forecast <= activation_slack;
    if (must || (may && find(*after_, contact.key))) active_.contacts.push_back(contact);
  }
  active_.layout();
}

void StepView::read_records() {
  switch (promise_.frame) {
    case FrameAt::begin:
      t_frame_ = before_->t;
      q_frame_ = &before_->q;
      break;
    case FrameAt::theta:
      t_frame_ = before_->t + promise_.theta * h_;
      q_frame_ = &q_theta_;
      break;
    case FrameAt::end:
      t_frame_ = after_->t;
      q_frame_ = &after_->q;
      break;
  }
  if (active_.size() > 0) {
    for (auto* rows : {&U_k_, &U_, &P_}) rows->assign(active_.rows(), 0.0);
    system_.evaluate(before_->t, before_->q, active_);
    for (const Contact& contact : active_.contacts)
      velocity(active_, contact, before_->v, U_k_.data() + contact.first_row);
    system_.evaluate(t_frame_, *q_frame_, active_);
  }

  stray_ = {};
  std::size_t i = 0;
  for (const ContactRecord& record : after_->contacts) {
    while (i < active_.contacts.size() && active_.contacts[i].key < record.key) ++i;
    if (i < active_.contacts.size() && active_.contacts[i].key == record.key) {
      to_rows(active_.contacts[i], record.impulse, P_.data() + active_.contacts[i].first_row);
      continue;
    }
    const auto& w = record.impulse;
    const double size = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(size <= stray_.size)) stray_ = {size, record.key};
  }
  for (const Contact& contact : active_.contacts) velocity(active_, contact, after_->v, U_.data() + contact.first_row);
}

void StepView::find_momentum() {
  if (promise_.quadrature == Quadrature::theta_point) {
    system_.dynamics(at(*before_, before_->t + promise_.theta * h_, q_theta_, v_theta_), M_, F_, Part::all);
  } else {
    system_.force(at(*before_, before_->t, before_->q, before_->v), F_k_);
    system_.dynamics(at(*before_, after_->t, after_->q, after_->v), M_, F_, Part::all);
    for (int i = 0; i < system_.nv(); ++i) F_[i] = promise_.theta * F_[i] + (1.0 - promise_.theta) * F_k_[i];
  }
  double scale = 0.0;
  for (int i = 0; i < system_.nv(); ++i) {
    defect_[i] = -h_ * F_[i];
    scale += defect_[i] * defect_[i];
    xi_[i] = after_->v[i] - before_->v[i];
  }
  add_times(system_.blocks(), M_, 1.0, xi_, defect_);
  for (const Contact& contact : active_.contacts) {
    double minus[3];
    for (int row = 0; row < contact.rows; ++row) minus[row] = -P_[contact.first_row + row];
    add_impulse(active_, contact, minus, defect_);
  }
  double sum = 0.0;
  for (const double value : defect_) sum += value * value;
  momentum_defect_ = std::sqrt(sum);
  momentum_scale_ = std::sqrt(scale);
}

double StepView::kinematic_defect() {
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = h_ * v_theta_[i];
  system_.retract(before_->q, xi_, q_probe_);
  system_.difference(after_->q, q_probe_, xi_);
  double worst = 0.0;
  for (const double value : xi_)
    if (!(std::abs(value) <= worst)) worst = std::abs(value);
  return worst;
}

StepView::At StepView::jacobian_defect() {
  At worst;
  if (active_.size() == 0) return worst;
  double speed = 0.0;
  for (const double value : after_->v) speed = std::max(speed, std::abs(value));
  const double delta = 1e-5 / (1.0 + speed);  // s
  probe_ = active_;
  const auto gaps = [&](double shift) {
    for (int i = 0; i < system_.nv(); ++i) xi_[i] = shift * after_->v[i];
    system_.retract(*q_frame_, xi_, q_probe_);
    system_.evaluate(t_frame_ + shift, q_probe_, probe_);
  };
  gaps(delta);
  defect_.assign(active_.size(), 0.0);
  for (int i = 0; i < active_.size(); ++i) defect_[i] = probe_.contacts[i].gap;
  gaps(-delta);
  for (int i = 0; i < active_.size(); ++i) {
    const double rate = (defect_[i] - probe_.contacts[i].gap) / (2.0 * delta);
    const double size = std::abs(rate - U_[active_.contacts[i].first_row]) / (1.0 + speed);
    if (!(size <= worst.size)) worst = {size, active_.contacts[i].key};
  }
  defect_.resize(system_.nv());
  return worst;
}

// Over v_mean = (v0 + v1) / 2: d(kinetic) = v_mean . M dv = v_mean . (integral of F + G^T P) for a constant mass.
Audit StepView::audit() {
  Audit work;
  work.before = system_.energy(at(*before_, before_->t, before_->q, before_->v));
  work.after = system_.energy(at(*after_, after_->t, after_->q, after_->v));
  const Power power = system_.power(at(*before_, before_->t + promise_.theta * h_, q_theta_, v_theta_));
  work.damping = h_ * power.damping;
  work.applied = h_ * power.applied;

  for (int i = 0; i < system_.nv(); ++i) xi_[i] = 0.5 * (before_->v[i] + after_->v[i]);
  for (const Contact& contact : active_.contacts) {
    double U[3];
    velocity(active_, contact, xi_, U);
    const double* P = impulse(contact);
    const double* g_t = active_.g_t.data() + contact.first_row;
    work.impact += P[0] * U[0];
    for (int row = 0; row < contact.rows; ++row) {
      if (row > 0) work.friction += P[row] * U[row];
      work.walls -= P[row] * g_t[row];
    }
  }
  return work;
}

}  // namespace esc
