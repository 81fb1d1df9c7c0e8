#include "examples/flyball_governor.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "examples/rotations.hpp"

namespace esc::examples {

namespace {

constexpr double right_angle = 0.5 * std::numbers::pi;
const Quaternion z_to_y = turn({1.0, 0.0, 0.0}, -right_angle), x_to_z = turn({0.0, 1.0, 0.0}, -right_angle);

}  // namespace

std::array<double, 2> FlyballGovernor::moments() const {
  const double rod = rod_mass(), d = offset(), beyond = 0.5 * length - d;
  return {rod * (2.0 * width * width) / 12.0,
          rod * (length * length + width * width) / 12.0 + rod * d * d + ball * beyond * beyond};
}

// x of a rod points from its hinge to its ball.
Model FlyballGovernor::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  const double half = 0.5 * length, arm = half + offset();

  RigidBody shaft = solid(Box{0.5 * width, 0.5 * width, half}, density);
  shaft.position = {0.0, 0.0, half};
  shaft.angular_velocity = {0.0, 0.0, spin};
  RigidBody slider = solid(Box{0.5 * side, 0.5 * side, 0.5 * side}, density);
  slider.position = {0.0, 0.0, height};
  slider.angular_velocity = {0.0, 0.0, spin};
  const BlockId axle = model.add_rigid_body("shaft", shaft), block = model.add_rigid_body("slider", slider);
  model.add_joint("bearing", Revolute{}, Frame{ground}, Frame{axle, {0.0, 0.0, -half}});
  model.add_joint("guide", Prismatic{}, Frame{axle, {}, x_to_z}, Frame{block, {}, x_to_z});

  const auto [along, across] = moments();
  for (const double right : {1.0, -1.0}) {
    const std::string name = right > 0.0 ? "right" : "left";
    const Quaternion down = turn({0.0, 1.0, 0.0}, right > 0.0 ? angle : std::numbers::pi - angle);
    const double x = 0.5 * side * right, c = right * std::cos(angle), s = std::sin(angle);
    const Vec3<double> turning{0.0, 0.0, spin};
    const BlockId rod =
        model.add_rigid_body(name + "_rod", {.mass = rod_mass() + ball,
                                             .inertia = {along, across, across},
                                             .position = {x + arm * c, 0.0, length - arm * s},
                                             .rotation = down,
                                             .velocity = {0.0, spin * (x + arm * c), 0.0},
                                             .angular_velocity = components(to_frame(rotation_of(down), turning))});
    model.add_joint(name + "_hinge", Revolute{}, Frame{axle, {x, 0.0, half}, z_to_y},
                    Frame{rod, {-arm, 0.0, 0.0}, z_to_y});
    model.add_spring(name + "_spring", Frame{block, {x, 0.0, 0.0}}, Frame{rod, {-offset(), 0.0, 0.0}},
                     {.stiffness = stiffness, .damping = damping, .length = rest});
  }
  return model;
}

}  // namespace esc::examples
