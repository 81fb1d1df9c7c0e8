// Motors, gears, racks, screws, limits and user functions: exact motions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/constraint.hpp>
#include <escapement/models/frame_function.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {
namespace {

constexpr double pi = std::numbers::pi, infinity = std::numeric_limits<double>::infinity();
constexpr JointCoordinate angle = JointCoordinate::angle, slide = JointCoordinate::slide;

struct Hinge {
  BlockId body;
  JointId joint;
};

// A disc that turns about an axis through (x, 0, 0) along the z axis of the world.
Hinge disc_on_z(Model& model, const std::string& name, double x, double start = 0.0, double rate = 0.0) {
  const BlockId disc = model.add_rigid_body(name, {.mass = 1.0,
                                                   .inertia = {0.3, 0.3, 0.5},
                                                   .position = {x, 0, 0},
                                                   .rotation = turn({0, 0, 1}, start),
                                                   .angular_velocity = {0, 0, rate}});
  return {disc, model.add_joint(name + "_hinge", Revolute{}, Frame{ground, {x, 0, 0}}, Frame{disc})};
}
double angle_of(const State& x, int body) { return 2.0 * std::atan2(x.q[7 * body + 6], x.q[7 * body + 3]); }

TEST(Motors, AVelocityMotorTurnsAHingeAtItsRate) {
  Model model;
  const Hinge disc = disc_on_z(model, "disc", 0.0);
  const InputId rate = model.add_motor("drive", disc.joint, angle, Motor::velocity);
  const System system = compile(model);
  EXPECT_EQ(system.input("drive.velocity"), rate.index);
  const State x =
      run(system, 1e-2, 1.0, [&](State& state) { state.u[rate.index] = 2.0 * (state.t < 0.495 ? 1.0 : -3.0); });
  EXPECT_NEAR(x.v[5], -6.0, 1e-12);
  // Half a second at 2 rad/s, half at -6, and a step of the mean rate where it changes: at the start and the middle.
  EXPECT_NEAR(angle_of(x, 0), 0.5 * 2.0 - 0.5 * 6.0 - 1e-2 * 0.5 * 2.0 + 1e-2 * 0.5 * 8.0, 1e-10);
}

TEST(Motors, PositionMotorsFollowTheirFunctionOverManyTurns) {
  const auto spin = [](const auto& t) {
    using std::sin;
    return 9.0 * t + 0.5 * sin(4.0 * t);
  };
  const double start_rate = 11.0;
  for (const bool by_input : {false, true}) {
    Model model;
    const Hinge disc = disc_on_z(model, "disc", 0.0, 0.0, start_rate);
    if (!by_input) model.add_motor("drive", disc.joint, angle, position_motor(spin));
    if (by_input) {
      model.add_input("unrelated", 5.0);
      EXPECT_EQ(model.add_motor("drive", disc.joint, angle, Motor::position).index, 1);
      model.set_joint_tolerance(20.0);  // its rate is 0 until it is set
    }
    const System system = compile(model);
    const double h = 1e-3;
    const State x = run(system, h, 2.0, [&](State& state) {
      if (!by_input) return;
      const double t = state.t + h;
      state.u[system.input("drive.position")] = spin(t);
      state.u[system.input("drive.rate")] = 9.0 + 2.0 * std::cos(4.0 * t);
    });
    Here here(system);
    here.t = x.t;
    here.q = x.q;
    here.u = x.u;
    EXPECT_LT(std::abs(joints(system, here).g[system.joints()[system.joint("drive")].first_row]), 1e-5);
    EXPECT_NEAR(std::remainder(angle_of(x, 0) - spin(2.0), 2.0 * pi), 0.0, 1e-5);
    EXPECT_NEAR(x.v[5], 9.0 + 2.0 * std::cos(8.0), 1e-8);
  }
}

TEST(Motors, APositionInputStartsWhereTheJointIs) {
  Model model;
  const Hinge disc = disc_on_z(model, "disc", 0.0, 0.8);
  model.add_motor("drive", disc.joint, angle, Motor::position);
  const System system = compile(model);
  EXPECT_NEAR(system.initial_state().u[system.input("drive.position")], 0.8, 1e-15);
  EXPECT_EQ(system.initial_state().u[system.input("drive.rate")], 0.0);
}

TEST(Motors, ATorqueAcceleratesAndItsPowerIsTorqueTimesRate) {
  Model model;
  const Hinge disc = disc_on_z(model, "disc", 0.0, 0.0, 0.4);
  const InputId torque = model.add_motor("drive", disc.joint, angle, Motor::torque);
  const System system = compile(model);
  EXPECT_EQ(system.input("drive.torque"), torque.index);
  const State x = run(system, 1e-2, 1.0, [&](State& state) { state.u[torque.index] = 0.6; });
  EXPECT_NEAR(x.v[5], 0.4 + 0.6 / 0.5, 1e-12);
  EXPECT_NEAR(angle_of(x, 0), 0.4 + 0.5 * 0.6 / 0.5, 1e-10);
  Here here(system);
  here.v = x.v;
  here.u = x.u;
  EXPECT_NEAR(system.power(here.point()).applied, 0.6 * x.v[5], 1e-14);
}

// Energy of the second disc and torque come through the gear: J_a + ratio^2 J_b is what the torque turns.
TEST(Couplings, GearsTurnInTheRatioOfTheirTeeth) {
  for (const int teeth_b : {36, -36}) {
    Model model;
    const Hinge a = disc_on_z(model, "a", 0.0, 0.3), b = disc_on_z(model, "b", 1.0, -0.9);
    model.add_gear("mesh", a.joint, 12, b.joint, teeth_b);
    const InputId torque = model.add_motor("drive", a.joint, angle, Motor::torque);
    const System system = compile(model);
    const State x = run(system, 1e-2, 5.0, [&](State& state) { state.u[torque.index] = 1.0; });
    const double ratio = -12.0 / teeth_b;
    EXPECT_NEAR(x.v[11], ratio * x.v[5], 1e-10);
    EXPECT_NEAR(x.v[5], 5.0 / (0.5 + ratio * ratio * 0.5), 1e-9);
    EXPECT_GT(0.5 * 5.0 * x.v[5], 2.0 * pi);  // more than a turn
    EXPECT_NEAR(std::remainder(angle_of(x, 1) + 0.9 - ratio * (0.5 * 5.0 * x.v[5]), 2.0 * pi), 0.0, 1e-8);
    Here here(system);
    here.q = x.q;
    for (const double g : joints(system, here).g) EXPECT_LT(std::abs(g), 1e-8);
  }
}

TEST(Couplings, ARackMovesByRadiusTimesAngle) {
  const double radius = 0.2;
  Model model;
  const Hinge pinion = disc_on_z(model, "pinion", 0.0);
  const BlockId rod = model.add_rigid_body("rod", {.mass = 2.0, .position = {0.7, -0.2, 0}});
  const JointId rail = model.add_joint("rail", Prismatic{}, Frame{ground, {0, -0.2, 0}}, Frame{rod});
  model.add_rack("rack", pinion.joint, radius, rail);
  model.add_motor("drive", pinion.joint, angle, Motor::torque);
  const System system = compile(model);
  const State x = run(system, 1e-2, 4.0, [&](State& state) { state.u[0] = 1.0; });
  const double acceleration = 1.0 / (0.5 + 2.0 * radius * radius);
  EXPECT_NEAR(x.v[5], 4.0 * acceleration, 1e-9);
  EXPECT_NEAR(x.q[7] - 0.7, radius * 8.0 * acceleration, 1e-8);
  EXPECT_GT(8.0 * acceleration, 2.0 * pi);
}

TEST(Couplings, AScrewAdvancesByItsLead) {
  const double lead = 0.3;
  Model model;
  const BlockId nut = model.add_rigid_body("nut", {.mass = 2.0, .inertia = {0.3, 0.3, 0.5}});
  const JointId screw = model.add_joint("screw", Screw{lead}, Frame{}, Frame{nut});
  model.add_motor("drive", screw, angle, Motor::torque);
  const System system = compile(model);
  const State x = run(system, 1e-2, 4.0, [&](State& state) { state.u[0] = 1.0; });
  const double c = lead / (2.0 * pi), acceleration = 1.0 / (0.5 + 2.0 * c * c);
  EXPECT_NEAR(x.v[5], 4.0 * acceleration, 1e-9);
  EXPECT_NEAR(x.q[2], c * 8.0 * acceleration, 1e-8);
}

// A bead on the parabola y = x^2 / 2 under gravity. The scheme takes the wire's direction at the end of the step, so
// that the energy is kept to first order in h.
TEST(UserFunctions, ABeadStaysOnItsWireAndKeepsItsEnergy) {
  const double g = 9.81, start = 0.4, whole = g * 0.5 * start * start;
  const auto wire = [](const auto&, const auto* q) { return q[1] - 0.5 * q[0] * q[0]; };
  Model plain;
  const BlockId bead =
      plain.add_coordinates("bead", {"x", "y"}, masses_with_weight<2>(g), {start, 0.5 * start * start}, {0, 0});
  plain.add_joint("wire", {bead}, constraint<2>(wire));

  const auto frame_wire = [](const auto&, const auto& A, auto* row) {
    row[0] = A.p.y - 0.5 * A.p.x * A.p.x;
    row[1] = A.p.z;
  };
  Model spatial;
  spatial.set_gravity({0, -g, 0});
  const BlockId ball = spatial.add_rigid_body("ball", {.position = {start, 0.5 * start * start, 0}});
  spatial.add_joint("wire", std::vector<Frame>{Frame{ball}}, frame_function<2>(frame_wire));

  for (const Model* model : {&plain, &spatial}) {
    const System system = compile(*model);
    const auto lost_energy = [&](double h) {
      double farthest = 1.0;
      const State x = run(system, h, 3.0, [&](State& state) { farthest = std::min(farthest, state.q[0]); });
      EXPECT_NEAR(x.q[1], 0.5 * x.q[0] * x.q[0], 10.0 * h * h);
      EXPECT_NEAR(x.v[1], x.q[0] * x.v[0], 1e-8);
      EXPECT_NEAR(farthest, -start, 2.0 * h);  // it swings to the other side
      return whole - (0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1]) + g * x.q[1]);
    };
    const double coarse = lost_energy(2e-3), fine = lost_energy(1e-3);
    EXPECT_LT(std::abs(fine), 0.02 * whole);
    EXPECT_NEAR(coarse / fine, 2.0, 0.1);
  }
}

