// Which contacts a forecast closes: the gap along the velocity, linearised (position) or where it leads (predicted).
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/rocking_block.hpp"

namespace esc {
namespace {

constexpr double h = 1e-2;

// A point mass, free of forces, within a circle of radius 1 (side 1) or outside of it (side -1).
Model point(double side, std::array<double, 2> at, std::array<double, 2> velocity) {
  Model model;
  const BlockId id = model.add_planar_body(
      "point", {.mass = 1.0, .inertia = 1.0, .pose = {at[0], at[1], 0.0}, .velocity = {velocity[0], velocity[1], 0.0}});
  const auto distance = [side](const auto&, const auto* q) {
    using std::sqrt;
    return side * (1.0 - sqrt(q[0] * q[0] + q[1] * q[1]));
  };
  model.add_contact("circle", {id}, gap<3>(distance), {.e = 0.0});
  return model;
}

template <class S>
int active(const Model& model, const typename S::Options& options) {
  const System system = compile(model);
  S scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  const State before = x;
  const StepReport report = scheme.step(x, h);
  EXPECT_TRUE(report.ok()) << to_string(report.status);
  EXPECT_TRUE(certify(system, before, x, scheme.promise()).ok());
  return report.active;
}

// Inside, 1e-5 m from the wall and along it with 1 m/s: after a step the straight line is 4e-5 m beyond the wall, and
// to first order it stays where it is.
TEST(Forecast, PredictedSeesTheWallBend) {
  const Model along = point(1.0, {0.0, 1.0 - 1e-5}, {1.0, 0.0});
  for (const double gamma : {1.0, 2.0}) {
    EXPECT_EQ(active<MoreauJean>(along, {.gamma = gamma}), 0);
    EXPECT_EQ(active<MoreauJean>(along, {.forecast = Forecast::predicted, .gamma = gamma}), 1);
    EXPECT_EQ(active<DirectProjected>(along, {.gamma = gamma}), 0);
    EXPECT_EQ(active<DirectProjected>(along, {.forecast = Forecast::predicted, .gamma = gamma}), 1);
  }
  EXPECT_EQ(active<MoreauJean>(along, {.forecast = Forecast::predicted, .gamma = 0.1}), 0);
}

// Outside, 2e-5 m from the wall and towards it with 3 mm/s, but along it with 1 m/s: it passes, and to first order it
// hits.
TEST(Forecast, PredictedSeesThatTheWallIsPassed) {
  const Model past = point(-1.0, {0.0, 1.0 + 2e-5}, {1.0, -3e-3});
  EXPECT_EQ(active<MoreauJean>(past, {.gamma = 1.0}), 1);
  EXPECT_EQ(active<MoreauJean>(past, {.forecast = Forecast::predicted, .gamma = 1.0}), 0);
}

// The certificate makes the forecast that was promised, and misses the impulse of another.
TEST(Forecast, IsWhatTheCertificateAsksFor) {
  const System system = compile(point(1.0, {0.0, 1.0 - 1e-5}, {1.0, 0.1}));
  for (const Forecast forecast : {Forecast::position, Forecast::predicted}) {
    const double gamma = forecast == Forecast::position ? 0.0 : 1.0;
    MoreauJean scheme(system, {.forecast = forecast, .gamma = gamma});
    State x = system.initial_state();
    scheme.start(x);
    const State before = x;
    ASSERT_TRUE(scheme.step(x, h).ok());
    Promise promise = scheme.promise();
    EXPECT_TRUE(certify(system, before, x, promise).ok());
    std::get<ThetaEquations>(promise.equations).gamma = 1.0 - gamma;
    EXPECT_FALSE(certify(system, before, x, promise).ok());
  }
}

template <class S>
std::vector<State> course(const Model& model, const typename S::Options& options) {
  const System system = compile(model);
  S scheme(system, options);
  State x = system.initial_state();
  std::vector<State> states;
  SimulateOptions run{.step = h, .until = 2.0};
  run.keep_going = [&](const State& now) {
    states.push_back(now);
    return true;
  };
  const RunReport report = simulate(scheme, x, run);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.failed_certificates, 0);
  return states;
}

// Over a floor the gap of a ball is its height: both rules are the same number.
TEST(Forecast, PredictedIsPositionWhereTheGapIsFlat) {
  const Model ball = examples::BouncingBall{}.model();
  for (const double gamma : {0.0, 0.5, 1.0, 2.0}) {
    const auto position = course<MoreauJean>(ball, {.gamma = gamma});
    const auto predicted = course<MoreauJean>(ball, {.forecast = Forecast::predicted, .gamma = gamma});
    ASSERT_EQ(position.size(), predicted.size());
    for (std::size_t k = 0; k < position.size(); ++k) {
      EXPECT_EQ(position[k].contacts.size(), predicted[k].contacts.size());
      EXPECT_NEAR(position[k].q[0], predicted[k].q[0], 1e-13);
      EXPECT_NEAR(position[k].v[0], predicted[k].v[0], 1e-13);
    }
  }
}

// Without look-ahead both are the gap at q_k, also where it bends: the same bits.
TEST(Forecast, PredictedWithoutLookAheadIsPosition) {
  const Model block = examples::RockingBlock{}.model();
  const auto position = course<MoreauJean>(block, {});
  const auto predicted = course<MoreauJean>(block, {.forecast = Forecast::predicted});
  ASSERT_EQ(position.size(), predicted.size());
  for (std::size_t k = 0; k < position.size(); ++k) EXPECT_EQ(position[k].q, predicted[k].q);
}

// A ball that rests 1e-8 m above the floor: closed only to those who count that as closed.
TEST(Forecast, ClosesGapsUpToItsTolerance) {
  const Model ball = examples::BouncingBall{.height = 1e-8, .velocity = 0.0}.model();
  for (const Forecast forecast : {Forecast::position, Forecast::predicted}) {
    EXPECT_EQ(active<MoreauJean>(ball, {.forecast = forecast}), 0);
    EXPECT_EQ(active<MoreauJean>(ball, {.forecast = forecast, .activation_tol = 9e-9}), 0);
    EXPECT_EQ(active<MoreauJean>(ball, {.forecast = forecast, .activation_tol = 1.1e-8}), 1);
  }
}

}  // namespace
}  // namespace esc
