#include "examples/rolling_sphere.hpp"

#include "examples/rotations.hpp"

namespace esc::examples {

Model RollingSphere::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  RigidBody body = solid(Sphere{radius}, density);
  body.position = {0.0, 0.0, radius + clearance};
  body.velocity = velocity;
  body.angular_velocity = angular_velocity;
  const BlockId ball = model.add_rigid_body("ball", body);
  const ShapeId skin = model.add_shape("skin", {ball}, Sphere{radius});
  model.add_contact("floor", skin, model.add_shape("plane", {}, HalfSpace{}), {.e = e, .mu = mu});
  return model;
}

std::array<double, 3> RollingSphere::slip() const {
  return components(vec3(velocity) + cross(vec3(angular_velocity), Vec3<double>{0.0, 0.0, -radius}));
}

double RollingSphere::rolling_time() const { return 2.0 * norm(vec3(slip())) / (7.0 * mu * g); }

std::array<double, 3> RollingSphere::rolling_velocity() const {
  return components(vec3(velocity) - (2.0 / 7.0) * vec3(slip()));
}

}  // namespace esc::examples
