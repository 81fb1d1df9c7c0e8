// The Moreau-Jean scheme on acary's rocking block (section 5.3), slider on a roller (Fig. 8) and rod in a turning ring
// (section 6.3).
#include <array>
#include <cmath>

#include "examples/ring_pendulum.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::RingPendulum;
using examples::RockingBlock;
using examples::SliderOnRoller;
using test::follow;

TEST(AcaryRockingBlock, EnergyPenetrationAndRest) {
  const double h = 1e-2;
  constexpr std::array<std::pair<int, double>, 4> energies{
      {{25, 8.870271}, {60, 7.439292}, {100, 7.337092}, {200, 7.337092}}};
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    double lowest = 0.0, fastest = 0.0, late = 0.0, end = 0.0;
    int step = 0, compared = 0;
    const RockingBlock block{.pose = {0.0, 1.0 + shift, 0.2}};
    follow(block.model(), {}, {.step = h, .until = 2.0}, [&](const System& system, const State& x) {
      ++step;
      lowest = std::min(lowest, test::smallest_gap(system, x));
      end = test::fastest_corner(system, x);
      fastest = std::max(fastest, end);
      if (x.t >= 1.5) late = std::max(late, end);
      for (const auto& [k, energy] : energies)
        if (k == step) {
          EXPECT_NEAR(test::energy(system, x), energy, 1e-6 * energy) << x.t;
          ++compared;
        }
    });
    EXPECT_EQ(compared, 4);
    EXPECT_NEAR(lowest, -1.077e-2, 1.077e-5);
    EXPECT_GE(lowest, -1.5 * h * fastest);
    EXPECT_LT(late, 1e-16);
    EXPECT_LT(end, 1e-12);
  }
}

// The torque is half of what friction can hold: the roller is stopped by the falling slider and then held.
TEST(AcarySliderOnRoller, ComesToRestUnderItsWeight) {
  for (const double h : {1e-2, 1e-3}) {
    int steps = 0;
    follow(SliderOnRoller{}.model(), {}, {.step = h, .until = 4.0}, [&](const System& system, const State& x) {
      if (x.t < 3.0) return;
      ++steps;
      double slip = 1.0;
      system.outputs(x, {&slip, 1});
      EXPECT_LE(std::abs(slip), 1e-9);
      EXPECT_LE(std::abs(x.v[0]), 1e-9);
      EXPECT_LE(std::abs(x.v[1]), 1e-9);
      ASSERT_EQ(x.contacts.size(), 1U);
      EXPECT_NEAR(x.contacts[0].P[0] / h, 9.81, 1e-6);
      EXPECT_EQ(x.contacts[0].mode, ContactMode::sticking);
    });
    EXPECT_GT(steps, 90);
  }
}

constexpr double ring_step = 5e-4;                         // s
const double ring_contact = std::sqrt(2.0 * 0.01 / 9.81);  // s, end of the free fall

TEST(AcaryRing, FallsFreelyUntilTheExactContactTime) {
  EXPECT_NEAR(ring_contact, 0.045152, 1e-6);
  double first_impulse = 0.0;
  follow(RingPendulum{}.model(), {}, {.step = ring_step, .until = 0.1}, [&](const System& system, const State& x) {
    if (!x.contacts.empty() && first_impulse == 0.0) first_impulse = x.t;
    if (first_impulse > 0.0) return;
    const double gap = test::contacts_at(system, x).contacts[0].gap;
    EXPECT_NEAR(gap, 0.01 - 0.5 * 9.81 * x.t * x.t, 1e-12) << x.t;
  });
  // The step that begins at the first grid time after the contact is the first with an impulse.
  EXPECT_NEAR(first_impulse, (std::ceil(ring_contact / ring_step) + 1.0) * ring_step, 1e-9);
}

TEST(AcaryRing, PenetrationOfTheImpactIsNeitherRecoveredNorIncreased) {
  const RunReport report =
      follow(RingPendulum{}.model(), {}, {.step = ring_step, .until = 5.0}, [&](const System& system, const State& x) {
        const double gap = test::smallest_gap(system, x);
        if (x.t > 0.0459) {
          EXPECT_NEAR(gap, -2.66e-4, 1e-6) << x.t;
        }
        EXPECT_GE(gap, -1.5 * ring_step * 9.81 * ring_contact);
      });
  EXPECT_LE(report.max_penetration, 3.3e-4);
}

// Gaps at 0.5, 1 and 2 s, and when it is -2 mm.
struct Drift {
  std::array<double, 3> gap{};
  double two_millimetres = 0.0;
};

Drift drift(double h) {
  Drift drift;
  constexpr std::array<double, 3> times{0.5, 1.0, 2.0};
  follow(RingPendulum{}.model(), {.frame = FrameAt::begin}, {.step = h, .until = 2.0},
         [&](const System& system, const State& x) {
           const double gap = test::smallest_gap(system, x);
           for (std::size_t i = 0; i < times.size(); ++i)
             if (std::abs(x.t - times[i]) < 0.5 * h) drift.gap[i] = gap;
           if (gap <= -2e-3 && drift.two_millimetres == 0.0) drift.two_millimetres = x.t;
         });
  return drift;
}

// acary Fig. 20: with the frame of the beginning of the step the rod moves along the tangent and leaves the circle.
TEST(AcaryRing, DriftsWithTheFrameOfTheBeginning) {
  const Drift coarse = drift(ring_step), fine = drift(0.5 * ring_step);
  EXPECT_NEAR(coarse.gap[0], -7e-4, 0.05 * 7e-4);
  EXPECT_NEAR(coarse.gap[1], -1.5e-3, 0.05 * 1.5e-3);
  EXPECT_NEAR(coarse.gap[2], -3.1e-3, 0.05 * 3.1e-3);
  EXPECT_NEAR(coarse.two_millimetres, 1.31, 0.05 * 1.31);
  EXPECT_NEAR((coarse.gap[2] - coarse.gap[1]) / (fine.gap[2] - fine.gap[1]), 2.0, 0.1);
  EXPECT_NEAR(coarse.gap[2] / coarse.gap[1], 2.0, 0.1);
}

}  // namespace
}  // namespace esc
