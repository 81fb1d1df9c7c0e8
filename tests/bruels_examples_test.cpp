// The examples of bruels section 10, by the data of the paper: what holds for them whatever the scheme, and the exact
// motion of the impacting bar.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/bouncing_pendulum.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/rocking_block.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::BouncingBall;
using examples::BouncingPendulum;
using examples::ElasticBar;

// 10.1: the centre falls from 1.001 m and has a radius of 0.2 m.
const BouncingBall ball{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0};

struct Impulse {
  double t, P;
};

// Records of the first contact with an impulse, whose step is no longer than an impact's.
template <class Done>
std::vector<Impulse> impulses(const Model& model, SimulateOptions run, Done done) {
  std::vector<Impulse> seen;
  test::follow<CombinedProjection>(model, {}, run, [&](const System& system, const State& x) {
    if (!x.contacts.empty() && x.contacts[0].P[0] > 0.0) seen.push_back({x.t, x.contacts[0].P[0]});
    done(system, x);
  });
  return seen;
}

// Printed: the bounces end at 3.602 s. At h = 1.8 ms an impulse is (1 + e) |v| + h g, the speeds are rational numbers,
// and the scheme of Algorithm 2 of acary is that of bruels on this problem.
TEST(BruelsBall, HasTheTimesAndImpulsesOfThePaper) {
  EXPECT_NEAR(ball.first_impact(), std::sqrt(2.0 * 0.801 / 10.0), 1e-15);
  EXPECT_NEAR(ball.rest_from(), 9.0 * ball.first_impact(), 1e-12);
  EXPECT_NEAR(ball.rest_from(), 3.602, 5e-4);
  const std::vector<Impulse> expected{{0.4014, 7.2108},    {1.0422, 5.76576},    {1.5534, 4.588992},
                                      {1.9602, 3.6512064}, {2.2842, 2.91103488}, {2.5416, 2.304372096}};
  const auto seen = impulses(ball.model(), {.step = 1.8e-3, .until = 2.6}, [](const System&, const State&) {});
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_NEAR(seen[i].t, expected[i].t, 1e-9);
    EXPECT_NEAR(seen[i].P, expected[i].P, 1e-10);
  }
}

// 10.4 starts at rest; the block comes to rest on its base.
TEST(BruelsBlock, ComesToRestOnItsBase) {
  examples::RockingBlock block;
  block.velocity = {0.0, 0.0, 0.0};
  State last;
  const RunReport report = test::follow<CombinedProjection>(block.model(), {}, {.step = 1e-2, .until = 2.0},
                                                            [&](const System&, const State& x) { last = x; });
  EXPECT_NEAR(last.q[1], 0.75, 1e-10);
  EXPECT_NEAR(last.q[2], 0.0, 1e-10);
  EXPECT_NEAR(report.final.kinetic + report.final.potential, 7.3575, 1e-9);
}

// The fall to the wall is that of a physical pendulum: w^2 = 2 m g l (sin a - sin b) / (m l^2 + J). The wall stops it
// with (1 + e) |v_x| / W, W = sin^2 b / (m l^2 + J) l^2.
TEST(BruelsPendulum, FirstImpactIsThatOfAPhysicalPendulum) {
  const BouncingPendulum data;
  const double b = -0.25 * std::numbers::pi, J = 1.1, c = 2.0 * 10.0 / J;
  const double w = std::sqrt(c * (std::sin(data.angle) - std::sin(b)));
  EXPECT_NEAR(w, 4.19073833, 1e-8);
  // dt = da / w(a); with sin a0 - sin a = s^2 the integrand is smooth.
  const int n = 2000;
  const double end = std::sqrt(std::sin(data.angle) - std::sin(b));
  double t = 0.0;
  for (int k = 0; k < n; ++k) {
    const double s = end * (k + 0.5) / n, sine = std::sin(data.angle) - s * s;
    t += end / n * 2.0 / (std::sqrt(c) * std::sqrt(1.0 - sine * sine));
  }
  EXPECT_NEAR(t, 0.48611044, 1e-7);
  const double P = 1.8 * w * std::abs(std::sin(b)) * J / (std::sin(b) * std::sin(b));
  EXPECT_NEAR(P, 11.734666, 1e-6);

  // Two steps too early or too late, at 20 m/s^2 along x and a mass of 2.2 kg.
  for (const double h : {1e-3, 1e-4}) {
    const auto seen = impulses(data.model(), {.step = h, .until = 0.5}, [](const System&, const State&) {});
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_NEAR(seen[0].t, t, 2.0 * h);
    EXPECT_NEAR(seen[0].P, P, 1.8 * 2.2 * 20.0 * 2.0 * h);
  }
}

