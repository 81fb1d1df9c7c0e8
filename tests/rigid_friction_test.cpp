// Coulomb friction in space against exact motions: a box on a slope in every direction, a ball that slips and rolls.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "examples/box_on_incline.hpp"
#include "examples/rolling_sphere.hpp"
#include "examples/rotations.hpp"
#include "tests/support/norms.hpp"
#include "tests/support/rigid_state.hpp"

namespace esc {
namespace {

using examples::BoxOnIncline;
using examples::RollingSphere;
using examples::turn;
using test::rigid_state;
using test::RigidState;

constexpr double below = -5e-10;  // m, a little below the surface: a gap of zero is a tie

template <class Observe>
State march(const Model& model, double h, int steps, Observe observe, const MoreauJeanOptions& options = {}) {
  const System system = compile(model);
  MoreauJean scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = scheme.step(x, h);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " in step " << k;
    if (!report.ok()) break;
    observe(static_cast<const State&>(x));
  }
  return x;
}

State march(const Model& model, double h, int steps, const MoreauJeanOptions& options = {}) {
  return march(
      model, h, steps, [](const State&) {}, options);
}

double largest(const std::vector<double>& v) {
  double worst = 0.0;
  for (const double value : v) worst = std::max(worst, std::abs(value));
  return worst;
}

// Slopes in 16 directions, the box turned by another angle each time.
std::vector<BoxOnIncline> inclines(double slope, double mu) {
  std::vector<BoxOnIncline> list;
  for (int k = 0; k < 16; ++k)
    list.push_back({.slope = slope,
                    .direction = 0.1 + k * std::numbers::pi / 8.0,
                    .heading = 0.37 * k,
                    .clearance = below,
                    .mu = mu});
  return list;
}

double way(const BoxOnIncline& incline, const State& x) { return norm(rigid_state(x).x - vec3(incline.start())); }

TEST(BoxOnIncline, SticksExactlyBelowTheAngleOfFriction) {
  for (const BoxOnIncline& incline : inclines(std::atan(0.5) - 1e-3, 0.5)) {
    double fastest = 0.0;
    const State end =
        march(incline.model(), 5e-3, 200, [&](const State& x) { fastest = std::max(fastest, largest(x.v)); });
    EXPECT_LE(fastest, 1e-12) << incline.direction;
    EXPECT_LE(way(incline, end), 1e-12) << incline.direction;
  }
}

// 500 s: round-off of the position, 1e-16 in each step, sums up to 2e-12 m.
TEST(BoxOnIncline, DoesNotCreepIn100000Steps_slow) {
  for (const BoxOnIncline& incline : inclines(std::atan(0.5) - 1e-3, 0.5)) {
    double fastest = 0.0;
    const State end =
        march(incline.model(), 5e-3, 100'000, [&](const State& x) { fastest = std::max(fastest, largest(x.v)); });
    EXPECT_LE(fastest, 1e-12) << incline.direction;
    EXPECT_LE(way(incline, end), 1e-11) << incline.direction;
  }
}

// The force at the floor is constant, so that the scheme is exact.
TEST(BoxOnIncline, SlidesWithTheExactAcceleration) {
  for (const double above : {1e-3, 0.2})
    for (const BoxOnIncline& incline : inclines(std::atan(0.5) + above, 0.5)) {
      const double a = incline.g * (std::sin(incline.slope) - incline.mu * std::cos(incline.slope));
      const State end = march(incline.model(), 5e-3, 200);
      const RigidState box = rigid_state(end);
      const Vec3<double> down = vec3(incline.descent());
      EXPECT_NEAR(norm(box.v - (a * end.t) * down), 0.0, 1e-10) << incline.direction;
      EXPECT_NEAR(norm(box.x - vec3(incline.start()) - (0.5 * a * end.t * end.t) * down), 0.0, 1e-10);
      EXPECT_NEAR(norm(box.w), 0.0, 1e-10) << incline.direction;
    }
}

// The whole scene, gravity too, turned about the vertical and about any other axis: a flat box that lands and slides,
// and a tall one that falls over its lower edge. The steps are solved to round-off, so that none may stop earlier.
TEST(BoxOnIncline, TurningTheSceneTurnsTheMotion) {
  const MoreauJeanOptions exact{.tol = 1e-13, .frame_tol = 1e-13};
  const BoxOnIncline flat{.slope = 0.7, .direction = 0.3, .heading = 0.9, .speed = 0.4, .clearance = 2e-3};
  const BoxOnIncline tall{
      .box = {0.04, 0.05, 0.2}, .slope = 0.5, .direction = 0.3, .heading = 0.2, .clearance = 2e-3, .mu = 0.8};
  for (const BoxOnIncline& plain : {flat, tall}) {
    const RigidState reference = rigid_state(march(plain.model(), 5e-3, 60, exact));
    for (int k = 0; k < 16; ++k) {
      BoxOnIncline turned = plain;
      turned.scene = k < 8 ? turn({0, 0, 1}, 0.4 + k) : turn({std::sin(k), std::cos(3.0 * k), 0.5}, 0.4 + k);
      const Rotation<double> S = rotation_of(turned.scene);
      const RigidState box = rigid_state(march(turned.model(), 5e-3, 60, exact));
      EXPECT_NEAR(norm(box.x - S * reference.x), 0.0, 1e-10) << k;
      EXPECT_NEAR(norm(box.v - S * reference.v), 0.0, 1e-10) << k;
      EXPECT_NEAR(norm(box.w - reference.w), 0.0, 1e-10) << k;
    }
    EXPECT_EQ(norm(reference.w) > 1.0, plain.box.half_z == tall.box.half_z);
  }
}

std::vector<RollingSphere> throws() {
  return {{.velocity = {2.0, 0.0, 0.0}, .clearance = below},
          {.velocity = {1.3, -0.8, 0.0}, .angular_velocity = {0.0, 0.0, 20.0}, .clearance = below},
          {.velocity = {2.0, 0.0, 0.0}, .angular_velocity = {12.0, -5.0, 7.0}, .clearance = below},
          {.velocity = {0.0, 0.0, 0.0}, .angular_velocity = {3.0, 25.0, -11.0}, .clearance = below}};
}

Vec3<double> slip_of(const RigidState& ball, double radius) {
  return ball.v + cross(ball.spin(), Vec3<double>{0.0, 0.0, -radius});
}

constexpr std::array<double, 3> rolling_steps{7e-3, 7e-4, 7e-5};

// When the ball first sticks, and how far its velocity at the end is from the exact one.
struct Transition {
  double time = 0.0, error = 0.0;
};

Transition transition(const RollingSphere& ball, double h) {
  Transition result;
  const State end = march(ball.model(), h, static_cast<int>(0.5 / h), [&](const State& x) {
    ASSERT_EQ(x.contacts.size(), 1U);
    if (result.time == 0.0 && x.contacts[0].mode == ContactMode::sticking) result.time = x.t;
  });
  result.error = norm(rigid_state(end).v - vec3(ball.rolling_velocity()));
  return result;
}

TEST(RollingSphere, BeginsToRollInTheStepOfTheExactTime) {
  for (const RollingSphere& ball : throws())
    for (const double h : rolling_steps) {
      const double late = transition(ball, h).time - ball.rolling_time();
      EXPECT_GE(late, -0.5 * h);
      EXPECT_LE(late, 1.5 * h);
    }
}

// Thrown without spin the ball turns about one axis only, and the scheme is exact; else it is of first order.
TEST(RollingSphere, RollsAtTheExactVelocity) {
  const auto balls = throws();
  for (const double h : rolling_steps) EXPECT_LE(transition(balls[0], h).error, 1e-11);
  for (std::size_t i = 1; i < balls.size(); ++i) {
    std::vector<double> errors;
    for (const double h : rolling_steps) errors.push_back(transition(balls[i], h).error);
    EXPECT_NEAR(test::slope(rolling_steps, errors), 1.0, 0.05);
  }
}

TEST(RollingSphere, KeepsRollingWithoutSlip) {
  for (const RollingSphere& thrown : throws()) {
    RollingSphere ball = thrown;
    ball.velocity = {1.7, -0.6, 0.0};
    ball.angular_velocity = {0.6 / ball.radius, 1.7 / ball.radius, thrown.angular_velocity[2]};
    double worst = 0.0, change = 0.0;
    march(ball.model(), 1e-3, 10'000, [&](const State& x) {
      worst = std::max(worst, norm(slip_of(rigid_state(x), ball.radius)));
      change = std::max(change, norm(rigid_state(x).v - vec3(ball.velocity)));
    });
    EXPECT_LE(worst, 1e-12);
    EXPECT_LE(change, 1e-12);
  }
}

}  // namespace
}  // namespace esc
