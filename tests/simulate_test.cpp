// simulate: the grid t0 + k h, what happens when a step fails, what is counted.
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/recorder.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/moving_walls.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/stubborn.hpp"

namespace esc {
namespace {

using testing::Stubborn;

std::vector<double> grid(double t0, double h, int count) {
  std::vector<double> times;
  for (int k = 0; k <= count; ++k) times.push_back(t0 + k * h);
  return times;
}

// A run whose clock would never arrive, or never move, does not begin.
TEST(Grid, ARunThatCannotEndIsRefused) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  const auto refusal = [&](double t0, const SimulateOptions& options) -> std::string {
    State x = system.initial_state();
    x.t = t0;
    try {
      static_cast<void>(simulate(scheme, x, options));
    } catch (const ModelError& error) {
      EXPECT_EQ(x.t, t0);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal(0.0, {.step = 1e-300, .until = 1.0}).find("1e+300 steps"), std::string::npos);
  EXPECT_NE(refusal(0.0, {.step = 1e-3, .until = 1e300}).find("at most 1e12"), std::string::npos);
  EXPECT_NE(refusal(0.0, {.step = 1e-300, .until = 1e300}).find("at most 1e12"), std::string::npos);
  EXPECT_NE(refusal(1e16, {.step = 1.0, .until = 1e16 + 100.0}).find("digits of the time"), std::string::npos);
  EXPECT_EQ(refusal(1e6, {.step = 1e-3, .until = 1e6 + 2e-3}), "accepted");
}

TEST(Grid, TimesAreExactlyMultiplesOfTheStep) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  Recorder recorder(system);
  State x = system.initial_state();
  x.t = 0.3;
  const RunReport report = simulate(scheme, x, {.step = 0.1, .until = 2.3}, &recorder);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.steps, 20);
  EXPECT_EQ(recorder.column("t"), grid(0.3, 0.1, 20));
}

TEST(Grid, TheLastTimeIsTheLastMultipleBeforeTheEnd) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  const auto steps = [&](double h, double until) {
    State x = system.initial_state();
    const RunReport report = simulate(scheme, x, {.step = h, .until = until});
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(x.t, static_cast<double>(report.steps) * h);
    return report.steps;
  };
  EXPECT_EQ(steps(0.25, 1.0), 4);
  EXPECT_EQ(steps(0.1, 0.3), 3);  // 0.3 / 0.1 is a little less than 3
  EXPECT_EQ(steps(0.25, 1.1), 4);
  EXPECT_EQ(steps(0.25, 0.2), 0);
  EXPECT_EQ(steps(0.25, 0.0), 0);
  EXPECT_EQ(steps(0.25, -1.0), 0);
}

TEST(Grid, AnEndFarAwayIsReachedOneStepAfterTheOther) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  int left = 3;
  const RunReport report =
      simulate(scheme, x, {.step = 1e-3, .until = 1e300, .keep_going = [&](const State&) { return --left > 0; }});
  EXPECT_EQ(report.status, RunStatus::stopped);
  EXPECT_EQ(report.steps, 3);
}

TEST(Grid, AStepThatStopsEarlyIsContinuedToTheGridTime) {
  const examples::BouncingBall ball{.height = 100.0};
  const System system = compile(ball.model());
  Stubborn scheme(system, {.reach = 0.03});  // not a divisor of the step
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 0.1, .until = 1.0});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(x.t, 10 * 0.1);
  EXPECT_NEAR(x.q[0], ball.exact(1.0).q, 1e-12);  // free flight is exact for theta = 1/2
  EXPECT_EQ(report.failed_certificates, 0);
}

TEST(Stop, TheMessageNamesTimeStatusResidualAndAdvice) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.largest = [](double t) { return t < 0.2 ? 1.0 : 0.0; }});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 0.125, .until = 1.0});
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.steps, 2);
  EXPECT_EQ(report.failures, 1);
  EXPECT_EQ(report.last.status, StepStatus::newton_stalled);
  EXPECT_EQ(x.t, 0.25);
  for (const std::string& part : {std::string("t = 0.25 s"), std::string("newton_stalled"),
                                  std::string("residual 0.125 N s"), std::string(advice(StepStatus::newton_stalled))})
    EXPECT_NE(report.message.find(part), std::string::npos) << report.message << "\nlacks " << part;
  EXPECT_NE(summary(scheme, {}, report).find(report.message), std::string::npos);
}

TEST(Stop, ARealFailureIsReportedInTheSameWay) {
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system, {.newton_max = 1});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1e-4, .until = 1.0});
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.last.status, StepStatus::newton_stalled);
  EXPECT_NE(report.message.find("t = 0 s"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("Newton iterations 1"), std::string::npos) << report.message;
  State expected = system.initial_state();
  scheme.start(expected);
  EXPECT_EQ(hash(x), hash(expected));
}

