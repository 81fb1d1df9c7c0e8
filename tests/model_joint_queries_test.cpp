// What a joint tells at a state: its coordinates with their rates, and its reaction in its own axes.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/model.hpp>
#include <escapement/recorder.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

constexpr double weight = 2.0 * 9.81;  // N
constexpr double arm = 0.3;            // m

std::array<double, 4> turn_about_z(double angle) { return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)}; }

// A beam held by a fixed joint at the origin, its centre of mass at (arm, 0, 0), gravity along -y. The axes of the
// joint are turned by `angle` about z.
Model cantilever(double angle, bool beam_first) {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId beam = model.add_rigid_body("beam", {.mass = 2.0, .inertia = {0.1, 0.2, 0.2}, .position = {arm, 0, 0}});
  const Frame on_beam = model.frame_at(beam, {0, 0, 0}, turn_about_z(angle));
  const Frame on_ground = model.frame_at(ground, {0, 0, 0}, turn_about_z(angle));
  model.add_joint("root", Fixed{}, beam_first ? on_beam : on_ground, beam_first ? on_ground : on_beam);
  return model;
}

State after_some_steps(const System& system) {
  MoreauJean scheme(system);
  State x = system.initial_state();
  EXPECT_TRUE(simulate(scheme, x, {.step = 1e-3, .until = 0.01}).certified());
  return x;
}

TEST(Reaction, OfACantileverIsItsWeightAndMoment) {
  for (const double angle : {0.0, 0.4, 2.0})
    for (const bool beam_first : {false, true}) {
      const System system = compile(cantilever(angle, beam_first));
      const Reaction reaction = system.reaction(after_some_steps(system), system.joint("root"));
      const double sign = beam_first ? -1.0 : 1.0;  // what the joint exerts on B
      EXPECT_NEAR(reaction.force[0], sign * weight * std::sin(angle), 1e-9);
      EXPECT_NEAR(reaction.force[1], sign * weight * std::cos(angle), 1e-9);
      EXPECT_NEAR(reaction.force[2], 0.0, 1e-9);
      EXPECT_NEAR(reaction.moment[0], 0.0, 1e-9);
      EXPECT_NEAR(reaction.moment[1], 0.0, 1e-9);
      EXPECT_NEAR(reaction.moment[2], sign * weight * arm, 1e-9);
    }
}

TEST(Reaction, InThePlane) {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId beam = model.add_planar_body("beam", {.mass = 2.0, .inertia = 0.2, .pose = {arm, 0.0, 0.7}});
  model.add_joint("root", Fixed{}, {}, model.frame_at(beam, {0, 0, 0}));
  const System system = compile(model);
  const Reaction reaction = system.reaction(after_some_steps(system), system.joint("root"));
  EXPECT_NEAR(reaction.force[0], 0.0, 1e-9);
  EXPECT_NEAR(reaction.force[1], weight, 1e-9);
  EXPECT_NEAR(reaction.moment[2], weight * arm, 1e-9);
}

TEST(Reaction, BeforeTheFirstStepIsNone) {
  const System system = compile(cantilever(0.0, false));
  EXPECT_EQ(system.reaction(system.initial_state(), 0).force, (std::array<double, 3>{}));
}

// A disc that turns and slides along the axis of a cylindrical joint.
Model sleeve() {
  Model model;
  const BlockId disc = model.add_rigid_body(
      "disc",
      {.inertia = {0.1, 0.1, 0.2}, .position = {0, 0, 0.25}, .velocity = {0, 0, -0.5}, .angular_velocity = {0, 0, 3}});
  model.add_joint("axle", Cylindrical{}, {}, {.body = disc});
  return model;
}

TEST(JointCoordinates, AndRatesFollowTheMotion) {
  const System system = compile(sleeve());
  MoreauJean scheme(system);
  State x = system.initial_state();
  Recorder recorder(system);
  recorder.add_joint_coordinate(0, JointCoordinate::angle);
  recorder.add_joint_coordinate(0, JointCoordinate::slide);
  recorder.add_reaction(0);
  EXPECT_TRUE(simulate(scheme, x, {.step = 1e-2, .until = 1.5}, &recorder).certified());
  const double turned = std::remainder(4.5, 2.0 * std::numbers::pi);
  EXPECT_NEAR(system.joint_coordinate(x, 0, JointCoordinate::angle), turned, 1e-12);
  EXPECT_NEAR(system.joint_coordinate(x, 0, JointCoordinate::slide), 0.25 - 0.75, 1e-12);
  EXPECT_NEAR(system.joint_rate(x, 0, JointCoordinate::angle), 3.0, 1e-12);
  EXPECT_NEAR(system.joint_rate(x, 0, JointCoordinate::slide), -0.5, 1e-12);
  EXPECT_EQ(recorder.column("axle.angle").back(), system.joint_coordinate(x, 0, JointCoordinate::angle));
  EXPECT_EQ(recorder.column("axle.slide_rate").back(), system.joint_rate(x, 0, JointCoordinate::slide));
  EXPECT_NEAR(recorder.column("axle.force_x").back(), 0.0, 1e-9);
}

