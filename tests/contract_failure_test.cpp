// A step that fails says why and leaves the state bitwise untouched; the next step is as if nothing had happened.
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/moving_walls.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_failure(Scheme& scheme, State& x, double h, StepStatus status) {
  const auto before = hash(x);
  const StepReport report = scheme.step(x, h);
  EXPECT_EQ(report.status, status) << to_string(report.status) << " instead of " << to_string(status);
  EXPECT_EQ(report.advanced, 0.0);
  EXPECT_TRUE(report.events.empty());
  EXPECT_EQ(hash(x), before);
  EXPECT_FALSE(advice(report.status).empty());
}

const auto unit_mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };

class FailureContract : public ::testing::TestWithParam<testing::SchemeCase> {
 protected:
  double friction(double mu) const { return GetParam().friction() ? mu : 0.0; }
};

TEST_P(FailureContract, StepsThatAreNotPositiveAndFinite) {
  const System system = compile(examples::SliderCrank{.mu = friction(0.01)}.model());
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  scheme->start(x);
  for (const double h : {0.0, -0.0, -1e-4, nan, infinity, -infinity})
    expect_failure(*scheme, x, h, StepStatus::bad_step);
}

TEST_P(FailureContract, StatesThatAreNotOfThisSchemeAndSystem) {
  const System system = compile(examples::SliderOnRoller{.mu = friction(0.3)}.model());
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  expect_failure(*scheme, x, 1e-3, StepStatus::foreign_state);  // start() was not called
  x.histories = {{"another", {}}};
  expect_failure(*scheme, x, 1e-3, StepStatus::foreign_state);

  scheme->start(x);
  for (std::vector<double> State::*part : {&State::q, &State::v, &State::u}) {
    State wrong = x;
    (wrong.*part).push_back(0.0);
    expect_failure(*scheme, wrong, 1e-3, StepStatus::foreign_state);
    (wrong.*part).clear();
    expect_failure(*scheme, wrong, 1e-3, StepStatus::foreign_state);
  }
  EXPECT_TRUE(scheme->step(x, 1e-3).ok());
}

TEST_P(FailureContract, NumbersInTheStateThatAreNotFinite) {
  const System system = compile(examples::SliderOnRoller{.mu = friction(0.3)}.model());
  const auto scheme = GetParam().make(system);
  State good = system.initial_state();
  scheme->start(good);
  for (const double bad : {nan, infinity, -infinity}) {
    for (std::vector<double> State::*part : {&State::q, &State::v, &State::u}) {
      State x = good;
      (x.*part)[0] = bad;
      expect_failure(*scheme, x, 1e-3, StepStatus::not_finite);
    }
    State x = good;
    x.t = bad;
    expect_failure(*scheme, x, 1e-3, StepStatus::not_finite);
  }
  EXPECT_TRUE(scheme->step(good, 1e-3).ok());
}

// The force is a number until t = 0.1 s and none afterwards. A scheme that changes its step comes nearer to that time.
template <class Force>
void expect_not_finite_after(const testing::SchemeCase& entry, Force function) {
  if (scheme_traits(entry.scheme, entry.options).changes_step) GTEST_SKIP() << "it takes a part of the step";
  Model model;
  model.add_coordinates("mass", {"x"}, lagrangian<1>(unit_mass, function), {0.0}, {1.0});
  const System system = compile(model);
  const auto scheme = entry.make(system);
  State x = system.initial_state();
  scheme->start(x);
  while (x.t + 0.011 < 0.1) ASSERT_TRUE(scheme->step(x, 0.01).ok());
  expect_failure(*scheme, x, 0.05, StepStatus::not_finite);
  EXPECT_TRUE(scheme->step(x, 0.001).ok());
}

TEST_P(FailureContract, AForceThatIsNotANumberAtSomeTime) {
  expect_not_finite_after(GetParam(), [](const auto& t, const auto*, const auto*, auto* F) {
    F[0] = 0.0 * t;
    if (t > 0.1) F[0] = nan;
  });
}

TEST_P(FailureContract, AForceAndATangentThatAreNotNumbersAtSomeTime) {
  expect_not_finite_after(GetParam(), [](const auto& t, const auto* q, const auto*, auto* F) {
    using std::sqrt;
    F[0] = -q[0] * sqrt(0.1 - t);
  });
}

