// The theta-method with contact at position level, acary section 6.2: the elastic bar of Fig. 11, what the rule does at
// an impact, no penetration, joints that do not drift.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <escapement/models/gap.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/box_on_incline.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/heavy_top.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/growing_sets.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using namespace examples;

template <class Observe>
RunReport follow(const Model& model, const PositionThetaOptions& options, const SimulateOptions& run, Observe observe) {
  return test::follow<PositionTheta>(model, options, run, observe);
}

// The row "position-level trapezoid" of the reference for acary's bar; quantities as in acary_bar_test.cpp.
TEST(PositionTheta, GivesTheReferenceFiguresOfTheElasticBar) {
  const ElasticBar bar;
  const double h = 2e-6, t1 = bar.gap / bar.velocity, T = bar.contact_time();
  test::Sample force, after;
  double first = 0.0, last = 0.0, peak = 0.0, speed = 0.0, smallest_gap = bar.gap;
  int turns = 0, steps = 0;
  double before = 0.0;
  const RunReport report =
      follow(bar.model(), {}, {.step = h, .until = t1 + 2.0 * T}, [&](const System&, const State& x) {
        const double P = x.contacts.empty() ? 0.0 : x.contacts[0].P[0];
        const double F = P / h / bar.contact_force(), v = x.v[bar.tip()] / bar.velocity;
        if (P > 0.0) {
          if (first == 0.0) {
            first = x.t;
          } else {
            speed = std::max(speed, std::abs(v));
            turns += v * before < 0.0;
            ++steps;
          }
          last = x.t;
        }
        before = v;
        if (x.t >= t1 + 0.1 * T && x.t <= t1 + 0.9 * T) force.add(F);
        if (x.t >= t1 + 1.15 * T) after.add(-v);
        peak = std::max(peak, F);
        smallest_gap = std::min(smallest_gap, bar.gap - x.q[bar.tip()]);
      });
  EXPECT_NEAR(force.mean(), 1.00004, 1e-3);
  EXPECT_NEAR(force.deviation(), .0065, 1e-3);
  EXPECT_NEAR(peak, 1.007, 1e-3);
  EXPECT_NEAR((last - first + h) / T, 1.012, 1e-3);
  EXPECT_GE(smallest_gap, -1e-15);
  EXPECT_NEAR(speed, .117, 1e-3);
  EXPECT_GE(turns, steps - 2);  // the velocity of the tip changes its sign in every step
  EXPECT_NEAR(after.mean(), .9885, 1e-3);
  EXPECT_NEAR(after.deviation(), .100, 1e-3);
  EXPECT_NEAR((report.final.kinetic + report.final.potential) / report.initial.kinetic, .99487, 1e-5);
}

// A ball of mass 1 without weight flies to the floor at q = 0 and is held there: q_{k+1} = q_k + h v_theta = 0 gives
// the next velocity, -((1 - theta) v_k + q_k / h) / theta, whatever e says.
TEST(PositionTheta, AnImpactEndsWithTheVelocityThatTheRuleGives) {
  const double h = 1e-2, q0 = 0.013, v0 = -0.7;
  for (const double theta : {0.5, 0.75, 1.0}) {
    const System system = compile(BouncingBall{.force = 0.0, .e = 0.9, .height = q0, .velocity = v0}.model());
    PositionTheta scheme(system, {.theta = theta});
    State x = system.initial_state();
    scheme.start(x);
    double q = q0, v = v0;
    int touched = 0;
    for (int k = 0; k < 6; ++k) {
      ASSERT_TRUE(scheme.step(x, h).ok());
      const double v_held = -((1.0 - theta) * v + q / h) / theta;
      const bool touches = q + h * v < 0.0;
      const double P = touches ? v_held - v : 0.0;
      q = touches ? 0.0 : q + h * v;
      if (touches) v = v_held;
      touched += touches;
      EXPECT_NEAR(x.q[0], q, 1e-16) << theta << " " << k;
      EXPECT_NEAR(x.v[0], v, 1e-14) << theta << " " << k;
      EXPECT_NEAR(x.contacts.empty() ? 0.0 : x.contacts[0].P[0], P, 1e-14);
    }
    EXPECT_EQ(touched, 2) << theta;  // the first one still leaves it falling: q_k / h < |v_k|
  }
}

// At rest under a weight: theta = 1 carries it at once, theta = 1/2 keeps |v| for ever with the sign changing.
TEST(PositionTheta, AtRestTheTrapezoidalRuleOscillatesAndBackwardEulerDoesNot) {
  for (const double theta : {0.5, 1.0}) {
    const System system = compile(BouncingBall{.height = 0.0, .velocity = -0.01}.model());
    PositionTheta scheme(system, {.theta = theta});
    State x = system.initial_state();
    scheme.start(x);
    for (int k = 0; k < 101; ++k) {
      ASSERT_TRUE(scheme.step(x, 1e-2).ok());
      EXPECT_GE(x.q[0], -1e-17);
    }
    EXPECT_NEAR(x.q[0], 0.0, 1e-16);
    EXPECT_NEAR(x.v[0], theta == 0.5 ? 0.01 : 0.0, 1e-14);
  }
}