TEST(Run, StopsOnRequest) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  const RunReport report =
      simulate(scheme, x, {.step = 0.125, .until = 4.0, .keep_going = [](const State& s) { return s.t < 0.5; }});
  EXPECT_EQ(report.status, RunStatus::stopped);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(x.t, 0.5);
  EXPECT_TRUE(report.message.empty());
}

TEST(Run, ContinuesWhereAnotherRunEnded) {
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system);
  State whole = system.initial_state(), parts = system.initial_state();
  EXPECT_TRUE(simulate(scheme, whole, {.step = 0x1p-13, .until = 0x1p-4}).ok());
  EXPECT_TRUE(simulate(scheme, parts, {.step = 0x1p-13, .until = 0x1p-5}).ok());
  EXPECT_TRUE(simulate(scheme, parts, {.step = 0x1p-13, .until = 0x1p-4}).ok());
  EXPECT_EQ(hash(parts), hash(whole));
}

// Without the grid of the first run, t0 + k h would be rounded otherwise.
TEST(Run, ContinuesOnTheGridOfAnotherRun) {
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system);
  State whole = system.initial_state(), parts = system.initial_state();
  const SimulateOptions options{.step = 1e-5 / 3.0, .until = 2e-3};
  const RunReport report = simulate(scheme, whole, options);

  Continuation at;
  SimulateOptions first = options;
  first.observe = [&](const Progress& progress) {
    EXPECT_TRUE(progress.on_grid);
    EXPECT_EQ(progress.after.t, 0.0 + static_cast<double>(progress.so_far.grid) * options.step);
    EXPECT_EQ(progress.certificate->ok(), true);
    EXPECT_LT(progress.before.t, progress.after.t);
    at = progress.so_far;
  };
  first.keep_going = [](const State& x) { return x.t < 7e-4; };
  EXPECT_EQ(simulate(scheme, parts, first).status, RunStatus::stopped);
  SimulateOptions rest = options;
  rest.continued = &at;
  const RunReport both = simulate(scheme, parts, rest);
  EXPECT_EQ(hash(parts), hash(whole));
  EXPECT_EQ(both.status, RunStatus::done);
  EXPECT_EQ(both.steps, report.steps);
  EXPECT_EQ(both.newton.sum, report.newton.sum);
  EXPECT_EQ(both.total.balance_error(), report.total.balance_error());
  EXPECT_EQ(both.worst_ratio, report.worst_ratio);
}

TEST(Run, RefusesOptionsThatMakeNoSense) {
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double h : {0.0, -1e-3, nan, infinity})
    EXPECT_THROW(static_cast<void>(simulate(scheme, x, {.step = h})), OptionError) << h;
  for (const double until : {nan, infinity})
    EXPECT_THROW(static_cast<void>(simulate(scheme, x, {.until = until})), OptionError) << until;
  EXPECT_THROW(static_cast<void>(simulate(scheme, x, {.step = -1.0})), OptionError);
}

// The works of the audit add up to the change of energy: a ball that comes to rest has lost all of it in impacts.
TEST(Run, RefusesAStateThatDoesNotFitOrIsNotFinite) {
  const System system = compile(examples::SliderOnRoller{}.model());
  MoreauJean scheme(system);
  const auto refused = [&](auto change, const std::string& wanted) {
    State x = system.initial_state();
    change(x);
    try {
      static_cast<void>(simulate(scheme, x, {.step = 1e-3, .until = 0.01}));
      ADD_FAILURE() << "accepted: " << wanted;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
    }
  };
  refused([](State& x) { x.q.push_back(0.0); }, "q has 3 entries; the system has 2");
  refused([](State& x) { x.u.clear(); }, "u has 0 entries; the system has 1");
  refused([](State& x) { x.v[1] = std::numeric_limits<double>::quiet_NaN(); }, "v[1] is nan");
}

// The summary says which check failed, by how much, and what was allowed.
TEST(Run, AFailedCertificateIsNamedInTheSummary) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.impulse_error = 1e-3});
  State x = system.initial_state();
  const SimulateOptions options{.step = 1e-2, .until = 1.5};
  const RunReport report = simulate(scheme, x, options);
  EXPECT_TRUE(report.ok());
  EXPECT_FALSE(report.certified());
  const std::string text = summary(scheme, options, report);
  EXPECT_NE(text.find("FAILED in "), std::string::npos) << text;
  EXPECT_NE(text.find("allowed "), std::string::npos) << text;
}

