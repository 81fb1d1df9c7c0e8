// Every joint row: G, g_t, curvature and stiffness against differences.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/constraint.hpp>
#include <escapement/models/frame_function.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/row_changes.hpp"

namespace esc::testing {
namespace {

constexpr JointCoordinate angle = JointCoordinate::angle, slide = JointCoordinate::slide;

void expect_derivatives(const Model& model, double away) {
  const System system = compile(model);
  for (unsigned seed = 1; seed < 4; ++seed) {
    Here here = anywhere(system, away, 10 * seed);
    here.t = 0.3 * seed;
    expect_joint_derivatives(system, here);
    expect_joint_changes(system, here);
  }
}

TEST(JointRows, OfAllStandardJointsHaveTheirDerivatives) {
  const std::array<JointType, 8> types{Spherical{}, Revolute{},    Prismatic{}, Cylindrical{},
                                       Universal{}, PlanarJoint{}, Fixed{},     Screw{0.05}};
  for (const JointType& type : types) {
    for (const bool to_ground : {false, true}) {
      SCOPED_TRACE(type.index());
      Model model;
      model.set_joint_tolerance(1.0);  // the axes x of A and y of B are not perpendicular in a universal joint
      const BlockId a = model.add_rigid_body("a", box(0.3, 0.8));
      const BlockId b = to_ground ? ground : model.add_rigid_body("b", box(1.4, -1.1));
      joint_at(model, "joint", type, a, b);
      expect_derivatives(model, 0.1);
    }
  }
  Model model;
  const BlockId a = model.add_rigid_body("a", box(0.3, 0.8)), b = model.add_rigid_body("b", box(1.4, -1.1));
  model.set_assembly(Assembly::project);
  model.add_joint("rod", Distance{1.2}, {a, {0.1, 0.2, 0.3}}, {b, {-0.2, 0.0, 0.1}});
  expect_derivatives(model, 0.1);
}

TEST(JointRows, OfMotorsHaveTheirDerivatives) {
  const auto law = [](const auto& t) {
    using std::sin;
    return 0.4 * t * t + 0.1 * sin(3.0 * t);
  };
  for (const auto& [type, coordinate] : {std::pair<JointType, JointCoordinate>{Revolute{}, angle},
                                         {Cylindrical{}, slide},
                                         {Prismatic{}, slide},
                                         {Screw{0.1}, angle}}) {
    Model by_input, by_function;
    by_function.set_joint_tolerance(1.0);
    for (Model* model : {&by_input, &by_function}) {
      const BlockId a = model->add_rigid_body("a", box(0.3, 0.8)), b = model->add_rigid_body("b", box(1.4, -1.1));
      const JointId joint = joint_at(*model, "joint", type, a, b);
      if (model == &by_input) model->add_motor("motor", joint, coordinate, Motor::position);
      if (model == &by_function) model->add_motor("motor", joint, coordinate, position_motor(law));
      expect_derivatives(*model, 0.1);
    }
  }
}

TEST(JointRows, OfAVelocityMotorAreTheRateOfItsCoordinate) {
  for (const auto& [type, coordinate] :
       {std::pair<JointType, JointCoordinate>{Revolute{}, angle}, {Prismatic{}, slide}}) {
    const auto build = [&, kind = coordinate, joint_type = type](Motor motor) {
      Model model;
      const BlockId a = model.add_rigid_body("a", box(0.3, 0.8)), b = model.add_rigid_body("b", box(1.4, -1.1));
      model.add_motor("motor", joint_at(model, "joint", joint_type, a, b), kind, motor);
      return compile(model);
    };
    const System by_velocity = build(Motor::velocity), by_position = build(Motor::position);
    Here here = anywhere(by_velocity, 0.1, 3), same = anywhere(by_position, 0.1, 3);
    here.u[by_velocity.input("motor.velocity")] = same.u[by_position.input("motor.rate")] = 0.37;
    expect_near(joint_velocities(by_velocity, here), joint_velocities(by_position, same), 1e-15, "U");
    const Joint& motor = by_velocity.joints()[by_velocity.joint("motor")];
    EXPECT_FALSE(motor.position);
    EXPECT_EQ(joints(by_velocity, here).g[motor.first_row], 0.0);
    Vector one(by_velocity.joint_rows()), two(by_position.joint_rows());
    by_velocity.joint_curvature(here.point(), one);
    by_position.joint_curvature(same.point(), two);
    expect_near(one, two, 1e-15, "curvature");
  }
}

// Two joints on a common carrier, so that a body stands twice among the columns.
TEST(JointRows, OfGearsAndRacksHaveTheirDerivatives) {
  Model model;
  const BlockId carrier = model.add_rigid_body("carrier", box(0.3, 0.8));
  const BlockId sun = model.add_rigid_body("sun", box(1.4, -1.1)),
                planet = model.add_rigid_body("planet", box(0.8, 2.0));
  const BlockId rod = model.add_rigid_body("rod", box(-0.5, 0.2));
  const JointId one = joint_at(model, "one", Revolute{}, carrier, sun);
  const JointId two = joint_at(model, "two", Cylindrical{}, carrier, planet);
  const JointId rail = joint_at(model, "rail", Prismatic{}, carrier, rod);
  model.add_gear("gear", one, 17, two, 40);
  model.add_rack("rack", two, 0.07, rail);
  expect_derivatives(model, 0.05);
}

TEST(JointRows, OfUserFunctionsHaveTheirDerivatives) {
  const auto two_rows = [](const auto& t, const auto& A, const auto& B, auto* g) {
    using std::exp;
    using std::sin;
    const auto d = B.p - A.p;
    g[0] = dot(A.R.x, B.R.y) * d.x + sin(d.z) * t;
    g[1] = exp(0.3 * dot(d, A.R.z)) + dot(cross(A.R.y, B.R.x), d) - t * t * A.p.x;
  };
  const auto one_row = [](const auto& t, const auto& A) { return A.p.x * A.p.y + A.R.z.x * (1.0 + t); };
  const auto pair_row = [](const auto&, const auto& A, const auto& B) { return dot(A.p - B.p, A.R.x + B.R.z); };
  for (const bool to_ground : {false, true}) {
    Model model;
    model.set_joint_tolerance(100.0);
    const Frame a{model.add_rigid_body("a", box(0.3, 0.8)), {0.1, 0.3, -0.2}, turn({1, 1, 0}, 0.4)};
    Frame b{ground, {1.0, 2.0, 0.4}, turn({0, 1, 1}, 0.7)};
    if (!to_ground) b = {model.add_rigid_body("b", box(1.4, -1.1)), {0.2, -0.1, 0.5}, turn({0, 1, 1}, 0.7)};
    model.add_joint("two_rows", {a, b}, frame_function<2>(two_rows));
    model.add_joint("swapped", {b, a}, frame_function<2>(two_rows));
    model.add_joint("one_row", std::vector<Frame>{a}, frame_function(one_row));
    model.add_joint("pair_row", {a, b}, frame_function(pair_row));
    expect_derivatives(model, 0.2);
  }
  Model model;
  model.set_joint_tolerance(100.0);
  const Frame a = planar_frame(model.add_planar_body("a", {1.0, 0.5, {0.3, 0.2, 0.4}, {}}), 0.2, 0.1, 0.3);
  const Frame b = planar_frame(model.add_planar_body("b", {2.0, 0.3, {1.3, 0.7, -0.4}, {}}), -0.2, 0.4, 0.1);
  model.add_joint("one_row", std::vector<Frame>{b}, frame_function(one_row));
  model.add_joint("pair_row", {a, b}, frame_function(pair_row));
  expect_derivatives(model, 0.2);
}

TEST(JointRows, OfConstraintsHaveTheirDerivatives) {
  Model model;
  model.set_joint_tolerance(100.0);
  const BlockId one = model.add_coordinates("one", {"a", "b"}, masses_with_weight<2>(0.0), {0.1, 0.2}, {0.0, 0.0});
  const BlockId two =
      model.add_coordinates("two", {"a", "b", "c"}, masses_with_weight<3>(0.0), {0.1, 0.2, 0.3}, {0.0, 0.0, 0.0});
  const auto rows = [](const auto& t, const auto* q, auto* g) {
    using std::cos;
    g[0] = q[0] * q[1] + cos(q[2] - t);
    g[1] = q[2] * q[2] * q[0] + t * t * q[1];
  };
  model.add_joint("rows", {Coordinates(two, 1, 2), Coordinates(one, 0, 1)}, constraint<3, 2>(rows));
  model.add_joint("row", {one}, constraint<2>([](const auto&, const auto* q) { return q[0] * q[0] - q[1]; }));
  expect_derivatives(model, 0.5);
}

}  // namespace
}  // namespace esc::testing
