// The direct projected and the combined scheme on the slider-crank with clearance of acary section 6.4: Table 3,
// Fig. 26, in minimal coordinates and with joints. A number that must not hang on round-off is computed again from a
// start moved by 1e-12.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>

#include "tests/support/slider_crank.hpp"
#include "tests/support/two_angles.hpp"

namespace esc {
namespace {

using examples::SliderCrank;
using namespace test;

bool touches(Scheme& scheme, double t, int n) {
  State x = scheme.system().initial_state();
  scheme.start(x);
  bool ok = true;
  for (int k = 0; k < n && x.contacts.empty() && ok; ++k) ok = scheme.step(x, t / n).ok();
  EXPECT_TRUE(ok);
  return !x.contacts.empty();
}

// The longest t whose n steps are free, and U then: these schemes see a contact at the end of a step at once.
FirstContact longest_flight(Scheme& scheme, int n) {
  double free = 2.6e-3, closed = 2.8e-3;
  while (closed - free > 1e-14) {
    const double t = 0.5 * (free + closed);
    (touches(scheme, t, n) ? closed : free) = t;
  }
  return {free, corner_velocity(scheme.system(), fly(scheme, free, n))};
}

template <class S>
void expect_first_contact() {
  const System system = compile(SliderCrank{}.model());
  S scheme(system, {.tol = 1e-13});
  const FirstContact b = longest_flight(scheme, 400), c = longest_flight(scheme, 800);
  EXPECT_NEAR((4.0 * c.t - b.t) / 3.0, 0.002692503, 1e-9);  // the midpoint rule's error is a series in h^2
  EXPECT_NEAR((4.0 * c.U - b.U) / 3.0, -0.841612322, 1e-8);
}

TEST(AcaryProjectedSliderCrank, FirstContact) {
  expect_first_contact<DirectProjected>();
  expect_first_contact<CombinedProjection>();
}

// Two steps of 1e-11 s from just before the contact: forces have no time to act. Direct projection needs both.
template <class S>
void expect_first_impulses(double mu, double left, double right) {
  const System system = compile(SliderCrank{.mu = mu}.model());
  S scheme(system, {.tol = 1e-13});
  State x = fly(scheme, longest_flight(scheme, 800).t, 800);
  std::array<double, 2> P{};
  for (int k = 0; k < 2 && P[0] == 0.0; ++k) {
    ASSERT_TRUE(scheme.step(x, 1e-11).ok());
    ASSERT_EQ(x.contacts.size(), 2U);
    for (int i = 0; i < 2; ++i) {
      P[i] = x.contacts[i].P[0];
      EXPECT_NEAR(std::abs(x.contacts[i].P[1]), mu * P[i], 1e-12);  // it slides
    }
  }
  EXPECT_NEAR(P[0], left, 1e-7);
  EXPECT_NEAR(P[1], right, 1e-7);
}

TEST(AcaryProjectedSliderCrank, ImpulsesOfTheFirstImpact) {
  expect_first_impulses<DirectProjected>(0.0, 0.055395015, 0.055395015);
  expect_first_impulses<DirectProjected>(0.01, 0.055740323, 0.055185693);
  expect_first_impulses<CombinedProjection>(0.0, 0.055395015, 0.055395015);
  expect_first_impulses<CombinedProjection>(0.01, 0.055740323, 0.055185693);
}

// A run of 0.2 s in minimal coordinates, with what the steps report.
struct Outcome {
  double revolutions = 0.0, tilt = 0.0, energy = 0.0, highest_energy = 0.0;
  Statistics newton, index_sets;
  int with_impulse = 0;  // steps
};

constexpr double start_energy = 7.495548750;  // J

template <class S>
Outcome outcome(double h, const typename S::Options& options = {}, double shift = 0.0) {
  Outcome o;
  const System system = compile(SliderCrank{.angles = {shift, 0.0, 0.0}}.model());
  S scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  for (int k = 0; k < std::lround(0.2 / h); ++k) {
    const StepReport report = scheme.step(x, h);
    if (!report.ok()) {
      ADD_FAILURE() << to_string(report.status) << " after t = " << x.t;
      return o;
    }
    o.newton.add(report.iterations);
    o.index_sets.add(report.index_sets);
    o.tilt = std::max(o.tilt, std::abs(x.q[2]));
    o.energy = energy(system, x);
    o.highest_energy = std::max(o.highest_energy, o.energy);
    o.with_impulse += std::any_of(x.contacts.begin(), x.contacts.end(), [](const auto& c) { return c.P[0] > 0.0; });
  }
  o.revolutions = x.q[0] / (2.0 * std::numbers::pi);
  EXPECT_LT(o.tilt, 1e-9);  // pure translation
  return o;
}

TEST(AcaryProjectedSliderCrank, TwoTenthsOfASecondWithTheCombinedScheme) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    const Outcome coarse = outcome<CombinedProjection>(1e-4, {}, shift);
    EXPECT_NEAR(coarse.revolutions, 2.875159, 1e-6);
    EXPECT_NEAR(outcome<CombinedProjection>(1e-5, {}, shift).revolutions, 2.877811, 1e-6);
    EXPECT_LE(coarse.highest_energy, start_energy + 1e-9);
    EXPECT_GE(coarse.newton.mean(), 2.1);
    EXPECT_LE(coarse.newton.mean(), 3.5);
    EXPECT_LE(coarse.newton.max, 7.0);
    EXPECT_GE(coarse.index_sets.mean(), 1.1);
    EXPECT_LE(coarse.index_sets.mean(), 1.2);
    EXPECT_EQ(coarse.index_sets.max, 2.0);
  }
}

