#include "docs/code/mechanisms.hpp"

#include <cmath>

#include <escapement/models/line_force.hpp>

namespace esc::docs {

Model brick_and_ball() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  RigidBody body = solid(Box{0.10, 0.06, 0.04}, 2000.0);  // half edges, m; kg/m^3
  body.position = {0.0, 0.0, 0.3};
  body.rotation = {std::cos(0.1), std::sin(0.1), 0.0, 0.0};  // 0.2 rad about x
  const BlockId brick = model.add_rigid_body("brick", body);
  body = solid(Sphere{0.05}, 7800.0);
  body.position = {0.5, 0.0, 0.2};
  const BlockId ball = model.add_rigid_body("ball", body);

  const Material clay{.e = 0.1, .mu = 0.6}, steel{.e = 0.4, .mu = 0.15};
  model.add_shape("faces", Frame{brick}, Box{0.10, 0.06, 0.04}, clay);
  model.add_shape("sphere", Frame{ball}, Sphere{0.05}, steel);
  model.add_shape("floor", Frame{ground}, HalfSpace{}, clay);
  model.add_contacts(Combination::geometric_mean, Combination::minimum);  // three pairs: "faces/sphere", ...
  return model;
}

Model door() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  RigidBody panel = solid(Box{0.4, 0.02, 1.0}, 600.0);
  panel.position = {0.4, 0.0, 1.0};
  const BlockId leaf = model.add_rigid_body("leaf", panel);

  const Frame low{ground, {0.0, 0.0, 0.2}}, high{ground, {0.0, 0.0, 1.8}};  // the axis is z of the frames
  const JointId hinge = model.add_joint("hinge", Revolute{}, low, model.frame_at(leaf, low.position));
  model.add_joint("upper hinge", Revolute{}, high, model.frame_at(leaf, high.position));
  model.add_joint_spring("closer", hinge, JointCoordinate::angle,
                         {.stiffness = 15.0, .damping = 20.0, .rest = 1.2});      // N m/rad, N m s/rad, rad
  model.add_limits("stop", hinge, JointCoordinate::angle, 0.0, 1.0, {.e = 0.1});  // rad
  return model;
}

Model gearbox() {
  Model model;
  const BlockId pinion = model.add_planar_body("pinion", {.mass = 0.1, .inertia = 1e-5});
  const BlockId wheel = model.add_planar_body("wheel", {.mass = 0.9, .inertia = 8e-4, .pose = {0.08, 0.0, 0.0}});
  const JointId fast = model.add_joint("fast shaft", Revolute{}, Frame{ground}, Frame{pinion});
  const JointId slow = model.add_joint("slow shaft", Revolute{}, Frame{ground, {0.08, 0.0, 0.0}}, Frame{wheel});
  model.add_gear("mesh", fast, 20, slow, 60);
  model.add_motor("drive", fast, JointCoordinate::angle, Motor::velocity);  // adds the input "drive.velocity", rad/s
  return model;
}

Model slider_crank() {
  Model model;
  model.set_assembly(Assembly::project);  // the poses below are good to a centimetre only
  const BlockId crank = model.add_planar_body("crank", {.mass = 0.2, .inertia = 2e-4, .pose = {0.05, 0.0, 0.0}});
  const BlockId rod = model.add_planar_body("rod", {.mass = 0.4, .inertia = 3e-3, .pose = {0.25, 0.01, 0.0}});
  const BlockId slider = model.add_planar_body("slider", {.mass = 0.5, .inertia = 1e-3, .pose = {0.39, 0.0, 0.0}});
  const JointId pivot = model.add_joint("pivot", Revolute{}, Frame{ground}, planar_frame(crank, -0.05, 0.0));
  model.add_joint("crank pin", Revolute{}, planar_frame(crank, 0.05, 0.0), planar_frame(rod, -0.15, 0.0));
  model.add_joint("slider pin", Revolute{}, planar_frame(rod, 0.15, 0.0), Frame{slider});
  model.add_joint("guide", Prismatic{}, Frame{ground}, Frame{slider});  // along x of the first frame
  model.add_motor("crank drive", pivot, JointCoordinate::angle, position_motor([](const auto& t) {
                    using std::sin;
                    return 10.0 * t + 0.2 * sin(5.0 * t);  // rad
                  }));
  return model;
}

Model hanging() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const auto at = [](double x) {
    return RigidBody{.mass = 2.0, .inertia = {0.01, 0.01, 0.01}, .position = {x, 0, -1}};
  };
  const BlockId lamp = model.add_rigid_body("lamp", at(0.0));
  const BlockId bucket = model.add_rigid_body("bucket", at(1.0));
  const BlockId engine = model.add_rigid_body("engine", at(2.0));

  model.add_spring("spring", Frame{ground}, Frame{lamp}, {.stiffness = 200.0, .damping = 20.0, .length = 0.8});

  const auto rope = [](const auto&, const auto& length, const auto& rate, const double*) {
    using std::max;
    return max(900.0 * (length - 1.1) + 40.0 * rate, 0.0);  // N; it pulls and never pushes
  };
  model.add_force("rope", {Frame{ground, {1.0, 0.0, 0.0}}, Frame{bucket}},
                  line_force(rope, {.kind = ForceKind::applied}));

  model.add_bushing("mount", Frame{ground, {2.0, 0.0, -1.0}}, Frame{engine},
                    diagonal_bushing({5e4, 5e4, 2e4, 300.0, 300.0, 300.0},    // N/m, N m/rad
                                     {200.0, 200.0, 200.0, 1.0, 1.0, 1.0}));  // N s/m, N m s/rad
  return model;
}

DoorReadings read_door(const System& system, const State& x) {
  const int hinge = system.joint("hinge");
  const double weight = system.reaction(x, hinge).force[2];                        // N, on the leaf, along z of A
  const double angle = system.joint_coordinate(x, hinge, JointCoordinate::angle);  // rad
  const ContactRecord* stop = find(x, system.contact_key("stop", 1));              // 1: the upper limit
  const double moment = stop ? stop->P[0] / x.h : 0.0;                             // N m; no record: not active
  return {weight, angle, moment};
}

bool run_up(Scheme& scheme, State& x) {
  const int drive = scheme.system().input("drive.velocity");
  scheme.start(x);
  for (int k = 1; k <= 1000; ++k) {
    x.u[drive] = 0.06 * k;  // rad/s, for the whole step
    if (!scheme.step(x, 1e-3).ok()) return false;
  }
  return true;
}

}  // namespace esc::docs
