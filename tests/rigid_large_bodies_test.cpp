// Bodies so heavy that the tolerance on momentum, 1e-10 N s, is below what doubles know of theirs.
#include <string>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

// A block of 9,600 t turns as it falls on a ball of 9.6 t and on the floor.
Model falling_block() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const ContactLaw law{.e = 0.2, .mu = 0.4};
  const ShapeId floor = model.add_shape("floor", {}, HalfSpace{});
  const Box box{10.0, 8.0, 6.0};
  RigidBody block = solid(box, 2500.0);
  block.position = {0.0, 0.0, 30.0};
  block.velocity = {3.0, -2.0, 0.0};
  block.angular_velocity = {0.4, 0.7, -0.3};
  const ShapeId skin = model.add_shape("block.skin", {model.add_rigid_body("block", block)}, box);
  RigidBody ball = solid(Sphere{1.0}, 2300.0);
  ball.position = {2.0, 1.0, 1.0};
  const ShapeId round = model.add_shape("ball.skin", {model.add_rigid_body("ball", ball)}, Sphere{1.0});
  model.add_contact("rest", skin, floor, law);
  model.add_contact("on the ball", skin, round, law);
  model.add_contact("ball on the floor", round, floor, law);
  return model;
}

TEST(LargeBodies, AHeavyBlockFallsAndLands) {
  const System system = compile(falling_block());
  for (const char* name : {"halve", "combined-projection", "direct-projected", "moreau-jean"}) {
    const auto scheme = make_scheme(name, system);
    State x = system.initial_state();
    const SimulateOptions options{.step = 2e-3, .until = 4.0};
    const RunReport report = simulate(*scheme, x, options);
    EXPECT_TRUE(report.ok() && report.certified_steps == report.steps) << summary(*scheme, options, report);
    EXPECT_LE(x.q[2], 15.0) << name;  // it has landed
  }
}

// The bound of rounding hides nothing else: a thousandth of a newton second of 3e7.
TEST(LargeBodies, AWrongVelocityIsSeen) {
  const System system = compile(falling_block());
  const auto scheme = make_scheme("moreau-jean", system);
  State x = system.initial_state();
  scheme->start(x);
  const State before = x;
  const StepReport step = scheme->step(x, 2e-3);
  ASSERT_TRUE(step.ok());
  EXPECT_TRUE(certify(system, before, x, *step.promise).ok());
  x.v[0] += 1e-10;  // m/s, of 9.6e6 kg
  const Certificate wrong = certify(system, before, x, *step.promise);
  const Finding& finding = wrong.findings[static_cast<std::size_t>(Check::momentum)];
  EXPECT_FALSE(finding.ok());
  EXPECT_NEAR(finding.value, 9.6e-4, 1e-4);
}

}  // namespace
}  // namespace esc
