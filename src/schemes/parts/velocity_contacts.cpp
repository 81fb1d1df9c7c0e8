#include "src/schemes/parts/velocity_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/vectors.hpp"

namespace esc {

void VelocityContacts::adopt(const State& x) {
  system_.evaluate(x.t, x.q, set);
  for (auto* rows : {&U_k, &P, &U_, &b_}) rows->resize(set.rows());
  in_space_ = false;
  for (const Contact& contact : set.contacts) {
    velocity(set, contact, x.v, U_k.data() + contact.first_row);
    in_space_ |= contact.rows == 3;
  }
  records_.guess(x, set, P);
  impulses_.couple(set);
  lacking_ = std::numeric_limits<double>::infinity();
}

bool VelocityContacts::solve(ThetaStep& motion, StepReport& report) {
  impulses_.assemble(motion.factor());
  for (const Contact& contact : set.contacts) {
    velocity(set, contact, motion.v, b_.data() + contact.first_row);
    b_[contact.first_row] += contact.law.e * U_k[contact.first_row];
  }
  const auto outcome = impulses_.solve(b_, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (!outcome.solved) return false;
  impulses_.add_to(motion.v, motion.Lambda, P);
  note(motion);
  return true;
}

void VelocityContacts::note(const ThetaStep& motion) {
  for (const Contact& contact : set.contacts) velocity(set, contact, motion.v, U_.data() + contact.first_row);
}

double VelocityContacts::moved(const ThetaStep& motion) const {
  double worst = 0.0;
  for (const Contact& contact : set.contacts) {
    double now[3] = {};
    velocity(set, contact, motion.v, now);
    for (int row = 0; row < contact.rows; ++row) {
      const double change = std::abs(now[row] - U_[contact.first_row + row]);
      if (!(change <= worst)) worst = change;
    }
  }
  return worst;
}

bool VelocityContacts::directed(const ThetaStep& motion, double tol, double law_tol) {
  if (!in_space_) return true;
  double lacking = 0.0;
  for (const Contact& contact : set.contacts) {
    if (contact.rows < 3) continue;
    double now[3] = {};
    velocity(set, contact, motion.v, now);
    lacking = std::max(lacking, misdirection(contact.law.mu, P.data() + contact.first_row, now, slip_of(law_tol)));
  }
  const bool done = lacking <= friction_of(tol) || lacking > 0.5 * lacking_;
  lacking_ = lacking;
  return done;
}

void VelocityContacts::add_impulses(std::vector<double>& f) const {
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, f);
}

bool VelocityContacts::finite() const { return all_finite(b_); }

void VelocityContacts::write(State& x, const ContactRecords::Closing& closing, StepReport& report) {
  report.active = set.size();
  report.islands = set.size() > 0 ? impulses_.islands() : 0;
  report.events = records_.write(x, set, P, U_k, closing);
}

void VelocityContacts::poison() {
  for (auto* scratch : {&U_k, &P, &U_, &b_, &set.G, &set.g_t})
    std::fill(scratch->begin(), scratch->end(), std::numeric_limits<double>::quiet_NaN());
  impulses_.poison();
}

}  // namespace esc
