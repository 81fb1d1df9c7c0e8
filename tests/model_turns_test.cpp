// Springs and limits on angles that go beyond half a turn: between planar bodies turns count, by exact motions.
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/simulate.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {
namespace {

constexpr double pi = std::numbers::pi, infinity = std::numeric_limits<double>::infinity();
constexpr JointCoordinate angle = JointCoordinate::angle;
constexpr double inertia = 0.5;

struct Wheel {
  BlockId body;
  JointId hinge;
};

// On ground, its angle counted about z or, with the frames turned over, about -z.
Wheel wheel(Model& model, double phi, double rate = 0.0, bool turned_over = false) {
  const BlockId body =
      model.add_planar_body("wheel", {.mass = 1.0, .inertia = inertia, .pose = {0, 0, phi}, .velocity = {0, 0, rate}});
  const auto axes = turned_over ? turn({1, 0, 0}, pi) : turn({1, 0, 0}, 0.0);
  return {body, model.add_joint("hinge", Revolute{}, Frame{ground, {}, axes}, Frame{body, {}, axes})};
}

// phi = rest + (start - rest) cos(omega t), through more than a turn to either side of rest.
TEST(Turns, ASpringIsWoundAsFarAsItIsTurned) {
  const double stiffness = 2.0, omega = std::sqrt(stiffness / inertia);
  for (const bool turned_over : {false, true})
    for (const double rest : {-4.0, 9.0}) {
      Model model;
      const Wheel w = wheel(model, 1.0, 0.0, turned_over);
      model.add_joint_spring("spring", w.hinge, angle, {.stiffness = stiffness, .rest = rest});
      const System system = compile(model);
      const double to = turned_over ? -rest : rest;
      EXPECT_NEAR(system.energy(Here(system).point()).potential, 0.5 * stiffness * (1.0 - to) * (1.0 - to), 1e-12);
      double worst = 0.0;
      const double h = 1e-3;
      run(system, h, 4.0,
          [&](State& x) { worst = std::max(worst, std::abs(x.q[2] - (to + (1.0 - to) * std::cos(omega * x.t)))); });
      EXPECT_LT(worst, 20.0 * h);  // of an amplitude of ten
    }
}

// A wheel under a constant torque meets its stop at 10 rad, more than a turn away, and comes back by e.
TEST(Turns, AStopBeyondATurnIsMetThere) {
  const double torque = 3.0, stop = 10.0, e = 0.5, rate = torque / inertia;
  for (const bool turned_over : {false, true}) {
    Model model;
    const Wheel w = wheel(model, 0.0, 0.0, turned_over);
    const InputId input = model.add_motor("drive", w.hinge, angle, Motor::torque);
    model.add_limits("stop", w.hinge, angle, -infinity, stop, {.e = e});
    const System system = compile(model);
    const double sense = turned_over ? -1.0 : 1.0, h = 1e-4, meets = std::sqrt(2.0 * stop / rate);
    CombinedProjection scheme(system);
    State x = system.initial_state();
    x.u[input.index] = torque;
    ASSERT_TRUE(simulate(scheme, x, {.step = h, .until = meets - 2.0 * h}).ok());
    EXPECT_NEAR(sense * x.q[2], 0.5 * rate * x.t * x.t, 1e-9);
    const RunReport report = simulate(scheme, x, {.step = h, .until = meets + 3.0 * h});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.impacts, 1);
    EXPECT_NEAR(sense * x.v[2], -e * rate * meets, 3.0 * rate * h);
  }
}

// What never meets its only stop moves as if there were none, whatever the distance.
TEST(Turns, AStopThatIsNeverMetDoesNothing) {
  Model model;
  const Wheel w = wheel(model, 0.0, 40.0);
  model.add_limits("stop", w.hinge, angle, -0.1, infinity, {.e = 1.0});
  const System system = compile(model);
  CombinedProjection scheme(system);
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1e-3, .until = 1.0});
  ASSERT_TRUE(report.ok() && report.certified());
  EXPECT_NEAR(x.q[2], 40.0, 1e-11);
  EXPECT_EQ(report.max_penetration, 0.0);
}

// Two limits: phi may be written whole turns away, as before in space.
TEST(Turns, AStartBetweenTwoLimitsMayBeWrittenWholeTurnsAway) {
  for (const double phi : {4.0, 4.0 - 2.0 * pi, 4.0 + 4.0 * pi}) {
    Model model;
    const Wheel w = wheel(model, phi);
    model.add_limits("stops", w.hinge, angle, 0.5, 5.0, {});
    const System system = compile(model);
    ContactSet set;
    system.detect(0.0, system.initial_state().q, any_gap, set);
    ASSERT_EQ(set.size(), 2);
    EXPECT_NEAR(set.contacts[0].gap, 3.5, 1e-14);
    EXPECT_NEAR(set.contacts[1].gap, 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace esc::testing
