#include "examples/gyroscope.hpp"

#include <numbers>

#include "examples/rotations.hpp"

namespace esc::examples {

namespace {

RigidBody wheel_of(const Gyroscope& gyroscope) {
  return solid(Cylinder{gyroscope.radius, 0.5 * gyroscope.thickness}, gyroscope.density);
}
RigidBody arm_of(const Gyroscope& gyroscope) {
  return solid(Cylinder{gyroscope.arm_radius, 0.5 * gyroscope.arm}, gyroscope.density);
}

// On the x axis of the world, z of the body along it, turning about the vertical through the stand.
RigidBody placed(RigidBody body, double x, double precession, double spin) {
  body.position = {x, 0.0, 0.0};
  body.rotation = turn({0.0, 1.0, 0.0}, 0.5 * std::numbers::pi);
  body.velocity = {0.0, x * precession, 0.0};
  body.angular_velocity = components(to_frame(rotation_of(body.rotation), Vec3<double>{spin, 0.0, precession}));
  return body;
}

}  // namespace

Model Gyroscope::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  const BlockId shaft = model.add_rigid_body("arm", placed(arm_of(*this), 0.5 * arm, precession, 0.0));
  const BlockId wheel = model.add_rigid_body("wheel", placed(wheel_of(*this), arm, precession, spin));
  model.add_joint("stand", Spherical{}, Frame{ground}, Frame{shaft, {0.0, 0.0, -0.5 * arm}});
  model.add_joint("axle", Revolute{}, Frame{shaft, {0.0, 0.0, 0.5 * arm}}, Frame{wheel});
  return model;
}

double Gyroscope::steady_precession() const {
  const RigidBody wheel = wheel_of(*this);
  const double torque = g * (wheel.mass * arm + arm_of(*this).mass * 0.5 * arm);
  return torque / (wheel.inertia[2] * spin);
}

}  // namespace esc::examples