// A stop at +1 rad hit at rate 2 sends the disc back at rate -1, and one at -0.5 forwards again at rate 0.5.
TEST(Limits, ReboundWithRestitution) {
  Model model;
  const Hinge disc = disc_on_z(model, "disc", 0.0, 0.0, 2.0);
  model.add_limits("stops", disc.joint, angle, -0.5, 1.0, {.e = 0.5});
  const System system = compile(model);
  std::vector<double> rates;
  const State x = run(system, 1e-3, 4.0, [&](State& state) {
    if (rates.empty() || std::abs(rates.back() - state.v[5]) > 1e-9) rates.push_back(state.v[5]);
  });
  ASSERT_GE(rates.size(), 3u);
  EXPECT_NEAR(rates[1], -1.0, 1e-12);
  EXPECT_NEAR(rates[2], 0.5, 1e-12);
  EXPECT_EQ(x.contacts.size(), 0u);
}

// A slide that rests on its lower stop carries the weight; the other side is open.
TEST(Limits, CarryASlide) {
  const double h = 1e-3;
  Model model;
  model.set_gravity({-10.0, 0, 0});
  const BlockId box_on_rail = model.add_rigid_body("box", {.mass = 2.0, .position = {0.3, 0, 0}});
  const JointId rail = model.add_joint("rail", Prismatic{}, Frame{}, Frame{box_on_rail});
  model.add_limits("stop", rail, slide, 0.1, infinity, {});
  const System system = compile(model);
  const State x = run(system, h, 0.5);
  ASSERT_EQ(x.contacts.size(), 1u);
  EXPECT_EQ(x.contacts[0].key.feature, 0u);
  EXPECT_NEAR(x.v[0], 0.0, 1e-12);
  EXPECT_NEAR(x.q[0], 0.1, 3e-3);
  EXPECT_NEAR(std::hypot(x.contacts[0].P[0], x.contacts[0].P[1], x.contacts[0].P[2]), 20.0 * h, 1e-12);
}

