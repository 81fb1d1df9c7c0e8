// The direct projected and the combined scheme on the ball and the oscillator of acary sections 2 and 5: orders,
// errors, size of the projection, and what is left of the motion at rest. A number that must not hang on round-off is
// computed again from a start moved by 1e-12.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/linear_oscillator.hpp"
#include "tests/support/orders.hpp"

namespace esc {
namespace {

using examples::BouncingBall;
using examples::LinearOscillator;
using test::follow;
using namespace test::orders;

constexpr double f = 2.0, e = 0.5;  // |force| and restitution of the ball

// In the order of Norm, each +- 0.01.
void expect_slopes(const Errors& slope, const std::array<double, 5>& expected) {
  for (int n = 0; n < v_inf; ++n) EXPECT_NEAR(slope[n], expected[n], 0.0101) << n;
}

TEST(AcaryProjectedBall, MeanOrdersOfConvergence) {
  expect_slopes(mean_slopes<DirectProjected>(BouncingBall{}, 40e-3, 4.0), {0.95, 0.96, 0.96, 0.86, 0.49});
  expect_slopes(mean_slopes<CombinedProjection>(BouncingBall{}, 40e-3, 4.0), {1.00, 1.00, 1.01, 0.97, 0.51});
}

TEST(AcaryProjectedBall, OrdersOverASingleSequenceOfSteps) {
  expect_slopes(sequence_slopes<DirectProjected>(BouncingBall{}, 4.0), {0.98, 1.03, 1.02, 0.90, 0.49});
  expect_slopes(sequence_slopes<CombinedProjection>(BouncingBall{}, 4.0), {0.97, 0.97, 0.97, 1.15, 0.87});
}

template <class S>
void expect_orders_of_the_oscillator() {
  const Errors slope = mean_slopes<S>(LinearOscillator{}, 20e-3, 1.6);
  for (const Norm n : {q_inf, q_l1, q_l2}) EXPECT_NEAR(slope[n], 1.005, 0.03) << n;
  EXPECT_NEAR(slope[v_l1], 1.02, 0.045);
  EXPECT_NEAR(slope[v_l2], 0.545, 0.04);
}

TEST(AcaryProjectedOscillator, MeanOrdersOfConvergence) {
  expect_orders_of_the_oscillator<DirectProjected>();
  expect_orders_of_the_oscillator<CombinedProjection>();
}

template <class S>
void expect_position_errors(const std::array<double, 7>& error) {
  for (std::size_t i = 0; i < error.size(); ++i)
    for (const double shift : {-1e-12, 0.0, 1e-12})
      EXPECT_NEAR(errors<S>(BouncingBall{.height = 1.0 + shift}, reference_steps[i] / root2, 4.0)[q_inf], error[i],
                  1e-3 * error[i])
          << reference_steps[i];
}

TEST(AcaryProjectedBall, PositionErrorAtTheReferenceSteps) {
  expect_position_errors<DirectProjected>(
      {7.4954e-2, 2.0046e-2, 1.3885e-2, 7.2649e-3, 2.8215e-3, 1.4129e-3, 7.0502e-4});
  expect_position_errors<CombinedProjection>(
      {2.2435e-2, 1.1093e-2, 4.1305e-3, 1.4972e-3, 1.2895e-3, 5.7583e-4, 2.1864e-4});
}

// With a forecast of the position the velocity turns a step late: |e_v| = (1 + e) w at every h.
TEST(AcaryProjectedBall, VelocityDoesNotConvergeInTheUniformNorm) {
  const double w = std::sqrt(0.3 * 0.3 + 4.0);  // speed of the first impact
  for (const double h0 : reference_steps)
    EXPECT_NEAR(errors<DirectProjected>(BouncingBall{}, h0 / root2, 4.0)[v_inf], 1.5 * w, 1e-2) << h0;
}

double tau_of(const State& x) { return x.contacts.empty() ? 0.0 : x.contacts[0].tau; }
double impulse_of(const State& x) { return x.contacts.empty() ? 0.0 : x.contacts[0].P[0]; }

// The largest |tau| / h, over the steps of the mean orders.
template <class S>
double largest_tau() {
  double largest = 0.0;
  for (int level = 0; level < levels; ++level)
    for (int i = 0; i < steps_of_a_level; ++i) {
      const double h = level_step(40e-3, level, i);
      double tau = 0.0, speed = 0.3;
      follow<S>(BouncingBall{}.model(), {}, {.step = h, .until = 4.0, .certify = false},
                [&](const System&, const State& x) {
                  tau = std::max(tau, std::abs(tau_of(x)));
                  speed = std::max(speed, std::abs(x.v[0]));
                });
      EXPECT_GT(tau, 0.0);
      EXPECT_LE(tau, 1.05 * h * speed);
      largest = std::max(largest, tau / h);
    }
  return largest;
}

// The combined scheme mostly pulls down: the ball is stopped in the step that would penetrate, from where it was.
TEST(AcaryProjectedBall, ProjectionIsOfTheSizeOfTheStep) {
  const double direct = largest_tau<DirectProjected>(), combined = largest_tau<CombinedProjection>();
  EXPECT_NEAR(direct, 2.03, 0.01);
  EXPECT_LE(direct, 2.1);
  EXPECT_NEAR(combined, 1.47, 0.01);
  EXPECT_LE(combined, 1.5);
}

// v, q and P / h at a grid time.
struct Instant {
  double v, q, force;
};

// Two starts: acary's, which has impacts on grid times before the cycle, and one without such ties.
struct Start {
  double velocity, h;
};
constexpr std::array<Start, 2> starts{{{0.0, 0.05}, {-0.3, 0.05 / root2}}};

// The run after t = 7 s is the cycle, from whichever of its instants it begins with, again and again.
void expect_cycle(const Start& start, const DirectProjectedOptions& options, const std::vector<Instant>& cycle) {
  std::vector<Instant> late;
  follow<DirectProjected>(BouncingBall{.velocity = start.velocity}.model(), options, {.step = start.h, .until = 8.0},
                          [&](const System&, const State& x) {
                            if (x.t > 7.0) late.push_back({x.v[0], x.q[0], impulse_of(x) / start.h});
                          });
  ASSERT_GT(late.size(), 15U);
  std::size_t phase = 0;
  for (std::size_t k = 0; k < cycle.size(); ++k)
    if (std::abs(late[0].v - cycle[k].v) < std::abs(late[0].v - cycle[phase].v)) phase = k;
  double mean_force = 0.0;
  for (std::size_t k = 0; k < late.size(); ++k) {
    const Instant& expected = cycle[(phase + k) % cycle.size()];
    EXPECT_NEAR(late[k].v, expected.v, 1e-6 * start.h * f);
    EXPECT_NEAR(late[k].q, expected.q, 1e-6 * start.h * start.h * f);
    EXPECT_NEAR(late[k].force, expected.force, 1e-6 * f);
    if (k < cycle.size()) mean_force += late[k].force / static_cast<double>(cycle.size());
  }
  EXPECT_NEAR(mean_force, f, 1e-6 * f);
}

// acary Figs 4 and 5. At rest the ball is thrown up again and again. With c the largest speed:
// -c at the floor is reversed to e c; gravity takes h f per step.
TEST(AcaryProjectedBall, DirectProjectionChattersWithPeriodThree) {
  for (const Start& start : starts) {
    const double h = start.h, c = h * f / (1.0 - e * e);
    for (const double theta : {0.5, 1.0}) {
      const double up = std::max(0.0, h * c * (theta * (1.0 + e) - 1.0));  // where the step from -c to e c ends
      const double down = up + h * c * ((1.0 - theta) * e - theta * e * e);
      const double impulse = (1.0 + e) * c + h * f;
      expect_cycle(start, {.theta = theta}, {{-c, 0.0, 0.0}, {e * c, up, impulse / h}, {-e * e * c, down, 0.0}});
    }
  }
}

TEST(AcaryProjectedBall, DirectProjectionChattersWithPeriodTwoWhenItLooksAhead) {
  for (const Start& start : starts)
    for (const double gamma : {1.0, 2.0})
      for (const double theta : {0.5, 1.0}) {
        const double h = start.h, c = h * f / (1.0 + e);
        const double up = std::max(0.0, h * c * (theta * (1.0 + e) - 1.0));
        const double impulse = (1.0 + e) * c + h * f;
        expect_cycle(start, {.theta = theta, .gamma = gamma}, {{-c, 0.0, 0.0}, {e * c, up, impulse / h}});
      }
}

// The cycles in acary's figures.
TEST(AcaryProjectedBall, SizesOfTheCycles) {
  const double h = 0.05;
  expect_cycle(starts[0], {}, {{-0.4 / 3.0, 0.0, 0.0}, {0.2 / 3.0, 0.0, 6.0}, {-0.1 / 3.0, h / 60.0, 0.0}});
  expect_cycle(starts[0], {.theta = 1.0},
               {{-0.4 / 3.0, 0.0, 0.0}, {0.2 / 3.0, 0.01 / 3.0, 6.0}, {-0.1 / 3.0, h / 30.0, 0.0}});
  expect_cycle(starts[0], {.gamma = 1.0}, {{-0.2 / 3.0, 0.0, 0.0}, {0.1 / 3.0, 0.0, 4.0}});
}

TEST(AcaryProjectedBall, FreeForecastRestsAboveTheFloor) {
  for (const Start& start : starts)
    for (const double theta : {0.5, 0.75, 1.0}) {
      double height = -1.0;
      follow<DirectProjected>(BouncingBall{.velocity = start.velocity}.model(),
                              {.theta = theta, .forecast = Forecast::free}, {.step = start.h, .until = 9.0},
                              [&](const System&, const State& x) {
                                if (x.t < 8.0) return;
                                if (height < 0.0) height = x.q[0];
                                EXPECT_NEAR(x.v[0], 0.0, 1e-6);
                                EXPECT_NEAR(x.q[0], height, 1e-6 * start.h);
                                EXPECT_NEAR(impulse_of(x) / start.h, f, 1e-4);
                              });
      EXPECT_GE(height, 0.0);
      EXPECT_LE(height, theta * start.h * start.h * f * (1.0 + 1e-12));
    }
}

// "Never violated" with (62) needs theta >= 1 / (1 + e).
TEST(AcaryProjectedBall, FreeForecastProjectsUnlessThetaIsLarge) {
  const auto largest = [](double theta, double h, double shift) {
    double tau = 0.0;
    follow<DirectProjected>(BouncingBall{.height = 1.0 + shift}.model(), {.theta = theta, .forecast = Forecast::free},
                            {.step = h, .until = 8.0},
                            [&](const System&, const State& x) { tau = std::max(tau, tau_of(x)); });
    return tau;
  };
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    EXPECT_NEAR(largest(0.5, 0.05 / root2, shift), 5.656e-4, 5.656e-7);
    EXPECT_NEAR(largest(0.5, 0.01 / root2, shift), 1.3055e-4, 1.3055e-7);
    for (const double theta : {0.75, 1.0}) EXPECT_LE(largest(theta, 0.05 / root2, shift), 1e-14);
  }
}

TEST(AcaryProjectedBall, CombinedSchemeComesToRestOnTheFloor) {
  for (const Start& start : starts)
    for (const double theta : {0.5, 0.75, 1.0}) {
      int steps = 0;
      follow<CombinedProjection>(BouncingBall{.velocity = start.velocity}.model(), {.theta = theta},
                                 {.step = start.h, .until = 8.0}, [&](const System&, const State& x) {
                                   EXPECT_GE(x.q[0], -1e-15);
                                   if (x.t < 6.0) return;
                                   ++steps;
                                   EXPECT_LE(std::abs(x.v[0]), 1e-10);
                                   EXPECT_LE(std::abs(x.q[0]), 1e-15);
                                   EXPECT_NEAR(impulse_of(x) / start.h, f, 1e-8);
                                 });
      EXPECT_GT(steps, 30);
    }
}

// E along a run of 10 s from v0 = -0.3 m/s, E0 = 2.045 J: acary Figs 6 and 7.
struct EnergyCourse {
  double largest_increase = 0.0, max = 0.0, end = 0.0;
  int increases = 0;  // by more than round-off
};

template <class S>
EnergyCourse energy_course(double restitution, double shift) {
  const BouncingBall ball{.e = restitution, .height = 1.0 + shift};
  EnergyCourse course;
  double before = 2.045;
  follow<S>(ball.model(), {}, {.step = 0.05 / root2, .until = 10.0}, [&](const System& system, const State& x) {
    course.end = test::energy(system, x);
    course.max = std::max(course.max, course.end);
    course.largest_increase = std::max(course.largest_increase, course.end - before);
    course.increases += course.end > before + 1e-9;
    before = course.end;
  });
  return course;
}

TEST(AcaryProjectedBall, DirectProjectionGainsEnergyAndTheCombinedSchemeDoesNot) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    const EnergyCourse half = energy_course<DirectProjected>(0.5, shift);
    EXPECT_NEAR(half.largest_increase, 0.0928301, 1e-6);
    EXPECT_NEAR(half.max, 2.1378301, 1e-6);
    const EnergyCourse full = energy_course<DirectProjected>(1.0, shift);
    EXPECT_NEAR(full.end, 2.4402565, 1e-6);
    EXPECT_EQ(full.increases, 5);

