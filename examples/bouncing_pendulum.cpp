#include "examples/bouncing_pendulum.hpp"

#include <cmath>

#include <escapement/models/gap.hpp>

namespace esc::examples {

Model BouncingPendulum::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const BlockId body = model.add_planar_body(
      "pendulum",
      {.mass = mass, .inertia = inertia, .pose = {length * std::cos(angle), length * std::sin(angle), angle}});
  model.add_joint("pivot", Revolute{}, Frame{ground}, planar_frame(body, -length, 0.0));
  model.add_contact("wall", {Coordinates(body, 0, 1)},
                    esc::affine_gap<1>([at = wall](const auto&, const auto* q) { return q[0] - at; }), {.e = e});
  return model;
}

}  // namespace esc::examples