// At rest the rod hangs at the wall: the wall carries m g tan 45, the joint -10 N along x and 10 N along y.
TEST(BruelsPendulum, RestsAtTheWall) {
  const BouncingPendulum data;
  const System system = compile(data.model());
  double drift = 0.0, least_gap = 1.0;
  State last;
  const double h = 1e-3;
  const auto seen = impulses(data.model(), {.step = h, .until = 6.0}, [&](const System&, const State& x) {
    drift = std::max({drift, std::abs(x.q[0] - std::cos(x.q[2])), std::abs(x.q[1] - std::sin(x.q[2]))});
    least_gap = std::min(least_gap, x.q[0] - data.wall);
    last = x;
  });
  EXPECT_LT(drift, 1e-12);
  EXPECT_GT(least_gap, -1e-12);
  EXPECT_NEAR(last.q[0], std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(last.q[1], -std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(seen.back().P / h, 10.0, 1e-6);
  const Reaction reaction = system.reaction(last, system.joint("pivot"));
  EXPECT_NEAR(reaction.force[0], -10.0, 1e-6);
  EXPECT_NEAR(reaction.force[1], 10.0, 1e-6);
  EXPECT_NEAR(test::energy(system, last), -std::sqrt(0.5) * 10.0, 1e-8);
}

// 10.3, S = 1 m^2.
const ElasticBar bar{
    .young = 900.0, .density = 1.0, .length = 10.0, .section = 1.0, .velocity = 10.0, .gap = 5.005, .elements = 200};

double strain(double s, double t) {
  const double d = 1e-6;
  return (bar.exact(s + d, t).u - bar.exact(s - d, t).u) / (2.0 * d);
}

// Between its fronts: v = du/dt, and v + c e and v - c e do not change along ds = c dt and -c dt, where e = du/ds; both
// fronts carry such a jump. That is the wave equation.
TEST(BruelsBar, ExactMotionFollowsItsCharacteristics) {
  const double c = bar.wave_speed(), t0 = bar.impact(), L = bar.length, d = 1e-7;
  EXPECT_DOUBLE_EQ(c, 30.0);
  EXPECT_DOUBLE_EQ(t0, 0.5005);
  for (double s = 0.513; s < L - 0.5; s += 0.731)
    for (double t = 0.0123; t < 1.5; t += 0.0171) {
      const double now = bar.exact(s, t).v, e = strain(s, t), ahead = 5e-3;
      EXPECT_NEAR((bar.exact(s, t + d).u - bar.exact(s, t - d).u) / (2.0 * d), now, 1e-6);
      // v - c e along ds = c dt: what the front from the wall brings runs with it, the other front crosses it.
      const double along = bar.exact(s + c * ahead, t + ahead).v - c * strain(s + c * ahead, t + ahead);
      const double against = bar.exact(s - c * ahead, t + ahead).v + c * strain(s - c * ahead, t + ahead);
      EXPECT_NEAR(along, now - c * e, 1e-4) << s << " " << t;
      EXPECT_NEAR(against, now + c * e, 1e-4) << s << " " << t;
    }
  // Ends: no strain at the free one; the other stands at the wall and presses on it with E S e.
  for (double t = t0 + 0.01; t < t0 + bar.contact_time(); t += 0.02) {
    EXPECT_NEAR(strain(L - 1e-5, t), 0.0, 1e-9);
    EXPECT_NEAR(bar.exact(0.0, t).u, bar.gap, 1e-14);
    EXPECT_NEAR(bar.young * bar.section * strain(1e-3, t), bar.exact_force(t), 1e-4);
  }
}

// The leapfrog scheme with c dt = ds has no error on the wave equation. Under the exact force of the wall, half of it
// at the times of its jumps, it must give the exact motion, in which force and gap are never there together.
TEST(BruelsBar, ExactMotionIsThatOfTheLeapfrogScheme) {
  const int n = 50;
  const double ds = bar.length / n, dt = ds / bar.wave_speed(), t0 = bar.impact(), moment = 1e-9;
  std::vector<double> u(n + 1, bar.gap), before(n + 1, bar.gap - bar.velocity * dt), next(n + 1);
  double pushed = 0.0;  // impulse of the wall
  for (int k = 0; k < 4 * n; ++k) {
    const double t = t0 + k * dt, force = 0.5 * (bar.exact_force(t - moment) + bar.exact_force(t + moment));
    for (int i = 1; i < n; ++i) next[i] = u[i + 1] + u[i - 1] - before[i];
    next[n] = 2.0 * u[n - 1] - before[n];
    next[0] = 2.0 * u[1] - before[0] - 2.0 * ds * force / (bar.young * bar.section);
    pushed += force * dt;
    before.swap(u);
    u.swap(next);
    for (int i = 0; i <= n; ++i) ASSERT_NEAR(u[i], bar.exact(i * ds, t + dt).u, 1e-11) << i << " " << k;
    const double middle = t + 0.5 * dt, gap = bar.gap - bar.exact(0.0, middle).u;
    EXPECT_GE(gap, -1e-13);
    EXPECT_NEAR(gap * bar.exact_force(middle), 0.0, 1e-10);
  }
  EXPECT_NEAR(pushed, 2.0 * bar.density * bar.section * bar.length * bar.velocity, 1e-9);  // m (v0 + v0)
}

// Courant number c h / dx = 1.2. Contact lasts 2 L / c = 2/3 s, its force is E S v0 / c = 300 N, the bar stands still
// in it; the run comes to the exact motion as elements and steps become smaller.
TEST(BruelsBar, RunsComeToTheExactMotion) {
  EXPECT_DOUBLE_EQ(bar.contact_force(), 300.0);
  EXPECT_DOUBLE_EQ(bar.contact_time(), 2.0 / 3.0);
  double before = 1e300;
  for (const int elements : {50, 200, 800}) {
    ElasticBar mesh = bar;
    mesh.elements = elements;
    const double h = 1.2 * mesh.length / elements / mesh.wave_speed();
    EXPECT_NEAR(h, 0.4 / elements, 1e-15);
    test::Sample force;
    double in_contact = 0.0, error = 0.0;
    int count = 0;
    test::follow<CombinedProjection>(mesh.model(), {}, {.step = h, .until = 1.5, .certify = false},
                                     [&](const System&, const State& x) {
                                       const double P = x.contacts.empty() ? 0.0 : x.contacts[0].P[0];
                                       const double part = (x.t - mesh.impact()) / mesh.contact_time();
                                       if (P > 0.0) in_contact += h;
                                       if (part > 0.1 && part < 0.9) force.add(P / h);
                                       for (int i = 0; i <= elements; ++i, ++count)
                                         error += std::abs(x.q[i] - mesh.exact(i * mesh.length / elements, x.t).u);
                                     });
    error /= count;
    EXPECT_LT(error, 0.5 * before) << elements;
    before = error;
    if (elements < 200) continue;
    EXPECT_NEAR(in_contact, 2.0 / 3.0, 0.01);
    EXPECT_NEAR(force.mean(), 300.0, 0.3);
  }
  EXPECT_LT(before, 2e-3 * bar.length);
}

}  // namespace
}  // namespace esc::testing
