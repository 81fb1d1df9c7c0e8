// The laws that the weights of a RateLaw say, on one impact of a ball with a floor, without forces.
#include <cmath>

#include <gtest/gtest.h>

#include <escapement/model.hpp>

#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {
namespace {

constexpr double e = 0.25, mu = 0.3, vx = 2.0, vz = -1.0, h = 1e-3;

// The velocities of the contact, normal and along the slip, after an impact with vz.
struct After {
  double normal = 0.0, along = 0.0;
};

After impact(RateLaw law, double slide) {
  Model model;
  RigidBody ball = solid(Sphere{0.1}, 1000.0);
  ball.position = {0.0, 0.0, 0.1 - 1e-9};
  ball.velocity = {slide, 0.0, vz};
  const ShapeId above = model.add_shape("skin", {model.add_rigid_body("ball", ball)}, Sphere{0.1});
  model.add_contact("touch", above, model.add_shape("floor", {ground}, HalfSpace{}), {.e = e, .mu = mu});
  const System system = compile(model);
  const State x = system.initial_state();
  Scratch scratch;
  ThetaStep motion(system, {.frame = FrameAt::begin}, scratch);
  VelocityContacts contacts(system, {.impulses = {}, .law = law}, {scratch, serial()});
  EXPECT_TRUE(motion.prepare(x, h, {}));
  motion.begin();
  system.detect(x.t, x.q, 0.0, contacts.set);
  EXPECT_EQ(contacts.set.size(), 1);
  contacts.begin_step(x);
  StepReport report;
  EXPECT_TRUE(motion.solve());
  EXPECT_TRUE(contacts.solve(motion, report));
  double U[3] = {};
  velocity(contacts.set, contacts.set.contacts[0], motion.v, U);
  const double* before = contacts.U_k.data();
  // Slip is measured along the slip before, which friction does not turn.
  return {U[0], slide == 0.0 ? 0.0 : (U[1] * before[1] + U[2] * before[2]) / std::hypot(before[1], before[2])};
}

TEST(RateLaw, SaysHowAnImpactEnds) {
  EXPECT_NEAR(impact({}, 0.0).normal, -e * vz, 1e-12) << "Newton";
  EXPECT_NEAR(impact({0.0, 1.0, 1.0}, 0.0).normal, -vz, 1e-12) << "mean velocities";
  EXPECT_NEAR(impact({0.0, 0.0, 0.0}, 0.0).normal, 0.0, 1e-12) << "compression";
}

// A slip that friction can stop: it ends (Newton, compression), or turns about (mean velocities: U + U_k = 0).
TEST(RateLaw, SaysHowASlipEnds) {
  EXPECT_NEAR(impact({}, 0.1).along, 0.0, 1e-12);
  EXPECT_NEAR(impact({0.0, 0.0, 0.0}, 0.1).along, 0.0, 1e-12);
  EXPECT_NEAR(impact({0.0, 1.0, 1.0}, 0.1).along, -0.1, 1e-12);
  EXPECT_NEAR(impact({0.0, 1.0, 0.0}, 0.1).along, 0.0, 1e-12);
}

// A slip that it cannot: 7/2 of the tangential impulse over the mass of a ball, mu (1 + r) |vz| with restitution r.
TEST(RateLaw, LeavesCoulombsBoundAsItIs) {
  EXPECT_NEAR(impact({}, vx).along, vx - 3.5 * mu * (1.0 + e) * -vz, 1e-12);
  EXPECT_NEAR(impact({0.0, 0.0, 0.0}, vx).along, vx - 3.5 * mu * -vz, 1e-12);
  EXPECT_NEAR(impact({0.0, 1.0, 1.0}, 3.0 * vx).along, 3.0 * vx - 3.5 * mu * 2.0 * -vz, 1e-12);
}

}  // namespace
}  // namespace esc
