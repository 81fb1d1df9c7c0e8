// The nonsmooth generalized-alpha method, bruels (29), (30), from the two states with their histories. Letters:
// docs/schemes/alpha_ggl.md.
#include <algorithm>
#include <cmath>

#include "src/certify/checks.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

struct AlphaView {
  const AlphaEquations& equations;
  const StepStates& x;
  Checks& check;
  double h;
  std::span<const double> a_n, vdot_n, lambda_n, a, vdot, lambda;  // histories: before, and after
  bool restarted;
  std::vector<double>&smooth, &v_tilde, &q_tilde, &W;  // vdot~_{n+1} of the step, (30c), (30a), (30d)
};

// The history of a state, or null if it is not one of this family.
const std::vector<double>* memory_of(const State& x, const Checks& check) {
  const History* history = find_history(x, check.owner());
  const std::size_t size = 2 * x.v.size() + x.joint_impulse.size() + 1;
  return history && history->values.size() == size ? &history->values : nullptr;
}

// x <- M^-1 x, block by block. A mass that is not regular cannot be held to.
void divide_by_mass(Checks& check, std::vector<double>& x) {
  bool regular = true;
  for (int i = 0; i < static_cast<int>(check.system.blocks().size()); ++i)
    regular = check.metric.factor(i, check.M) && regular;
  if (regular) return check.metric.solve_all(x);
  std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());
}

// out += s Gb^T of these multipliers, at the end of the step.
void add_reactions(const Checks& check, std::span<const double> rows, double s, std::vector<double>& out) {
  for (const Joint& joint : check.system.joints()) {
    double scaled[max_joint_rows] = {};
    for (int i = 0; i < joint.row_count; ++i) scaled[i] = s * rows[joint.first_row + i];
    add_impulse(check.joint_rows, joint, scaled, out);
  }
}

// vdot~ of the step. After a restart the history has other accelerations: then (29a) defines it.
void find_smooth_motion(const AlphaView& step) {
  std::copy(step.vdot.begin(), step.vdot.end(), step.smooth.begin());
  if (!step.restarted) return;
  step.smooth = step.check.F;
  add_reactions(step.check, step.lambda, 1.0, step.smooth);
  divide_by_mass(step.check, step.smooth);
}

// (29a): M vdot~ - F - Gb^T lambda~ = 0; at position level, (51a), contacts are part of it.
void check_smooth_motion(const AlphaView& step) {
  if (step.restarted) return;
  Checks& check = step.check;
  std::vector<double>& f = check.velocities();
  f = check.F;
  add_reactions(check, step.lambda, 1.0, f);
  add_times(check.system.blocks(), check.M, -1.0, step.vdot, f);
  for (double& value : f) value *= step.h;
  if (step.equations.levels == Levels::position)
    for (const Contact& contact : check.contacts.contacts)
      add_impulse(check.contacts, contact, check.rows.P.data() + contact.first_row, f);
  check[Check::momentum].see(largest_block(check.system.blocks(), f));
}

// (30), and (29b) for v~.
void check_recurrences(const AlphaView& step) {
  const double alpha_m = step.equations.alpha_m, alpha_f = step.equations.alpha_f;
  const double beta = step.equations.beta, gamma = step.equations.gamma;
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  const double h = step.h, ratio = before.h > 0.0 ? h / before.h : 1.0;
  for (std::size_t i = 0; i < before.v.size(); ++i) {
    const double v = before.v[i], old = step.vdot_n[i], a_n = old + ratio * (step.a_n[i] - old);
    const double a = ((1.0 - alpha_f) * step.smooth[i] + alpha_f * old - alpha_m * a_n) / (1.0 - alpha_m);
    check[Check::kinematics].see(h * std::abs(step.a[i] - (step.restarted ? step.vdot[i] : a)));
    step.v_tilde[i] = v + h * ((1.0 - gamma) * a_n + gamma * a);
    check.way[i] = h * (v + h * ((0.5 - beta) * a_n + beta * a));
    step.W[i] = after.v[i] - step.v_tilde[i];
    check.speed = std::max({check.speed, std::abs(v), std::abs(after.v[i])});
    check.v_theta[i] = 0.5 * (v + after.v[i]);
  }
  check.system.retract(before.q, check.way, step.q_tilde);
  if (step.restarted)
    return;  // vdot~ is known from momenta only, and so is v~: to nothing that a light body is held to
  for (int i = 0; i < static_cast<int>(check.system.joints().size()); ++i) {
    double U[max_joint_rows] = {};
    velocity(check.joint_rows, check.system.joints()[i], step.v_tilde, U);
    for (const double rate : U) check[Check::joint_velocity].see_joint(std::abs(rate), i);
  }
}

