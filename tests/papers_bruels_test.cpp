// papers/bruels: every reproduction's verdicts hold, and its predicates fail with the wrong scheme or parameter.
#include <gtest/gtest.h>

#include "papers/bruels/ball.hpp"
#include "papers/bruels/bar.hpp"
#include "papers/bruels/block.hpp"
#include "papers/bruels/bruels.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/damping.hpp"
#include "papers/bruels/pendulum.hpp"
#include "tests/support/reproductions.hpp"

namespace esc::papers::bruels {
namespace {

class BruelsReproduction : public ::testing::TestWithParam<Reproduction> {};
TEST_P(BruelsReproduction, VerdictsHold) { testing::expect_no_failure(GetParam(), "papers_bruels.md"); }
INSTANTIATE_TEST_SUITE_P(Fast, BruelsReproduction, ::testing::ValuesIn(testing::items(paper(), false)),
                         testing::item_name);

// Figs 2 and 3.
TEST(BruelsPredicates, OnlyTheSmoothSchemeGainsEnergy) {
  const auto alpha = ball_run(alpha_ggl());
  EXPECT_LT(largest(alpha, "energy.total"), 1.1 * alpha.data["energy.total"].front());
  EXPECT_LT(late_speed(alpha, 4.5), 0.03);
  EXPECT_FALSE(stays_above(ball_run(moreau())).holds);
}

// Figs 4 to 7.
TEST(BruelsPredicates, BallOfAnotherScheme) {
  const auto theta = ball_run(moreau("0"));
  EXPECT_FALSE(stays_above(theta).holds);
  EXPECT_FALSE(first_impulses(theta).holds);
  EXPECT_FALSE(corrections_are_first_order(theta, ball_step).holds);  // it has no nu
  EXPECT_GT(loss_in_flight(theta), 1e-5);
  EXPECT_FALSE(first_impulses(ball_run({"direct-projected"})).holds);
  const auto chatter = ball_run({"alpha-ggl", {{"prediction", "start"}}});
  EXPECT_FALSE(carries_its_weight(chatter).holds);
  EXPECT_FALSE(rests_at_the_accumulation(chatter).holds);
  EXPECT_GT(largest_rise(chatter), 1e-3);
}

// Figs 8 to 12.
TEST(BruelsPredicates, PendulumOfAnotherScheme) {
  const auto theta = pendulum_run(moreau());
  EXPECT_FALSE(pendulum_rests(theta).holds);
  EXPECT_GT(drift(theta), 1e-4);
  EXPECT_GT(reaction_error(theta), 1e-2);
  constexpr Impulse first[] = {{0.487, 11.74022}};
  EXPECT_FALSE(has_impulses(theta, first, 1e-5).holds);
  EXPECT_GT(impulses_apart(pendulum_run(alpha_ggl()), pendulum_run(alpha_ggl(), pendulum_step, 1.0)), 0.02);
}

// Fig. 14: the swing follows rho_inf, and restarts end it.
TEST(BruelsPredicates, SwingOfAnotherRadius) {
  EXPECT_GT(swing_after_impact(pendulum_run(alpha_ggl("1"), pendulum_step, 0.6)), 50.0);
  EXPECT_FALSE(near(swing_after_impact(pendulum_run(alpha_ggl("0.5"), pendulum_step, 0.6)), 2.78, 0.01).holds);
}

// Figs 17 to 19.
TEST(BruelsPredicates, BarOfAnotherScheme) {
  const BarFigures trapezoidal = measure(bar_run({"moreau-jean"})), position = measure(bar_run({"position-theta"}));
  EXPECT_FALSE(first_forces(trapezoidal, {181.62079, 275.29888, 314.42030}).holds);
  EXPECT_FALSE(near(trapezoidal.energy, 476.9237, 1e-5).holds);
  EXPECT_FALSE(first_forces(measure(bar_run(alpha_ggl())), {491.03640, 12.35942, 695.91918}).holds);
  EXPECT_FALSE(near(measure(bar_run({"alpha-index3", {{"rho_inf", "0.6"}}})).energy, 497.8042, 1e-5).holds);
  EXPECT_GT(position.speed, 1.0);
  EXPECT_GT(position.deviation / 300.0, 0.05);
  EXPECT_FALSE(near(measure(bar_run(alpha_ggl("1"))).energy, 497.5441, 1e-5).holds);
}

// Figs 20 to 24.
TEST(BruelsPredicates, BlockOfAnotherScheme) {
  const auto theta = block_run(moreau()), alpha = block_run(alpha_ggl());
  EXPECT_FALSE(block_rests(theta).holds);
  EXPECT_FALSE(block_energies(theta).holds);
  EXPECT_FALSE(block_impulses(theta).holds);
  EXPECT_FALSE(nearer_in_energy(theta, alpha, alpha).holds);
  EXPECT_GT(block_loss_in_flight(theta), 1e-4);
  EXPECT_GT(late_speed(block_run({"direct-projected"})), 1e-2);
}

// Section 11.
TEST(BruelsPredicates, DampingOfAnotherRadius) {
  EXPECT_FALSE(near(loss_per_step(alpha_ggl("0.5"), 0.3), 5.4e-6, 0.02).holds);
  EXPECT_LT(std::abs(loss_per_step({"moreau-jean"}, 0.3)), 1e-10);  // theta = 1/2 damps nothing
}

}  // namespace
}  // namespace esc::papers::bruels
