// An impact: t and q stay, v jumps. M (v+ - v-) = G^T P + Gb^T Lambda at (t, q).
#include <algorithm>
#include <cmath>

#include "src/certify/checks.hpp"

namespace esc {

namespace {

// Closed contacts with a record obey the law; closed ones without a record must not approach.
void find_closed(const ImpactEquations& equations, const StepStates& x, Checks& check) {
  ContactSet& set = check.contacts;
  check.keep_closed(equations.activation_tolerance);
  if (set.empty()) return;
  check.system.evaluate(x.before.t, x.before.q, set);
  const auto unrecorded = [&](const Contact& contact) {
    if (find(x.after, contact.key)) return false;
    double U[3] = {};
    velocity(set, contact, x.after.v, U);
    check[Check::impact_law].see(std::max(-U[0], 0.0), contact.key);
    return true;
  };
  if (std::erase_if(set.contacts, unrecorded) > 0) set.layout();
}

// Exactly: nothing moves in no time.
void check_at_rest(const StepStates& x, Checks& check) {
  const auto& [before, after] = x;
  for (std::size_t i = 0; i < after.q.size(); ++i) check[Check::kinematics].see(std::abs(after.q[i] - before.q[i]));
  check[Check::kinematics].see(std::abs(after.t - before.t));
}

}  // namespace

void certify(const ImpactEquations& equations, const StepStates& x, Checks& check) {
  const auto& [before, after] = x;
  const Configuration here{before.t, &before.q};
  std::vector<double>& dv = check.velocities();
  double speed = 0.0;
  for (std::size_t i = 0; i < dv.size(); ++i) {
    dv[i] = after.v[i] - before.v[i];
    speed = std::max(speed, std::max(std::abs(before.v[i]), std::abs(after.v[i])));
  }
  check.speed = speed;
  check_at_rest(x, check);

  find_closed(equations, x, check);
  check.penetration(equations.activation_tolerance, {});
  check.evaluate(here);
  check.system.mass(check.at(before, here, before.v), check.M, Part::varying);
  check.rate_law(equations.law);
  check.friction(equations.law);
  check.joints(here);

  check.balance(dv, {}, 0.0);
  check.audit({}, 0.0, before.v, after.v);
  check.energy(true);  // an identity: M is that of one place

  check.jacobians(here);
}

}  // namespace esc
