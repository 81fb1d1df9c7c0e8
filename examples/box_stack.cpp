#include "examples/box_stack.hpp"

#include <string>

#include "examples/rotations.hpp"

namespace esc::examples {

Model BoxStack::model() const {
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  RigidBody body = solid(box, density);
  ShapeId below = model.add_shape("floor", {}, HalfSpace{});
  for (int i = 0; i < boxes; ++i) {
    const std::string name = "box" + std::to_string(i);
    body.position = {0.0, 0.0, (i + 1) * clearance + (2 * i + 1) * box.half_z};
    body.rotation = turn({0.0, 0.0, 1.0}, i * twist);
    const BlockId id = model.add_rigid_body(name, body);
    const ShapeId sides = model.add_shape(name + ".sides", {id}, box);
    model.add_contact(name + ".below", sides, below, {.e = e, .mu = mu});
    below = model.add_shape(name + ".top", {id, {0.0, 0.0, box.half_z}}, HalfSpace{});
  }
  return model;
}

}  // namespace esc::examples
