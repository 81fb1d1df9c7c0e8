// simulate: the grid t0 + k h, what happens when a step fails, what is counted.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/recorder.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/moving_walls.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"

namespace esc {
namespace {

// What the test wants of a Stubborn scheme.
struct StubbornOptions {
  std::function<double(double)> largest = [](double) { return std::numeric_limits<double>::infinity(); };
  double reach = std::numeric_limits<double>::infinity();
  double impulse_error = 0.0;  // N s, added to every record
  bool idle = false;           // accepts steps and does nothing
  int impacts = 0;             // reported at every time before it moves on; -1: without end
};

// A Moreau-Jean scheme that refuses, cuts, or falsifies.
class StubbornMethod final : public Method {
 public:
  StubbornMethod(const System& system, const StubbornOptions& options) : inner_(system), options_(options) {}
  Promise promise() const override { return inner_.promise(); }
  std::span<Scheme* const> holds() override { return {&held_, 1}; }
  std::span<const HistoryField> history() const override { return fields; }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override {
    if (h > options_.largest(x.t)) {
      report.status = StepStatus::newton_stalled;
      report.residual = 0.125;
      return;
    }
    if (options_.idle) return;
    if (history[0] != options_.impacts) {
      history[0] += 1.0;
      report.kind = StepKind::impact;
      x.h = x.impulse_time = 0.0;
      return;
    }
    history[0] = 0.0;
    report = inner_.step(x, std::min(h, options_.reach));
    for (ContactRecord& record : x.contacts) record.P[0] += options_.impulse_error;
  }

 private:
  static constexpr HistoryField fields[] = {{"impacts", "1", HistoryField::Over::number, "at this time"}};
  MoreauJean inner_;
  Scheme* held_ = &inner_;
  StubbornOptions options_;
};

struct Stubborn : Scheme {
  explicit Stubborn(const System& system, const StubbornOptions& options = {})
      : Scheme(system, "stubborn", {}, std::make_unique<StubbornMethod>(system, options)) {}
};

std::vector<double> grid(double t0, double h, int count) {
  std::vector<double> times;
  for (int k = 0; k <= count; ++k) times.push_back(t0 + k * h);
  return times;
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
  for (const double t : grid(0.0, options.step, 100))
    EXPECT_EQ(std::count(times.begin(), times.end(), t), 1) << "t = " << t;

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
  EXPECT_NEAR(report.total.impact, report.final.kinetic + report.final.potential - initial, 1e-11);
  EXPECT_NEAR(report.total.balance_error(), 0.0, 1e-11);
  EXPECT_EQ(report.total.friction, 0.0);
  EXPECT_EQ(report.total.walls, 0.0);
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
  EXPECT_NEAR(report.total.walls + report.total.impact, 0.5 * (x.v[0] * x.v[0] - 9.0), 1e-8);
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

}  // namespace
}  // namespace esc
