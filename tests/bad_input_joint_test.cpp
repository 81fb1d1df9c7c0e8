// Bad input to joints and bodies in space is refused by name and number; initial states that miss their joints are
// refused with the size of the defect, or projected to the nearest state that fits, in the metric of the mass.
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <escapement/models/constraint.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/expect_refused.hpp"

namespace esc::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(BadJoint, QuaternionsThatAreNotOfUnitNorm) {
  const auto body = [](std::array<double, 4> rotation) {
    return [rotation](Model& m) { m.add_rigid_body("box", {.rotation = rotation}); };
  };
  expect_refused(body({0, 0, 0, 0}), "box", {"rotation is a quaternion of norm 0", "must be 1"});
  expect_refused(body({0.6, 0, 0, 0.6}), "box", {"rotation is a quaternion of norm 0.848"});
  expect_refused(body({1, 0, nan, 0}), "box", {"rotation[2] is nan", "must be finite"});
  const auto frame = [](std::array<double, 4> rotation) {
    return [rotation](Model& m) {
      m.add_joint("hinge", Revolute{}, Frame{}, Frame{m.add_rigid_body("box", {}), {0, 0, 0}, rotation});
    };
  };
  expect_refused(frame({0, 0, 0, 0}), "hinge", {"frame rotation is a quaternion of norm 0", "must be 1"});
  expect_refused(frame({infinity, 0, 0, 0}), "hinge", {"frame rotation[0] is inf"});
}

TEST(BadJoint, FramesThatCannotBeTied) {
  const auto joint = [](const Frame& a, const Frame& b) {
    return [a, b](Model& m) {
      m.add_rigid_body("box", {});
      m.add_planar_body("plate", {});
      m.add_coordinates("mass", {"x", "y"}, masses_with_weight<2>(0.0), {0, 0}, {0, 0});
      m.add_joint("hinge", Revolute{}, a, b);
    };
  };
  const BlockId box{0}, plate{1}, mass{2};
  expect_refused(joint({box}, {box, {1, 0, 0}}), "hinge", {"both frames sit on 'box'", "between two bodies"});
  expect_refused(joint({plate}, {plate}), "hinge", {"both frames sit on 'plate'"});
  expect_refused(joint({}, {}), "hinge", {"sit on ground"});
  expect_refused(joint({box}, {plate}), "hinge", {"one body is planar and the other in space"});
  expect_refused(joint({plate}, {box}), "hinge", {"one body is planar and the other in space"});
  expect_refused(joint({box}, {mass}), "hinge", {"'mass', which is not a body"});
  expect_refused(joint({box}, {BlockId{7}}), "hinge", {"body number 7 does not exist"});
  expect_refused(joint({box, {0, nan, 0}}, {}), "hinge", {"frame position[1] is nan"});
}

TEST(BadJoint, KindsAndTheirNumbers) {
  const auto in_plane = [](const JointType& type) {
    return [type](Model& m) { m.add_joint("tie", type, Frame{}, Frame{m.add_planar_body("plate", {})}); };
  };
  expect_refused(in_plane(Cylindrical{}), "tie", {"no cylindrical joint between planar bodies"});
  expect_refused(in_plane(Universal{}), "tie", {"no universal joint"});
  expect_refused(in_plane(PlanarJoint{}), "tie", {"no planar joint"});
  expect_refused(in_plane(Screw{}), "tie", {"no screw joint"});
  const auto in_space = [](const JointType& type) {
    return [type](Model& m) { m.add_joint("tie", type, Frame{}, Frame{m.add_rigid_body("box", {})}); };
  };
  for (const double length : {0.0, -1.0, nan, infinity})
    expect_refused(in_space(Distance{length}), "tie", {"the length is", "positive and finite"});
  for (const double lead : {0.0, nan, infinity}) expect_refused(in_space(Screw{lead}), "tie", {"the lead is"});
  expect_refused(in_space(Distance{1.0}), "tie", {"must be apart"});
}

TEST(BadJoint, NamesAndTolerances) {
  const auto named = [](const char* name) {
    return [name](Model& m) { m.add_joint(name, Revolute{}, Frame{}, Frame{m.add_rigid_body("box", {})}); };
  };
  expect_refused(named(""), "joint", {"name is empty"});
  expect_refused(named("box"), "box", {"used twice"});
  for (const double tolerance : {0.0, -1e-9, nan, infinity})
    expect_refused([tolerance](Model& m) { m.set_joint_tolerance(tolerance); }, "joint_tolerance", {"> 0 and finite"});
}

