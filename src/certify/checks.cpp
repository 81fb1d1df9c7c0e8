#include "src/certify/checks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "src/math/positive_definite.hpp"
#include "src/math/vectors.hpp"
#include "src/model/impulse_terms.hpp"

namespace esc {

namespace {

constexpr double near_zero = 1e-6;  // m; recorded contacts are looked for within this gap first

}  // namespace

Checks::Checks(const System& of)
    : system(of),
      contacts(rows.set),
      M(of.matrix_size()),
      metric(of.blocks()),
      layout_(of.layout()),
      nq_(of.initial_state().q.size()),
      nv_(of.initial_state().v.size()),
      nu_(of.initial_state().u.size()),
      joint_rows_(of.joint_rows()),
      end_(1 + nq_ + nv_ + nu_),
      defect_(of.nv()),
      Lambda_(of.joint_rows()),
      scratch_(of.scratch_size()) {
  for (auto* vector : {&dv, &v_theta, &way, &F}) vector->resize(of.nv());
  for (auto* vector : {&q_theta, &q_free}) vector->resize(of.nq());
  const State& x = system.initial_state();
  system.mass(at(x, {x.t, &x.q}, x.v), M, Part::all);
}

bool Checks::begin(const StepStates& x, const Promise& promise, Certificate& result) {
  before_ = &x.before;
  after_ = &x.after;
  promise_ = &promise;
  result_ = &result;
  taken_v_ = taken_q_ = 0;
  momenta_.clear();
  if (!fits(x.before) || !fits(x.after)) {
    foreign();
    return false;
  }
  at_last_end_ = begins_at_last_end();
  if (!at_last_end_) end_reach_ = -infinity;
  Checks& check = *this;
  check[Check::penetration].allow(promise.gap == GapPromise::nonnegative ? promise.tol.gap : infinity);
  check[Check::impact_law].allow(promise.tol.velocity);
  check[Check::friction_law].allow(promise.tol.momentum);
  check[Check::jacobian].allow(smooth_slope);
  check[Check::energy].allow(infinity);
  check[Check::joint_velocity].allow(promise.joints == JointPromise::position ? infinity : promise.tol.velocity);
  check[Check::joint_position].allow(promise.joints == JointPromise::velocity ? infinity : promise.tol.joint);
  check[Check::projection].allow(promise.tol.gap);
  check[Check::passage].allow(promise.tol.gap);
  check[Check::mass].allow(1.0 / least_pivot);
  return true;
}

// Compares the beginning of this step with the end of the last one, and keeps the end of this one in its place.
bool Checks::begins_at_last_end() {
  std::uint64_t different = 0;
  double* end = end_.data();
  const auto pass = [&](const double* begin, const double* next, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      different |= std::bit_cast<std::uint64_t>(begin[i]) ^ std::bit_cast<std::uint64_t>(end[i]);
      end[i] = next[i];
    }
    end += n;
  };
  pass(&before_->t, &after_->t, 1);
  pass(before_->q.data(), after_->q.data(), nq_);
  pass(before_->v.data(), after_->v.data(), nv_);
  if (nu_ > 0) pass(before_->u.data(), after_->u.data(), nu_);
  return different == 0;
}

void Checks::foreign() {
  result_->findings.fill({std::numeric_limits<double>::quiet_NaN(), 0.0, {}, -1});
  end_audited_ = false;
  end_reach_ = -infinity;
}

std::vector<double>& Checks::another_v() {
  ++taken_v_;
  return *v_.emplace_back(std::make_unique<std::vector<double>>(system.nv()));
}

std::vector<double>& Checks::another_q() {
  ++taken_q_;
  return *q_.emplace_back(std::make_unique<std::vector<double>>(system.nq()));
}

void Checks::keep_closed(double reach) {
  if (reach != end_reach_) return system.detect(before_->t, before_->q, reach, contacts);
  if (end_closed_.contacts.empty()) return contacts.clear();
  contacts = end_closed_;  // not swapped: each keeps the capacity that it has grown to
}

void Checks::penetration(double reach, const Motion& motion) {
  end_reach_ = reach;
  if (!motion.way.empty() && system.may_pass(motion.size))
    look_for_passage(reach, motion);
  else
    system.detect(after_->t, after_->q, reach, end_closed_);
  for (const Contact& contact : end_closed_.contacts) (*this)[Check::penetration].see(-contact.gap, contact.key);
}

