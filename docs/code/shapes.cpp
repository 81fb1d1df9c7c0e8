#include <cmath>

#include "docs/code/kinds.hpp"

namespace esc::docs {

Model shapes_in_the_plane() {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const auto body = [&](const char* name, double x, double y, double phi) {
    return model.add_planar_body(name, {.mass = 1.0, .inertia = 0.01, .pose = {x, y, phi}});
  };
  const BlockId wheel = body("wheel", 0.0, 0.12, 0.0), crate = body("crate", 1.0, 0.15, 0.1);
  const BlockId pendulum = body("pendulum", 2.0, 0.25, 0.0), journal = body("journal", 3.0, 0.4995, 0.0);

  const ShapeId floor = model.add_shape("floor", Frame{ground}, HalfPlane{});

  const ShapeId rim = model.add_shape("rim", Frame{wheel}, Disc{0.1});  // m
  model.add_contact("wheel_on_floor", rim, floor, {.e = 0.5, .mu = 0.3});

  const ShapeId sides = model.add_shape("sides", Frame{crate}, Rectangle{0.2, 0.1});  // half sides, m
  model.add_contact("crate_on_floor", sides, floor, {.e = 0.0, .mu = 0.4});

  const ShapeId tip = model.add_shape("tip", planar_frame(pendulum, 0.0, -0.1), Vertex{});
  model.add_contact("tip_on_floor", tip, floor, {.e = 0.2, .mu = 0.2});

  const ShapeId bore = model.add_shape("bore", planar_frame(ground, 3.0, 0.5), Ring{0.051});  // m
  const ShapeId pin = model.add_shape("pin", Frame{journal}, Disc{0.05});
  model.add_contact("bearing", pin, bore, {.e = 0.3, .mu = 0.1});
  return model;
}

Model shapes_in_space() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const auto body = [&](const char* name, double x, double z, double turn) {
    return model.add_rigid_body(name, {.mass = 1.0,
                                       .inertia = {0.004, 0.004, 0.004},
                                       .position = {x, 0.0, z},
                                       .velocity = {0.0, 0.1, 0.0},
                                       .angular_velocity = {turn, 0.2, 0.1}});
  };
  const BlockId ball = body("ball", 0.0, 0.12, 0.0), rod = body("rod", 1.0, 0.15, 0.5);
  const BlockId can = body("can", 2.0, 0.07, 0.3), brick = body("brick", 3.0, 0.09, 0.4);
  const BlockId probe = body("probe", 4.0, 0.05, 0.0), spool = body("spool", 5.0, 1.0, 0.2);
  const BlockId washer = body("washer", 6.0, 1.0, 0.2), marble = body("marble", 7.1, 0.12, 0.0);

  const ShapeId floor = model.add_shape("floor", Frame{ground}, HalfSpace{});

  const ShapeId sphere = model.add_shape("sphere", Frame{ball}, Sphere{0.1});  // m
  model.add_contact("ball_on_floor", sphere, floor, {.e = 0.5, .mu = 0.3});

  const ShapeId capsule = model.add_shape("capsule", Frame{rod}, Capsule{0.02, 0.1});  // radius, half segment, m
  model.add_contact("rod_on_floor", capsule, floor, {.e = 0.5, .mu = 0.3});

  const Frame lying{can, {0.0, 0.0, 0.0}, {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0}};  // 90 degrees about x
  const ShapeId cylinder = model.add_shape("cylinder", lying, Cylinder{0.05, 0.1});     // radius, half length, m
  model.add_contact("can_on_floor", cylinder, floor, {.e = 0.1, .mu = 0.3});

  const ShapeId walls = model.add_shape("walls", Frame{ground}, Channel{0.062});        // half width, m
  const ShapeId faces = model.add_shape("faces", Frame{brick}, Box{0.10, 0.06, 0.04});  // half edges, m
  model.add_contact("brick_in_channel", faces, walls, {.e = 0.1, .mu = 0.2});

  const ShapeId tip = model.add_shape("tip", Frame{probe, {0.0, 0.0, -0.03}}, Vertex{});
  model.add_contact("tip_on_floor", tip, floor, {.e = 0.1, .mu = 0.2});

  const ShapeId bush =
      model.add_shape("bush", Frame{ground, {5.0, 0.0, 1.0}}, Hole{0.0205, 0.05});           // radius, half length, m
  const ShapeId journal = model.add_shape("journal", Frame{spool}, Pin{0.02, 0.08, 0.051});  // ..., shoulder, m
  model.add_contact("spool_in_bush", journal, bush, {.e = 0.2, .mu = 0.1});

  const ShapeId tube = model.add_shape("tube", Frame{ground, {6.0, 0.0, 1.0}}, Hole{0.031});  // m, without ends
  const ShapeId edge = model.add_shape("edge", Frame{washer}, Rim{0.03});                     // m
  model.add_contact("washer_in_tube", edge, tube, {.e = 0.2, .mu = 0.1});

  const HeightField hills{.nx = 3, .ny = 2, .dx = 0.2, .dy = 0.4, .heights = {0.0, 0.02, 0.0, 0.01, 0.03, 0.0}};  // m
  const ShapeId terrain = model.add_shape("hills", Frame{ground, {7.0, -0.2, 0.0}}, hills);
  const ShapeId glass = model.add_shape("glass", Frame{marble}, Sphere{0.05});
  model.add_contact("marble_on_hills", glass, terrain, {.e = 0.4, .mu = 0.2});
  return model;
}

}  // namespace esc::docs
