#include "examples/box_on_incline.hpp"

#include "examples/rotations.hpp"

namespace esc::examples {

namespace {

// x down the plane, z along its normal.
Quaternion plane_of(const BoxOnIncline& incline) {
  return product(incline.scene, product(turn({0, 0, 1}, incline.direction), turn({0, 1, 0}, incline.slope)));
}

}  // namespace

std::array<double, 3> BoxOnIncline::start() const {
  return components((box.half_z + clearance) * rotation_of(plane_of(*this)).z);
}

std::array<double, 3> BoxOnIncline::descent() const { return components(rotation_of(plane_of(*this)).x); }

Model BoxOnIncline::model() const {
  Model model;
  model.set_gravity(components(-g * rotation_of(scene).z));
  const Quaternion plane = plane_of(*this);
  RigidBody body = solid(box, density);
  body.position = start();
  body.rotation = product(plane, turn({0, 0, 1}, heading));
  body.velocity = components(speed * vec3(descent()));
  const BlockId id = model.add_rigid_body("box", body);
  const ShapeId above = model.add_shape("sides", {id}, box);
  const ShapeId below = model.add_shape("slope", {ground, {0, 0, 0}, plane}, HalfSpace{});
  model.add_contact("floor", above, below, {.e = e, .mu = mu});
  return model;
}

}  // namespace esc::examples
