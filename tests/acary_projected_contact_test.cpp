// The direct projected and the combined scheme with Coulomb friction: acary's slider on a roller (Fig. 8) and rod in a
// turning ring (section 6.3).
#include <algorithm>
#include <cmath>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>

#include "examples/ring_pendulum.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::RingPendulum;
using examples::SliderOnRoller;
using test::follow;

double slip_of(const System& system, const State& x) {
  double slip = 1.0;
  system.outputs(x, {&slip, 1});
  return slip;
}

// The torque is half of what friction can hold: the roller is stopped by the falling slider and then held.
template <class S>
void expect_rest_on_the_roller(const typename S::Options& options, double highest) {
  for (const double h : {1e-2, 1e-3})
    for (const double shift : {0.0, 1e-12}) {
      int steps = 0;
      follow<S>(SliderOnRoller{.height = 0.05 + shift}.model(), options, {.step = h, .until = 4.0},
                [&](const System& system, const State& x) {
                  if (x.t < 3.0) return;
                  ++steps;
                  EXPECT_LE(std::abs(slip_of(system, x)), 1e-9);
                  EXPECT_LE(std::abs(x.v[0]), 1e-9);
                  EXPECT_LE(std::abs(x.v[1]), 1e-9);
                  EXPECT_GE(x.q[0], -1e-12);
                  EXPECT_LE(x.q[0], highest * h * h);
                  ASSERT_EQ(x.contacts.size(), 1U);
                  EXPECT_NEAR(x.contacts[0].P[0] / h, 9.81, 1e-6);
                  EXPECT_EQ(x.contacts[0].mode, ContactMode::sticking);
                });
      EXPECT_GT(steps, 90);
    }
}

TEST(AcaryProjectedSliderOnRoller, ComesToRestUnderItsWeight) {
  expect_rest_on_the_roller<CombinedProjection>({}, 1e-8);                                      // at y = 0
  expect_rest_on_the_roller<DirectProjected>({.forecast = Forecast::free}, 0.5 * 9.81 + 1e-6);  // theta h^2 g at most
}

struct Slipping {
  double speed = 0.0;  // largest |ydot|, m/s
  double rate = 0.0;   // rad/s, turn of the roller between 3 s and 4 s
};

Slipping slipping(double h, double gamma, double shift) {
  Slipping s;
  double t = 0.0, phi = 0.0;
  follow<DirectProjected>(SliderOnRoller{.height = 0.05 + shift}.model(), {.gamma = gamma}, {.step = h, .until = 4.0},
                          [&](const System&, const State& x) {
                            if (x.t < 3.0) return;
                            if (t == 0.0) t = x.t, phi = x.q[1];
                            s.speed = std::max(s.speed, std::abs(x.v[0]));
                            if (x.t > t) s.rate = std::abs(x.q[1] - phi) / (x.t - t);
                          });
  return s;
}

// While the slider hops, nothing holds the roller: direct projection lets it slip, in proportion to h.
TEST(AcaryProjectedSliderOnRoller, SlipsWhereItChatters) {
  for (const double shift : {-1e-12, 0.0, 1e-12})
    for (const double h : {1e-2, 1e-3}) {
      const bool coarse = h == 1e-2;
      const Slipping position = slipping(h, 0.0, shift), ahead = slipping(h, 1.0, shift);
      EXPECT_NEAR(position.speed, h * 9.81 / 0.75, 1e-3 * position.speed);
      EXPECT_NEAR(position.rate, coarse ? 0.1457 : 0.0147, 0.02 * position.rate);
      EXPECT_NEAR(ahead.speed, h * 9.81 / 1.5, 1e-3 * ahead.speed);
      EXPECT_NEAR(ahead.rate, coarse ? 0.0728 : 0.00735, 0.02 * ahead.rate);
    }
}

constexpr double ring_step = 5e-4;                         // s
const double ring_contact = std::sqrt(2.0 * 0.01 / 9.81);  // s, end of the free fall