// Limits beyond half a turn: the angle is measured from the middle between them. Gaps, rows and curvature.
TEST(Limits, GapsAreDistancesToTheStopsWithTheirDerivatives) {
  Model model;
  const Hinge disc = disc_on_z(model, "disc", 0.0, 4.0);
  model.add_limits("stops", disc.joint, angle, 0.5, 5.0, {});
  const BlockId arm = model.add_rigid_body("arm", box(0.3, 0.8)),
                slider = model.add_rigid_body("slider", box(1.4, -1.1));
  model.add_limits("ends", joint_at(model, "tube", Cylindrical{}, arm, slider), slide, -infinity, 0.2, {});
  const System system = compile(model);
  const auto evaluated = [&](const Here& here) {
    ContactSet set;
    system.detect(here.t, here.q, any_gap, set);
    system.evaluate(here.t, here.q, set);
    return set;
  };
  const ContactSet set = evaluated(Here(system));
  ASSERT_EQ(set.size(), 3);
  EXPECT_NEAR(set.contacts[0].gap, 3.5, 1e-14);
  EXPECT_NEAR(set.contacts[1].gap, 1.0, 1e-14);
  EXPECT_NEAR(set.contacts[2].gap, 0.2, 1e-14);
  EXPECT_EQ(system.contact_name(set.contacts[1].key), "stops#1");

  const Here here = anywhere(system, 0.1, 6);
  const auto rates = [&](const Here& there) {
    const ContactSet contacts = evaluated(there);
    Vector U(contacts.rows());
    for (const Contact& contact : contacts.contacts) velocity(contacts, contact, there.v, U.data() + contact.first_row);
    return U;
  };
  const auto gaps = [&](double s) {
    Vector g;
    for (const Contact& contact : evaluated(moved(system, here, here.v, s)).contacts) g.push_back(contact.gap);
    return g;
  };
  expect_near(rates(here), slope(gaps), 1e-8, "G v");
  Vector curvature(3);
  system.curvature(here.t, here.q, here.v, evaluated(here), curvature);
  expect_near(curvature, slope([&](double s) { return rates(moved(system, here, here.v, s)); }), 1e-8, "curvature");
}

}  // namespace
}  // namespace esc::testing
