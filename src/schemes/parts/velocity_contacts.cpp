#include "src/schemes/parts/velocity_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/vectors.hpp"

namespace esc {

namespace {

constexpr int patience = 4;  // iterations that do not halve what friction lacks: then round-off is in the way

}  // namespace

void VelocityContacts::begin_step(const State& x) {
  LawRows::begin_step(x);
  fit(U_, set.g_t.size());
  in_space_ = std::any_of(set.contacts.begin(), set.contacts.end(), [](const Contact& c) { return c.row_count == 3; });
  lacking_ = std::numeric_limits<double>::infinity();
  idle_ = 0;
}

void VelocityContacts::rates(const Contact& contact, const std::vector<double>& v, double* b) const {
  velocity(set, contact, v, b);
  const double* before = U_k.data() + contact.first_row;
  b[0] += (law_.normal + law_.restitution * contact.law.e) * before[0];
  for (int row = 1; row < contact.row_count && law_.tangent != 0.0; ++row) b[row] += law_.tangent * before[row];
}

bool VelocityContacts::solve(ThetaStep& motion, StepReport& report) {
  const auto rule = [&](const Contact& contact, double* b) { rates(contact, motion.v, b); };
  if (!LawRows::solve(motion.factor(), {motion.v, motion.Lambda}, report, rule)) return false;
  keep_velocities(motion.v);
  return true;
}

void VelocityContacts::keep_velocities(const std::vector<double>& v) {
  for (const Contact& contact : set.contacts) velocity(set, contact, v, U_.data() + contact.first_row);
}

double VelocityContacts::frame_change(const std::vector<double>& v) const {
  double worst = 0.0;
  for (const Contact& contact : set.contacts) {
    double now[3] = {};
    velocity(set, contact, v, now);
    for (int row = 0; row < contact.row_count; ++row) {
      const double change = std::abs(now[row] - U_[contact.first_row + row]);
      if (!(change <= worst)) worst = change;
    }
  }
  return worst;
}

bool VelocityContacts::friction_direction_settled(const std::vector<double>& v, double tol, double frame_tol) {
  if (!in_space_) return true;
  double lacking = 0.0;
  for (const Contact& contact : set.contacts) {
    if (contact.row_count < 3) continue;
    double now[3] = {};
    rates(contact, v, now);
    const double* rows = P.data() + contact.first_row;
    lacking = std::max(lacking, shape_.misdirection(contact.law.mu, rows, now, slip_of(frame_tol)));
  }
  idle_ = lacking <= 0.5 * lacking_ ? 0 : idle_ + 1;
  lacking_ = std::min(lacking_, lacking);
  return lacking <= friction_of(tol) || idle_ == patience;
}

}  // namespace esc