// What a run of 5 s in the ring shows after the impact.
struct RingCourse {
  double lowest = 1.0, highest = 0.0, fastest = 0.0;  // gap, m; |U_N|, m/s
  double first_impulse = 0.0;                         // s
  int without_impulse = 0, sticking = 0, sliding = 0;
  int changes = 0;  // from one to the other
};

template <class S>
RingCourse ring_course(double h = ring_step, const typename S::Options& options = {}) {
  RingCourse c;
  ContactMode before = ContactMode::open;
  follow<S>(RingPendulum{}.model(), options, {.step = h, .until = 5.0}, [&](const System& system, const State& x) {
    const double gap = test::smallest_gap(system, x);
    c.lowest = std::min(c.lowest, gap);
    const bool pressed = !x.contacts.empty() && x.contacts[0].P[0] > 0.0;
    if (pressed && c.first_impulse == 0.0) c.first_impulse = x.t;
    if (c.first_impulse == 0.0) {
      const double fallen = 0.01 - 0.5 * 9.81 * x.t * x.t;
      EXPECT_NEAR(gap, std::max(0.0, fallen), 1e-12) << x.t;
      return;
    }
    c.highest = std::max(c.highest, gap);
    c.fastest = std::max(c.fastest, test::fastest_corner(system, x));
    if (!pressed) {
      ++c.without_impulse;
      return;
    }
    const ContactMode mode = x.contacts[0].mode;
    ++(mode == ContactMode::sticking ? c.sticking : c.sliding);
    c.changes += before != ContactMode::open && mode != before;
    before = mode;
  });
  return c;
}

TEST(AcaryProjectedRing, CombinedSchemeKeepsContactWithStickAndSlip) {
  const RingCourse c = ring_course<CombinedProjection>();
  // The step that would penetrate is the first with an impulse.
  EXPECT_NEAR(c.first_impulse, std::ceil(ring_contact / ring_step) * ring_step, 1e-9);
  EXPECT_GE(c.lowest, -5e-16);
  EXPECT_LE(c.highest, 5e-16);
  EXPECT_LT(c.fastest, 6e-9);
  EXPECT_EQ(c.without_impulse, 0);
  EXPECT_GT(c.sticking, 500);
  EXPECT_GT(c.sliding, 500);
  EXPECT_GE(c.changes, 1);
}

// Nothing pulls the rod back to the ring where the step opens the gap, by O(h^3): then a step without impulse follows.
TEST(AcaryProjectedRing, DirectProjectionChattersWithoutPenetration) {
  const RingCourse c = ring_course<DirectProjected>();
  EXPECT_NEAR(c.first_impulse, (std::ceil(ring_contact / ring_step) + 1.0) * ring_step, 1e-9);
  EXPECT_GE(c.lowest, -1e-12);
  EXPECT_NEAR(c.without_impulse, 1600, 100);
  EXPECT_NEAR(c.fastest, 8.3e-3, 1e-4);
  const RingCourse coarse = ring_course<DirectProjected>(2.0 * ring_step);
  EXPECT_LT(c.highest, 1e-9);
  EXPECT_NEAR(coarse.highest / c.highest, 8.0, 0.2);
}

TEST(AcaryProjectedRing, EveryFormKeepsTheGap) {
  for (const Metric metric : {Metric::identity, Metric::iteration_matrix, Metric::mass})
    for (const Implementation implementation : {Implementation::decoupled, Implementation::coupled}) {
      const RingCourse c =
          ring_course<CombinedProjection>(ring_step, {.implementation = implementation, .metric = metric});
      EXPECT_GE(c.lowest, -1e-10);
      EXPECT_LE(c.highest, 1e-10);
      EXPECT_EQ(c.without_impulse, 0);
      EXPECT_GT(c.sticking, 500);
      EXPECT_GT(c.sliding, 500);
    }
}

}  // namespace
}  // namespace esc
