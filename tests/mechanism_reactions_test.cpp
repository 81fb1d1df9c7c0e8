// Joint reactions: joint_impulse / h against statics and Newton-Euler by hand, and the split among redundant supports
// against the one of least norm.
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "examples/four_bar.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/least_norm.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::FourBar;
using Plane = std::complex<double>;  // a vector of the plane

double cross(Plane a, Plane b) { return a.real() * b.imag() - a.imag() * b.real(); }
Plane direction(double angle) { return std::polar(1.0, angle); }

// Angles, rates and accelerations of crank, coupler and rocker, from the closure
//   l1 e^(i a1) + l2 e^(i a2) = base + l3 e^(i a3)  and its two derivatives.
struct Motion {
  std::array<double, 3> angle, rate, acceleration;
};

Motion motion(const FourBar& d, double crank_angle, double crank_rate) {
  Motion m{};
  m.angle[0] = crank_angle;
  m.rate[0] = crank_rate;
  const Plane pin = d.crank * direction(crank_angle), diagonal = d.base - pin;
  const double size = std::abs(diagonal);
  const double corner =  // by the law of cosines, at the crank pin
      std::acos((size * size + d.coupler * d.coupler - d.rocker * d.rocker) / (2.0 * size * d.coupler));
  m.angle[1] = std::arg(diagonal) + corner;
  m.angle[2] = std::arg(pin + d.coupler * direction(m.angle[1]) - d.base);

  const std::array<Plane, 3> rod{d.crank * direction(m.angle[0]), d.coupler * direction(m.angle[1]),
                                 d.rocker * direction(m.angle[2])};
  const auto solve = [&](Plane known) {  // x rod[1] - y rod[2] = known
    return std::array<double, 2>{cross(known, rod[2]) / cross(rod[1], rod[2]),
                                 cross(known, rod[1]) / cross(rod[1], rod[2])};
  };
  const auto [w2, w3] = solve(-m.rate[0] * rod[0]);
  m.rate[1] = w2;
  m.rate[2] = w3;
  const Plane central = -w2 * w2 * rod[1] + w3 * w3 * rod[2] - crank_rate * crank_rate * rod[0];
  const auto [a2, a3] = solve(Plane(0.0, 1.0) * central);
  m.acceleration[1] = a2;
  m.acceleration[2] = a3;
  return m;
}

// Forces that the second body of each joint feels, in the world, and the torque on the crank.
struct Reactions {
  Plane crank_pivot, crank_pin, rocker_pin, rocker_pivot;
  double torque;
};

// Newton and Euler of each rod: rocker about its pivot and coupler about the crank pin give the force at the rocker
// pin, the rest follows body by body.
Reactions by_hand(const FourBar& d, const Motion& m) {
  const Plane i(0.0, 1.0), gravity(d.gravity[0], d.gravity[1]);
  const std::array<double, 3> length{d.crank, d.coupler, d.rocker}, mass{d.m_crank, d.m_coupler, d.m_rocker};
  std::array<Plane, 3> rod, turn, inertial;  // rod: end to end; turn: acceleration of its end; inertial: m (a - g)
  std::array<double, 3> spin;                // J times angular acceleration
  for (int k = 0; k < 3; ++k) {
    rod[k] = length[k] * direction(m.angle[k]);
    turn[k] = (i * m.acceleration[k] - m.rate[k] * m.rate[k]) * rod[k];
    spin[k] = mass[k] * length[k] * length[k] / 12.0 * m.acceleration[k];
  }
  inertial[0] = mass[0] * (0.5 * turn[0] - gravity);
  inertial[1] = mass[1] * (turn[0] + 0.5 * turn[1] - gravity);
  inertial[2] = mass[2] * (0.5 * turn[2] - gravity);

  // rod[2] x f = rocker, rod[1] x f = -coupler.
  const double rocker = spin[2] + cross(0.5 * rod[2], inertial[2]);
  const double coupler = spin[1] + cross(0.5 * rod[1], inertial[1]);
  Reactions r{};
  r.rocker_pin = (rocker * rod[1] + coupler * rod[2]) / cross(rod[2], rod[1]);
  r.rocker_pivot = inertial[2] - r.rocker_pin;
  r.crank_pin = inertial[1] + r.rocker_pin;
  r.crank_pivot = inertial[0] + r.crank_pin;
  r.torque = spin[0] + cross(0.5 * rod[0], inertial[0]) + cross(rod[0], r.crank_pin);
  return r;
}