// (29h): contacts with g(q*) <= 0 have a record. An impulse needs that, or a gap that corrections have closed.
void check_activation(const AlphaView& step, const Configuration& frame) {
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  const Prediction prediction = step.equations.prediction;
  const double may = step.equations.activation_tolerance + Checks::activation_slack;
  const double must = step.equations.activation_tolerance - Checks::activation_slack;
  std::vector<double>& q = check.positions();
  q = prediction == Prediction::tilde ? step.q_tilde : prediction == Prediction::end ? after.q : before.q;
  if (prediction == Prediction::extrapolated) {
    for (std::size_t i = 0; i < before.v.size(); ++i) check.dv[i] = step.h * before.v[i];
    check.system.retract(before.q, check.dv, q);
  }
  check.system.detect(prediction == Prediction::start ? before.t : after.t, q, may, check.found);
  for (const Contact& contact : check.found.contacts)
    if (contact.gap <= must && !find(after, contact.key)) check[Check::impact_law].see(Checks::infinity, contact.key);
  if (prediction == Prediction::end) check.system.detect(after.t, step.q_tilde, may, check.found);  // that will do, too
  const bool explicitly = prediction == Prediction::start || prediction == Prediction::extrapolated;
  // With an explicit prediction what is corrected only need not obey the law.
  const auto uncalled = [&](const Contact& contact) {
    const double P = check.rows.P[contact.first_row], most = P == 0.0 ? must : may;
    const bool predicted =
        std::any_of(check.found.contacts.begin(), check.found.contacts.end(),
                    [&](const Contact& other) { return other.key == contact.key && other.gap <= most; });
    if (predicted || (!explicitly && contact.gap <= check.tolerances().gap)) return false;
    check[Check::inactive].see(std::abs(P), contact.key);
    return explicitly;
  };
  if (std::erase_if(check.contacts.contacts, uncalled) == 0) return;
  check.contacts.layout();
  check.evaluate(frame);
}

// (29c) balances momenta times h. What its tolerance leaves open of the place of a light body: the distance from there.
double open_to_momenta(const AlphaView& step, const std::vector<double>& expected) {
  const State& after = step.x.after;
  Checks& check = step.check;
  std::vector<double>&xi = check.velocities(), &momenta = check.velocities();
  check.system.difference(after.q, expected, xi);
  std::fill(momenta.begin(), momenta.end(), 0.0);
  add_times(check.system.blocks(), check.M, 1.0, xi, momenta);
  if (!(largest_block(check.system.blocks(), momenta) <= step.h * check.tolerances().momentum)) return 0.0;
  double distance = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) distance = std::max(distance, std::abs(after.q[i] - expected[i]));
  return distance;
}

// (29c), (29e): M shift = G_N^T nu_N + h/2 G_T^T P_T + Gb^T nu_b, q_{n+1} = retract(q~, shift). Records have nu_N, or
// what is complementary to the gap in its place, h mu = nu_N - h P_N. At position level nothing is shifted.
void check_positions(const AlphaView& step) {
  const State& after = step.x.after;
  Checks& check = step.check;
  std::vector<double>& shift = check.velocities();
  std::vector<double>& q = check.positions();
  std::fill(shift.begin(), shift.end(), 0.0);
  const bool both = step.equations.levels == Levels::both;
  const bool halves = step.equations.levels == Levels::velocity;
  for (std::size_t i = 0; i < shift.size() && halves; ++i) shift[i] = 0.5 * step.h * step.W[i];
  for (const Contact& contact : check.contacts.contacts) {
    const ContactRecord* record = find(after, contact.key);
    double nu[3] = {record->tau, 0.0, 0.0};
    if (step.equations.gap_law == GapLaw::mu) nu[0] += step.h * check.rows.P[contact.first_row];
    for (int row = 1; row < contact.row_count; ++row) nu[row] = 0.5 * step.h * check.rows.P[contact.first_row + row];
    if (both) add_impulse(check.contacts, contact, nu, shift);
    if (record->tau != 0.0) check[Check::projection].see(std::max(std::abs(contact.gap), -record->tau), contact.key);
  }
  if (both && after.joint_tau.size() == after.joint_impulse.size()) add_reactions(check, after.joint_tau, 1.0, shift);
  if (both) divide_by_mass(check, shift);
  check.system.retract(step.q_tilde, shift, q);
  check.place(q, {step.h, open_to_momenta(step, q)});
}

