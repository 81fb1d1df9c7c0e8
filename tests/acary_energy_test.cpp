// Energy of the Moreau-Jean scheme: for theta = 1/2 and constant mass the audit of a run closes to round-off, impacts
// and friction only take, moving walls give what the exact motion of a ball between them says.
#include <cmath>
#include <numbers>
#include <vector>

#include "examples/bouncing_ball.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/moving_walls.hpp"
#include "examples/ring_pendulum.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using namespace examples;

constexpr double root2 = std::numbers::sqrt2;

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

RunReport audited(const Model& model, double h, double until, const MoreauJeanOptions& options = {}) {
  return test::follow(model, options, {.step = h, .until = until}, [](const System&, const State&) {});
}

void expect_closed(const RunReport& report) {
  const double scale = std::max(std::abs(total(report.initial)), std::abs(total(report.final)));
  EXPECT_LE(std::abs(report.total.balance_error()), 1e-12 * scale);
}

TEST(AcaryEnergy, AuditOfTheBallCloses) {
  const RunReport report = audited(BouncingBall{}.model(), 7e-3 / root2, 4.0);
  expect_closed(report);
  EXPECT_LT(report.total[Work::impact], -1.0);
}

TEST(AcaryEnergy, AuditOfTheDampedOscillatorCloses) {
  const RunReport report = audited(LinearOscillator{.damping = 0.7}.model(), 3e-3 / root2, 1.6);
  expect_closed(report);
  EXPECT_LT(report.total[Work::impact], -1.0);
  EXPECT_LT(report.total[Work::damping], -1.0);
}

TEST(AcaryEnergy, AuditOfTheBarCloses) {
  for (const double e : {0.0, 0.95}) expect_closed(audited(ElasticBar{.e = e, .elements = 100}.model(), 2e-6, 1.3e-3));
  const RunReport report = audited(ElasticBar{}.model(), 5e-6, 1.3e-3);
  expect_closed(report);
  EXPECT_LT(report.total[Work::impact], 0.0);
}

TEST(AcaryEnergy, AuditOfTheRockingBlockCloses) {
  for (const double mu : {0.0, 0.2}) {
    // The frames turn with the block: the balance is as good as the Newton iteration.
    const RunReport report = audited(RockingBlock{.mu = mu}.model(), 1e-2, 2.0, {.tol = 1e-13});
    expect_closed(report);
    EXPECT_LT(report.total[Work::impact], -1.0);
  }
}

// Without damping, restitution 1 and theta = 1/2 nothing is lost; theta = 1 loses energy in smooth motion.
TEST(AcaryEnergy, MidpointKeepsTheEnergyOfTheOscillatorAndBackwardEulerDoesNot) {
  const LinearOscillator oscillator{.e = 1.0};
  const RunReport midpoint = audited(oscillator.model(), 3e-3 / root2, 1.6);
  EXPECT_NEAR(total(midpoint.final), total(midpoint.initial), 1e-12 * total(midpoint.initial));
  const RunReport euler = audited(oscillator.model(), 3e-3 / root2, 1.6, {.theta = 1.0});
  EXPECT_LT(total(euler.final), 0.95 * total(euler.initial));
}

// Steps in which every contact slides the same way at both ends; returns how many there were.
int sliding_steps(const Model& model, double h, double until) {
  const System system = compile(model);
  MoreauJean scheme(system);
  Certifier certifier(system);
  State x = system.initial_state(), before;
  scheme.start(x);
  const auto slips = [&](const State& state, ContactKey key) {
    const ContactSet set = test::contacts_at(system, state);
    for (const Contact& contact : set.contacts) {
      double U[3];
      velocity(set, contact, state.v, U);
      if (contact.key == key) return U[1];
    }
    return 0.0;
  };
  int count = 0;
  for (before = x; x.t < until; before = x) {
    EXPECT_TRUE(scheme.step(x, h).ok());
    bool sliding = !x.contacts.empty();
    for (const ContactRecord& record : x.contacts)
      sliding =
          sliding && record.mode == ContactMode::sliding && slips(before, record.key) * slips(x, record.key) > 0.0;
    if (!sliding) continue;
    ++count;
    EXPECT_LE(certifier.certify(before, x, scheme.promise()).audit[Work::friction], 0.0) << x.t;
  }
  return count;
}

TEST(AcaryEnergy, FrictionTakesEnergyWhereItSlides) {
  EXPECT_GT(sliding_steps(RingPendulum{}.model(), 5e-4, 0.5), 50);
  EXPECT_GT(sliding_steps(SliderCrank{}.model(), 1e-4, 0.2), 100);
  EXPECT_LT(audited(RingPendulum{}.model(), 5e-4, 0.5).total[Work::friction], -1.0);
}

// An impact as the scheme has it: at the end of the step with the impulse.
struct Impact {
  double t, speed;
};

std::vector<Impact> impacts_between_walls(double h, double until) {
  std::vector<Impact> impacts;
  double before = 3.0;
  const RunReport report =
      test::follow(MovingWalls{}.model(), {}, {.step = h, .until = until}, [&](const System&, const State& x) {
        const double speed = std::abs(x.v[0]);
        if (speed > before + 1.0) impacts.push_back({x.t, speed});
        before = speed;
      });
  expect_closed(report);
  EXPECT_NEAR(report.total[Work::walls], total(report.final) - total(report.initial), 1e-12 * total(report.final));
  return impacts;
}

struct WallErrors {
  double invariant = 0.0, time = 0.0;
};

// Largest errors over the first five impacts, averaged over 16 steps near h.
WallErrors wall_errors(double h) {
  WallErrors mean;
  for (int i = 0; i < 16; ++i) {
    const double step = h / root2 / (1.0 + 0.37 * i / 16.0);
    const std::vector<Impact> impacts = impacts_between_walls(step, 0.8);
    WallErrors worst;
    for (int n = 0; n < 5; ++n) {
      const auto& [t, u] = impacts.at(n);
      EXPECT_NEAR(u, 5.0 + 2.0 * n, 1e-10);
      worst.invariant = std::max(worst.invariant, std::abs((1.0 - t) * (u - 1.0) - 3.0));
      worst.time = std::max(worst.time, std::abs(t - MovingWalls{}.exact_impact_time(n)));
    }
    mean.invariant += worst.invariant * h / (root2 * step) / 16.0;
    mean.time += worst.time * h / (root2 * step) / 16.0;
  }
  return mean;
}

TEST(AcaryMovingWalls, InvariantAndImpactTimesConvergeWithTheStep) {
  const WallErrors coarse = wall_errors(1e-3), fine = wall_errors(5e-4), finest = wall_errors(2.5e-4);
  EXPECT_NEAR(coarse.invariant / fine.invariant, 2.0, 0.2);
  EXPECT_NEAR(fine.invariant / finest.invariant, 2.0, 0.2);
  EXPECT_NEAR(coarse.time / fine.time, 2.0, 0.2);
  EXPECT_NEAR(fine.time / finest.time, 2.0, 0.2);
}

}  // namespace
}  // namespace esc
