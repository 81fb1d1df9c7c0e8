// Steps of a grid in parts: halved after a failure, of no length at an impact.
#include <cmath>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/lagrangian.hpp>
#include <escapement/recorder.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "tests/support/stubborn.hpp"

namespace esc {
namespace {

using testing::Stubborn;
using testing::StubbornOptions;

TEST(Halve, ReturnsToTheFullStepAtTheNextGridTime) {
  const System system = compile(examples::BouncingBall{.height = 100.0}.model());
  const auto scheme = halving(std::make_unique<Stubborn>(
      system, StubbornOptions{.largest = [](double t) { return t >= 0.5 && t < 0.625 ? 0.0625 : 1.0; }}));
  Recorder recorder(system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = 0.25, .until = 1.5}, &recorder);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(recorder.column("t"),
            (std::vector<double>{0.0, 0.25, 0.5, 0.5625, 0.625, 0.75, 1.0, 1.25, 1.5}));  // the step grows when it may
  EXPECT_GE(report.failures, 2);
  EXPECT_EQ(report.steps, 8);
  EXPECT_EQ(report.failed_certificates, 0);
}

TEST(Halve, GivesUpAfterTheAllowedNumberOfHalvings) {
  const System system = compile(examples::BouncingBall{}.model());
  for (const int allowed : {0, 1, 5}) {
    const auto scheme =
        halving(std::make_unique<Stubborn>(system, StubbornOptions{.largest = [](double) { return 0.0; }}), allowed);
    State x = system.initial_state();
    const RunReport report = simulate(*scheme, x, {.step = 0.25, .until = 1.0});
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_EQ(report.failures, allowed + 1);
    EXPECT_EQ(x.t, 0.0);
  }
}

// A stiff cubic spring: at this step four Newton iterations are not enough everywhere.
TEST(Halve, RecoversWhereNewtonFailsAtTheFullStep) {
  Model model;
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto spring = [](const auto&, const auto* q, const auto*, auto* F) { F[0] = -1e4 * q[0] * q[0] * q[0]; };
  const auto potential = [](double, const double* q) { return 2500.0 * q[0] * q[0] * q[0] * q[0]; };
  model.add_coordinates("mass", {"x"}, lagrangian<1>(mass, spring, potential), {1.0}, {0.0});
  const System system = compile(model);
  MoreauJean plain(system, {.newton_max = 4});
  Halve scheme(system, {.inner = {"moreau-jean", {{"newton_max", "4"}}}});
  Recorder recorder(system);
  State x = system.initial_state();
  const SimulateOptions options{.step = 0.02, .until = 2.0};
  const RunReport report = simulate(scheme, x, options, &recorder);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_GT(report.failures, 0);
  EXPECT_GT(report.steps, 100);
  EXPECT_LT(report.steps, 100 << 3);
  EXPECT_EQ(report.failed_certificates, 0);
  const auto times = recorder.column("t");
  for (int k = 0; k <= 100; ++k)
    EXPECT_EQ(std::count(times.begin(), times.end(), k * options.step), 1) << "t = " << k * options.step;

  State y = system.initial_state();
  EXPECT_EQ(simulate(plain, y, options).status, RunStatus::failed);
}

// What is left of a step belongs to the state: a run that is saved between two parts goes on with the same bits.
TEST(Halve, GoesOnFromAStateSavedBetweenTwoParts) {
  const System system = compile(examples::BouncingBall{.height = 100.0}.model());
  const auto make = [&] {
    return halving(std::make_unique<Stubborn>(
        system, StubbornOptions{.largest = [](double t) { return t < 0.3 ? 0.0625 : 1.0; }}));
  };
  const auto run = [&](int saved_after) {
    auto scheme = make();
    State x = system.initial_state();
    scheme->start(x);
    std::vector<double> advanced;
    for (double left = 0.5; left > 0.0; left -= advanced.back()) {
      if (static_cast<int>(advanced.size()) == saved_after) {
        std::stringstream file;
        save(x, file);
        x = load(file);
        scheme = make();
      }
      const StepReport report = scheme->step(x, left);
      EXPECT_TRUE(report.ok());
      EXPECT_LE(report.advanced, left);
      advanced.push_back(report.advanced);
    }
    return std::pair{advanced, hash(x)};
  };
  const auto whole = run(-1);
  EXPECT_EQ(whole.first, (std::vector<double>{0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.125}));
  for (const int saved_after : {1, 3, 5}) EXPECT_EQ(run(saved_after), whole);
}

TEST(Progress, AnAcceptedStepThatDoesNotMoveEndsTheRun) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.idle = true});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 0.125, .until = 1.0});
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.last.status, StepStatus::no_progress);
  EXPECT_EQ(x.t, 0.0);
}

TEST(Progress, ImpactsTakeNoTimeAndMotionFollows) {
  const System system = compile(examples::BouncingBall{.height = 100.0}.model());
  Stubborn scheme(system, {.impacts = 3});
  State x = system.initial_state();
  std::vector<bool> on_grid;
  const RunReport report =
      simulate(scheme, x, {.step = 0.125, .until = 0.25, .certify = false, .observe = [&](const Progress& progress) {
                             on_grid.push_back(progress.on_grid);
                             EXPECT_EQ(progress.step.kind == StepKind::impact, progress.before.t == progress.after.t);
                           }});
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(on_grid, (std::vector<bool>{false, false, false, true, false, false, false, true}));
  EXPECT_EQ(x.t, 0.25);
}

TEST(Progress, ImpactsWithoutEndEndTheRun) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.impacts = -1});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 0.125, .until = 1.0, .certify = false});
  EXPECT_EQ(report.last.status, StepStatus::no_progress);
  EXPECT_LE(report.steps, 1000);
}

}  // namespace
}  // namespace esc