// The smooth reactions of a state are those of its time. Over the step the mean of both ends works along the mean
// velocity, half with the rows of each end; the impulsive rest works with those of the end. After a restart the
// reactions of the end are not known, and all of the impulse is such a rest.
void audit(const AlphaView& step) {
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  const std::size_t rows = after.joint_impulse.size();
  const bool apart = !step.restarted && rows > 0;
  if (apart) check.worked = after.joint_impulse;
  for (std::size_t i = 0; apart && i < rows; ++i) check.worked[i] -= step.h * step.lambda[i];
  check.audit(check.at(before, {before.t + 0.5 * step.h, &check.q_theta}, check.v_theta), step.h, before.v, after.v);
  if (!apart) return;
  for (std::size_t i = 0; i < rows; ++i) check.worked[i] = 0.25 * step.h * (step.lambda_n[i] + step.lambda[i]);
  std::vector<double>& mean = check.velocities();
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (before.v[i] + after.v[i]);
  check.system.evaluate(check.at(before, {before.t, &before.q}, before.v), check.joint_begin);
  for (const JointSet* end : {&check.joint_begin, &check.joint_rows}) check.joint_work(*end, check.worked, mean);
  check.worked.clear();
}

}  // namespace

void certify(const AlphaEquations& equations, const StepStates& x, Checks& check) {
  const auto& [before, after] = x;
  const auto *start = memory_of(before, check), *end = memory_of(after, check);
  if (!start || !end) return check.foreign();
  const std::size_t n = before.v.size();
  const std::span<const double> from(*start), to(*end);
  const double h = after.h;
  const AlphaView step{equations,
                       x,
                       check,
                       h,
                       from.first(n),
                       from.subspan(n, n),
                       from.subspan(2 * n, after.joint_impulse.size()),
                       to.first(n),
                       to.subspan(n, n),
                       to.subspan(2 * n, after.joint_impulse.size()),
                       to.back() != 0.0,
                       check.velocities(),
                       check.velocities(),
                       check.positions(),
                       check.velocities()};
  const Configuration frame{after.t, &after.q};
  check.speed = 0.0;
  check.system.dynamics(check.at(before, frame, after.v), check.M, check.F, Part::varying);
  check.joints(frame);
  find_smooth_motion(step);
  check_recurrences(step);

  check.keep_recorded();
  double size = 0.0;
  for (std::size_t i = 0; i < after.q.size(); ++i) size = std::max(size, std::abs(after.q[i] - step.q_tilde[i]));
  for (const double way : check.way) size = std::max(size, std::abs(way));
  for (std::size_t i = 0; i < n; ++i) check.dv[i] = after.v[i] - before.v[i];
  check.penetration(0.0, {check.way, 8.0 * size, check.dv});
  check.evaluate(frame);
  check_smooth_motion(step);
  check_positions(step);
  if (equations.levels == Levels::position) {
    check.gap_law();
  } else {
    check_activation(step, frame);
    check.rate_law({});
  }
  check.friction({}, equations.friction_cone == FrictionCone::polygon ? equations.friction_directions : 0);

  // The sum of h (29a) and (29f).
  for (std::size_t i = 0; i < n; ++i) check.dv[i] = step.W[i] + h * step.smooth[i];
  check.balance(check.dv, check.F, h);

  check.system.interpolate(before.q, after.q, 0.5, check.q_theta);
  audit(step);
  // What the mean velocity does not explain: q~ falls freely where a contact holds, and the shift lifts it again.
  for (std::size_t i = 0; i < n; ++i) check.way[i] = h * check.v_theta[i];
  std::vector<double>& carried = check.positions();
  check.system.retract(before.q, check.way, carried);
  check.moved_potential(carried);
  check.energy(false);
  check.jacobians(frame);
}

}  // namespace esc
