#include "examples/four_bar.hpp"

#include <cmath>

namespace esc::examples {

namespace {

constexpr std::array<const char*, 3> body_names{"crank", "coupler", "rocker"};

// Crank, coupler and rocker as rods: the crank from (0, 0), the coupler from the crank's end, the rocker from
// (base, 0) to the coupler's end.
struct Rod {
  double length, mass;
  double angle, rate;
  double x, y, vx, vy;  // centre
};

// The coupler's end is where two circles meet, on the upper side; the rates are those that keep it together.
std::array<Rod, 3> rods(const FourBar& d) {
  const double px = d.crank * std::cos(d.angle), py = d.crank * std::sin(d.angle);
  const double dx = d.base - px, dy = -py, distance = std::hypot(dx, dy);
  const double along = (d.coupler * d.coupler - d.rocker * d.rocker + distance * distance) / (2.0 * distance);
  const double across = std::sqrt(d.coupler * d.coupler - along * along);
  const double ex = px + (along * dx - across * dy) / distance, ey = py + (along * dy + across * dx) / distance;
  const double coupler = std::atan2(ey - py, ex - px), rocker = std::atan2(ey, ex - d.base);
  // The crank pin's velocity, seen along the coupler and along the rocker.
  const double turn = std::sin(rocker - coupler);
  const double coupler_rate = d.rate * d.crank * std::sin(d.angle - rocker) / (d.coupler * turn);
  const double rocker_rate = d.rate * d.crank * std::sin(d.angle - coupler) / (d.rocker * turn);

  const auto rod = [](double length, double mass, double angle, double rate, std::array<double, 4> from) {
    const double x = 0.5 * length * std::cos(angle), y = 0.5 * length * std::sin(angle);
    return Rod{length, mass, angle, rate, from[0] + x, from[1] + y, from[2] - y * rate, from[3] + x * rate};
  };
  return {rod(d.crank, d.m_crank, d.angle, d.rate, {}),
          rod(d.coupler, d.m_coupler, coupler, coupler_rate, {px, py, -py * d.rate, px * d.rate}),
          rod(d.rocker, d.m_rocker, rocker, rocker_rate, {d.base, 0.0, 0.0, 0.0})};
}

void add_pins(Model& model, const FourBar& d, const std::array<BlockId, 3>& body) {
  const auto end = [&](int i, double length) { return Frame{body[i], {0.5 * length, 0.0, 0.0}}; };
  const JointId pivot = model.add_joint("crank_pivot", Revolute{}, Frame{}, end(0, -d.crank));
  model.add_joint("crank_pin", Revolute{}, end(0, d.crank), end(1, -d.coupler));
  model.add_joint("rocker_pin", Revolute{}, end(1, d.coupler), end(2, d.rocker));
  model.add_joint("rocker_pivot", Revolute{}, Frame{ground, {d.base, 0.0, 0.0}}, end(2, -d.rocker));
  if (d.drive == FourBar::Drive::motor) model.add_motor("drive", pivot, JointCoordinate::angle, Motor::velocity);
}

}  // namespace

Model FourBar::planar_model() const {
  Model model;
  model.set_gravity(gravity);
  std::array<BlockId, 3> body;
  const std::array<Rod, 3> start = rods(*this);
  for (int i = 0; i < 3; ++i) {
    const Rod& rod = start[i];
    body[i] = model.add_planar_body(body_names[i], {.mass = rod.mass,
                                                    .inertia = rod.mass * rod.length * rod.length / 12.0,
                                                    .pose = {rod.x, rod.y, rod.angle},
                                                    .velocity = {rod.vx, rod.vy, rod.rate}});
  }
  add_pins(model, *this, body);
  return model;
}

Model FourBar::spatial_model() const {
  Model model;
  model.set_gravity(gravity);
  std::array<BlockId, 3> body;
  const std::array<Rod, 3> start = rods(*this);
  for (int i = 0; i < 3; ++i) {
    const Rod& rod = start[i];
    const double inertia = rod.mass * rod.length * rod.length / 12.0;
    body[i] = model.add_rigid_body(body_names[i],
                                   {.mass = rod.mass,
                                    .inertia = {0.01 * inertia, inertia, inertia},
                                    .position = {rod.x, rod.y, 0.0},
                                    .rotation = {std::cos(0.5 * rod.angle), 0.0, 0.0, std::sin(0.5 * rod.angle)},
                                    .velocity = {rod.vx, rod.vy, 0.0},
                                    .angular_velocity = {0.0, 0.0, rod.rate}});
  }
  add_pins(model, *this, body);
  return model;
}

}  // namespace esc::examples
