#include "examples/tippe_top.hpp"

#include "examples/rotations.hpp"

namespace esc::examples {

std::array<double, 3> TippeTop::inertia() const {
  const double unit = mass * radius * radius;
  return {across * unit, across * unit, along * unit};
}

Model TippeTop::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  const Quaternion lean = turn({0.0, 1.0, 0.0}, tilt);
  const Rotation<double> R = rotation_of(lean);
  const Vec3<double> centre{0.0, 0.0, radius + clearance}, to_mass = -offset * R.z, turning{0.0, 0.0, spin};
  const BlockId top = model.add_rigid_body("top", {.mass = mass,
                                                   .inertia = inertia(),
                                                   .position = components(centre + to_mass),
                                                   .rotation = lean,
                                                   .velocity = components(cross(turning, to_mass)),
                                                   .angular_velocity = components(to_frame(R, turning))});
  const ShapeId ball = model.add_shape("ball", {top, {0.0, 0.0, offset}}, Sphere{radius});
  model.add_contact("floor", ball, model.add_shape("plane", {}, HalfSpace{}), {.e = 0.0, .mu = mu});
  return model;
}

}  // namespace esc::examples
