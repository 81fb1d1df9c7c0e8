#include "src/certify/two_step_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/worst.hpp"

namespace esc {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void see(Finding& worst, double value, ContactKey key = {}, int joint = -1) {
  if (is_worse(value, worst.value)) worst = {value, worst.allowed, key, joint};
}

bool by_key(const Contact& a, const Contact& b) { return a.key < b.key; }

}  // namespace

TwoStepView::TwoStepView(const System& system)
    : system_(system), M_(system.matrix_size()), scratch_(system.scratch_size()), rows_(system.joint_rows()) {
  for (auto* vector : {&w0_, &w1_, &v_theta_, &xi_, &F_, &defect_}) vector->resize(system.nv());
  for (auto* vector : {&q_theta_, &q_probe_, &q_c_}) vector->resize(system.nq());
  const State& x = system.initial_state();
  before_ = &x;
  system.mass(at(x.t, x.q, x.v), M_, Part::all);  // constant blocks stay, the others are evaluated at every look
}

Certificate TwoStepView::certify(const State& before, const State& after, const Promise& promise) {
  before_ = &before;
  after_ = &after;
  promise_ = &promise;
  Certificate result;
  if (!look()) {
    result.findings.fill({std::numeric_limits<double>::quiet_NaN(), 0.0, {}, -1});
    return result;
  }
  find_kinematics();
  find_contacts();
  evaluate_contacts(0.0);
  check_laws();
  find_joints();
  find_momentum();
  result.audit = audit();
  find_jacobian();  // moves the contacts off their q_c
  const Finding energy{std::abs(result.audit.balance_error()), infinity, {}, -1};
  const Finding projection{0.0, promise.gap_tolerance, {}, -1};  // there is none
  result.findings = {penetration_, law_,   cone_,           stray_,          momentum_, kinematics_,
                     jacobian_,    energy, joint_velocity_, joint_position_, projection};  // in the order of Check
  return result;
}

// False: these are not two states of this formula.
bool TwoStepView::look() {
  const auto values = static_cast<std::size_t>(system_.nv()) + 1;
  const History* memory_k = find_history(*before_, promise_->owner);
  const History* memory = find_history(*after_, promise_->owner);
  if (!memory_k || !memory || memory_k->values.size() != values || memory->values.size() != values) return false;
  h_k_ = memory_k->values.back();
  const double h_k = h_k_;
  h_ = memory->values.back();
  if (!(h_ > 0.0) || h_ != after_->h || !(h_k >= 0.0)) return false;
  s_ = 0.5 * (h_ + h_k);
  std::copy_n(h_k == 0.0 ? before_->v.begin() : memory_k->values.begin(), system_.nv(), w0_.begin());
  std::copy_n(memory->values.begin(), system_.nv(), w1_.begin());

  const Promise& p = *promise_;
  penetration_ = {0.0, p.gap == GapPromise::nonnegative ? p.gap_tolerance : infinity, {}, -1};
  law_ = {0.0, p.gap_tolerance, {}, -1};
  cone_ = {0.0, p.momentum_tolerance, {}, -1};
  stray_ = {};
  jacobian_ = {0.0, 1e-6, {}, -1};
  joint_velocity_ = {0.0, p.velocity_tolerance, {}, -1};
  joint_position_ = {0.0, p.joint_tolerance, {}, -1};
  return true;
}

// q_{k+1} = retract(q_k, h w_{k+1}), v_{k+1} and the two times; what is missing counts as a way.
void TwoStepView::find_kinematics() {
  const double h_k = h_k_, theta = promise_->theta;
  double off = 0.0, scale = 0.0;
  const auto see_off = [&off](double value) { raise(off, value); };
  speed_ = 0.0;
  for (int i = 0; i < system_.nv(); ++i) {
    const double dw = w1_[i] - w0_[i];
    see_off(h_ * std::abs(after_->v[i] - (w0_[i] + 0.5 * h_k / s_ * dw)));
    v_theta_[i] = w0_[i] + (theta * h_ + 0.5 * h_k) / s_ * dw;
    speed_ = std::max(speed_, std::max(std::abs(w0_[i]), std::abs(w1_[i])));
    xi_[i] = h_ * w1_[i];
  }
  system_.retract(before_->q, xi_, q_probe_);
  system_.interpolate(before_->q, after_->q, theta, q_theta_);
  for (int i = 0; i < system_.nq(); ++i) {
    see_off(std::abs(after_->q[i] - q_probe_[i]));
    scale = std::max(scale, std::abs(after_->q[i]));
  }
  const double late = std::abs(after_->t - before_->t - h_) - 2e-16 * (std::abs(after_->t) + std::abs(before_->t));
  if (!(late <= 0.0)) off += late * (1.0 + speed_);
  kinematics_ = {off, promise_->position_tolerance * (1.0 + scale), {}, -1};
}

double TwoStepView::contact_time(double e) const { return before_->t + h_ * (1.0 - e) / (1.0 + e); }

