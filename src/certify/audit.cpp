// The energy audit of a step: docs/certificate.md#the-energy-audit.
#include <algorithm>
#include <cmath>

#include <escapement/impact_marks.hpp>

#include "src/certify/checks.hpp"

namespace esc {

void Checks::audit(const Point& forces, double time, const std::vector<double>& v0, const std::vector<double>& v1) {
  Audit& work = result_->audit;
  work.before =
      at_last_end_ && end_audited_ ? end_energy_ : system.energy(at(*before_, {before_->t, &before_->q}, before_->v));
  work.after = end_energy_ = system.energy(at(*after_, {after_->t, &after_->q}, after_->v));
  end_audited_ = true;
  const auto sum = [](const Energy& energy) { return energy.kinetic + energy.potential; };
  if (&v1 == &after_->v)
    work.change = sum(work.after) - sum(work.before);
  else
    work.change = sum(system.energy(at(*after_, {after_->t, &after_->q}, v1))) -
                  sum(system.energy(at(*before_, {before_->t, &before_->q}, v0)));
  if (time != 0.0) {
    const Power power = system.power(forces);
    work[Work::damping] = time * power.damping;
    work[Work::applied] = time * power.applied;
    work.given = work[Work::damping] + work[Work::applied];
  }
  if (!bound()) return;
  std::vector<double>& mean = velocities();
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (v0[i] + v1[i]);
  if (system.joint_rows() > 0) joint_work(joint_rows, worked.empty() ? after_->joint_impulse : worked, mean);
  contact_work(mean, work);
}

void Checks::moved_potential(const std::vector<double>& q) {
  Audit& work = result_->audit;
  work[Work::projection] = work.after.potential - system.energy(at(*after_, {after_->t, &q}, after_->v)).potential;
}

void Checks::joint_work(const JointSet& rows_at, std::span<const double> impulse, std::span<const double> v) {
  Audit& work = result_->audit;
  for (const Joint& joint : system.joints()) {
    double U[max_joint_rows] = {};
    velocity(rows_at, joint, v, U);
    for (int row = 0; row < joint.row_count; ++row) {
      const double Lambda = impulse[joint.first_row + row], g_t = rows_at.g_t[joint.first_row + row];
      work[Work::joints] += Lambda * (U[row] - g_t);
      // What a driven row does is given, over the mean velocity: g_t is that of one end, and the difference adds up. A
      // motor that stops at once is an impact, and takes.
      if (g_t != 0.0)
        work.given += Lambda * (U[row] - g_t);
      else if (!joint.position)
        work.taken += std::min(Lambda * U[row], 0.0);
    }
  }
}

// An impact that is spread over two steps may take too much in the first and give it back in the second.
void Checks::contact_work(const std::vector<double>& mean, Audit& work) {
  const bool spread = spread_impacts({promise_, 1}) == SpreadImpacts::yes;
  for (const Contact& contact : contacts.contacts) {
    double U[3] = {};
    velocity(contacts, contact, mean, U);
    const double* P = rows.P.data() + contact.first_row;
    const double* g_t = contacts.g_t.data() + contact.first_row;
    double friction = 0.0;
    work[Work::impact] += P[0] * U[0];
    for (int row = 0; row < contact.row_count; ++row) {
      if (row > 0) friction += P[row] * U[row];
      work[Work::walls] -= P[row] * g_t[row];
      work.given -= P[row] * g_t[row];
    }
    work[Work::friction] += friction;
    work.taken += spread ? P[0] * U[0] + friction : std::min(P[0] * U[0], 0.0) + std::min(friction, 0.0);
  }
}

void Checks::energy(bool closes) {
  Audit& work = result_->audit;
  Worst worst = (*this)[Check::energy];
  worst.see(std::abs(work.balance_error()));
  const double energies = std::abs(work.before.kinetic) + std::abs(work.before.potential) +
                          std::abs(work.after.kinetic) + std::abs(work.after.potential) + std::abs(work[Work::impact]) +
                          std::abs(work[Work::friction]) + std::abs(work[Work::walls]) + std::abs(work[Work::joints]);
  const double bound = 1e-11 * energies + 2.0 * speed * promise_->tol.momentum;
  work.slack = bound + forces_ * (promise_->tol.gap + promise_->tol.position);
  if (closes) worst.allow(bound);
}

}  // namespace esc
