// compare measures what it says: known orders of convergence against exact motions, a refined reference as good as its
// own error, and a recommendation that follows its rule.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/study/compare.hpp>

#include "examples/exact_motions.hpp"
#include "examples/free_body.hpp"
#include "examples/linear_oscillator.hpp"
#include "tests/support/repository.hpp"

namespace esc {
namespace {

io::Scene scene_of(const std::string& name, const std::vector<io::Override>& overrides = {}) {
  return io::read_scene(testing::scene_path(name), overrides);
}

std::optional<study::ExactSolution> exact_of(const io::Scene& scene, double until) {
  const auto parameter = [&](std::string_view name) {
    const auto same = [&](const io::Parameter& p) { return p.name == name; };
    return std::find_if(scene.parameters.begin(), scene.parameters.end(), same)->value;
  };
  study::MotionAt motion = examples::exact_motion(scene.name, parameter, until);
  return motion ? std::optional(study::ExactSolution{scene.name, motion}) : std::nullopt;
}

study::CompareOptions against_exact(const io::Scene& scene, std::vector<double> steps, double until) {
  study::CompareOptions options;
  options.schemes = {{"moreau-jean", {}}};
  options.steps = std::move(steps);
  options.until = until;
  options.reference = {"moreau-jean", {}};
  options.exact = exact_of(scene, until);
  return options;
}

// Mean slope of log error over log step.
double order(const std::vector<study::WorkPoint>& points, double study::WorkPoint::*error) {
  return std::log(points.front().*error / (points.back().*error)) / std::log(points.front().step / points.back().step);
}

TEST(StudyCompare, OrderIsTwoWhileTheOscillatorSwingsFreely) {
  const io::Scene scene = scene_of("linear-oscillator");
  const System system = io::compile_scene(scene);
  const auto result = study::compare(system, against_exact(scene, {1e-2, 5e-3, 2.5e-3}, 0.24));
  EXPECT_EQ(result.reference, "exact solution of linear-oscillator");
  EXPECT_NEAR(order(result.points, &study::WorkPoint::q_l1), 2.0, 0.1);
  EXPECT_NEAR(order(result.points, &study::WorkPoint::v_l1), 2.0, 0.1);
}

// Below critical damping with three impacts, at it (4 pi), and far beyond it, where cosh alone would overflow.
TEST(StudyCompare, DampingGoesIntoTheExactMotionOfTheOscillator) {
  for (const char* damping : {"1", "4*pi", "2e3"}) {
    const io::Scene scene = scene_of("linear-oscillator", {{"damping", damping}, {"e", "0.8"}});
    const auto motion = exact_of(scene, 1.6);
    ASSERT_TRUE(motion) << damping;
    const System system = io::compile_scene(scene);
    const auto result = study::compare(system, against_exact(scene, {1e-3, 1e-4}, 1.6));
    EXPECT_LE(result.points[1].q_relative, 2e-3) << damping;
    EXPECT_LE(result.points[1].q_l1, 0.4 * result.points[0].q_l1) << damping;
    double q = 0.0, v = 0.0;
    motion->at(50.0, {&q, 1}, {&v, 1});
    EXPECT_LE(std::abs(q), 1.0) << damping;
  }
}

// q = exp(-d t) sin w t between impacts: both velocities at the stop, and the time between, follow from it.
TEST(StudyCompare, ADampedHalfPeriodShrinksByTheDecrement) {
  const examples::LinearOscillator o{.damping = 1.0, .e = 0.8};
  const double d = 0.5, w = std::sqrt(o.stiffness - d * d), half = std::numbers::pi / w;
  const double first = (0.5 * std::numbers::pi + std::atan(d / w)) / w;  // tan(w t) = -w / d
  EXPECT_NEAR(o.exact(first * (1 - 1e-15)).q, 0.0, 1e-12);
  for (int n = 0; n < 4; ++n) {
    const double t = first + n * half, small = 1e-9;
    EXPECT_NEAR(o.exact(t - small).q, 0.0, 1e-7);
    EXPECT_NEAR(o.exact(t + small).v / o.exact(t - small).v, -0.8, 1e-6);
    EXPECT_NEAR(o.exact(t + half - small).v / o.exact(t + small).v, -std::exp(-d * half), 1e-6);
  }
  const examples::LinearOscillator thrown{.damping = 40.0, .velocity = -100.0};  // beyond critical: one impact
  double sign_changes = 0.0;
  for (int k = 1; k < 20000; ++k) sign_changes += thrown.exact(1e-4 * k).v * thrown.exact(1e-4 * (k - 1)).v < 0.0;
  EXPECT_EQ(sign_changes, 2.0);  // at the impact, and where it turns back
  EXPECT_GE(thrown.exact(2.0).q, 0.0);
}

TEST(StudyCompare, OrderIsOneOverImpacts) {
  for (const char* name : {"bouncing-ball", "linear-oscillator"}) {
    const io::Scene scene = scene_of(name);
    const System system = io::compile_scene(scene);
    const double until = scene.run.until;
    const auto result = study::compare(system, against_exact(scene, {7e-3, 7e-4, 7e-5}, until));
    EXPECT_NEAR(order(result.points, &study::WorkPoint::q_l1), 1.0, 0.25) << name;
  }
}

// Until after the second impact: every one doubles the error, as the walls close in.
TEST(StudyCompare, OtherExactMotionsAreTheLimitOfSmallSteps) {
  for (const char* name : {"moving-walls", "bead-on-wire", "simple-pendulum"}) {
    const io::Scene scene = scene_of(name);
    const System system = io::compile_scene(scene);
    const auto result = study::compare(system, against_exact(scene, {1e-3, 1e-4}, 0.6));
    EXPECT_LE(result.points[1].q_relative, 2e-3) << name;
    EXPECT_LE(result.points[1].q_relative, 0.4 * result.points[0].q_relative) << name;
  }
}

// The bar of bruels 10.3: the error is that of the mesh and of the step, whose ratio is kept (Courant number 1.2).
TEST(StudyCompare, TheBarComesToTheExactMotionWithItsMesh) {
  double before = 1e300;
  for (const auto& [elements, h] : {std::pair{"100", 4e-3}, {"400", 1e-3}}) {
    const io::Scene scene = scene_of("elastic-bar", {{"young", "900"},
                                                     {"density", "1"},
                                                     {"length", "10"},
                                                     {"section", "1"},
                                                     {"gap", "5.005"},
                                                     {"velocity", "10"},
                                                     {"elements", elements}});
    const auto result = study::compare(io::compile_scene(scene), against_exact(scene, {h}, 1.5));
    EXPECT_EQ(result.reference, "exact solution of elastic-bar");
    EXPECT_LE(result.points[0].q_relative, 0.5 * before);
    before = result.points[0].q_relative;
  }
  // Moreau-Jean acts a step late, h v_0 = 0.01 m deep, and lets go as much later: 0.12 % of 8.3 m each.
  EXPECT_LE(before, 3e-3);
}

TEST(StudyCompare, ParametersGoIntoTheExactMotion) {
  const io::Scene scene = scene_of("bouncing-ball", {{"e", "0.8"}, {"force", "-9.81"}, {"height", "2"}});
  const System system = io::compile_scene(scene);
  EXPECT_LE(study::compare(system, against_exact(scene, {1e-4}, 2.0)).points[0].q_relative, 1e-3);
}

TEST(StudyCompare, NoExactMotionWhereTheFormulaDoesNotHold) {
  EXPECT_FALSE(exact_of(scene_of("bouncing-ball", {{"force", "2"}}), 1.0));
  EXPECT_FALSE(exact_of(scene_of("linear-oscillator", {{"damping", "-0.1"}}), 1.0));
  EXPECT_FALSE(exact_of(scene_of("linear-oscillator", {{"position", "0"}}), 1.0));
  EXPECT_FALSE(exact_of(scene_of("moving-walls", {{"e", "0.5"}}), 0.9));
  EXPECT_FALSE(exact_of(scene_of("moving-walls"), 1.0));
  EXPECT_FALSE(exact_of(scene_of("chain"), 1.0));
}

TEST(StudyCompare, ExactMotionOfAnotherStartIsRefused) {
  const io::Scene scene = scene_of("bouncing-ball");
  const System system = io::compile_scene(scene_of("bouncing-ball", {{"height", "1.1"}}));
  EXPECT_THROW(static_cast<void>(study::compare(system, against_exact(scene, {1e-2}, 1.0))), OptionError);
}

// Triangle inequality in the mean over the times of the run: the two differ by no more than the error of the reference.
TEST(StudyCompare, RefinedReferenceIsAsGoodAsItsOwnError) {
  const io::Scene scene = scene_of("bouncing-ball");
  const System system = io::compile_scene(scene);
  auto options = against_exact(scene, {7e-3}, scene.run.until);
  const double exact = study::compare(system, options).points[0].q_l1;
  options.steps = {7e-3 / options.refine};
  const double of_reference = study::compare(system, options).points[0].q_l1;
  options.exact.reset();
  options.steps = {7e-3};
  const study::Comparison refined = study::compare(system, options);
  EXPECT_NE(refined.reference.find("moreau-jean with a step of"), std::string::npos);
  EXPECT_LE(std::abs(refined.points[0].q_l1 - exact), 1.1 * of_reference);
  EXPECT_LE(of_reference, 0.2 * exact);
}

TEST(StudyCompare, RecommendsTheMostAccurateAmongTheFastestThatReachTheTarget) {
  const io::Scene scene = scene_of("bouncing-ball");
  const System system = io::compile_scene(scene);
  auto options = against_exact(scene, {5e-2, 7e-3, 1e-3, 2e-4}, scene.run.until);
  options.schemes.push_back({"combined-projection", {}});
  const study::Comparison result = study::compare(system, options);
  ASSERT_GE(result.best, 0);
  const study::WorkPoint& best = result.points[result.best];
  EXPECT_TRUE(best.ok && best.certified);
  EXPECT_LE(best.q_relative, options.target);
  int missed = 0;
  for (const study::WorkPoint& point : result.points) {
    const bool reaches = point.ok && point.certified && point.q_relative <= options.target;
    missed += reaches ? 0 : 1;
    if (!reaches) continue;
    EXPECT_LE(best.seconds, 1.5 * point.seconds);
    if (point.seconds <= best.seconds) {
      EXPECT_LE(best.q_relative, point.q_relative);
    }
  }
  EXPECT_GT(missed, 0);
  for (const char* word : {"among the fastest", "error", "'ball.y'", "time", "penetration", "certificate holds"})
    EXPECT_NE(result.reason.find(word), std::string::npos) << word << " in " << result.reason;

  options.target = 1e-9;
  const study::Comparison closest = study::compare(system, options);
  ASSERT_GE(closest.best, 0);
  for (const study::WorkPoint& point : closest.points)
    EXPECT_LE(closest.points[closest.best].q_relative, point.q_relative);
  EXPECT_NE(closest.reason.find("no run reaches"), std::string::npos);
}

TEST(StudyCompare, ASchemeThatRefusesTheModelIsReported) {
  const io::Scene scene = scene_of("box-on-incline");
  const System system = io::compile_scene(scene);
  study::CompareOptions options;
  options.schemes = {{"schatzman-paoli", {}}, {"moreau-jean", {}}};
  options.reference = {"moreau-jean", {}};
  options.steps = {scene.run.step};
  options.until = 0.1;
  const study::Comparison result = study::compare(system, options);
  ASSERT_EQ(result.refusals.size(), 1U);
  EXPECT_EQ(result.refusals[0].scheme, "schatzman-paoli");
  EXPECT_NE(result.refusals[0].reason.find("friction"), std::string::npos);
  ASSERT_EQ(result.points.size(), 1U);
  EXPECT_EQ(result.best, 0);

  options.schemes.pop_back();
  EXPECT_EQ(study::compare(system, options).best, -1);
}

// q and -q are one rotation: an error of rotations is an angle, whatever the signs of the quaternions.
TEST(StudyCompare, QuaternionsOfEitherSignAreTheSameRotation) {
  const double spin = 3.0;
  const System system = compile(examples::FreeBody{.angular_velocity = {0.0, 0.0, spin}}.model());
  study::CompareOptions options;
  options.schemes = {{"moreau-jean", {}}};
  options.steps = {1e-2};
  options.until = 1.0;
  options.exact = study::ExactSolution{"a steady spin", [spin](double t, std::span<double> q, std::span<double> v) {
                                         std::fill(q.begin(), q.end(), 0.0);
                                         std::fill(v.begin(), v.end(), 0.0);
                                         q[3] = -std::cos(0.5 * spin * t);
                                         q[6] = -std::sin(0.5 * spin * t);
                                         v[5] = spin;
                                       }};
  const study::Comparison result = study::compare(system, options);
  EXPECT_LE(result.points[0].q_uniform, 1e-10);
  ASSERT_EQ(result.motions.size(), 2U);
  EXPECT_EQ(result.motions[1].unit, "rad");
  EXPECT_NEAR(result.motions[1].range, spin, 1e-12);
}

// What turns by next to nothing is no measure of its own error.
TEST(StudyCompare, AnglesAreMeasuredAgainstAHundredthOfARadian) {
  const auto turning = [](double turn) {
    return study::ExactSolution{"a creep", [turn](double t, std::span<double> q, std::span<double> v) {
                                  std::fill(q.begin(), q.end(), 0.0);
                                  std::fill(v.begin(), v.end(), 0.0);
                                  q[3] = std::cos(0.5 * turn * t);
                                  q[6] = std::sin(0.5 * turn * t);
                                }};
  };
  const System system = compile(examples::FreeBody{.angular_velocity = {0.0, 0.0, 0.0}}.model());
  study::CompareOptions options;
  options.schemes = {{"moreau-jean", {}}};
  options.steps = {1e-2};
  options.until = 1.0;
  for (const double turn : {1e-7, 1e-5}) {
    options.exact = turning(turn);
    const study::Comparison result = study::compare(system, options);
    EXPECT_NEAR(result.motions[1].range, turn, 1e-12);
    EXPECT_EQ(result.motions[1].scale, 0.01);
    EXPECT_NEAR(result.points[0].q_relative, 0.5 * turn / 0.01, 0.01 * turn / 0.01) << "mean of turn t over [0, 1]";
  }
}

// Newton is given too few iterations for the whole step, not for a part of it.
TEST(StudyCompare, TakesSchemesThatHoldOthers) {
  const io::Scene scene = scene_of("slider-crank");
  const System system = io::compile_scene(scene);
  study::CompareOptions options;
  options.schemes = {{"moreau-jean", {{"newton_max", "3"}}}};
  options.reference = {"moreau-jean", {}};
  options.steps = {1e-2};
  options.until = 0.05;
  EXPECT_FALSE(study::compare(system, options).points[0].ok);
  options.schemes = {{"halve", {{"inner.scheme", "moreau-jean"}, {"inner.newton_max", "3"}}}};
  EXPECT_TRUE(study::compare(system, options).points[0].ok);
  options.reference = options.schemes[0];
  options.refine = 2;
  EXPECT_TRUE(study::compare(system, options).points[0].ok) << "the reference halves too";
  options.reference.options.push_back({"max_halvings", "0"});
  EXPECT_THROW(static_cast<void>(study::compare(system, options)), ModelError);
}

TEST(StudyCompare, OptionsThatMeanNothing) {
  const System system = io::compile_scene(scene_of("bouncing-ball"));
  const study::CompareOptions good{
      .schemes = {{"moreau-jean", {}}}, .steps = {1e-2}, .until = 0.1, .reference = {"moreau-jean", {}}};
  EXPECT_EQ(study::compare(system, good).points.size(), 1U);
  const auto refused = [&](auto change) {
    study::CompareOptions options = good;
    change(options);
    EXPECT_THROW(static_cast<void>(study::compare(system, options)), OptionError);
  };
  refused([](auto& options) { options.schemes.clear(); });
  refused([](auto& options) { options.steps.clear(); });
  refused([](auto& options) { options.steps = {-1.0}; });
  refused([](auto& options) { options.until = 0.0; });
  refused([](auto& options) { options.steps = {1e-2, 0.11}; });
  refused([](auto& options) { options.refine = 1; });
  refused([](auto& options) { options.schemes = {{"moreau-jean", {{"thet", "1"}}}}; });
}

}  // namespace
}  // namespace esc
