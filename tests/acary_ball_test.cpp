// The Moreau-Jean scheme on the ball and the oscillator of acary sections 2 and 5: orders, errors, rest, energy.
// A number that must not hang on round-off is computed again from a start moved by 1e-12.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "examples/bouncing_ball.hpp"
#include "examples/linear_oscillator.hpp"
#include "tests/support/orders.hpp"

namespace esc {
namespace {

using examples::BouncingBall;
using examples::LinearOscillator;
using test::follow;
using namespace test::orders;

TEST(AcaryBall, MeanOrdersOfConvergence) {
  const Errors slope = mean_slopes(BouncingBall{}, 40e-3, 4.0);
  EXPECT_NEAR(slope[q_inf], 0.99, 0.01);
  EXPECT_NEAR(slope[q_l1], 0.99, 0.01);
  EXPECT_NEAR(slope[q_l2], 0.98, 0.01);
  EXPECT_NEAR(slope[v_l1], 0.94, 0.01);
  EXPECT_NEAR(slope[v_l2], 0.50, 0.01);
}

TEST(AcaryOscillator, MeanOrdersOfConvergence) {
  const Errors slope = mean_slopes(LinearOscillator{}, 20e-3, 1.6);
  for (const Norm n : {q_inf, q_l1, q_l2}) EXPECT_NEAR(slope[n], 1.005, 0.03) << n;
  EXPECT_NEAR(slope[v_l1], 1.02, 0.045);
  EXPECT_NEAR(slope[v_l2], 0.545, 0.04);
}

TEST(AcaryBall, OrdersOverASingleSequenceOfSteps) {
  const Errors slope = sequence_slopes(BouncingBall{}, 4.0);
  EXPECT_NEAR(slope[q_inf], 1.08, 0.01);
  EXPECT_NEAR(slope[q_l1], 1.06, 0.01);
  EXPECT_NEAR(slope[q_l2], 1.06, 0.01);
  EXPECT_NEAR(slope[v_l1], 0.93, 0.01);
  EXPECT_NEAR(slope[v_l2], 0.48, 0.01);
}

// Between the exact impact and the next grid time v still has the old sign: |e_v| = (1 + e) w at every h.
TEST(AcaryBall, VelocityDoesNotConvergeInTheUniformNorm) {
  const double w = std::sqrt(0.3 * 0.3 + 4.0);  // speed of the first impact
  for (const double h0 : reference_steps)
    EXPECT_NEAR(errors(BouncingBall{}, h0 / root2, 4.0)[v_inf], 1.5 * w, 1e-2) << h0;
  for (const double h0 : {20e-3, 5e-3, 1.25e-3})
    EXPECT_NEAR(errors(LinearOscillator{}, h0 / root2, 1.6)[v_inf], 3.0 * std::numbers::pi, 5e-2) << h0;
}

// The errors are those of an independent implementation of acary Eq. (18), which papers/acary/fig_02_orders.cpp
// compares with too; the paper has them as a figure only.
TEST(AcaryBall, PositionErrorAtTheReferenceSteps) {
  constexpr std::array<double, 7> error{1.2002e-1, 2.5717e-2, 1.5158e-2, 9.8406e-3, 2.5609e-3, 1.3158e-3, 7.4432e-4};
  for (std::size_t i = 0; i < error.size(); ++i)
    for (const double shift : {-1e-12, 0.0, 1e-12})
      EXPECT_NEAR(errors(BouncingBall{.height = 1.0 + shift}, reference_steps[i] / root2, 4.0)[q_inf], error[i],
                  1e-3 * error[i])
          << reference_steps[i];
}

TEST(AcaryBall, PositionErrorOfBallardsExample) {
  for (const double shift : {-1e-12, 0.0, 1e-12})
    EXPECT_NEAR(errors(BouncingBall{.height = 1.0 + shift, .velocity = 0.0}, 1e-3 / root2, 4.0)[q_inf], 2.7279e-3,
                2.7279e-6);
}

// A quarter period without contact is 0.25 s.
TEST(AcaryOscillator, OrderBetweenImpactsIsTwoForTheMidpointAndOneForBackwardEuler) {
  for (const auto& [theta, order] : {std::pair{0.5, 2.0}, std::pair{1.0, 1.0}}) {
    std::vector<double> steps, q, v;
    for (int n = 50; n <= 800; n *= 2) {
      const Errors error = errors(LinearOscillator{}, 0.2 / n, 0.2, {.theta = theta});
      steps.push_back(0.2 / n);
      q.push_back(error[q_inf]);
      v.push_back(error[v_inf]);
    }
    EXPECT_NEAR(test::slope(steps, q), order, 0.02) << theta;
    EXPECT_NEAR(test::slope(steps, v), order, 0.02) << theta;
  }
}

struct Rest {
  double velocity, h, gamma;
  double q;  // m
};

// acary Figs 4 and 5: once at rest the ball stays, below the floor, and the impulse carries it.
TEST(AcaryBall, RestsBelowTheFloorWithoutChattering) {
  const double h = 0.05 / root2;
  for (const Rest& rest :
       {Rest{0.0, 0.05, 1.0, -2.604167e-3}, Rest{0.0, h, 0.0, -9.895833e-4}, Rest{0.0, h, 1.0, -1.25e-3},
        Rest{-0.3, h, 0.0, -3.650207e-3}, Rest{-0.3, h, 1.0, -1.270426e-3}})
    for (const double shift : {-1e-12, 0.0, 1e-12}) {
      int steps = 0;
      const BouncingBall ball{.height = 1.0 + shift, .velocity = rest.velocity};
      follow(ball.model(), {.gamma = rest.gamma}, {.step = rest.h, .until = 8.0}, [&](const System&, const State& x) {
        if (x.t <= 6.0) return;  // the speed halves in every step
        ++steps;
        EXPECT_NEAR(x.q[0], rest.q, -1e-3 * rest.q);
        EXPECT_LE(std::abs(x.v[0]), 1e-12);
        ASSERT_EQ(x.contacts.size(), 1U);
        EXPECT_NEAR(x.contacts[0].P[0] / rest.h, 2.0, 1e-12);
        const double drop = rest.h * rest.h * 2.0;  // h^2 |f|
        EXPECT_GE(x.q[0], rest.gamma == 0.0 ? -3.0 * drop : -drop);
      });
      EXPECT_GT(steps, 30);
    }
}

TEST(AcaryBall, EnergyIsConstantForTheMidpointAndFullRestitution) {
  const BouncingBall ball{.e = 1.0};
  const RunReport report =
      follow(ball.model(), {}, {.step = 0.05 / root2, .until = 10.0},
             [&](const System& system, const State& x) { EXPECT_NEAR(test::energy(system, x), 2.045, 1e-12); });
  EXPECT_GE(report.impacts, 5);
}

}  // namespace
}  // namespace esc
