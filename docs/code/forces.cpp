#include <cmath>

#include <escapement/models/force.hpp>

#include "docs/code/kinds.hpp"

namespace esc::docs {

Model forces() {
  Model model;
  const auto hung = [&](const char* name, double x) {
    return model.add_rigid_body(name, {.mass = 2.0, .inertia = {0.01, 0.01, 0.01}, .position = {x, 0.1, -1.0}});
  };
  const auto wheel = [&](const char* name, double x) {
    return model.add_planar_body(name, {.mass = 0.5, .inertia = 1e-3, .pose = {x, 0.0, 0.0}});
  };
  const BlockId lamp = hung("lamp", 0.0), buffer = hung("buffer", 1.0), engine = hung("engine", 2.0);
  const BlockId drone = hung("drone", 3.0);
  const BlockId flap = wheel("flap", 0.0), pinion = wheel("pinion", 1.0), gear = wheel("gear", 2.0);
  const BlockId bar = wheel("bar", 3.0), fan = wheel("fan", 4.0), lever = wheel("lever", 5.0),
                cart = wheel("cart", 6.0);

  const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{ground}, Frame{flap});
  const JointId fast = model.add_joint("fast_shaft", Revolute{}, planar_frame(ground, 1.0, 0.0), Frame{pinion});
  const JointId slow = model.add_joint("slow_shaft", Revolute{}, planar_frame(ground, 2.0, 0.0), Frame{gear});
  const JointId slide = model.add_joint("slide", Prismatic{}, planar_frame(ground, 3.0, 0.0), Frame{bar});
  const JointId axle = model.add_joint("axle", Revolute{}, planar_frame(ground, 4.0, 0.0), Frame{fan});
  const JointId pivot = model.add_joint("pivot", Revolute{}, planar_frame(ground, 5.0, 0.0), Frame{lever});

  model.add_gear("mesh", fast, 20, slow, 60);

  model.add_rack("rack", fast, 0.03, slide);  // m

  model.add_limits("stop", hinge, JointCoordinate::angle, -0.1, 0.5, {.e = 0.3});  // rad

  const InputId push = model.add_input("push", 3.0);  // N

  model.set_gravity({0.0, 0.0, -9.81});  // m/s^2

  model.add_spring("spring", Frame{ground}, Frame{lamp},
                   {.stiffness = 200.0, .damping = 5.0, .length = 0.8});  // N/m, N s/m, m

  model.add_spring("damper", Frame{ground, {1.0, 0.0, 0.0}}, Frame{buffer}, {.damping = 40.0});  // N s/m

  model.add_joint_spring("closer", hinge, JointCoordinate::angle,
                         {.stiffness = 2.0, .damping = 0.01, .rest = 0.8});  // N m/rad, N m s/rad, rad

  model.add_bushing("mount", Frame{ground, {2.0, 0.0, -1.0}}, Frame{engine},
                    diagonal_bushing({5e4, 5e4, 2e4, 300.0, 300.0, 300.0},    // N/m, N m/rad
                                     {200.0, 200.0, 200.0, 1.0, 1.0, 1.0}));  // N s/m, N m s/rad

  model.set_input(model.add_motor("drive", fast, JointCoordinate::angle, Motor::velocity), 30.0);  // rad/s

  model.add_motor("cam", pivot, JointCoordinate::angle, position_motor([](const auto& t) {
                    using std::cos;
                    return 0.2 * (1.0 - cos(5.0 * t));  // rad
                  }));

  model.set_input(model.add_motor("blower", axle, JointCoordinate::angle, Motor::torque), 0.02);  // N m

  const auto thrust = [](double t, const double*) -> std::array<double, 6> {
    return {0.0, 0.0, t < 0.1 ? 30.0 : 20.0, 0.0, 0.05, 0.0};  // N, N m
  };
  model.add_wrench("thrust", Frame{drone, {0.2, 0.0, 0.0}}, GivenWrench{thrust});

  const auto law = [i = push.index](const auto&, const auto*, const auto* v, const double* u, auto* Q) {
    Q[0] = u[i] - 0.8 * v[0];  // N
  };
  model.add_force("pull", {Coordinates(cart, 0, 1)}, force<1>(law));  // on x alone
  return model;
}

}  // namespace esc::docs