// Nothing that comes after is worse than a certificate that is not a number.
TEST(Run, ANumberThatIsNoneStaysTheWorst) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.impulse_error = std::numeric_limits<double>::quiet_NaN()});
  State x = system.initial_state();
  SimulateOptions options{.step = 1e-2, .until = 3.0};
  Continuation first;
  options.observe = [&](const Progress& progress) { first = progress.so_far; };
  options.keep_going = [&](const State&) { return first.report.failed_certificates == 0; };
  EXPECT_EQ(simulate(scheme, x, options).status, RunStatus::stopped);

  x.contacts.clear();  // a step would not start from what is no number
  Stubborn wrong(system, {.impulse_error = 1e3});
  const RunReport report = simulate(wrong, x, {.step = 1e-2, .until = 3.0, .continued = &first});
  EXPECT_TRUE(report.ok());
  EXPECT_GT(report.failed_certificates, 1);
  EXPECT_TRUE(std::isnan(report.worst_ratio)) << report.worst_ratio;
  EXPECT_TRUE(std::isnan(report.worst_finding.value));
}

TEST(Run, TheAuditClosesForALinearSystem) {
  const examples::BouncingBall ball;
  const System system = compile(ball.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1e-3, .until = 4.0});
  const double initial = 0.5 * ball.velocity * ball.velocity - ball.force * ball.height;
  EXPECT_NEAR(report.initial.kinetic + report.initial.potential, initial, 1e-14);
  EXPECT_NEAR(report.max_energy, initial, 1e-12);
  EXPECT_NEAR(report.total[Work::impact], report.final.kinetic + report.final.potential - initial, 1e-11);
  EXPECT_NEAR(report.total.balance_error(), 0.0, 1e-11);
  EXPECT_EQ(report.total[Work::friction], 0.0);
  EXPECT_EQ(report.total[Work::walls], 0.0);
  EXPECT_GT(report.max_penetration, 0.0);
  EXPECT_LT(report.max_penetration, 1e-3 * 3.0);  // at most one step of the fastest motion
}

// Speeds grow by 2 m/s at every impact with walls that close at 1 m/s; the walls have paid for it.
TEST(Run, MovingWallsDoTheWork) {
  const System system = compile(examples::MovingWalls{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1e-4, .until = 0.69});
  EXPECT_EQ(report.impacts, 3);  // at 0.25, 0.5 and 0.625 s; the next one would be at 0.7 s
  EXPECT_NEAR(std::abs(x.v[0]), 3.0 + 2.0 * static_cast<double>(report.impacts), 1e-9);
  EXPECT_NEAR(report.total[Work::walls] + report.total[Work::impact], 0.5 * (x.v[0] * x.v[0] - 9.0), 1e-8);
  EXPECT_NEAR(report.total.balance_error(), 0.0, 1e-8);
}

TEST(Run, CountsIterationsAndKeepsQuietAboutCertificatesNotAskedFor) {
  const System system = compile(examples::SliderOnRoller{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state(), y = system.initial_state();
  const SimulateOptions plain{.step = 1e-2, .until = 1.0, .certify = false};
  const RunReport report = simulate(scheme, x, plain);
  EXPECT_EQ(report.newton.count, report.steps);
  EXPECT_EQ(report.newton.mean(), 1.0);  // the system is linear
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_NE(summary(scheme, plain, report).find("not asked for"), std::string::npos);

  const SimulateOptions certified{.step = 1e-2, .until = 1.0};
  const RunReport checked = simulate(scheme, y, certified);
  EXPECT_EQ(hash(y), hash(x));
  EXPECT_NE(summary(scheme, certified, checked).find("ok for all 100 steps"), std::string::npos);
}

TEST(Stages, TimesAddUpAndLeaveTheBitsAlone) {
  const System system = compile(examples::BouncingBall{.count = 50}.model());
  const auto run = [&](bool timed) {
    auto scheme = halving(std::make_unique<CombinedProjection>(system), 3);
    State x = system.initial_state();
    const auto start = std::chrono::steady_clock::now();
    const RunReport report = simulate(*scheme, x, {.step = 1e-2, .until = 2.0, .time_stages = timed});
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::tuple{report, hash(x), wall};
  };
  const auto [untimed, bits, unused] = run(false);
  const auto [timed, same_bits, wall] = run(true);
  EXPECT_EQ(bits, same_bits);
  const auto total = [](const RunReport& report) {
    return std::accumulate(report.times.begin(), report.times.end(), 0.0);
  };
  EXPECT_EQ(total(untimed), 0.0);
  EXPECT_GT(total(timed), 0.0);
  EXPECT_LT(total(timed), wall);
  for (const Stage stage : {Stage::detection, Stage::evaluation, Stage::factorisation, Stage::contact})
    EXPECT_GT(timed.times[static_cast<std::size_t>(stage)], 0.0) << stage_lines[static_cast<std::size_t>(stage)].name;
  EXPECT_EQ(timed.last.times, nullptr);
}

}  // namespace
}  // namespace esc