Plane force(const System& system, const State& x, const char* joint) {
  const double* P = x.joint_impulse.data() + system.joints()[system.joint(joint)].first_row;
  return Plane(P[0], P[1]) / x.h;
}

// The largest difference of a reaction from the one by hand, whose forces are turned into the axes of frame A.
double defect(const System& system, const State& x, const Motion& m, const Reactions& r) {
  double worst = 0.0;
  const auto see = [&](const char* joint, Plane wanted, double angle_of_A) {
    worst = std::max(worst, std::abs(force(system, x, joint) - wanted * direction(-angle_of_A)));
  };
  see("crank_pivot", r.crank_pivot, 0.0);
  see("crank_pin", r.crank_pin, m.angle[0]);
  see("rocker_pin", r.rocker_pin, m.angle[1]);
  see("rocker_pivot", r.rocker_pivot, 0.0);
  const double torque = x.joint_impulse[system.joints()[system.joint("drive")].first_row] / x.h;
  return std::max(worst, std::abs(torque - r.torque));
}

System plane(const FourBar& data) { return compile(data.planar_model()); }
System space(const FourBar& data) { return compile(data.spatial_model()); }

TEST(FourBarReactions, AtRestAreThoseOfStatics) {
  for (const double angle : {0.7, 2.0, 4.4}) {
    const FourBar data{.angle = angle, .rate = 0.0, .drive = FourBar::Drive::motor};
    const Motion m = motion(data, angle, 0.0);
    const Reactions r = by_hand(data, m);
    EXPECT_GT(std::abs(r.torque), 0.01);
    for (auto* make : {plane, space}) {
      const System system = make(data);
      const State x = run(system, 1e-2, 0.05, {}, {.tol = 1e-14});
      EXPECT_LT(defect(system, x, m, r), 1e-12);
      for (const double v : x.v) EXPECT_LT(std::abs(v), 1e-11);
    }
  }
}

// A turn and a bit at constant speed: the largest error of any reaction at any step. Impulses are taken in the frame
// of the end of the step, and so are the forces by hand.
double largest_defect(const FourBar& data, const System& system, double h) {
  double worst = 0.0, largest_force = 0.0;
  const auto see = [&](const State& x) {
    if (x.t == 0.0) return;
    const Motion m = motion(data, data.angle + data.rate * x.t, data.rate);
    const Reactions r = by_hand(data, m);
    worst = std::max(worst, defect(system, x, m, r));
    largest_force = std::max(largest_force, std::abs(r.crank_pin));
  };
  run(system, h, 0.6,
      [&](State& x) {
        x.u[system.input("drive.velocity")] = data.rate;
        see(x);
      },
      {.tol = 1e-13});
  return worst / largest_force;
}

TEST(FourBarReactions, AtConstantSpeedConvergeToInverseDynamics) {
  const FourBar data{.drive = FourBar::Drive::motor};
  for (auto* make : {plane, space}) {
    const System system = make(data);
    const std::vector<double> steps{2e-3, 1e-3, 5e-4, 2.5e-4};
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(largest_defect(data, system, h));
    EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.05);
    EXPECT_LT(errors.back(), 0.003);
  }
}

State one_step(const System& system, double h) {
  MoreauJean scheme(system, {.tol = 1e-14});
  State x = system.initial_state();
  scheme.start(x);
  EXPECT_TRUE(scheme.step(x, h).ok());
  return x;
}

