// The nonsmooth generalized-alpha method on the ball and the block of bruels section 10, and what its section 7 proves.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <escapement/schemes/combined_projection.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/rocking_block.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::BouncingBall;
using examples::RockingBlock;

// bruels 10.1: m = 1 kg, a_g = 10 m/s^2; h0 = 1.001 m is the height of a centre 0.2 m above the gap.
constexpr BouncingBall ball{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0};
constexpr double a_g = 10.0;

double energy_of(const State& x) { return 0.5 * x.v[0] * x.v[0] + a_g * x.q[0]; }

// Lambda = (1 + e) |v_n| + h a_g: rational numbers at this step, at which no impact falls on the grid.
TEST(BruelsBall, ImpulsesEnergyAndRest) {
  const System system = compile(ball.model());
  std::vector<Blow> blows;
  double least = 0.0, rise = 0.0, energy = energy_of(system.initial_state()), rest = 0.0;
  const State x = run_alpha(system, {}, {1.8e-3, 5.0}, [&](const System&, const State& now, const StepReport& report) {
    note_blows(report, 2.0, blows);
    least = std::min(least, now.q[0]);
    rise = std::max(rise, energy_of(now) - energy);
    energy = energy_of(now);
    if (std::abs(now.q[0]) > 1e-8 || std::abs(now.v[0]) > 1e-8) rest = now.t;
    EXPECT_EQ(report.iterations, 1);
  });
  const std::vector<std::pair<double, double>> expected{{0.4014, 7.2108},     {1.0422, 5.76576},
                                                        {1.5534, 4.588992},   {1.9602, 3.6512064},
                                                        {2.2842, 2.91103488}, {2.5416, 2.304372096}};
  ASSERT_EQ(blows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(blows[i].t, expected[i].first, 1e-10);
    EXPECT_NEAR(blows[i].P, expected[i].second, 1e-10);
  }
  EXPECT_GE(least, -1e-15);
  EXPECT_LT(rise, 1e-14);
  EXPECT_NEAR(rest, 3.5604, 1.9e-3);
  ASSERT_EQ(x.contacts.size(), 1U);
  EXPECT_NEAR(x.contacts[0].P[0] / x.h, 10.0, 1e-8);
}

TEST(BruelsBall, IsTheCombinedProjectionScheme) {
  const System system = compile(ball.model());
  CombinedProjection other(system);
  State y = system.initial_state();
  other.start(y);
  double apart = 0.0;
  for (const AlphaForm form : {AlphaForm::sequential, AlphaForm::coupled}) {
    y = system.initial_state();
    other.start(y);
    run_alpha(system, {.form = form}, {1.8e-3, 5.0}, [&](const System&, const State& x, const StepReport&) {
      ASSERT_TRUE(other.step(y, 1.8e-3).ok());
      apart = std::max({apart, std::abs(x.q[0] - y.q[0]), std::abs(x.v[0] - y.v[0])});
    });
  }
  EXPECT_LT(apart, 1e-12);
}

TEST(BruelsBall, ErrorsAndCorrectionsAreOfFirstOrder) {
  constexpr std::array<double, 5> steps{4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3};
  constexpr std::array<double, 5> largest{3.3374e-2, 1.4430e-2, 7.1284e-3, 3.2550e-3, 7.5476e-4};
  constexpr std::array<double, 5> mean{2.3797e-2, 1.1168e-2, 5.3317e-3, 2.5319e-3, 7.3141e-4};
  constexpr std::array<double, 5> correction{5.5600e-3, 5.5600e-3, 2.7225e-3, 1.3056e-3, 5.9766e-4};
  const System system = compile(ball.model());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double h = steps[i] / std::numbers::sqrt2;
    test::ErrorNorms error;
    double nu = 0.0, fastest = 0.0, v = 0.0;
    run_alpha(system, {}, {h, h * std::floor(5.0 / h)}, [&](const System&, const State& x, const StepReport&) {
      error.add(x.q[0] - ball.exact(x.t).q);
      for (const ContactRecord& record : x.contacts) {
        nu = std::max(nu, record.tau);
        if (record.tau > 0.0) fastest = std::max(fastest, std::abs(v));
      }
      v = x.v[0];
    });
    EXPECT_NEAR(error.inf(), largest[i], 1e-3 * largest[i]) << h;
    EXPECT_NEAR(error.l1(h), mean[i], 3e-3 * mean[i]) << h;
    EXPECT_NEAR(nu, correction[i], 1e-3 * correction[i]) << h;
    EXPECT_LE(nu, 1.05 * h * fastest);
  }
}

// Property 2: (0, 0) is the only state of rest, and every start below h^2 a_g / 2 goes there at once.
TEST(BruelsBall, PropertyTwo) {
  for (const double part : {0.0, 0.1, 0.5, 0.999}) {
    const double h = 1e-2, start = part * 0.5 * h * h * a_g;
    const System system = compile(BouncingBall{.force = -a_g, .height = start, .velocity = 0.0}.model());
    const State x = run_alpha(system, {}, {h, h});
    EXPECT_EQ(x.v[0], 0.0);
    EXPECT_EQ(x.q[0], 0.0);
  }
}

// Property 3, for any e, h, start and rho_inf: energy never rises.
TEST(BruelsBall, PropertyThreeOfRandomRuns) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  double worst = 0.0;
  for (int run = 0; run < 2000; ++run) {
    const double choice = any(random), e = choice < 0.2 ? 0.0 : choice < 0.4 ? 1.0 : any(random);
    const double h = std::pow(10.0, -4.0 + 3.5 * any(random));
    const System system = compile(
        BouncingBall{.force = -a_g, .e = e, .height = any(random), .velocity = 4.0 * any(random) - 2.0}.model());
    AlphaGgl scheme(system, {.rho_inf = any(random)});
    State x = system.initial_state();
    scheme.start(x);
    double energy = energy_of(x);
    const double first = 1.0 + energy;
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(scheme.step(x, h).ok());
      worst = std::max(worst, (energy_of(x) - energy) / first);
      energy = energy_of(x);
    }
  }
  EXPECT_LT(worst, 1e-15 * 100);
}

