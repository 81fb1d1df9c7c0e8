#include "src/certify/step_view.hpp"

#include <algorithm>
#include <cmath>

#include "src/math/worst.hpp"

namespace esc {

namespace {

constexpr double activation_slack = 1e-12;  // m; a forecast this close to zero may go either way

}  // namespace

StepView::StepView(const System& system)
    : system_(system), M_(system.matrix_size()), metric_(system.blocks()), scratch_(system.scratch_size()) {
  for (auto* vector : {&F_, &F_k_, &v_theta_, &xi_, &defect_, &U_correction_, &s_}) vector->resize(system.nv());
  for (auto* vector : {&q_theta_, &q_probe_, &q_free_}) vector->resize(system.nq());
  const State& x = system.initial_state();
  system.mass(at(x, x.t, x.q, x.v), M_, Part::all);  // constant blocks stay, the others are evaluated at every look
}

void StepView::look(const State& before, const State& after, const Promise& promise) {
  before_ = &before;
  after_ = &after;
  promise_ = &promise;
  h_ = after.h;
  find_mean();

  system_.detect(after.t, after.q, 0.0, penetrating_);
  penetration_ = {};
  for (const Contact& contact : penetrating_.contacts)
    if (is_worse(-contact.gap, penetration_.size)) penetration_ = {-contact.gap, contact.key, -1};

  find_active();
  read_records();
  if (system_.joint_rows() > 0) find_joints();
  find_momentum();
  corrected_ = false;
  projection_defect_ = {};
  if (promise.projection != Projection::none) find_projection();
  find_kinematics();
}

void StepView::find_mean() {
  const double theta = promise_->theta;
  speed_ = 0.0;
  for (int i = 0; i < system_.nv(); ++i) {
    const double v0 = before_->v[i], v1 = after_->v[i];
    v_theta_[i] = (1.0 - theta) * v0 + theta * v1;
    speed_ = std::max(speed_, std::max(std::abs(v0), std::abs(v1)));
  }
  system_.interpolate(before_->q, after_->q, theta, q_theta_);
}

// q1 against retract(q0, h v_theta), then against that with the correction of the records.
void StepView::find_kinematics() {
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = h_ * v_theta_[i];
  system_.retract(before_->q, xi_, q_free_);
  kinematic_slack_ = 0.0;
  const std::vector<double>* expected = &q_free_;
  if (corrected_) {
    find_correction();
    system_.retract(q_free_, U_correction_, q_probe_);
    expected = &q_probe_;
  }
  double worst = 0.0, scale = 0.0;
  for (int i = 0; i < system_.nq(); ++i) {
    const double off = std::abs(after_->q[i] - (*expected)[i]);
    raise(worst, off);
    scale = std::max(scale, std::abs(after_->q[i]));
  }
  kinematic_defect_ = worst;
  position_scale_ = scale;
  // The two times must be one step apart, to the last digit that times have; what is missing counts as a way.
  const double late = std::abs(after_->t - before_->t - h_) - 2e-16 * (std::abs(after_->t) + std::abs(before_->t));
  if (!(late <= 0.0)) kinematic_defect_ += late * (1.0 + speed_);
}

void StepView::find_active() {
  if (promise_->activation == Activation::recorded) return find_recorded();
  const bool known = promise_->forecast != Forecast::free;
  const bool look_ahead = promise_->forecast == Forecast::position && promise_->gamma > 0.0;
  const double closed = promise_->activation_tolerance, ahead = promise_->gamma * h_;
  const double reach = known && !look_ahead ? closed + activation_slack : any_gap;
  if (promise_->forecast == Forecast::predicted) {
    for (int i = 0; i < system_.nv(); ++i) xi_[i] = ahead * before_->v[i];
    system_.retract(before_->q, xi_, q_probe_);
    system_.detect(before_->t + ahead, q_probe_, reach, active_);
  } else {
    system_.detect(before_->t, before_->q, reach, active_);
  }
  if (active_.size() == 0) return;
  if (look_ahead) system_.evaluate(before_->t, before_->q, active_);
  const auto open = [&](const Contact& contact) {
    double forecast = contact.gap;
    if (look_ahead) {
      double U[3] = {};
      velocity(active_, contact, before_->v, U);
      forecast += ahead * U[0];
    }
    if (known && forecast < closed - activation_slack) return false;
    // The free forecast (62) needs a solve; of its contacts only those with a record are held to the law.
    const bool may = !known || forecast <= closed + activation_slack;
    const ContactRecord* record = may ? find(*after_, contact.key) : nullptr;
    // Nor can it be known of a contact that was only projected, where the forecast may go either way.
    const bool only_projected = record && record->tau != 0.0 && record->mode == ContactMode::open;
    return !record || only_projected;
  };
  if (std::erase_if(active_.contacts, open) > 0) active_.layout();
}

void StepView::read_records() {
  switch (promise_->frame) {
    case FrameAt::begin:
      t_frame_ = before_->t;
      q_frame_ = &before_->q;
      break;
    case FrameAt::theta:
      t_frame_ = before_->t + promise_->theta * h_;
      q_frame_ = &q_theta_;
      break;
    case FrameAt::end:
      t_frame_ = after_->t;
      q_frame_ = &after_->q;
      break;
  }
  if (active_.size() > 0) {
    for (auto* rows : {&U_k_, &U_, &P_}) rows->resize(active_.rows());
    std::fill(P_.begin(), P_.end(), 0.0);  // until a record says otherwise
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
      reexpress(record, active_.contacts[i], P_.data() + active_.contacts[i].first_row);
      ++i;  // a second record of the same contact is a stray one
      continue;
    }
    const auto& w = record.P;
    const double size = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (is_worse(size, stray_.size)) stray_ = {size, record.key, -1};
  }
  for (const Contact& contact : active_.contacts) velocity(active_, contact, after_->v, U_.data() + contact.first_row);
}