TEST(PositionTheta, NoPenetrationAtTheEndOfAnyStep) {
  const auto smallest = [](const Model& model, double h, double until) {
    double worst = std::numeric_limits<double>::infinity();
    follow(model, {}, {.step = h, .until = until},
           [&](const System& system, const State& x) { worst = std::min(worst, test::smallest_gap(system, x)); });
    return worst;
  };
  EXPECT_GE(smallest(RockingBlock{.mu = 0.4}.model(), 1e-2, 2.0), -1e-12);
  EXPECT_GE(smallest(SliderCrank{}.model(), 1e-4, 0.1), -1e-12);
  EXPECT_GE(smallest(BoxOnIncline{}.model(), 5e-3, 0.5), -1e-12);
}

TEST(PositionTheta, AContactThatOnlyAnotherOneCloses) { test::expect_second_contact_found<PositionTheta>({}); }

// A box that slides down without losing contact: g (sin - mu cos), and the friction at velocity level is exact there.
TEST(PositionTheta, ABoxSlidesDownWithTheExactAcceleration) {
  const double slope = 0.4, mu = 0.2, g = 9.81;
  const BoxOnIncline incline{.slope = slope, .speed = 0.5, .clearance = 0.0, .mu = mu};
  const auto down = incline.descent(), start = incline.start();
  const double a = incline.g * (std::sin(slope) - mu * std::cos(slope));
  ASSERT_EQ(incline.g, g);
  follow(incline.model(), {.theta = 1.0}, {.step = 1e-3, .until = 0.3}, [&](const System&, const State& x) {
    double speed = 0.0, way = 0.0;
    for (int i = 0; i < 3; ++i) {
      speed += x.v[i] * down[i];
      way += (x.q[i] - start[i]) * down[i];
    }
    EXPECT_NEAR(speed, 0.5 + a * x.t, 1e-9);
    EXPECT_NEAR(way, 0.5 * x.t + 0.5 * a * x.t * (x.t + 1e-3), 1e-9);  // backward Euler
  });
}

// Joints at position level: no drift, and the axis of the top follows the reference motion at first order.
TEST(PositionTheta, AHeavyTopStaysOnItsJoint) {
  constexpr std::array<double, 3> reference{.4212966589, .8945719743, -.1491647006};  // at 0.1 s
  std::vector<double> steps, errors;
  for (const double h : {4e-4, 2e-4, 1e-4, 5e-5}) {
    double drift = 0.0, error = 0.0;
    JointSet joints;
    follow(HeavyTop{}.model(), {}, {.step = h, .until = 0.1}, [&](const System& system, const State& x) {
      std::vector<double> scratch(system.scratch_size());
      system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
      for (const double g : joints.g) drift = std::max(drift, std::abs(g));
      error = 0.0;
      for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(x.q[i] - reference[i]));
    });
    EXPECT_LE(drift, 1e-12);
    steps.push_back(h);
    errors.push_back(error);
  }
  EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.1);
}

// The certificate sees a ball that is carried at a distance, and one that is let through.
TEST(PositionTheta, TheCertificateHoldsItToTheGap) {
  const System system = compile(BouncingBall{.height = 0.0, .velocity = 0.0}.model());
  PositionTheta scheme(system);
  State before = system.initial_state();
  scheme.start(before);
  State after = before;
  ASSERT_TRUE(scheme.step(after, 1e-2).ok());
  EXPECT_TRUE(certify(system, before, after, scheme.promise()).ok());
  const auto moved = [&](double way) {  // nothing but the gap depends on the position
    State a = before, b = after;
    a.q[0] += way;
    b.q[0] += way;
    return certify(system, a, b, scheme.promise());
  };
  EXPECT_FALSE(moved(1e-8)[Check::impact_law].ok());
  EXPECT_TRUE(moved(1e-8)[Check::penetration].ok());
  EXPECT_FALSE(moved(-1e-8)[Check::penetration].ok());
}

TEST(PositionTheta, ThetaZeroIsRefused) {
  const System system = compile(BouncingBall{}.model());
  EXPECT_THROW(PositionTheta(system, {.theta = 0.0}), OptionError);
}

// e = 0.5 has no effect: a ball falls and rebounds bitwise as with e = 0, and the scheme says so by name.
TEST(PositionTheta, SaysWhichRestitutionItIgnores) {
  const auto ball = [](double e) { return BouncingBall{.e = e, .height = 0.1, .velocity = 0.0}.model(); };
  const System bouncing = compile(ball(0.5)), dull = compile(ball(0.0));
  const auto said = PositionTheta(bouncing).warnings();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("e > 0 of 'floor' has no effect"), std::string::npos) << said[0];
  EXPECT_TRUE(PositionTheta(dull).warnings().empty());
  EXPECT_TRUE(MoreauJean(bouncing).warnings().empty());

  PositionTheta scheme(bouncing), other(dull);
  State x = bouncing.initial_state(), y = dull.initial_state();
  const SimulateOptions options{.step = 1e-3, .until = 1.0};
  const RunReport report = simulate(scheme, x, options);
  ASSERT_TRUE(simulate(other, y, options).ok());
  EXPECT_GT(report.impacts, 0);
  EXPECT_EQ(hash(x), hash(y)) << "it is told for no reason";
  EXPECT_NE(summary(scheme, options, report).find("warning      restitution: e > 0 of 'floor'"), std::string::npos);
}

}  // namespace
}  // namespace esc
