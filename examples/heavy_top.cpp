#include "examples/heavy_top.hpp"

#include "examples/rotations.hpp"

namespace esc::examples {

Model HeavyTop::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  const Vec3<double> centre{0.0, arm, 0.0};
  const BlockId top = model.add_rigid_body("top", {.mass = mass,
                                                   .inertia = inertia,
                                                   .position = components(centre),
                                                   .velocity = components(cross(vec3(angular_velocity), centre)),
                                                   .angular_velocity = angular_velocity});
  model.add_joint("tip", Spherical{}, Frame{ground}, Frame{top, {0.0, -arm, 0.0}});
  return model;
}

}  // namespace esc::examples
