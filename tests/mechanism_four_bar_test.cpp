// A four-bar linkage in space is overconstrained: 18 velocities, 20 joint rows of rank 17. It must move as the planar
// one does, and its reactions out of the plane must be those of least norm.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "examples/four_bar.hpp"
#include "tests/support/least_norm.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::FourBar;

constexpr std::array<const char*, 3> bodies{"crank", "coupler", "rocker"};

TEST(FourBarInSpace, RankAndNamesOfItsRedundantJoints) {
  const System system = compile(FourBar{}.spatial_model());
  EXPECT_EQ(system.nv(), 18);
  EXPECT_EQ(system.joint_rows(), 20);
  EXPECT_EQ(joint_rank(system, system.initial_state()), 17);
  EXPECT_EQ(system.components()[0].deficiency, 3);
  ASSERT_EQ(system.warnings().size(), 1u);
  const std::string& text = system.warnings()[0];
  EXPECT_NE(text.find("20 rows of rank 17 on 18 velocities"), std::string::npos) << text;
  const bool named = std::any_of(system.joint_names().begin(), system.joint_names().end(),
                                 [&](const std::string& name) { return text.find("'" + name + "'") != text.npos; });
  EXPECT_TRUE(named) << text;
  EXPECT_TRUE(compile(FourBar{}.planar_model()).warnings().empty());
}

struct Pose {
  double x, y, angle;
};
Pose in_plane(const System& system, const State& x, const std::string& body) {
  return {x.q[system.coordinate(body + ".x")], x.q[system.coordinate(body + ".y")],
          x.q[system.coordinate(body + ".phi")]};
}
Pose in_space(const System& system, const State& x, const std::string& body) {
  return {x.q[system.coordinate(body + ".x")], x.q[system.coordinate(body + ".y")],
          2.0 * std::atan2(x.q[system.coordinate(body + ".qz")], x.q[system.coordinate(body + ".qw")])};
}

// A free turn: round-off is all that may tell the two apart, and no reaction is out of the plane.
TEST(FourBarInSpace, MovesAsThePlanarOneDoes) {
  const System flat = compile(FourBar{}.planar_model()), full = compile(FourBar{}.spatial_model());
  MoreauJean flat_scheme(flat, {.tol = 1e-13}), full_scheme(full, {.tol = 1e-13});
  State x = flat.initial_state(), y = full.initial_state();
  flat_scheme.start(x);
  full_scheme.start(y);
  const double h = 1e-3;
  const int steps = 1000;
  double apart = 0.0, out_of_plane = 0.0, reactions = 0.0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(flat_scheme.step(x, h).ok());
    ASSERT_TRUE(full_scheme.step(y, h).ok());
    for (const std::string body : bodies) {
      const Pose a = in_plane(flat, x, body), b = in_space(full, y, body);
      const double turned = std::remainder(a.angle - b.angle, 2.0 * std::numbers::pi);
      apart = std::max({apart, std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(turned)});
      for (const char* name : {".z", ".qx", ".qy"})
        out_of_plane = std::max(out_of_plane, std::abs(y.q[full.coordinate(body + name)]));
    }
    for (const Joint& joint : full.joints())
      for (int row = 2; row < 5; ++row)
        reactions = std::max(reactions, std::abs(y.joint_impulse[joint.first_row + row]));
  }
  EXPECT_LT(apart, 1e-15 * steps);
  EXPECT_LT(out_of_plane, 1e-15);
  EXPECT_LT(reactions, 1e-15);
}

// Gravity askew of the plane, so that the joints must carry forces and moments out of it. Returns the largest
// difference of a reaction from the one of least norm, over the largest reaction.
double relative_off(const FourBar& data, double h, const MoreauJeanOptions& options) {
  const System system = compile(data.spatial_model());
  MoreauJean scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  double off = 0.0, largest = 0.0;
  for (int k = 0; k < 50; ++k) {
    const State before = x;
    EXPECT_TRUE(scheme.step(x, h).ok());
    off = std::max(off, off_least_norm(system, before, x));
    for (const double impulse : x.joint_impulse) largest = std::max(largest, std::abs(impulse) / h);
  }
  return off / largest;
}

constexpr std::array<double, 3> askew{1.0, -9.0, 3.0};

TEST(FourBarInSpace, ReactionsAtRestAreThoseOfLeastNorm) {
  const FourBar held{.gravity = askew, .rate = 0.0, .drive = FourBar::Drive::motor};
  EXPECT_LT(relative_off(held, 1e-3, {.tol = 1e-13}), 1e-11);
}

// Whatever the first iterate, whose frames are off by h or h^2.
TEST(FourBarInSpace, ReactionsInMotionAreThoseOfLeastNorm) {
  for (const FirstIterate first : {FirstIterate::printed, FirstIterate::extrapolated, FirstIterate::predicted})
    for (const double h : {1e-3, 1e-4})
      EXPECT_LT(relative_off({.gravity = askew}, h, {.first_iterate = first, .tol = 1e-13}), 1e-9);
}

// A turn and a bit of the driven linkage: joints that are kept at velocity level drift at second order.
TEST(FourBarDrift, IsOfSecondOrder) {
  const FourBar data{.drive = FourBar::Drive::motor};
  for (const bool spatial : {false, true}) {
    const System system = compile(spatial ? data.spatial_model() : data.planar_model());
    const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};
    std::vector<double> drift;
    for (const double h : steps) {
      MoreauJean scheme(system);
      State x = system.initial_state();
      x.u[system.input("drive.velocity")] = data.rate;
      const RunReport report = simulate(scheme, x, {.step = h, .until = 1.0});
      EXPECT_TRUE(report.certified()) << to_string(report.worst_check);
      drift.push_back(report.max_joint_drift);
    }
    EXPECT_NEAR(test::slope(steps, drift), 2.0, 0.05);
    EXPECT_LT(drift.back(), 1e-5 * data.base);
  }
}

// The same on a linkage that turns freely, whose speed depends on the step: the drift is below any multiple of h.
TEST(FourBarDrift, OfTheFreeLinkageVanishesFasterThanTheStep) {
  const System system = compile(FourBar{}.planar_model());
  double before = 1.0;
  for (const double h : {4e-3, 1e-3, 2.5e-4}) {
    MoreauJean scheme(system);
    State x = system.initial_state();
    const RunReport report = simulate(scheme, x, {.step = h, .until = 1.0});
    EXPECT_EQ(report.failed_certificates, 0) << to_string(report.worst_check);  // the longest step loses its energy
    EXPECT_LT(report.max_joint_drift / h, 0.6 * before);
    before = report.max_joint_drift / h;
  }
}

}  // namespace
}  // namespace esc::testing
