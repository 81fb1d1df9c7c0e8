// A shape at the start of a scene: where it is and how it moves.
#pragma once

#include <escapement/models/anchor.hpp>

#include "src/study/findings.hpp"

namespace esc::study {

struct PlacedShape {
  const Model::Parts::Shape& shape;
  Pose<double> frame;
  Vec3<double> velocity;  // of its origin, world axes
  double spin;            // rad/s
};

inline Anchor anchor_of(const Frame& frame, const Model::Parts& parts, const System& system) {
  Anchor anchor;
  const auto& [w, x, y, z] = frame.rotation;
  anchor.r = {frame.position[0], frame.position[1], frame.position[2]};
  anchor.R = rotation_of(w, x, y, z);
  if (frame.body == ground) return anchor;
  const Model::Parts::Block& block = parts.blocks[frame.body.index];
  anchor.kind = block.leaf->body();
  anchor.q0 = system.coordinate(block.name + "." + block.coordinates.front().name);
  anchor.v0 = first_velocity(system, block);
  return anchor;
}

inline PlacedShape placed(const Model::Parts::Shape& shape, const Model::Parts& parts, const System& system) {
  const State& x = system.initial_state();
  const Anchor anchor = anchor_of(shape.frame, parts, system);
  const auto moving = place_along(anchor, x.q.data(), x.v.data()).frame.p;
  const Placed<double> here = place(anchor, x.q.data());
  const double spin = norm(spin_of(anchor, here.body.R, x.v.data()));
  return {shape, here.frame, {moving.x.d[0], moving.y.d[0], moving.z.d[0]}, spin};
}

}  // namespace esc::study
