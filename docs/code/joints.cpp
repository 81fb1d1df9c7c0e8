#include <cmath>
#include <numbers>

#include <escapement/models/constraint.hpp>
#include <escapement/models/frame_function.hpp>

#include "docs/code/kinds.hpp"

namespace esc::docs {

namespace {

using Vector = std::array<double, 3>;

RigidBody body(const Vector& position, const Vector& velocity = {}, const Vector& angular_velocity = {}) {
  return {.mass = 2.0,
          .inertia = {0.02, 0.03, 0.04},
          .position = position,
          .velocity = velocity,
          .angular_velocity = angular_velocity};
}

}  // namespace

Model joints() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const BlockId arm = model.add_rigid_body("arm", body({0.3, 0.0, 0.0}));
  const BlockId door = model.add_rigid_body("door", body({1.4, 0.0, 0.0}, {0.0, 0.8, 0.0}, {0.0, 0.0, 2.0}));
  const BlockId handle = model.add_rigid_body("handle", body({1.7, 0.1, 0.0}, {-0.2, 1.4, 0.0}, {0.0, 0.0, 2.0}));
  const BlockId slider = model.add_rigid_body("slider", body({2.0, 0.0, 0.0}, {0.5, 0.0, 0.0}));
  const BlockId piston = model.add_rigid_body("piston", body({3.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 0.0, 5.0}));
  const BlockId shaft = model.add_rigid_body("shaft", body({4.0, 0.3, 0.0}));
  const BlockId puck = model.add_rigid_body("puck", body({5.0, 0.0, 0.0}, {0.3, 0.2, 0.0}, {0.0, 0.0, 4.0}));
  const BlockId bob = model.add_rigid_body("bob", body({6.5, 0.0, 0.0}));
  const double turns = 6.0 / (2.0 * std::numbers::pi);  // 1/s
  const BlockId nut = model.add_rigid_body("nut", body({7.0, 0.0, 0.0}, {0.0, 0.0, 0.05 * turns}, {0.0, 0.0, 6.0}));
  const BlockId car = model.add_rigid_body("car", body({8.0, 0.0, 0.1 * std::sin(8.0)}));
  const BlockId bead = model.add_planar_body("bead", {.pose = {0.5, 0.25, 0.0}, .velocity = {1.0, 1.0, 0.0}});

  model.add_joint("shoulder", Spherical{}, Frame{ground}, Frame{arm, {-0.3, 0.0, 0.0}});

  model.add_joint("hinge", Revolute{}, Frame{ground, {1.0, 0.0, 0.0}}, Frame{door, {-0.4, 0.0, 0.0}});

  model.add_joint("weld", Fixed{}, Frame{door, {0.3, 0.1, 0.0}}, Frame{handle});

  model.add_joint("guide", Prismatic{}, Frame{ground, {2.0, 0.0, 0.0}}, Frame{slider});

  model.add_joint("sleeve", Cylindrical{}, Frame{ground, {3.0, 0.0, 0.0}}, Frame{piston});

  model.add_joint("cross", Universal{}, Frame{ground, {4.0, 0.0, 0.0}}, Frame{shaft, {0.0, -0.3, 0.0}});

  model.add_joint("table", PlanarJoint{}, Frame{ground, {5.0, 0.0, 0.0}}, Frame{puck});

  model.add_joint("rod", Distance{0.5}, Frame{ground, {6.0, 0.0, 0.0}}, Frame{bob});

  model.add_joint("spindle", Screw{0.05}, Frame{ground, {7.0, 0.0, 0.0}}, Frame{nut});

  model.add_joint("track", {Frame{car}}, frame_function([](const auto&, const auto& A) {
                    using std::sin;
                    return A.p.z - 0.1 * sin(A.p.x);
                  }));

  model.add_joint("wire", {Coordinates(bead, 0, 2)},  // x and y
                  constraint<2>([](const auto&, const auto* q) { return q[1] - q[0] * q[0]; }));
  return model;
}

}  // namespace esc::docs
