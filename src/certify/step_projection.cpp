// What a StepView sees of the position-level multipliers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/certify/step_view.hpp"
#include "src/math/worst.hpp"

namespace esc {

namespace {

constexpr double near_zero = 1e-6;  // m; recorded contacts are looked for within this gap first

bool is_zero(const std::array<double, 3>& w) { return w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0; }

}  // namespace

// The contacts that have a record. They are closed at the end of the step as a rule; the others are looked for
// everywhere.
void StepView::find_recorded() {
  active_.clear();
  if (after_->contacts.empty()) return;
  const auto unknown = [&](const Contact& contact) { return find(*after_, contact.key) == nullptr; };
  for (const double reach : {near_zero, any_gap}) {
    system_.detect(after_->t, after_->q, reach, active_);
    if (std::erase_if(active_.contacts, unknown) > 0) active_.layout();
    if (active_.contacts.size() == after_->contacts.size()) return;
  }
}

// The law of the positions: g = 0 with tau >= 0, or with any tau at a contact that carries an impulse where the promise
// is the combined one.
void StepView::find_projection() {
  const bool combined = promise_->projection == Projection::combined;
  for (const double tau : after_->joint_tau) corrected_ = corrected_ || tau != 0.0;
  if (after_->contacts.empty()) return projected_.clear();
  system_.detect(after_->t, after_->q, near_zero, projected_);
  const auto untouched = [&](const Contact& contact) {
    const ContactRecord* record = find(*after_, contact.key);
    return !record || record->tau == 0.0;
  };
  for (const ContactRecord& record : after_->contacts) {
    const bool held = combined && !is_zero(record.P);
    if (record.tau == 0.0 && !held) continue;
    corrected_ = corrected_ || record.tau != 0.0;
    const auto same = [&](const Contact& contact) { return contact.key == record.key; };
    const auto found = std::find_if(projected_.contacts.begin(), projected_.contacts.end(), same);
    double defect = found == projected_.contacts.end() ? std::numeric_limits<double>::infinity() : std::abs(found->gap);
    if (!held) defect = std::max(defect, -record.tau);
    if (is_worse(defect, projection_defect_.size)) projection_defect_ = {defect, record.key, -1};
  }
  if (std::erase_if(projected_.contacts, untouched) > 0) projected_.layout();
}

// U_correction <- N U_correction with N of the place. A metric that is not known or not regular cannot be held to.
void StepView::apply_metric() {
  Mhat_.assign(system_.matrix_size(), 0.0);
  if (promise_->metric == Metric::mass)
    system_.mass(at(*after_, after_->t, after_->q, after_->v), Mhat_, Part::all);
  else if (promise_->user_metric)
    promise_->user_metric->inverse(after_->t, after_->q, Mhat_);
  bool regular = true;
  for (int i = 0; i < static_cast<int>(system_.blocks().size()); ++i) regular = metric_.factor(i, Mhat_) && regular;
  if (regular) return metric_.solve_all(U_correction_);
  std::fill(U_correction_.begin(), U_correction_.end(), std::numeric_limits<double>::quiet_NaN());
}

// U = N s with s = G^T tau + Gb^T tau_b at the end of the step. The identity gives U, and a metric of the place is
// asked for again; for N = Mhat^-1 the U that the states show is taken, and what Mhat U lacks of s, by the diagonal of
// Mhat, is added to it as an error.
void StepView::find_correction() {
  std::fill(s_.begin(), s_.end(), 0.0);
  system_.evaluate(after_->t, after_->q, projected_);
  for (const Contact& contact : projected_.contacts) {
    const double p[3] = {find(*after_, contact.key)->tau, 0.0, 0.0};
    add_impulse(projected_, contact, p, s_);
  }
  if (after_->joint_tau.size() == joint_rows_.size())
    for (const Joint& joint : system_.joints())
      add_impulse(joints_, joint, after_->joint_tau.data() + joint.first_row, s_);
  U_correction_ = s_;
  if (promise_->metric == Metric::identity) return;
  if (promise_->metric != Metric::iteration_matrix) return apply_metric();

  const bool end = promise_->quadrature == Quadrature::endpoints;
  const double theta = promise_->theta, t = end ? after_->t : before_->t + theta * h_;
  Point point = at(*before_, t, end ? after_->q : q_theta_, end ? after_->v : v_theta_);
  point.form = promise_->tangents;
  Mhat_.assign(system_.tangent_size(), 0.0);
  std::copy(M_.begin(), M_.end(), Mhat_.begin());
  system_.add_tangent(point, h_ * h_ * theta * theta, h_ * theta, Mhat_, Part::all);
  system_.difference(after_->q, q_free_, U_correction_);
  for (double& value : s_) value = -value;
  system_.add_times(Mhat_, 1.0, U_correction_, s_);
  for (const MatrixBlock& block : system_.blocks())
    for (int i = 0; i < block.n; ++i) {
      const double diagonal = Mhat_[block.diagonal(i)];
      kinematic_slack_ = std::max(kinematic_slack_, 1e-3 * std::abs(U_correction_[block.v0 + i]));
      U_correction_[block.v0 + i] -= s_[block.v0 + i] / diagonal;
    }
}

}  // namespace esc
