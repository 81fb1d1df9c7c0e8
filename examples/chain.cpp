#include "examples/chain.hpp"

#include <numbers>
#include <string>

#include "examples/rotations.hpp"

namespace esc::examples {

Model Chain::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  // z of a link points from its upper to its lower joint.
  const Quaternion tilt = turn({0.0, 1.0, 0.0}, 0.5 * std::numbers::pi + slope);
  const Vec3<double> along = rotation_of(tilt).z;
  const Vec3<double> turning{0.0, 0.0, spin};
  const double half = 0.5 * length;
  RigidBody link = solid(Capsule{radius, half - radius}, density);
  link.rotation = tilt;
  link.angular_velocity = components(to_frame(rotation_of(tilt), turning));

  Frame above{ground};
  for (int i = 0; i < links; ++i) {
    const Vec3<double> centre = ((i + 0.5) * length) * along;
    link.position = components(centre);
    link.velocity = components(cross(turning, centre));
    const BlockId body = model.add_rigid_body("link" + std::to_string(i), link);
    model.add_joint("joint" + std::to_string(i), Spherical{}, above, Frame{body, {0.0, 0.0, -half}});
    above = Frame{body, {0.0, 0.0, half}};
  }
  return model;
}

}  // namespace esc::examples