    const EnergyCourse combined = energy_course<CombinedProjection>(1.0, shift);
    EXPECT_NEAR(combined.end, 1.7216905, 1e-6);
    EXPECT_LE(combined.largest_increase, 1e-11);  // the shift's own 2e-12 in the first step
    EXPECT_LT(energy_course<CombinedProjection>(0.5, shift).end, 1e-12);
  }
}

// Property 3 of bruels, which the ball has with acary's scheme too: E never grows.
TEST(AcaryProjectedBall, EnergyOfTheCombinedSchemeNeverIncreases) {
  std::mt19937_64 random(1);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
  double worst = 0.0;
  int impacts = 0;
  for (int run = 0; run < 3000; ++run) {
    const double restitution = std::array{0.0, 1.0, between(0.0, 1.0)}[run % 3];
    const double h = std::pow(10.0, between(-4.0, std::log10(0.3)));
    const BouncingBall ball{.mass = std::pow(10.0, between(-1.0, 1.0)),
                            .force = -std::pow(10.0, between(-1.0, 1.0)),
                            .e = restitution,
                            .height = between(0.0, 30.0 * h),
                            .velocity = between(-1.0, 1.0)};
    const auto energy = [&](const State& x) { return 0.5 * ball.mass * x.v[0] * x.v[0] - ball.force * x.q[0]; };
    const System system = compile(ball.model());
    CombinedProjection scheme(system);
    State x = system.initial_state();
    scheme.start(x);
    const double start = energy(x);
    for (int k = 0; k < 150; ++k) {
      const double before = energy(x);
      ASSERT_TRUE(scheme.step(x, h).ok());
      worst = std::max(worst, (energy(x) - before) / start);
      impacts += impulse_of(x) > 0.0;
    }
  }
  EXPECT_LE(worst, 1e-14);
  EXPECT_GT(impacts, 100000);
}