TEST(JointCoordinates, OfJointsThatHaveNoneAreRefused) {
  const System system = compile(cantilever(0.0, false));
  const State& x = system.initial_state();
  EXPECT_THROW(static_cast<void>(system.joint_coordinate(x, 0, JointCoordinate::angle)), ModelError);
  EXPECT_THROW(static_cast<void>(system.joint_rate(x, 0, JointCoordinate::slide)), ModelError);
  EXPECT_THROW(static_cast<void>(system.reaction(x, 7)), ModelError);
  EXPECT_THROW(static_cast<void>(system.joint("roof")), ModelError);
}

// Thrust along a world axis, off the centre of mass: m a = f, J dw/dt = r x f, and its work is counted as applied.
TEST(Wrench, MovesABodyByItsInputs) {
  Model model;
  const BlockId body = model.add_rigid_body("body", {.mass = 2.0, .inertia = {1, 1, 1}});
  model.add_wrench("thrust", {.body = body, .position = {0.1, 0, 0}});
  const System system = compile(model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  x.u[system.input("thrust.force_y")] = 4.0;
  x.u[system.input("thrust.moment_z")] = 0.2;
  const double h = 1e-6;  // the lever turns with the body
  const RunReport report = simulate(scheme, x, {.step = h, .until = 100 * h});
  EXPECT_NEAR(x.v[system.velocity("body.vy")], 4.0 / 2.0 * 100 * h, 1e-15);
  EXPECT_NEAR(x.v[system.velocity("body.wz")], (0.1 * 4.0 + 0.2) * 100 * h, 1e-12);
  EXPECT_NEAR(report.total[Work::applied], report.final.kinetic, 1e-15);
  EXPECT_GT(report.final.kinetic, 1e-8);
  EXPECT_THROW(model.add_wrench("wind", {}), ModelError);
}

// Two heavy tumbling bodies on a stiff spring: which tangents enter Mhat changes the way to the solution, not the
// solution.
TEST(TangentForms, LeadToTheSameMotion) {
  Model model;
  const BlockId a = model.add_rigid_body("a", {.inertia = {1, 2, 2.5}, .angular_velocity = {1, 4, 0.5}});
  const BlockId b =
      model.add_rigid_body("b", {.inertia = {2, 1, 2.5}, .position = {1, 0, 0}, .angular_velocity = {3, 0, 1}});
  model.add_spring("spring", {.body = a, .position = {0.2, 0.1, 0}}, {.body = b, .position = {0, 0.3, 0}},
                   {.stiffness = 1e4, .damping = 20.0, .length = 0.7});
  const System system = compile(model);
  const auto run = [&](TangentForm form) {
    MoreauJean scheme(system, {.tangents = form, .tol = 1e-12, .newton_max = 200});
    State x = system.initial_state();
    EXPECT_TRUE(simulate(scheme, x, {.step = 2e-3, .until = 1.0}).certified());
    return x;
  };
  const State exact = run(TangentForm::exact), semidefinite = run(TangentForm::semidefinite);
  for (int i = 0; i < system.nv(); ++i) EXPECT_NEAR(exact.v[i], semidefinite.v[i], 1e-7);
  EXPECT_GT(std::abs(exact.v[0]), 0.1) << "the bodies must have moved";
}

// A rod between two pins under compression buckles the exact tangent; potra's form stays positive semidefinite.
TEST(TangentForms, SemidefiniteKeepsItsSign) {
  Model model;
  const BlockId a = model.add_rigid_body("a", {.inertia = {1, 1, 1}});
  model.add_spring("strut", {.body = a}, {.position = {0, 0, 1}}, {.stiffness = 1e4, .length = 2.0});
  const System system = compile(model);
  const State& x = system.initial_state();
  const auto stiffness_across = [&](TangentForm form) {
    std::vector<double> A(system.tangent_size(), 0.0), scratch(system.scratch_size());
    system.add_tangent({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data(), form}, 1.0, 0.0, A, Part::all);
    return std::array<double, 2>{A[0], A[2 * 6 + 2]};
  };
  EXPECT_NEAR(stiffness_across(TangentForm::exact)[0], -1e4, 1e-6);  // k (1 - length / distance)
  EXPECT_NEAR(stiffness_across(TangentForm::semidefinite)[0], 0.0, 1e-9);
  EXPECT_NEAR(stiffness_across(TangentForm::exact)[1], 1e4, 1e-6);
  EXPECT_NEAR(stiffness_across(TangentForm::semidefinite)[1], 1e4, 1e-6);
}

}  // namespace
}  // namespace esc