TEST(BadJoint, InertiaThatNoSolidHas) {
  expect_refused(
      [](Model& m) {
        m.add_rigid_body("box", {.inertia = {1.0, 1.0, 2.1}});
      },
      "box", {"larger than the sum of the other two", "allow_unphysical_inertia"});
  Model model;
  model.add_rigid_body("box", {.inertia = {1.0, 1.0, 2.1}, .allow_unphysical_inertia = true});
  model.add_rigid_body("disc", {.inertia = {1.0, 1.0, 2.0}});
  const System system = compile(model);
  ASSERT_EQ(system.warnings().size(), 1u);
  EXPECT_EQ(system.warnings()[0].rfind("box: ", 0), 0u) << system.warnings()[0];
}

TEST(BadJoint, StatesThatMissTheJoint) {
  const auto hinged = [](const RigidBody& body) {
    return [body](Model& m) {
      m.add_joint("hinge", Revolute{}, Frame{}, Frame{m.add_rigid_body("box", body), {-0.5, 0, 0}});
    };
  };
  expect_refused(hinged({.position = {0.75, 0, 0}}), "hinge",
                 {"initial positions miss the joint by 0.25 (m or rad)", "allowed is 1e-09", "assembly 'project'"});
  expect_refused(hinged({.position = {0.5, 0, 0}, .velocity = {0, 3, 0}}), "hinge",
                 {"initial velocities miss the joint by 3 (m/s or rad/s)", "allowed is 1e-09", "assembly 'project'"});
  // About the hinge at 2 rad/s, and about x, which the hinge forbids, at 0.125.
  expect_refused(hinged({.position = {0.5, 0, 0}, .velocity = {0, 1, 0}, .angular_velocity = {0.125, 0, 2}}), "hinge",
                 {"initial velocities miss the joint by 0.125"});
  // The worst of two joints is named.
  expect_refused(
      [](Model& m) {
        const BlockId a = m.add_planar_body("a", {}), b = m.add_planar_body("b", {});
        m.add_joint("near", Revolute{}, planar_frame(ground, 0.01, 0), planar_frame(a, 0, 0));
        m.add_joint("far", Revolute{}, planar_frame(a, 0, 0), planar_frame(b, 0, 0.5));
      },
      "far", {"miss the joint by 0.5"});
}

TEST(Assembly, WithinTheToleranceNothingMoves) {
  Model model;
  model.set_joint_tolerance(0.3);
  model.set_assembly(Assembly::project);
  const BlockId box_body = model.add_rigid_body("box", {.position = {0.75, 0, 0}, .velocity = {0.1, 0.2, 0.0}});
  model.add_joint("hinge", Revolute{}, Frame{}, Frame{box_body, {-0.5, 0, 0}});
  const System system = compile(model);
  const State& x = system.initial_state();
  EXPECT_EQ(x.q[0], 0.75);
  EXPECT_EQ(x.v[0], 0.1);
  // Nor is it passed over: the hinge is 0.75 - 0.5 m away from ground, and moves at 0.2 m/s.
  ASSERT_EQ(system.warnings().size(), 2u);
  EXPECT_NE(system.warnings()[0].find("initial positions miss the joint 'hinge' by 0.25"), std::string::npos);
  EXPECT_NE(system.warnings()[1].find("initial velocities miss the joint 'hinge' by 0.2"), std::string::npos);
}

double worst_residual(const System& system) {
  const Here here(system);
  double worst = 0.0;
  for (const double g : joints(system, here).g) worst = std::max(worst, std::abs(g));
  for (const double U : joint_velocities(system, here)) worst = std::max(worst, std::abs(U));
  return worst;
}

// Two bodies of mass 1 and 3 joined at their centres: the defect d divides as 3 to 1, in position and in velocity.
TEST(Assembly, ALighterBodyMovesMore) {
  for (const bool spatial : {false, true}) {
    Model model;
    model.set_assembly(Assembly::project);
    const BlockId light = spatial ? model.add_rigid_body("light", {.mass = 1.0, .velocity = {0, 2, 0}})
                                  : model.add_planar_body("light", {.mass = 1.0, .velocity = {0, 2, 0}});
    const BlockId heavy =
        spatial ? model.add_rigid_body("heavy", {.mass = 3.0, .position = {0.4, 0, 0}, .velocity = {0, -2, 0}})
                : model.add_planar_body("heavy", {.mass = 3.0, .pose = {0.4, 0, 0}, .velocity = {0, -2, 0}});
    model.add_joint("pin", Spherical{}, Frame{light}, Frame{heavy});
    const System system = compile(model);
    const State& x = system.initial_state();
    EXPECT_LT(worst_residual(system), 1e-12);
    for (const char* body : {"light", "heavy"}) {
      EXPECT_NEAR(x.q[system.coordinate(std::string(body) + ".x")], 0.3, 1e-12);
      EXPECT_NEAR(x.v[system.velocity(std::string(body) + (spatial ? ".vy" : ".y"))], -1.0, 1e-12);
    }
  }
}

