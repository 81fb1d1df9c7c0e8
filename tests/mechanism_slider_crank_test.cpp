// The slider-crank with clearance of acary section 6.4 three ways: minimal coordinates, planar bodies with revolute
// joints, rigid bodies in space with revolute joints. The same scheme on each must converge to the same motion.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/support/slider_crank.hpp"

namespace esc {
namespace {

using namespace test;

// The time of n free steps that end in contact is t* + a h^2 + O(h^4) in minimal coordinates; joints whose rows are
// taken at the end of the step make it t* + a h + b h^2 + O(h^3).
TEST(SliderCrankThreeWays, FirstContact) {
  for (const Way way : ways) {
    const System system = system_of(way);
    MoreauJean scheme(system, {.tol = 1e-13});
    const double a = first_contact(scheme, 250).t, b = first_contact(scheme, 500).t, c = first_contact(scheme, 1000).t;
    const double one = 2.0 * b - a, two = 2.0 * c - b;  // without the term in h
    const double t = way == Way::minimal ? (4.0 * c - b) / 3.0 : (4.0 * two - one) / 3.0;
    EXPECT_NEAR(t, 0.002692503, 1e-9) << name(way);
    EXPECT_NEAR((a - t) / (b - t), way == Way::minimal ? 4.0 : 2.0, 0.02) << name(way);
    EXPECT_NEAR((b - t) / (c - t), way == Way::minimal ? 4.0 : 2.0, 0.02) << name(way);
  }
}

TEST(SliderCrankThreeWays, OnlyTheSliderInSpaceHasAnInertiaThatNoSolidHas) {
  EXPECT_TRUE(system_of(Way::minimal).warnings().empty());
  EXPECT_TRUE(system_of(Way::planar).warnings().empty());
  const System system = system_of(Way::spatial);
  ASSERT_EQ(system.warnings().size(), 1u);
  EXPECT_EQ(system.warnings()[0].rfind("slider: no solid has this inertia", 0), 0u) << system.warnings()[0];
  EXPECT_EQ(system.nv() - system.joint_rows(), 3);
}

Course course(Way way, double h, double until = 0.2) { return test::course(way, {h, until, h > 5e-6}); }

double apart(const Course& a, const Course& b) {
  EXPECT_EQ(a.gaps.size(), b.gaps.size());
  double worst = 0.0;
  for (std::size_t k = 0; k < std::min(a.gaps.size(), b.gaps.size()); ++k)
    for (int i = 0; i < 4; ++i) worst = std::max(worst, std::abs(a.gaps[k][i] - b.gaps[k][i]));
  return worst;
}

// Joints make the scheme first order: 0.14, 0.016 and 0.0016 revolutions less than 2.8781 at h = 1e-4, 1e-5 and 1e-6.
void expect_convergence(Way way, const std::vector<double>& steps) {
  std::vector<double> errors, drift;
  for (const double h : steps) {
    const Course c = course(way, h);
    errors.push_back(2.8781 - c.revolutions);
    drift.push_back(c.report.max_joint_drift);
    EXPECT_LT(c.violation, 1.6 * h);  // at 1 m/s
    EXPECT_LT(c.tilt, 1e-9);
    EXPECT_LE(c.gained, 0.0);
    EXPECT_LT(c.out_of_plane, 1e-12);
  }
  EXPECT_NEAR(slope(steps, errors), 1.0, 0.1);
  EXPECT_LT(errors.back(), 2000.0 * steps.back());
  EXPECT_NEAR(slope(steps, drift), 2.0, 0.1);
  EXPECT_LT(drift.back(), 0.03 * steps.back());
}

TEST(SliderCrankThreeWays, RevolutionsOfPlanarBodiesConverge) { expect_convergence(Way::planar, {1e-4, 1e-5}); }
TEST(SliderCrankThreeWays, RevolutionsOfBodiesInSpaceConverge) { expect_convergence(Way::spatial, {1e-4, 2e-5}); }

// Up to t = 0.05 s: the difference grows with the time that the crank is late.
TEST(SliderCrankThreeWays, CornersAgreeToFirstOrder) {
  const std::vector<double> steps{1e-4, 5e-5, 2e-5};
  std::vector<double> difference;
  for (const double h : steps) {
    const Course minimal = course(Way::minimal, h, 0.05), planar = course(Way::planar, h, 0.05),
                 spatial = course(Way::spatial, h, 0.05);
    difference.push_back(apart(minimal, planar));
    EXPECT_LT(apart(planar, spatial), 1e-11);
    EXPECT_NEAR(planar.revolutions, spatial.revolutions, 1e-11);
  }
  EXPECT_NEAR(slope(steps, difference), 1.0, 0.05);
  EXPECT_LT(difference.back(), 10.0 * steps.back());  // at 1 m/s
}

TEST(SliderCrankThreeWays, TinySteps_slow) {
  std::array<Course, 3> fine;
  for (const Way way : ways) {
    Course& c = fine[static_cast<int>(way)] = course(way, 1e-6);
    const double coarse = course(way, 1e-5).revolutions;
    EXPECT_NEAR(c.revolutions, 2.8781, way == Way::minimal ? 5e-4 : 2e-3) << name(way);
    EXPECT_NEAR((10.0 * c.revolutions - coarse) / 9.0, 2.8781, 2e-4) << name(way);
    EXPECT_LT(c.violation, 1.6e-6) << name(way);
    EXPECT_LT(c.out_of_plane, 1e-12);
  }
  EXPECT_LT(apart(fine[0], fine[1]), 1.2e-4);
  EXPECT_LT(apart(fine[1], fine[2]), 1e-10);
}

}  // namespace
}  // namespace esc
