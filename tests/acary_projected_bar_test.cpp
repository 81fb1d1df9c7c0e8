// The combined scheme on the impacting elastic bar of acary section 6.2, Figs 16 to 18: the tip stands still at the
// wall, position and velocity both.
#include <array>
#include <cmath>

#include <escapement/schemes/combined_projection.hpp>

#include "tests/support/bar_figures.hpp"

namespace esc {
namespace {

using examples::ElasticBar;
using test::BarFigures;

BarFigures measure(const ElasticBar& bar, double h, const CombinedProjectionOptions& options = {}) {
  return test::measure_bar<CombinedProjection>(bar, h, options);
}

// What holds for every fine mesh.
void expect_contact(const BarFigures& f, const ElasticBar& bar, double h) {
  EXPECT_NEAR(f.force * bar.contact_force(), 1271.472, 1.271);
  EXPECT_NEAR(f.duration * bar.contact_time(), 3.8545e-4, 0.015 * 3.8545e-4);
  EXPECT_LT(f.speed * bar.velocity, 1e-14);
  EXPECT_LT(f.gap, 1e-15);
  EXPECT_LT(f.violation * h * bar.velocity, 1e-15);
}

void expect_release(const BarFigures& f, const ElasticBar& bar) {
  EXPECT_NEAR(f.after * bar.velocity, 0.1, 0.015 * 0.1);
}

TEST(AcaryProjectedBar, Figure16) {
  const double h = 2e-6;
  for (const double shift : {0.0, 1e-12}) {
    const ElasticBar bar{.gap = 5.0911688245431424e-5 * (1.0 + shift)};
    const BarFigures f = measure(bar, h);
    test::expect_figures(f, {1.00000, .0002, 1.010, 1.012, 0.0, 0.0, .9884, .097, .99487});
    expect_contact(f, bar, h);
    expect_release(f, bar);
  }
}

TEST(AcaryProjectedBar, Figure17) {
  const double h = 2e-7;
  const ElasticBar bar;
  const BarFigures f = measure(bar, h);
  test::expect_figures(f, {1.00000, 0.0, 1.080, 1.001, 0.0, 0.0, .998, .030, .99941});
  expect_contact(f, bar, h);
  expect_release(f, bar);
}

// Backward Euler damps what follows the release: .979 v0.
TEST(AcaryProjectedBar, Figure18) {
  const double h = 2e-7;
  const ElasticBar bar;
  const BarFigures f = measure(bar, h, {.theta = 1.0});
  test::expect_figures(f, {1.00000, 0.0, 1.000, 1.0004, 0.0, 0.0, .979, .084, .93828});
  expect_contact(f, bar, h);
}

TEST(AcaryProjectedBar, PeakForceGrowsWithCoarserMeshesAndSmallerSteps) {
  const auto peak = [](int elements, double h) { return measure({.elements = elements}, h).peak; };
  EXPECT_LT(peak(1000, 2e-6), peak(100, 2e-6));
  EXPECT_LT(peak(100, 2e-6), peak(10, 2e-6));
  EXPECT_LT(peak(100, 2e-6), peak(100, 2e-7));
}

// Every step certified, on a mesh where that is cheap.
TEST(AcaryProjectedBar, EveryStepIsCertified) {
  for (const double e : {0.0, 0.95}) {
    const RunReport report =
        test::follow<CombinedProjection>(ElasticBar{.e = e, .elements = 100}.model(), {},
                                         {.step = 2e-6, .until = 1.3e-3}, [](const System&, const State&) {});
    EXPECT_LE(report.max_penetration, 1e-15);
    EXPECT_GE(report.impacts, 1);
  }
}

}  // namespace
}  // namespace esc