// A rod pinned at a distance r from its centre, hit so that its pin moves at (a, b): the impulse that stops the pin is
// (-m a, -b / (1/m + r^2/J)), and it changes the spin by r times its second entry over J.
TEST(Assembly, VelocitiesAreStoppedByAnImpulseAtThePin) {
  const double m = 2.0, J = 0.3, r = 0.7, a = 0.4, b = -1.1;
  Model model;
  model.set_assembly(Assembly::project);
  const BlockId rod = model.add_planar_body("rod", {.mass = m, .inertia = J, .velocity = {a, b, 0.0}});
  model.add_joint("pin", Revolute{}, planar_frame(ground, r, 0.0), planar_frame(rod, r, 0.0));
  const System system = compile(model);
  const State& x = system.initial_state();
  const double P = -b / (1.0 / m + r * r / J);
  EXPECT_LT(worst_residual(system), 1e-12);
  EXPECT_NEAR(x.v[0], 0.0, 1e-12);
  EXPECT_NEAR(x.v[1], b + P / m, 1e-12);
  EXPECT_NEAR(x.v[2], r * P / J, 1e-12);
}

// Masses 1 and 4 along x and y on the parabola y = x^2 / 2. The nearest point satisfies M (q - q0) = G^T lambda:
// (x - x0) 1 = -x lambda, 4 (y - y0) = lambda.
TEST(Assembly, OnACurveThePointIsTheNearestInTheMetricOfTheMass) {
  const double x0 = 1.0, y0 = 0.9;
  const auto mass = [](double, const double*, MatrixView M) {
    M(0, 0) = 1.0;
    M(1, 1) = 4.0;
    M(0, 1) = M(1, 0) = 0.0;
  };
  const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = F[1] = 0.0; };
  Model model;
  model.set_assembly(Assembly::project);
  const BlockId bead = model.add_coordinates("bead", {"x", "y"}, lagrangian<2>(mass, no_force), {x0, y0}, {1.0, 0.0});
  model.add_joint("wire", {bead}, constraint<2>([](const auto&, const auto* q) { return q[1] - 0.5 * q[0] * q[0]; }));
  const System system = compile(model);
  const State& x = system.initial_state();
  EXPECT_LT(worst_residual(system), 1e-12);
  EXPECT_NEAR((x.q[0] - x0) + x.q[0] * 4.0 * (x.q[1] - y0), 0.0, 1e-10);
  // Velocity: (1, 0) less its part along M^-1 G^T, G = (-x, 1).
  const double lambda = x.q[0] / (x.q[0] * x.q[0] + 0.25);
  EXPECT_NEAR(x.v[0], 1.0 - x.q[0] * lambda, 1e-12);
  EXPECT_NEAR(x.v[1], 0.25 * lambda, 1e-12);
}

// Loops, redundant rows and turned bodies: the residuals vanish, at both levels.
TEST(Assembly, OfAClosedChainInSpace) {
  Model model;
  model.set_assembly(Assembly::project);
  std::array<BlockId, 3> body;
  for (int i = 0; i < 3; ++i) {
    RigidBody rod{.mass = 1.0 + i, .inertia = {0.01, 0.1, 0.1}, .position = {0.3 * i, 0.25, 0.01 * i}};
    rod.rotation = turn({0.01, 0.02, 1.0}, 1.2 - i);
    rod.velocity = {0.2, -0.1 * i, 0.05};
    rod.angular_velocity = {0.03, 0.02, 1.0 + i};
    body[i] = model.add_rigid_body("rod" + std::to_string(i), rod);
  }
  model.add_joint("a", Revolute{}, Frame{}, Frame{body[0], {-0.25, 0, 0}});
  model.add_joint("b", Revolute{}, Frame{body[0], {0.25, 0, 0}}, Frame{body[1], {-0.2, 0, 0}});
  model.add_joint("c", Revolute{}, Frame{body[1], {0.2, 0, 0}}, Frame{body[2], {-0.25, 0, 0}});
  model.add_joint("d", Revolute{}, Frame{body[2], {0.25, 0, 0}}, Frame{ground, {0.6, 0, 0}});
  const System system = compile(model);
  EXPECT_LT(worst_residual(system), 1e-12);
}

TEST(Assembly, JointsThatCannotFitAreRefused) {
  expect_refused(
      [](Model& m) {
        m.set_assembly(Assembly::project);
        const BlockId a = m.add_planar_body("a", {});
        m.add_joint("left", Revolute{}, planar_frame(ground, 0, 0), planar_frame(a, -1, 0));
        m.add_joint("right", Revolute{}, planar_frame(ground, 5, 0), planar_frame(a, 1, 0));
      },
      "right", {"do not fit together", "defect of"});
}

}  // namespace
}  // namespace esc::testing