// Section 7.2: with q* = q_n or q_n + h v_n the ball never rests.
TEST(BruelsBall, OnlyTheEndOfTheSmoothMotionComesToRest) {
  const System system = compile(ball.model());
  const auto late_speed = [&](Prediction prediction) {
    double fastest = 0.0;
    run_alpha(system, {.prediction = prediction}, {1.8e-3, 6.0}, [&](const System&, const State& x, const StepReport&) {
      if (x.t > 4.5) fastest = std::max(fastest, std::abs(x.v[0]));
    });
    return fastest;
  };
  EXPECT_LT(late_speed(Prediction::tilde), 1e-14);
  EXPECT_LT(late_speed(Prediction::end), 1e-14);
  EXPECT_GT(late_speed(Prediction::start), 0.03);
  EXPECT_GT(late_speed(Prediction::extrapolated), 0.005);
}

// Levels = velocity: the ball rests too, but where it has come to rest is O(h) below the floor or on it.
TEST(BruelsBall, VelocityLevelAlonePenetrates) {
  const System system = compile(ball.model());
  double least = 0.0;
  const State x =
      run_alpha(system, {.levels = Levels::velocity}, {1.8e-3, 5.0},
                [&](const System&, const State& now, const StepReport&) { least = std::min(least, now.q[0]); });
  EXPECT_LT(least, -1e-4);
  EXPECT_GT(least, -1.05 * 1.8e-3 * 4.0);
  EXPECT_LT(std::abs(x.v[0]), 1e-10);
}

// bruels 10.4: J, e and the start are those of acary 5.3 with v0 = 0.
constexpr RockingBlock block{.velocity = {0.0, 0.0, 0.0}};

TEST(BruelsBlock, EnergiesImpulsesAndRest) {
  const System system = compile(block.model());
  std::vector<Blow> blows;
  double least = 0.0, rise = 0.0, energy = 10.0, rest = 0.0;
  const std::vector<std::pair<double, double>> energies{
      {0.25, 8.959284}, {0.4, 8.016178}, {0.6, 7.517197}, {0.8, 7.357500}};
  const State x = run_alpha(system, {}, {1e-2, 2.0}, [&](const System& s, const State& now, const StepReport& report) {
    note_blows(report, 0.5, blows);
    least = std::min(least, test::smallest_gap(s, now));
    const double E = test::energy(s, now);
    for (const auto& [t, value] : energies)
      if (std::abs(now.t - t) < 1e-9) {
        EXPECT_NEAR(E, value, 1e-6);
      }
    rise = std::max(rise, E - energy);
    energy = E;
    if (std::max(std::abs(now.v[1]), std::abs(now.v[2])) > 1e-6) rest = now.t + 1e-2;
  });
  const auto a = RockingBlock::corner_a, b = RockingBlock::corner_b;
  const std::vector<Blow> expected{{0.19, 1.8928617919, b},
                                   {0.30, 1.8255759077, a},
                                   {0.48, 1.0082880482, b},
                                   {0.53, 0.8168124254, a},
                                   {0.62, 0.5039340620, b}};
  ASSERT_EQ(blows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(blows[i].t, expected[i].t, 1e-9);
    EXPECT_EQ(blows[i].feature, expected[i].feature);
    EXPECT_NEAR(blows[i].P, expected[i].P, 1e-8);
  }
  EXPECT_GE(least, -1e-12);
  EXPECT_LT(rise, 1e-8);
  EXPECT_NEAR(rest, 0.87, 1.01e-2);
  EXPECT_NEAR(x.q[1], 0.75, 1e-10);
  EXPECT_NEAR(energy, 7.3575, 1e-9);
  ASSERT_EQ(x.contacts.size(), 2U);
  for (const ContactRecord& record : x.contacts) EXPECT_NEAR(record.P[0] / x.h, 4.905, 1e-6);
}

// A corner that is let go while the other one hits: with the printed signs of inactive multipliers the iteration ends
// at nu_A = -8e13.
TEST(BruelsBlock, ACornerIsReleasedInsideTheNewtonLoop) {
  const double up = 0.03, down = -1.0;  // m/s of corners a, b
  const System system =
      compile(RockingBlock{.pose = {0.0, 0.75, 0.0}, .velocity = {0.0, 0.5 * (up + down), up - down}}.model());
  for (const AlphaForm form : {AlphaForm::sequential, AlphaForm::coupled}) {
    const State x = run_alpha(system, {.form = form}, {1e-2, 1e-2});
    const ContactRecord* b = find(x, {0, RockingBlock::corner_b});
    ASSERT_TRUE(b);
    EXPECT_NEAR(b->tau, 5.45596e-3, 1e-7);
    EXPECT_NEAR(b->P[0], 0.83119563, 1e-7);
    const ContactRecord* a = find(x, {0, RockingBlock::corner_a});
    if (a) {
      EXPECT_EQ(a->P[0], 0.0);
    }
    for (const Contact& contact : test::contacts_at(system, x).contacts)
      if (contact.key.feature == RockingBlock::corner_a) {
        EXPECT_NEAR(contact.gap, 2.30954e-4, 1e-7);
      }
  }
}

}  // namespace
}  // namespace esc::testing