const std::vector<double>& TwoStepView::contact_position(double e, double shift) {
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = h_ * (w1_[i] - e * w0_[i]) / (1.0 + e);
  system_.retract(before_->q, xi_, q_c_);
  if (shift == 0.0) return q_c_;
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = shift * w1_[i];
  system_.retract(q_c_, xi_, q_probe_);
  return q_probe_;
}

// Every pair at its q_c and at the end of the step; then the impulses of the records.
void TwoStepView::find_contacts() {
  system_.detect(after_->t, after_->q, 0.0, found_);
  for (const Contact& contact : found_.contacts) see(penetration_, -contact.gap, contact.key);

  active_.clear();
  const auto laws = system_.pair_laws();
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto same = [e = laws[i].e](const ContactLaw& law) { return law.e == e; };
    if (std::any_of(laws.begin(), laws.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    system_.detect(contact_time(laws[i].e), contact_position(laws[i].e, 0.0), promise_->gap_tolerance, found_);
    for (const Contact& contact : found_.contacts)
      if (same(contact.law)) active_.contacts.push_back(contact);
  }
  std::sort(active_.contacts.begin(), active_.contacts.end(), by_key);
  for (const auto* q : {&before_->q, &after_->q}) find_hidden(*q);
  active_.layout();

  for (auto* rows : {&P_, &U_, &gap_}) rows->assign(active_.rows(), 0.0);
  const ContactRecord* last = nullptr;
  for (const ContactRecord& record : after_->contacts) {
    const double size = std::hypot(record.P[0], record.P[1], record.P[2]);
    const auto contact = std::lower_bound(active_.contacts.begin(), active_.contacts.end(), record.key,
                                          [](const Contact& a, ContactKey key) { return a.key < key; });
    const bool known = contact != active_.contacts.end() && contact->key == record.key;
    if (!known || (last && !(last->key < record.key))) see(stray_, size, record.key);
    last = &record;
  }
}

// A record whose feature does not hold at q_c (a ball that has rolled from a face to an edge within the step) may be
// found at the ends of the step.
void TwoStepView::find_hidden(const std::vector<double>& q) {
  const auto hidden = [&](const ContactRecord& record) {
    Contact contact;
    contact.key = record.key;
    return record.P != std::array<double, 3>{} &&
           !std::binary_search(active_.contacts.begin(), active_.contacts.end(), contact, by_key);
  };
  if (std::none_of(after_->contacts.begin(), after_->contacts.end(), hidden)) return;
  system_.detect(after_->t, q, any_gap, found_);
  for (const Contact& contact : found_.contacts) {
    const ContactRecord* record = find(*after_, contact.key);
    if (record && hidden(*record)) active_.contacts.push_back(contact);
  }
  std::sort(active_.contacts.begin(), active_.contacts.end(), by_key);
}

// g, G and frames of the active contacts at their q_c, moved from there by shift w_{k+1}.
void TwoStepView::evaluate_contacts(double shift) {
  for (int i = 0; i < active_.size(); ++i) {
    const double e = active_.contacts[i].law.e;
    const auto same = [e](const Contact& contact) { return contact.law.e == e; };
    if (std::any_of(active_.contacts.begin(), active_.contacts.begin() + i, same)) continue;
    part_.contacts.clear();
    std::copy_if(active_.contacts.begin(), active_.contacts.end(), std::back_inserter(part_.contacts), same);
    part_.layout();
    system_.evaluate(contact_time(e) + shift, contact_position(e, shift), part_);
    auto from = part_.contacts.begin();
    for (Contact& contact : active_.contacts) {
      if (!same(contact)) continue;
      std::copy_n(part_.G.begin() + from->first_value, contact.rows * contact.width,
                  active_.G.begin() + contact.first_value);
      std::copy_n(part_.g_t.begin() + from->first_row, contact.rows, active_.g_t.begin() + contact.first_row);
      contact.gap = from->gap;
      contact.normal = from->normal;
      contact.tangent = from->tangent;
      ++from;
    }
  }
}

// 0 <= g(q_c) _|_ P >= 0. Impulses up to a millionth of the momentum tolerance count as none.
void TwoStepView::check_laws() {
  for (const Contact& contact : active_.contacts) {
    double* P = P_.data() + contact.first_row;
    if (const ContactRecord* record = find(*after_, contact.key)) reexpress(*record, contact, P);
    const bool carries = P[0] > 1e-6 * promise_->momentum_tolerance;
    see(law_, carries ? std::abs(contact.gap) : std::max(-contact.gap, 0.0), contact.key);
    see(cone_, -P[0], contact.key);
    for (int row = 1; row < contact.rows; ++row) see(cone_, std::abs(P[row]), contact.key);
  }
}

void TwoStepView::find_joints() {
  if (system_.joint_rows() == 0) return;
  system_.evaluate(at(after_->t, after_->q, w1_), joints_);
  for (int i = 0; i < static_cast<int>(system_.joints().size()); ++i) {
    const Joint& joint = system_.joints()[i];
    double U[max_joint_rows] = {};
    velocity(joints_, joint, w1_, U);
    for (int row = 0; row < joint.rows; ++row) {
      if (joint.position)
        see(joint_position_, std::abs(joints_.g[joint.first_row + row]), {}, i);
      else
        see(joint_velocity_, std::abs(U[row]), {}, i);
    }
  }
}

// Where M and Gb are promised to be taken.
Point TwoStepView::frame() {
  switch (promise_->frame) {
    case FrameAt::begin:
      return at(before_->t, before_->q, w1_);
    case FrameAt::theta:
      return at(before_->t + promise_->theta * h_, q_theta_, w1_);
    default:
      return at(after_->t, after_->q, w1_);
  }
}

// M (w_{k+1} - w_k) - s F - Gb^T Lambda - G^T P.
void TwoStepView::find_momentum() {
  system_.force(at(before_->t + promise_->theta * h_, q_theta_, v_theta_), F_);
  system_.mass(frame(), M_, Part::varying);
  double scale = 0.0;
  for (int i = 0; i < system_.nv(); ++i) {
    defect_[i] = -s_ * F_[i];
    scale = std::max(scale, std::abs(defect_[i]));
    xi_[i] = w1_[i] - w0_[i];
  }
  add_times(system_.blocks(), M_, 1.0, xi_, defect_);
  for (const Contact& contact : active_.contacts) {
    double minus[3];
    for (int row = 0; row < contact.rows; ++row) minus[row] = -P_[contact.first_row + row];
    add_impulse(active_, contact, minus, defect_);
  }
  for (int row = 0; row < system_.joint_rows(); ++row) rows_[row] = -after_->joint_impulse[row];
  if (system_.joint_rows() > 0) system_.evaluate(frame(), reactions_);
  for (const Joint& joint : system_.joints()) add_impulse(reactions_, joint, rows_.data() + joint.first_row, defect_);
  momentum_ = {largest_block(system_.blocks(), defect_), promise_->momentum_tolerance + 1e-12 * scale, {}, -1};
}

// G w + g_t against the difference quotient over a short way along w_{k+1}, by the trapezoidal rule.
void TwoStepView::find_jacobian() {
  const double t = after_->t + std::max(1e-7 / (1.0 + speed_), 1e-14 * std::abs(after_->t));
  const double shift = t - after_->t;
  for (const Contact& contact : active_.contacts) {
    double U[3] = {};
    velocity(active_, contact, w1_, U);
    U_[contact.first_row] = U[0];
    gap_[contact.first_row] = contact.gap;
  }
  evaluate_contacts(shift);
  for (const Contact& contact : active_.contacts) {
    double U[3] = {};
    velocity(active_, contact, w1_, U);
    const double rate = (contact.gap - gap_[contact.first_row]) / shift;
    see(jacobian_, std::abs(rate - 0.5 * (U_[contact.first_row] + U[0])) / (1.0 + speed_), contact.key);
  }

  if (system_.joint_rows() == 0) return;
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = shift * w1_[i];
  system_.retract(after_->q, xi_, q_probe_);
  system_.evaluate(at(t, q_probe_, w1_), joints_moved_);
  for (int i = 0; i < static_cast<int>(system_.joints().size()); ++i) {
    const Joint& joint = system_.joints()[i];
    if (!joint.position) continue;
    double U0[max_joint_rows] = {}, U1[max_joint_rows] = {};
    velocity(joints_, joint, w1_, U0);
    velocity(joints_moved_, joint, w1_, U1);
    for (int row = 0; row < joint.rows; ++row) {
      const double rate = (joints_moved_.g[joint.first_row + row] - joints_.g[joint.first_row + row]) / shift;
      see(jacobian_, std::abs(rate - 0.5 * (U0[row] + U1[row])) / (1.0 + speed_), {}, i);
    }
  }
}

// Works over (w_k + w_{k+1}) / 2. The energies are those of the states, whose v lags behind q: the balance is measured.
Audit TwoStepView::audit() {
  Audit work;
  work.before = system_.energy(at(before_->t, before_->q, before_->v));
  work.after = system_.energy(at(after_->t, after_->q, after_->v));
  const Power power = system_.power(at(before_->t + promise_->theta * h_, q_theta_, v_theta_));
  work.damping = s_ * power.damping;
  work.applied = s_ * power.applied;
  for (int i = 0; i < system_.nv(); ++i) xi_[i] = 0.5 * (w0_[i] + w1_[i]);
  for (const Joint& joint : system_.joints()) {
    double U[max_joint_rows] = {};
    velocity(reactions_, joint, xi_, U);
    for (int row = 0; row < joint.rows; ++row)
      work.joints += after_->joint_impulse[joint.first_row + row] * (U[row] - reactions_.g_t[joint.first_row + row]);
  }
  for (const Contact& contact : active_.contacts) {
    double U[3] = {};
    velocity(active_, contact, xi_, U);
    work.impact += P_[contact.first_row] * U[0];
    work.walls -= P_[contact.first_row] * active_.g_t[contact.first_row];
  }
  return work;
}

}  // namespace esc