TEST_P(FailureContract, AForceThatIsNotANumberAtSomePosition) {
  expect_not_finite_after(GetParam(), [](const auto&, const auto* q, const auto*, auto* F) {
    using std::sqrt;
    F[0] = sqrt(0.1 - q[0]);
  });
}

TEST_P(FailureContract, AGapThatIsNotANumber) {
  Model model;
  const BlockId mass = model.add_coordinates("mass", {"x"}, lagrangian<1>(unit_mass, no_force), {0.0}, {1.0});
  model.add_contact("wall", {mass}, gap<1>([](const auto& t, const auto* q) {
                      using std::sqrt;
                      return 1.0 + q[0] + sqrt(0.1 - t);
                    }),
                    {});
  const System system = compile(model);
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  scheme->start(x);
  ASSERT_TRUE(scheme->step(x, 0.05).ok());
  // A scheme that looks at the end of its step sees it now, one that looks at the start in the step after, and one that
  // takes a part of the step later.
  State next = x;
  for (int k = 0; k < 10 && scheme->step(next, 0.1).ok(); ++k) x = next;
  expect_failure(*scheme, x, 0.1, StepStatus::not_finite);
}

// The weight w of C in the iteration matrix, a multiple of M + h w C: theta of theta-methods, b / a of a M + h b C.
double weight_of_damping(const Promise& promise) {
  if (const auto* theta = std::get_if<ThetaEquations>(&promise.equations)) return theta->theta;
  if (const auto* two_step = std::get_if<TwoStepEquations>(&promise.equations)) return two_step->theta;
  const auto* alpha = std::get_if<AlphaEquations>(&promise.equations);
  EXPECT_TRUE(alpha) << "a new family: which force makes its matrix singular?";
  return alpha ? (1.0 - alpha->alpha_f) * alpha->gamma / (1.0 - alpha->alpha_m) : 1.0;
}

// M = 1 and dF/dv = 1 / (w h): M + h w C is zero.
TEST_P(FailureContract, AnIterationMatrixThatIsSingular) {
  const double h = 0.125;
  const auto with = [](double c) {
    Model model;
    model.add_coordinates(
        "mass", {"x"},
        lagrangian<1>(unit_mass, [c](const auto&, const auto*, const auto* v, auto* F) { F[0] = c * v[0]; }), {0.0},
        {1.0});
    return compile(model);
  };
  const System harmless = with(0.0);
  const auto any = GetParam().make(harmless);
  if (any->traits().changes_step) return;
  const System system = with(1.0 / (weight_of_damping(any->promise()) * h));
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  scheme->start(x);
  expect_failure(*scheme, x, h, StepStatus::singular_matrix);
}

// Steps until one fails; x stays where that one began.
StepReport last_step(Scheme& scheme, State& x, double h, int most) {
  scheme.start(x);
  StepReport report;
  for (int k = 0; k < most && report.ok(); ++k) report = scheme.step(x, h);
  return report;
}

// A rocket burns up: m = 1 - t is a mass until t = 1. The block beside it keeps its own.
TEST_P(FailureContract, AMassThatIsUsedUp) {
  Model model;
  model.add_coordinates("stage", {"x"}, lagrangian<1>(unit_mass, no_force), {0.0}, {1.0});
  model.add_coordinates("rocket", {"x"},
                        lagrangian<1>([](double t, const double*, MatrixView M) { M(0, 0) = 1.0 - t; }, no_force),
                        {0.0}, {2.0});
  const System system = compile(model);
  for (const double h : {0.3, 0.03}) {
    const auto scheme = GetParam().make(system);
    State x = system.initial_state();
    const StepReport report = last_step(*scheme, x, h, 1000);
    ASSERT_EQ(report.status, StepStatus::mass_lost) << to_string(report.status);
    EXPECT_EQ(system.block_name(report.block), "rocket");
    EXPECT_GT(x.t, 0.6);
    EXPECT_LT(x.t, 1.0 + h) << "the last step has looked at a mass before t = 1";
    expect_failure(*scheme, x, h, StepStatus::mass_lost);
  }
}