// Both levels in one problem, or one after the other: the same step.
template <class S>
void expect_the_same_coupled_and_decoupled(const typename S::Options& options) {
  for (const double h : {0.05 / root2, 0.01 / root2}) {
    std::vector<State> runs[2];
    typename S::Options chosen = options;
    for (const auto implementation : {Implementation::decoupled, Implementation::coupled}) {
      chosen.implementation = implementation;
      for (const Model& model : {BouncingBall{}.model(), LinearOscillator{.damping = 0.7}.model()})
        follow<S>(model, chosen, {.step = h, .until = 4.0},
                  [&](const System&, const State& x) { runs[implementation == Implementation::coupled].push_back(x); });
    }
    ASSERT_EQ(runs[0].size(), runs[1].size());
    for (std::size_t k = 0; k < runs[0].size(); ++k) {
      EXPECT_NEAR(runs[0][k].q[0], runs[1][k].q[0], 1e-9) << k;
      EXPECT_NEAR(runs[0][k].v[0], runs[1][k].v[0], 1e-9) << k;
      EXPECT_NEAR(tau_of(runs[0][k]), tau_of(runs[1][k]), 1e-9) << k;
      EXPECT_NEAR(impulse_of(runs[0][k]), impulse_of(runs[1][k]), 1e-9) << k;
    }
  }
}

TEST(AcaryProjectedBall, CoupledIsDecoupled) {
  expect_the_same_coupled_and_decoupled<DirectProjected>({});
  expect_the_same_coupled_and_decoupled<DirectProjected>(
      {.forecast = Forecast::free, .metric = Metric::iteration_matrix});
  expect_the_same_coupled_and_decoupled<CombinedProjection>({});
  expect_the_same_coupled_and_decoupled<CombinedProjection>({.theta = 0.8, .metric = Metric::iteration_matrix});
}

}  // namespace
}  // namespace esc