TEST(AcaryProjectedSliderCrank, TwoTenthsOfASecondWithDirectProjection) {
  const Outcome coarse = outcome<DirectProjected>(1e-4), fine = outcome<DirectProjected>(1e-5);
  EXPECT_NEAR(coarse.revolutions, 2.8781, 5e-3);
  EXPECT_NEAR(fine.revolutions, 2.8781, 5e-4);
  EXPECT_GE(coarse.newton.mean(), 1.9);
  EXPECT_LE(coarse.newton.mean(), 3.2);
  EXPECT_LE(coarse.newton.max, 5.0);
  EXPECT_GE(fine.newton.mean(), 1.9);
  EXPECT_LE(fine.newton.mean(), 2.3);
  EXPECT_EQ(coarse.index_sets.max, 1.0);
}

// A projected gap is zero up to round-off of either sign. A tolerance above it decides the activation; without one,
// chance does, and most of the impulses are missed.
TEST(AcaryProjectedSliderCrank, ActivationNeedsATolerance) {
  int with_impulse = 0;
  for (const double tolerance : {1e-12, 1e-10}) {
    const double by_hand = TwoAngles(Projection::complementary, tolerance).revolutions(1e-5, 20000);
    for (const double shift : {-1e-12, 0.0, 1e-12}) {
      const Outcome o = outcome<DirectProjected>(1e-5, {.activation_tol = tolerance, .tol = 1e-12}, shift);
      EXPECT_NEAR(o.revolutions, by_hand, 1e-6);
      EXPECT_NEAR(o.energy, 6.992, 1e-3);
      with_impulse = o.with_impulse;
    }
  }
  EXPECT_LT(outcome<DirectProjected>(1e-5, {.activation_tol = 0.0}).with_impulse, with_impulse / 2);
}

TEST(AcaryProjectedSliderCrank, AgreesWithTheHandSolutionOfTheSchemes) {
  for (const auto& [h, steps] : {std::pair{1e-4, 2000}, std::pair{1e-5, 20000}}) {
    EXPECT_NEAR(outcome<DirectProjected>(h, {.tol = 1e-12}).revolutions,
                TwoAngles(Projection::complementary, 1e-10).revolutions(h, steps), 1e-6)
        << h;
    EXPECT_NEAR(outcome<CombinedProjection>(h, {.tol = 1e-12}).revolutions,
                TwoAngles(Projection::combined).revolutions(h, steps), 1e-6)
        << h;
  }
}

