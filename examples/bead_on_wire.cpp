#include "examples/bead_on_wire.hpp"

#include <cmath>

#include <escapement/models/frame_function.hpp>

namespace esc::examples {

Model BeadOnWire::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  RigidBody body = solid(Sphere{radius}, density);
  body.position = {distance, 0.0, 0.0};
  body.velocity = {velocity, rate * distance, 0.0};
  const BlockId bead = model.add_rigid_body("bead", body);
  const double w = rate;
  const auto wire = [w](const auto& t, const auto& A, auto* g_wire) {
    using std::cos, std::sin;
    g_wire[0] = cos(w * t) * A.p.y - sin(w * t) * A.p.x;
    g_wire[1] = A.p.z;
  };
  model.add_joint("wire", {Frame{bead}}, frame_function<2>(wire));
  return model;
}

double BeadOnWire::exact_distance(double t) const {
  return distance * std::cosh(rate * t) + velocity / rate * std::sinh(rate * t);
}

double BeadOnWire::exact_velocity(double t) const {
  return distance * rate * std::sinh(rate * t) + velocity * std::cosh(rate * t);
}

}  // namespace esc::examples