// A door on two hinges along z, at z = -s and s, its centre of mass at a distance r from them. The weight divides
// evenly; its moment m g r is taken by forces +-X along x and by a moment c at each hinge, 2 s X + 2 c = m g r. The
// least X^2 + c^2 has X = s c.
TEST(RedundantSupports, ADoorOnTwoHinges) {
  const double s = 0.4, r = 0.35, m = 8.0, g = 9.81, h = 1e-2;
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  const BlockId door = model.add_rigid_body("door", {.mass = m, .inertia = {0.5, 0.6, 0.3}, .position = {r, 0.0, 0.0}});
  model.add_joint("low", Revolute{}, Frame{ground, {0, 0, -s}}, Frame{door, {-r, 0, -s}});
  model.add_joint("high", Revolute{}, Frame{ground, {0, 0, s}}, Frame{door, {-r, 0, s}});
  const System system = compile(model);
  EXPECT_EQ(system.components()[0].deficiency, 5);
  ASSERT_EQ(system.warnings().size(), 1u);
  EXPECT_NE(system.warnings()[0].find("10 rows of rank 5"), std::string::npos) << system.warnings()[0];

  const State x = one_step(system, h);
  const double c = m * g * r / (2.0 * (1.0 + s * s));
  const double* low = x.joint_impulse.data() + system.joints()[system.joint("low")].first_row;
  const double* high = x.joint_impulse.data() + system.joints()[system.joint("high")].first_row;
  // A unit multiplier of row x . z has the moment x cross z = -y on A, so y on the door. The weight's moment is y too.
  const Vector low_wanted{s * c, 0.0, 0.5 * m * g, -c, 0.0}, high_wanted{-s * c, 0.0, 0.5 * m * g, -c, 0.0};
  for (int row = 0; row < 5; ++row) {
    EXPECT_NEAR(low[row] / h, low_wanted[row], 1e-10) << row;
    EXPECT_NEAR(high[row] / h, high_wanted[row], 1e-10) << row;
  }
}

// A plate held by spherical joints at its four corners, the centre of mass off the middle: least squares divides the
// weight linearly, N_i = W (1/4 + e_x x_i / sum x^2 + e_y y_i / sum y^2).
TEST(RedundantSupports, APlateOnFourSphericalJoints) {
  const double a = 0.5, b = 0.3, ex = 0.1, ey = -0.07, W = 30.0, h = 1e-2;
  Model model;
  model.set_gravity({0.0, 0.0, -10.0});
  const BlockId plate =
      model.add_rigid_body("plate", {.mass = W / 10.0, .inertia = {0.2, 0.3, 0.4}, .position = {ex, ey, 0.0}});
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? -a : a, y = i < 2 ? -b : b;
    model.add_joint("leg" + std::to_string(i), Spherical{}, Frame{ground, {x, y, 0}},
                    Frame{plate, {x - ex, y - ey, 0}});
  }
  const System system = compile(model);
  EXPECT_EQ(system.components()[0].deficiency, 6);
  const State x = one_step(system, h);
  for (int i = 0; i < 4; ++i) {
    const double px = i % 2 == 0 ? -a : a, py = i < 2 ? -b : b;
    const double* P = x.joint_impulse.data() + system.joints()[system.joint("leg" + std::to_string(i))].first_row;
    EXPECT_NEAR(P[0] / h, 0.0, 1e-10);
    EXPECT_NEAR(P[1] / h, 0.0, 1e-10);
    EXPECT_NEAR(P[2] / h, W * (0.25 + ex * px / (4.0 * a * a) + ey * py / (4.0 * b * b)), 1e-10);
  }
}

// A frame hung on eight rods in general directions: what Eigen's orthogonal decomposition gives.
TEST(RedundantSupports, ABodyOnEightRods) {
  Model model;
  model.set_gravity({0.3, -1.0, -9.0});
  const BlockId body = model.add_rigid_body("body", {.mass = 3.0, .inertia = {0.2, 0.3, 0.4}});
  for (int i = 0; i < 8; ++i) {
    const Vector corner = random_vector(3, 0.5, 40 + i), far = random_vector(3, 2.0, 60 + i);
    const double length = std::hypot(corner[0] - far[0], corner[1] - far[1], corner[2] - far[2]);
    model.add_joint("rod" + std::to_string(i), Distance{length}, Frame{ground, {far[0], far[1], far[2]}},
                    Frame{body, {corner[0], corner[1], corner[2]}});
  }
  const System system = compile(model);
  EXPECT_EQ(system.components()[0].deficiency, 2);
  EXPECT_LT(off_least_norm(system, system.initial_state(), one_step(system, 1e-2)), 1e-9);
}

}  // namespace
}  // namespace esc::testing