// M = [1 y; y 1] is no mass beyond |y| = 1: both diagonal entries stay positive. Without a force v is constant.
TEST_P(FailureContract, AMassThatBecomesIndefinite) {
  Model model;
  const auto mass = [](double, const double* q, MatrixView M) {
    M(0, 0) = M(1, 1) = 1.0;
    M(0, 1) = M(1, 0) = q[1];
  };
  const auto none = [](const auto&, const auto*, const auto*, auto* F) { F[0] = F[1] = 0.0; };
  model.add_coordinates("arm", {"x", "y"}, lagrangian<2>(mass, none), {0.0, 0.0}, {0.0, 1.0});
  const System system = compile(model);
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  const StepReport report = last_step(*scheme, x, 0.03, 1000);
  ASSERT_EQ(report.status, StepStatus::mass_lost) << to_string(report.status);
  EXPECT_EQ(system.block_name(report.block), "arm");
  EXPECT_NEAR(x.q[1], 1.0, 0.03);
  expect_failure(*scheme, x, 0.03, StepStatus::mass_lost);
}

// Both walls touch the ball and close in: no velocity of the ball satisfies both.
TEST_P(FailureContract, WallsThatContradictEachOther) {
  Model model;
  const BlockId ball = model.add_coordinates("ball", {"x"}, lagrangian<1>(unit_mass, no_force), {0.0}, {0.0});
  model.add_contact("right", {ball}, gap<1>([](const auto& t, const auto* q) { return -1.0 * t - q[0]; }), {});
  model.add_contact("left", {ball}, gap<1>([](const auto& t, const auto* q) { return -1.0 * t + q[0]; }), {});
  const System system = compile(model);
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  scheme->start(x);
  expect_failure(*scheme, x, 1e-3, StepStatus::solver_failed);
}

INSTANTIATE_TEST_SUITE_P(All, FailureContract, ::testing::ValuesIn(testing::schemes),
                         [](const auto& entry) { return std::string(entry.param.name); });

TEST(MoreauJeanFailure, OneNewtonIterationIsNotEnoughForTheSliderCrank) {
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system, {.newton_max = 1});
  State x = system.initial_state();
  scheme.start(x);
  const StepReport report = scheme.step(x, 1e-4);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_GT(report.residual, 1e-10);
  expect_failure(scheme, x, 1e-4, StepStatus::newton_stalled);
}

// Failures before every step of a run leave no trace in it.
TEST(MoreauJeanFailure, ARunWithFailuresInBetweenHasTheBitsOfOneWithout_slow) {
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean clean(system), disturbed(system);
  State x = system.initial_state();
  clean.start(x);
  State y = x;
  int failures = 0;
  for (int k = 0; k < 1000; ++k) {
    failures += !disturbed.step(y, 1e6).ok();
    ASSERT_TRUE(clean.step(x, 1e-4).ok());
    ASSERT_TRUE(disturbed.step(y, 1e-4).ok());
    ASSERT_EQ(hash(x), hash(y)) << "step " << k;
  }
  EXPECT_EQ(failures, 1000);
}

TEST(MoreauJeanFailure, EverySolverReportsWallsThatContradictEachOther) {
  for (const ConeSolver solver : {ConeSolver::enumerate, ConeSolver::lemke, ConeSolver::nsgs}) {
    const System system = compile(examples::MovingWalls{.velocity = 0.0}.model());
    MoreauJean scheme(system, {.solver = solver, .solver_max = 50});
    State x = system.initial_state();
    scheme.start(x);
    x.t = 1.0;  // the walls have met in the middle of the ball
    expect_failure(scheme, x, 1e-3, StepStatus::solver_failed);
  }
}

TEST(StepStatus, EveryFailureHasANameAndAdvice) {
  for (int i = 1; i < step_status_count; ++i) {
    EXPECT_FALSE(to_string(static_cast<StepStatus>(i)).empty());
    EXPECT_FALSE(advice(static_cast<StepStatus>(i)).empty());
  }
  EXPECT_TRUE(advice(StepStatus::ok).empty());
}

}  // namespace
}  // namespace esc
