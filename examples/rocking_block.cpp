#include "examples/rocking_block.hpp"

namespace esc::examples {

Model RockingBlock::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const BlockId body =
      model.add_planar_body("block", {.mass = mass, .inertia = inertia(), .pose = pose, .velocity = velocity});
  const ShapeId box = model.add_shape("box", planar_frame(body, 0.0, 0.0), Rectangle{0.5 * length, 0.5 * thickness});
  const ShapeId plane = model.add_shape("plane", planar_frame(ground, 0.0, 0.0), HalfPlane{});
  model.add_contact("floor", box, plane, {.e = e, .mu = mu});
  return model;
}

}  // namespace esc::examples