// acary Fig. 26.
TEST(AcaryProjectedSliderCrank, CornerVelocityChattersWithDirectProjectionOnly) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    for (const double tolerance : {1e-12, 1e-10, 1e-8}) {
      const CornerCourse c = corner_course<DirectProjected>({.activation_tol = tolerance}, shift);
      EXPECT_GE(c.largest_jump, 2e-2);
      EXPECT_LE(c.largest_jump, 5e-2);
      EXPECT_GE(c.sign_changes, 19);
    }
    const CornerCourse c = corner_course<CombinedProjection>({}, shift);
    EXPECT_GT(c.steps, 30);
    EXPECT_LE(c.largest_jump, 3.6e-3);
    EXPECT_EQ(c.sign_changes, 0);
  }
}

// Certified steps: no penetration, no drift of the joints, no turn of the slider, no way out of the plane.
template <class S>
Course expect_no_violation(Way way, const CourseOptions& run) {
  const Course c = course<S>(way, run);
  EXPECT_LE(c.violation, 1e-10) << name(way);
  EXPECT_LE(c.report.max_joint_drift, 1e-10) << name(way);
  EXPECT_LT(c.tilt, 1e-9) << name(way);
  EXPECT_LT(c.out_of_plane, 1e-12) << name(way);
  EXPECT_GE(c.report.impacts, 1) << name(way);
  return c;
}

void expect_no_violation_by_either(Way way, const CourseOptions& run) {
  expect_no_violation<DirectProjected>(way, run);
  const Course c = expect_no_violation<CombinedProjection>(way, run);
  EXPECT_LE(c.gained, 1e-9);
}

TEST(AcaryProjectedSliderCrank, NoViolationWithLongSteps) {
  expect_no_violation_by_either(Way::minimal, {.step = 1e-4});
  expect_no_violation_by_either(Way::planar, {.step = 1e-4});
}
TEST(AcaryProjectedSliderCrank, NoViolationOfBodiesInSpaceWithLongSteps) {
  expect_no_violation_by_either(Way::spatial, {.step = 1e-4});
}
TEST(AcaryProjectedSliderCrank, NoViolationWithShortSteps) {
  expect_no_violation_by_either(Way::minimal, {.step = 1e-5});
}
TEST(AcaryProjectedSliderCrank, NoViolationOfPlanarBodiesWithShortSteps) {
  expect_no_violation_by_either(Way::planar, {.step = 1e-5});
}
TEST(AcaryProjectedSliderCrank, NoViolationOfBodiesInSpaceWithShortSteps_slow) {
  expect_no_violation_by_either(Way::spatial, {.step = 1e-5});
}
TEST(AcaryProjectedSliderCrank, NoViolationWithTinySteps) {
  expect_no_violation_by_either(Way::minimal, {.step = 1e-6, .until = 0.02});
  expect_no_violation_by_either(Way::planar, {.step = 1e-6, .until = 0.01});
}
TEST(AcaryProjectedSliderCrank, NoViolationOfBodiesInSpaceWithTinySteps) {
  expect_no_violation_by_either(Way::spatial, {.step = 1e-6, .until = 3.5e-3});
}

// Every way turns by 2.8781 revolutions in the limit. The error is O(h) with joints.
template <class S>
void expect_limit(Way way) {
  const double coarse = course<S>(way, {.step = 1e-5, .certify = false}).revolutions;
  const Course fine = course<S>(way, {.step = 1e-6, .certify = false});
  EXPECT_LE(fine.violation, 1e-10);
  EXPECT_NEAR(fine.revolutions, 2.8781, way == Way::minimal ? 5e-4 : 2e-3) << name(way);
  EXPECT_NEAR((10.0 * fine.revolutions - coarse) / 9.0, 2.8781, 2e-4) << name(way);
}

TEST(AcaryProjectedSliderCrank, TinyStepsOfDirectProjection_slow) {
  for (const Way way : ways) expect_limit<DirectProjected>(way);
}
TEST(AcaryProjectedSliderCrank, TinyStepsOfTheCombinedScheme_slow) {
  for (const Way way : ways) expect_limit<CombinedProjection>(way);
}

}  // namespace
}  // namespace esc