void StepView::find_joints() {
  joint_velocity_ = joint_position_ = {};
  joint_rows_.resize(system_.joint_rows());
  system_.evaluate(at(*after_, t_frame_, *q_frame_, after_->v), joints_);
  system_.evaluate(at(*after_, after_->t, after_->q, after_->v), joints_end_);
  for (int i = 0; i < static_cast<int>(system_.joints().size()); ++i) {
    const Joint& joint = system_.joints()[i];
    double* U = joint_rows_.data() + joint.first_row;
    velocity(joints_, joint, after_->v, U);
    for (int row = 0; row < joint.rows; ++row) {
      const double drift = std::abs(joints_end_.g[joint.first_row + row]);
      if (is_worse(std::abs(U[row]), joint_velocity_.size)) joint_velocity_ = {std::abs(U[row]), {}, i};
      if (joint.position && is_worse(drift, joint_position_.size)) joint_position_ = {drift, {}, i};
    }
  }
}

void StepView::find_momentum() {
  if (promise_->quadrature == Quadrature::theta_point) {
    system_.dynamics(at(*before_, before_->t + promise_->theta * h_, q_theta_, v_theta_), M_, F_, Part::varying);
  } else {
    system_.force(at(*before_, before_->t, before_->q, before_->v), F_k_);
    system_.dynamics(at(*before_, after_->t, after_->q, after_->v), M_, F_, Part::varying);
    for (int i = 0; i < system_.nv(); ++i) F_[i] = promise_->theta * F_[i] + (1.0 - promise_->theta) * F_k_[i];
  }
  double scale = 0.0;
  for (int i = 0; i < system_.nv(); ++i) {
    defect_[i] = -h_ * F_[i];
    scale = std::max(scale, std::abs(defect_[i]));
    xi_[i] = after_->v[i] - before_->v[i];
  }
  add_times(system_.blocks(), M_, 1.0, xi_, defect_);
  for (const Contact& contact : active_.contacts) {
    double minus[3];
    for (int row = 0; row < contact.rows; ++row) minus[row] = -P_[contact.first_row + row];
    add_impulse(active_, contact, minus, defect_);
  }
  for (const Joint& joint : system_.joints()) {
    for (int row = joint.first_row; row < joint.first_row + joint.rows; ++row)
      joint_rows_[row] = -after_->joint_impulse[row];
    add_impulse(joints_, joint, joint_rows_.data() + joint.first_row, defect_);
  }
  momentum_defect_ = largest_block(system_.blocks(), defect_);
  momentum_scale_ = scale;
}