// They are closed at the end of the step as a rule; the others are looked for everywhere.
void Checks::keep_recorded() {
  contacts.clear();
  if (after_->contacts.empty()) return;
  const auto unknown = [&](const Contact& contact) { return find(*after_, contact.key) == nullptr; };
  for (const double reach : {near_zero, any_gap}) {
    system.detect(after_->t, after_->q, reach, contacts);
    if (std::erase_if(contacts.contacts, unknown) > 0) contacts.layout();
    if (contacts.contacts.size() == after_->contacts.size()) return;
  }
}

void Checks::evaluate_rows(const Configuration& frame) {
  if (!contacts.empty()) {
    system.evaluate(before_->t, before_->q, contacts);
    find_velocities(before_->v, rows.U_k);
    if (frame.q != &before_->q) system.evaluate(frame.t, *frame.q, contacts);
    find_velocities(after_->v, rows.U);
  }
  read_impulses();
}

void Checks::find_velocities(std::span<const double> v, std::vector<double>& U) const {
  fit(U, contacts.g_t.size());
  for (const Contact& contact : contacts.contacts) velocity(contacts, contact, v, U.data() + contact.first_row);
}

void Checks::read_impulses() {
  if (!contacts.empty()) rows.P.assign(contacts.rows(), 0.0);  // until a record says otherwise
  auto contact = contacts.contacts.begin();
  const auto end = contacts.contacts.end();
  for (const ContactRecord& record : after_->contacts) {
    while (contact != end && contact->key < record.key) ++contact;
    if (contact != end && contact->key == record.key) {
      reexpress(record, *contact, rows.P.data() + contact->first_row);
      ++contact;  // a second record of the same contact is a stray one
      continue;
    }
    const auto& w = record.P;
    (*this)[Check::inactive].see(std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), record.key);
  }
}

void Checks::check_joints(const Configuration& frame) {
  const bool at_end = frame.q == &after_->q;
  system.evaluate(at(*after_, frame, after_->v), joint_rows);
  if (!at_end) system.evaluate(at(*after_, {after_->t, &after_->q}, after_->v), joint_end);
  const JointSet& end = at_end ? joint_rows : joint_end;
  for (int i = 0; i < static_cast<int>(system.joints().size()); ++i) {
    const Joint& joint = system.joints()[i];
    double U[max_joint_rows] = {};
    velocity(joint_rows, joint, after_->v, U);
    for (int row = 0; row < joint.row_count; ++row) {
      (*this)[Check::joint_velocity].see_joint(std::abs(U[row]), i);
      if (joint.position) (*this)[Check::joint_position].see_joint(std::abs(end.g[joint.first_row + row]), i);
    }
  }
}

void Checks::balance(std::span<const double> x, std::span<const double> forces, double time) {
  double scale = 0.0, sum = 0.0;
  double* defect = defect_.data();
  if (forces.empty()) std::fill_n(defect, nv_, 0.0);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    defect[i] = -time * forces[i];
    scale = std::max(scale, std::abs(defect[i]));
    sum += std::abs(forces[i]);
  }
  forces_ = sum;
  add_times(system.blocks(), M, 1.0, x, defect_);
  if (bound()) add_reactions();
  Worst worst = (*this)[Check::momentum];
  const double allowed = promise_->tol.momentum + 1e-12 * scale, left = largest_block(system.blocks(), defect_);
  worst.allow(left <= allowed ? allowed : allowed + momentum_round_off());
  worst.see(left);
  if (!system.constant_mass()) check_masses();
}

// What rounding leaves open of a momentum, N s: velocities are stored in doubles, and the sums of a block have terms
// that are larger than the sum, impulses with their levers.
double Checks::momentum_round_off() const {
  double largest = largest_term(contacts, rows.P);
  for (const MatrixBlock& block : system.blocks())
    for (int i = 0; i < block.n; ++i) {
      const int row = block.v0 + i;
      const double fastest = std::max(std::abs(before_->v[row]), std::abs(after_->v[row]));
      largest = std::max(largest, M[block.diagonal(i)] * fastest);
    }
  return 256.0 * std::numeric_limits<double>::epsilon() * largest;
}

