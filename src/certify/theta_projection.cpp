// The position-level multipliers of the theta-methods.
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/certify/theta.hpp"

namespace esc {

namespace {

constexpr double near_zero = 1e-6;  // m; corrected contacts are closed at the end of the step

bool is_zero(const std::array<double, 3>& w) { return w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0; }

}  // namespace

// g = 0 with tau >= 0, or with any tau at a contact that carries an impulse where the promise is the combined one.
// Leaves the contacts with a tau in Checks::found.
bool check_projection(const ThetaView& step) {
  const State& after = step.x.after;
  ContactSet& set = step.check.found;
  const bool combined = step.equations.projection == Projection::combined;
  bool corrected = std::any_of(after.joint_tau.begin(), after.joint_tau.end(), [](double tau) { return tau != 0.0; });
  set.clear();
  if (after.contacts.empty()) return corrected;
  step.check.system.detect(after.t, after.q, near_zero, set);
  for (const ContactRecord& record : after.contacts) {
    const bool held = combined && !is_zero(record.P);
    if (record.tau == 0.0 && !held) continue;
    corrected = corrected || record.tau != 0.0;
    const auto found = std::lower_bound(set.contacts.begin(), set.contacts.end(), record.key,
                                        [](const Contact& contact, ContactKey key) { return contact.key < key; });
    const bool there = found != set.contacts.end() && found->key == record.key;
    double defect = there ? std::abs(found->gap) : std::numeric_limits<double>::infinity();
    if (!held) defect = std::max(defect, -record.tau);
    step.check[Check::projection].see(defect, record.key);
  }
  const auto untouched = [&](const Contact& contact) {
    const ContactRecord* record = find(after, contact.key);
    return !record || record->tau == 0.0;
  };
  if (std::erase_if(set.contacts, untouched) > 0) set.layout();
  return corrected;
}

namespace {

// s <- N s with N of the end of the step. A metric that is not known or not regular cannot be held to.
void apply_metric(const ThetaView& step, std::vector<double>& s) {
  const State& after = step.x.after;
  Checks& check = step.check;
  std::vector<double>& inverse = check.Mhat;
  inverse.assign(check.system.matrix_size(), 0.0);
  if (step.equations.metric == Metric::mass)
    check.system.mass(check.at(after, {after.t, &after.q}, after.v), inverse, Part::all);
  else if (step.equations.user_metric)
    step.equations.user_metric->inverse(after.t, after.q, inverse);
  bool regular = true;
  for (int i = 0; i < static_cast<int>(check.system.blocks().size()); ++i)
    regular = check.metric.factor(i, inverse) && regular;
  if (regular) return check.metric.solve_all(s);
  std::fill(s.begin(), s.end(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

// shift = N s with s = G^T tau + Gb^T tau_b at the end of the step. The identity and a metric of the place give it; for
// N = Mhat^-1 the shift that the states show is taken, and what Mhat shift lacks of s, by the diagonal of Mhat, is
// added to it as an error.
Corrected corrected_position(const ThetaView& step) {
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  const System& system = check.system;
  std::vector<double>& s = check.velocities();
  std::vector<double>& q = check.positions();
  std::fill(s.begin(), s.end(), 0.0);
  system.evaluate(after.t, after.q, check.found);
  for (const Contact& contact : check.found.contacts) {
    const double p[3] = {find(after, contact.key)->tau, 0.0, 0.0};
    add_impulse(check.found, contact, p, s);
  }
  if (static_cast<int>(after.joint_tau.size()) == system.joint_rows())
    for (const Joint& joint : system.joints())
      add_impulse(check.joint_rows, joint, after.joint_tau.data() + joint.first_row, s);
  if (step.equations.metric != Metric::iteration_matrix) {
    if (step.equations.metric != Metric::identity) apply_metric(step, s);
    system.retract(step.check.q_free, s, q);
    return {q, 0.0};
  }

  const bool end = step.equations.quadrature == Quadrature::endpoints;
  const double theta = step.equations.theta, h = step.h;
  Point point = end ? check.at(before, {after.t, &after.q}, after.v)
                    : check.at(before, {step.t_theta, &step.check.q_theta}, step.check.v_theta);
  point.form = step.equations.tangents;
  std::vector<double>& Mhat = check.Mhat;
  std::vector<double>& U = check.velocities();
  Mhat.assign(system.tangent_size(), 0.0);
  std::copy(check.M.begin(), check.M.end(), Mhat.begin());
  system.add_tangent(point, h * h * theta * theta, h * theta, Mhat, Part::all);
  system.difference(after.q, step.check.q_free, U);
  for (double& value : s) value = -value;
  system.add_times(Mhat, 1.0, U, s);
  double slack = 0.0;
  for (const MatrixBlock& block : system.blocks())
    for (int i = 0; i < block.n; ++i) {
      const double diagonal = Mhat[block.diagonal(i)];
      slack = std::max(slack, 1e-3 * std::abs(U[block.v0 + i]));
      U[block.v0 + i] -= s[block.v0 + i] / diagonal;
    }
  system.retract(step.check.q_free, U, q);
  return {q, slack};
}

}  // namespace esc
