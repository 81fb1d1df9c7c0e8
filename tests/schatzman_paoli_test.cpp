// The Schatzman-Paoli scheme on the ball and the oscillator of acary: orders, errors, rest; its first step, changing
// steps, and its printed equations checked from positions alone. v_{k+1} is compared with v(t_k), where it belongs.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <escapement/models/gap.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/moving_walls.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/growing_sets.hpp"
#include "tests/support/orders.hpp"

namespace esc {

template <>
constexpr double test::orders::velocity_lag<SchatzmanPaoli> = 1.0;

namespace {

using namespace examples;
using namespace test::orders;

TEST(SchatzmanPaoliBall, MeanOrdersOfConvergence) {
  const Errors slope = mean_slopes<SchatzmanPaoli>(BouncingBall{}, 40e-3, 4.0);
  EXPECT_NEAR(slope[q_inf], 0.99, 0.01);
  EXPECT_NEAR(slope[q_l1], 0.98, 0.01);
  EXPECT_NEAR(slope[q_l2], 0.99, 0.01);
  EXPECT_NEAR(slope[v_l1], 0.92, 0.01);
  EXPECT_NEAR(slope[v_l2], 0.50, 0.01);
}

TEST(SchatzmanPaoliOscillator, MeanOrdersOfConvergence) {
  const Errors slope = mean_slopes<SchatzmanPaoli>(LinearOscillator{}, 20e-3, 1.6);
  for (const Norm n : {q_inf, q_l1, q_l2}) EXPECT_NEAR(slope[n], 1.0, 0.1) << n;
  EXPECT_NEAR(slope[v_l1], 1.0, 0.2);
  EXPECT_NEAR(slope[v_l2], 0.5, 0.12);
}

TEST(SchatzmanPaoliBall, OrdersOverASingleSequenceOfSteps) {
  const Errors slope = sequence_slopes<SchatzmanPaoli>(BouncingBall{}, 4.0);
  EXPECT_NEAR(slope[q_inf], 1.01, 0.01);
  EXPECT_NEAR(slope[q_l1], 1.05, 0.01);
  EXPECT_NEAR(slope[q_l2], 1.04, 0.01);
  EXPECT_NEAR(slope[v_l1], 0.96, 0.01);
  EXPECT_NEAR(slope[v_l2], 0.49, 0.01);
}

TEST(SchatzmanPaoliBall, PositionErrorsOfTheReference) {
  constexpr std::array<double, 7> error{7.9108e-2, 2.8276e-2, 1.4212e-2, 7.1229e-3, 2.8570e-3, 1.4292e-3, 7.1480e-4};
  for (std::size_t i = 0; i < error.size(); ++i)
    for (const double shift : {-1e-12, 0.0, 1e-12})
      EXPECT_NEAR(errors<SchatzmanPaoli>(BouncingBall{.height = 1.0 + shift}, reference_steps[i] / root2, 4.0)[q_inf],
                  error[i], 1e-3 * error[i])
          << reference_steps[i];
  for (const double shift : {-1e-12, 0.0, 1e-12})
    EXPECT_NEAR(errors<SchatzmanPaoli>(BouncingBall{.height = 1.0 + shift, .velocity = 0.0}, 1e-3 / root2, 4.0)[q_inf],
                1.4135e-3, 1.4135e-6);
}

// acary Figs 4 and 5: at rest on the floor, without a cycle, and impulse / h is the weight.
TEST(SchatzmanPaoliBall, RestsOnTheFloorWithoutChattering) {
  for (const double h : {0.05, 0.05 / root2})
    for (const double velocity : {0.0, -0.3}) {
      int steps = 0;
      test::follow<SchatzmanPaoli>(BouncingBall{.velocity = velocity}.model(), {}, {.step = h, .until = 8.0},
                                   [&](const System&, const State& x) {
                                     if (x.t <= 5.0) return;
                                     ++steps;
                                     EXPECT_LT(std::abs(x.q[0]), 1e-5);
                                     if (x.t <= 6.0) return;
                                     EXPECT_LE(std::abs(x.v[0]), 1e-6 * h * 2.0);
                                     ASSERT_EQ(x.contacts.size(), 1U);
                                     EXPECT_NEAR(x.contacts[0].P[0] / h, 2.0, 1e-6);
                                   });
      EXPECT_GT(steps, 30);
    }
}

// (20a) without contact is exact for a constant force, from the first step on and whatever the steps are.
TEST(SchatzmanPaoliFlight, AConstantForceIsExactForAnySteps) {
  const BouncingBall ball{.height = 100.0, .velocity = 0.7};
  const System system = compile(ball.model());
  SchatzmanPaoli scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  double t_before = 0.0;
  for (int k = 0; k < 40; ++k) {
    const double h = k % 3 == 0 ? 0.1 : k % 3 == 1 ? 0.03 : 0.07;
    t_before = x.t;
    ASSERT_TRUE(scheme.step(x, h).ok());
    EXPECT_NEAR(x.q[0], 100.0 + 0.7 * x.t - x.t * x.t, 1e-12);
    EXPECT_NEAR(x.v[0], 0.7 - 2.0 * t_before, 1e-13);
  }
}

// Between impacts: first order with F at theta h, second with F at the beginning, also with steps of changing length.
TEST(SchatzmanPaoliOscillator, OrderBetweenImpacts) {
  for (const bool changing : {false, true})
    for (const auto& [theta, order] : {std::pair{0.0, 2.0}, {0.5, 1.0}, {1.0, 1.0}}) {
      std::vector<double> steps, q;
      for (int n = 50; n <= 800; n *= 2) {
        const LinearOscillator oscillator{.damping = 0.0};
        const System system = compile(oscillator.model());
        SchatzmanPaoli scheme(system, {.theta = theta});
        State x = system.initial_state();
        scheme.start(x);
        double worst = 0.0;
        for (int k = 0; k < n; ++k) {
          const StepReport report = scheme.step(x, 0.2 / n * (!changing ? 1.0 : k % 2 == 0 ? 2.0 / 3.0 : 4.0 / 3.0));
          ASSERT_TRUE(report.ok());
          EXPECT_EQ(report.iterations, 1);  // linear
          worst = std::max(worst, std::abs(x.q[0] - oscillator.exact(x.t).q));
        }
        steps.push_back(0.2 / n);
        q.push_back(worst);
      }
      EXPECT_NEAR(test::slope(steps, q), order, 0.03) << theta << changing;
    }
}

TEST(SchatzmanPaoliOscillator, AStepWithContactOfALinearSystemTakesTwoIterations) {
  const System system = compile(LinearOscillator{.damping = 0.3}.model());
  SchatzmanPaoli scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  int contacts = 0;
  for (int k = 0; k < 400; ++k) {
    const StepReport report = scheme.step(x, 3e-3);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.iterations, report.active > 0 ? 2 : 1);  // the free motion, then that with the contact
    contacts += report.active;
  }
  EXPECT_GT(contacts, 0);
}

// A block on two feet with different restitution, whose gaps are curved in the angle.
struct TwoFeet {
  static constexpr double mass = 1.3, inertia = 0.4, g = 9.81, half = 0.5, height = 0.75;
  static double gap_of(int foot, const double* q) {
    return q[1] - height * std::cos(q[2]) + (foot == 0 ? -half : half) * std::sin(q[2]);
  }
  static std::array<double, 3> row_of(int foot, const double* q) {
    return {0.0, 1.0, height * std::sin(q[2]) + (foot == 0 ? -half : half) * std::cos(q[2])};
  }
  static Model model(std::array<double, 2> e) {
    Model model;
    model.set_gravity({0.0, -g, 0.0});
    const BlockId block = model.add_planar_body(
        "block", {.mass = mass, .inertia = inertia, .pose = {0.0, 1.1, 0.2}, .velocity = {0.1, 0.0, 0.3}});
    for (const int foot : {0, 1})
      model.add_contact(foot == 0 ? "left" : "right", {block}, gap<3>([foot](const auto&, const auto* q) {
                          using std::cos;
                          using std::sin;
                          return q[1] - height * cos(q[2]) + (foot == 0 ? -half : half) * sin(q[2]);
                        }),
                        {.e = e[foot]});
    return model;
  }
};

// (20a) and (22) as printed, from three positions and the impulses of the records.
TEST(SchatzmanPaoliEquations, HoldForContactsWithDifferentRestitution) {
  const double h = 4e-3;
  constexpr std::array<double, 2> e{0.7, 0.2};
  const System system = compile(TwoFeet::model(e));
  SchatzmanPaoli scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  std::array<std::vector<double>, 3> q{};  // q_{k-1}, q_k, q_{k+1}
  int touched[2] = {}, both = 0;
  for (int k = 0; k < 1000; ++k) {
    q[0] = q[1];
    q[1] = x.q;
    ASSERT_TRUE(scheme.step(x, h).ok());
    q[2] = x.q;
    if (k == 0) continue;
    std::array<double, 3> r{0.0, h * h * TwoFeet::mass * TwoFeet::g, 0.0};  // M (..) - h^2 F
    for (int i = 0; i < 3; ++i)
      r[i] += (i < 2 ? TwoFeet::mass : TwoFeet::inertia) * (q[2][i] - 2.0 * q[1][i] + q[0][i]);
    bool carries[2] = {};
    for (const int foot : {0, 1}) {
      std::array<double, 3> q_c{};
      for (int i = 0; i < 3; ++i) q_c[i] = (q[2][i] + e[foot] * q[0][i]) / (1.0 + e[foot]);
      const ContactRecord* record = find(x, system.contact_key(foot == 0 ? "left" : "right"));
      const double P = record ? record->P[0] : 0.0, g = TwoFeet::gap_of(foot, q_c.data());
      EXPECT_GE(P, 0.0);
      EXPECT_GE(g, -1e-12);
      EXPECT_LE(P > 0.0 ? std::abs(g) : 0.0, 1e-12);
      const auto G = TwoFeet::row_of(foot, q_c.data());
      for (int i = 0; i < 3; ++i) r[i] -= G[i] * h * P;
      carries[foot] = P > 0.0;
      touched[foot] += carries[foot];
    }
    both += carries[0] && carries[1];
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(r[i], 0.0, 1e-12);
  }
  EXPECT_GT(touched[0], 0);
  EXPECT_GT(touched[1], 0);
  EXPECT_GT(both, 0);
}

// Two balls that do not know of each other, in one system and alone.
TEST(SchatzmanPaoliEquations, RestitutionsDoNotMix) {
  const auto balls = [](std::vector<double> e) {
    Model model;
    model.set_gravity({0.0, -2.0, 0.0});
    for (const double each : e) {
      const std::string name = "ball" + std::to_string(each);
      const BlockId ball = model.add_planar_body(name, {.pose = {0.0, 1.0, 0.0}, .velocity = {0.0, -0.3, 0.0}});
      model.add_contact("floor of " + name, {Coordinates(ball, 1, 1)},
                        gap<1>([](const auto&, const auto* q) { return q[0]; }), {.e = each});
    }
    return model;
  };
  const System both = compile(balls({0.9, 0.2})), first = compile(balls({0.9})), second = compile(balls({0.2}));
  SchatzmanPaoli scheme_both(both), scheme_first(first), scheme_second(second);
  State x = both.initial_state(), y = first.initial_state(), z = second.initial_state();
  scheme_both.start(x);
  scheme_first.start(y);
  scheme_second.start(z);
  for (int k = 0; k < 500; ++k) {
    ASSERT_TRUE(scheme_both.step(x, 7e-3).ok() && scheme_first.step(y, 7e-3).ok() && scheme_second.step(z, 7e-3).ok());
    EXPECT_EQ(x.q[1], y.q[1]);
    EXPECT_EQ(x.q[4], z.q[1]);
  }
}

// e = 0: q_c = q_{k+1}, and gaps are never negative.
TEST(SchatzmanPaoliEquations, WithoutRestitutionNothingPenetrates) {
  const RunReport report = test::follow<SchatzmanPaoli>(
      RockingBlock{.e = 0.0}.model(), {}, {.step = 1e-2, .until = 2.0},
      [](const System& system, const State& x) { EXPECT_GE(test::smallest_gap(system, x), -1e-12); });
  EXPECT_GT(report.impacts, 0);
}

TEST(SchatzmanPaoliEquations, AContactThatOnlyAnotherOneCloses) {
  test::expect_second_contact_found<SchatzmanPaoli>({0.0, -2.0, 0.0});
}

// Walls that move are gaps g(t, q): (1 - t_n)(u_n - 1) is the same after every elastic impact.
TEST(SchatzmanPaoliWalls, ElasticImpactsOnMovingWalls) {
  const MovingWalls walls;
  std::vector<double> steps, errors;
  for (const double h : {8e-4 / root2, 4e-4 / root2, 2e-4 / root2, 1e-4 / root2}) {
    double worst = 0.0;
    int impacts = 0;
    test::follow<SchatzmanPaoli>(
        walls.model(), {}, {.step = h, .until = 0.8}, [&, carried = false](const System&, const State& x) mutable {
          const bool carries =
              std::any_of(x.contacts.begin(), x.contacts.end(), [](const auto& c) { return c.P[0] > 0.0; });
          if (carries && !carried) worst = std::max(worst, std::abs(x.t - walls.exact_impact_time(impacts++)));
          carried = carries;
        });
    EXPECT_GE(impacts, 5);
    steps.push_back(h);
    errors.push_back(worst);
    EXPECT_LE(worst, 20.0 * h);
  }
  EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.3);
}

TEST(SchatzmanPaoliFriction, IsRefusedWithTheNameOfThePairAndWhatToUse) {
  const System system = compile(SliderOnRoller{}.model());
  try {
    SchatzmanPaoli scheme(system);
    FAIL() << "friction was taken";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.item(), system.contact_name({0, 0}));
    EXPECT_NE(std::string(error.what()).find("moreau-jean"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace esc