StepView::At StepView::jacobian_defect() {
  // Over a shift of 1e-7 the trapezoidal rule is good to 1e-8 for curvatures up to 1/mm, and to 2e-9 |q| in round-off.
  // Late in a run times are coarse; the bodies then move by what the clock really moves.
  const double t = t_frame_ + std::max(1e-7 / (1.0 + speed_), 1e-14 * std::abs(t_frame_));
  const double shift = t - t_frame_;
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = shift * after_->v[i];
  system_.retract(*q_frame_, xi_, q_probe_);
  At worst = joint_jacobian_defect(t, shift);
  gap_.resize(active_.size());
  for (int i = 0; i < active_.size(); ++i) gap_[i] = active_.contacts[i].gap;
  system_.evaluate(t, q_probe_, active_);
  for (int i = 0; i < active_.size(); ++i) {
    const Contact& contact = active_.contacts[i];
    double U[3] = {};
    velocity(active_, contact, after_->v, U);
    const double rate = (contact.gap - gap_[i]) / shift;
    const double size = std::abs(rate - 0.5 * (U_[contact.first_row] + U[0])) / (1.0 + speed_);
    if (is_worse(size, worst.size)) worst = {size, contact.key, -1};
  }
  return worst;
}

StepView::At StepView::joint_jacobian_defect(double t, double shift) {
  At worst;
  if (system_.joint_rows() == 0) return worst;
  system_.evaluate(at(*after_, t, q_probe_, after_->v), joints_end_);
  for (int i = 0; i < static_cast<int>(system_.joints().size()); ++i) {
    const Joint& joint = system_.joints()[i];
    if (!joint.position) continue;
    double U0[max_joint_rows] = {}, U1[max_joint_rows] = {};
    velocity(joints_, joint, after_->v, U0);
    velocity(joints_end_, joint, after_->v, U1);
    for (int row = 0; row < joint.rows; ++row) {
      const double rate = (joints_end_.g[joint.first_row + row] - joints_.g[joint.first_row + row]) / shift;
      const double size = std::abs(rate - 0.5 * (U0[row] + U1[row])) / (1.0 + speed_);
      if (is_worse(size, worst.size)) worst = {size, {}, i};
    }
  }
  return worst;
}

// Over v_mean = (v0 + v1) / 2: d(kinetic) = v_mean . M dv = v_mean . (integral of F + G^T P) for a constant mass.
Audit StepView::audit() {
  Audit work;
  work.before = system_.energy(at(*before_, before_->t, before_->q, before_->v));
  work.after = system_.energy(at(*after_, after_->t, after_->q, after_->v));
  const Power power = system_.power(at(*before_, before_->t + promise_->theta * h_, q_theta_, v_theta_));
  work.damping = h_ * power.damping;
  work.applied = h_ * power.applied;
  if (corrected_)
    work.projection = work.after.potential - system_.energy(at(*after_, after_->t, q_free_, after_->v)).potential;

  if (!bound()) return work;
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = 0.5 * (before_->v[i] + after_->v[i]);
  for (const Joint& joint : system_.joints()) {
    double* U = joint_rows_.data() + joint.first_row;
    velocity(joints_, joint, xi_, U);
    for (int row = 0; row < joint.rows; ++row)
      work.joints += after_->joint_impulse[joint.first_row + row] * (U[row] - joints_.g_t[joint.first_row + row]);
  }
  for (const Contact& contact : active_.contacts) {
    double U[3] = {};
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
