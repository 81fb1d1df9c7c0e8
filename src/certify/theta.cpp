// The theta-methods: acary (18), (28), (65).
#include "src/certify/theta.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/math/vectors.hpp"

namespace esc {

namespace {

constexpr double slack = Checks::activation_slack;

// Which contacts the position forecast without look-ahead can be about.
bool is_reached_by_gap(const ThetaEquations& equations) {
  return equations.activation == Activation::forecast && equations.forecast == Forecast::position &&
         !(equations.gamma > 0.0);
}

// The contacts within this reach at the predicted place, retract(q_k, ahead v_k).
void detect_ahead(const ThetaView& step, double ahead, double reach) {
  const State& before = step.x.before;
  Checks& check = step.check;
  std::vector<double>& xi = check.velocities();
  std::vector<double>& q = check.positions();
  for (std::size_t i = 0; i < xi.size(); ++i) xi[i] = ahead * before.v[i];
  check.system.retract(before.q, xi, q);
  check.system.detect(before.t + ahead, q, reach, check.contacts);
}

// The contacts that the forecast makes active at (t_k, q_k).
void keep_forecast(const ThetaView& step) {
  const State& before = step.x.before;
  ContactSet& set = step.check.contacts;
  const bool known = step.equations.forecast != Forecast::free;
  const bool look_ahead = step.equations.forecast == Forecast::position && step.equations.gamma > 0.0;
  const double closed = step.equations.activation_tolerance, ahead = step.equations.gamma * step.h;
  if (step.equations.forecast == Forecast::predicted)
    detect_ahead(step, ahead, closed + slack);
  else
    step.check.keep_closed(known && !look_ahead ? closed + slack : any_gap);
  if (set.empty()) return;
  if (look_ahead) step.check.system.evaluate(before.t, before.q, set);
  const auto open = [&](const Contact& contact) {
    double forecast = contact.gap;
    if (look_ahead) {
      double U[3] = {};
      velocity(set, contact, step.x.before.v, U);
      forecast += ahead * U[0];
    }
    if (known && forecast < closed - slack) return false;
    // The free forecast (62) needs a solve; of its contacts only those with a record are held to the law.
    const bool may = !known || forecast <= closed + slack;
    const ContactRecord* record = may ? find(step.x.after, contact.key) : nullptr;
    // Nor can it be known of a contact that was only projected, where the forecast may go either way.
    const bool only_projected = record && record->tau != 0.0 && record->mode == ContactMode::open;
    return !record || only_projected;
  };
  if (std::erase_if(set.contacts, open) > 0) set.layout();
}

Configuration frame_of(const ThetaView& step) {
  switch (step.equations.frame) {
    case FrameAt::begin:
      return {step.x.before.t, &step.x.before.q};
    case FrameAt::theta:
      return {step.t_theta, &step.check.q_theta};
    default:
      return {step.x.after.t, &step.x.after.q};
  }
}

// How far a projection moves the positions; entries of quaternions turn by up to 2 pi times as much.
double projected_size(const ThetaView& step) {
  if (step.equations.projection == Projection::none) return 0.0;
  double size = 0.0;
  const std::vector<double>&q = step.x.after.q, &q_free = step.check.q_free;
  for (std::size_t i = 0; i < q.size(); ++i) size = std::max(size, std::abs(q[i] - q_free[i]));
  return 2.0 * std::numbers::pi * size;
}

// The integral of F over h; M at the same place.
void find_forces(const ThetaView& step) {
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  std::vector<double>& F = check.F;
  if (step.equations.quadrature == Quadrature::theta_point) {
    check.system.dynamics(check.at(before, {step.t_theta, &check.q_theta}, check.v_theta), check.M, F, Part::varying);
    return;
  }
  const double theta = step.equations.theta;
  std::vector<double>& F_k = check.velocities();
  check.system.force(check.at(before, {before.t, &before.q}, before.v), F_k);
  check.system.dynamics(check.at(before, {after.t, &after.q}, after.v), check.M, F, Part::varying);
  for (std::size_t i = 0; i < F.size(); ++i) F[i] = theta * F[i] + (1.0 - theta) * F_k[i];
}

}  // namespace

void certify(const ThetaEquations& equations, const StepStates& x, Checks& check) {
  const auto& [before, after] = x;
  const double theta = equations.theta, h = after.h;
  const ThetaView step{equations, x, check, h, before.t + theta * h};
  const double *v0 = before.v.data(), *v1 = after.v.data();
  elementwise(before.v.size(), [=, mean = check.v_theta.data(), way = check.way.data(), dv = check.dv.data()](auto i) {
    mean[i] = (1.0 - theta) * v0[i] + theta * v1[i];
    way[i] = h * mean[i];
    dv[i] = v1[i] - v0[i];
  });
  double speed = 0.0;
  for (std::size_t i = 0; i < before.v.size(); ++i) speed = std::max({speed, std::abs(v0[i]), std::abs(v1[i])});
  check.speed = speed;
  check.system.interpolate(before.q, after.q, theta, check.q_theta);
  check.system.retract(before.q, check.way, check.q_free);

  // Contacts and their laws.
  if (equations.activation == Activation::recorded)
    check.keep_recorded();
  else
    keep_forecast(step);
  check.penetration(is_reached_by_gap(equations) ? equations.activation_tolerance + slack : 0.0,
                    {check.way, h * speed + projected_size(step), check.dv});
  const Configuration frame = frame_of(step);
  check.evaluate(frame);
  find_forces(step);
  if (equations.level == ContactLevel::position)
    check.gap_law();
  else if (!check.contacts.empty())
    check.rate_law(equations.law);
  const bool polygon = equations.friction_cone == FrictionCone::polygon;
  if (!check.contacts.empty()) check.friction(equations.law, polygon ? equations.friction_directions : 0);

  // Joints, momentum, positions.
  check.joints(frame);
  check.balance(check.dv, check.F, h);
  const bool projected = equations.projection != Projection::none && check_projection(step);
  if (projected) {
    const Corrected corrected = corrected_position(step);
    check.place(corrected.q, {h, corrected.slack});
  } else {
    check.place(check.q_free, {h, 0.0});
  }

  // Works. At the theta point they are those of the momentum balance; averaged endpoint forces have no single power.
  check.audit(check.at(before, {step.t_theta, &check.q_theta}, check.v_theta), h, before.v, after.v);
  if (projected) check.moved_potential(check.q_free);
  check.energy(check.system.constant_matrix() && theta == 0.5 && equations.quadrature == Quadrature::theta_point &&
               !projected);

  check.jacobians(frame);
}

}  // namespace esc