// How much of a diagonal entry elimination takes away; infinite where a pivot is not positive.
void Checks::check_masses() {
  end_mass_ = M;  // for the blocks that are constant
  system.mass(at(*after_, {after_->t, &after_->q}, after_->v), end_mass_, Part::varying);
  Worst worst = (*this)[Check::mass];
  const auto blocks = system.blocks();
  for (const std::vector<double>* mass : {&M, &end_mass_})
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].constant_mass) continue;
      const double part = weakest_pivot(blocks[i], *mass, pivots_).part;
      worst.see(part <= 0.0 ? infinity : 1.0 / part, {static_cast<std::uint32_t>(i), 0});
    }
}

void Checks::add_reactions() {
  for (const Contact& contact : contacts.contacts) {
    double minus[3];
    for (int row = 0; row < contact.row_count; ++row) minus[row] = -rows.P[contact.first_row + row];
    add_impulse(contacts, contact, minus, defect_);
  }
  for (const Joint& joint : system.joints()) {
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      Lambda_[row] = -after_->joint_impulse[row];
    add_impulse(joint_rows, joint, Lambda_.data() + joint.first_row, defect_);
  }
}

void Checks::place(std::span<const double> expected, const Kinematics& step) {
  Finding& finding = result_->findings[static_cast<std::size_t>(Check::kinematics)];
  double worst = finding.value, scale = 0.0;
  const double* q = after_->q.data();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    raise(worst, std::abs(q[i] - expected[i]));
    scale = std::max(scale, std::abs(q[i]));
  }
  // To the last digit that times have; what is missing counts as a displacement.
  const double t0 = before_->t, t1 = after_->t;
  const double late = std::abs(t1 - t0 - step.h) - 2e-16 * (std::abs(t1) + std::abs(t0));
  if (!(late <= 0.0)) worst += late * (1.0 + speed);
  finding.value = worst;
  finding.allowed = step.slack + promise_->tol.position * (1.0 + scale);
  (*this)[Check::jacobian].allow(std::max(smooth_slope, coarse_slope * scale));
}

Checks::Shift Checks::shift_from(double t) const {
  return {t, t + std::max(1e-7 / (1.0 + speed), 1e-14 * std::abs(t))};
}

const std::vector<double>& Checks::shifted(const std::vector<double>& q, const std::vector<double>& v,
                                           const Shift& shift) {
  std::vector<double>& moved = positions();
  const double length = shift.length();
  for (std::size_t i = 0; i < v.size(); ++i) way[i] = length * v[i];
  system.retract(q, way, moved);
  return moved;
}

void Checks::compare_rows(const Configuration& frame) {
  const Shift shift = shift_from(frame.t);
  const std::vector<double>& q = shifted(*frame.q, after_->v, shift);
  joint_jacobian(joint_rows, at(*after_, {shift.to, &q}, after_->v), shift.length());
  contact_jacobian(after_->v, shift.length(), [&] { system.evaluate(shift.to, q, contacts); });
}

void Checks::compare_joints(const JointSet& from, const Point& to, double shift) {
  system.evaluate(to, joint_moved_);
  const std::span<const double> v(to.v, static_cast<std::size_t>(system.nv()));
  for (int i = 0; i < static_cast<int>(system.joints().size()); ++i) {
    const Joint& joint = system.joints()[i];
    if (!joint.position) continue;
    double U0[max_joint_rows] = {}, U1[max_joint_rows] = {};
    velocity(from, joint, v, U0);
    velocity(joint_moved_, joint, v, U1);
    for (int row = 0; row < joint.row_count; ++row) {
      const double rate = (joint_moved_.g[joint.first_row + row] - from.g[joint.first_row + row]) / shift;
      (*this)[Check::jacobian].see_joint(std::abs(rate - 0.5 * (U0[row] + U1[row])) / (1.0 + speed), i);
    }
  }
}

void Checks::keep_gaps() {
  gap_.resize(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) gap_[i] = contacts.contacts[i].gap;
}

void Checks::compare_gaps(std::span<const double> v, double shift) {
  for (int i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts.contacts[i];
    double U[3] = {};
    velocity(contacts, contact, v, U);
    const double rate = (contact.gap - gap_[i]) / shift;
    const double size = std::abs(rate - 0.5 * (rows.U[contact.first_row] + U[0])) / (1.0 + speed);
    (*this)[Check::jacobian].see(size, contact.key);
  }
}

}  // namespace esc
