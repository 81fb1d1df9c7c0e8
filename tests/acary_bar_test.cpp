// The Moreau-Jean scheme on the impacting elastic bar of acary section 6.2, Figs 12 to 15.
#include <array>
#include <cmath>
#include <limits>

#include "tests/support/bar_figures.hpp"

namespace esc {
namespace {

using examples::ElasticBar;
using test::BarFigures;

BarFigures measure(const ElasticBar& bar, double h) { return test::measure_bar<MoreauJean>(bar, h); }

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

struct Row {
  int elements;
  double h, e;
  BarFigures figures;
};

constexpr std::array<Row, 8> rows{{
    {1000, 5e-5, 0.0, {.780, .361, 1.000, 1.168, 1.318, 0.0, .893, .52, .87028}},
    {1000, 5e-6, 0.0, {.9999, .0005, 1.000, 1.025, .677, 0.0, .977, .156, .98702}},
    {1000, 2e-6, 0.0, {1.00000, .0002, 1.002, 1.012, .942, 0.0, .9918, .093, .99480}},
    {1000, 5e-7, 0.0, {1.00000, 0.0, 1.022, 1.004, 1.266, 0.0, .9963, .048, .99867}},
    {100, 2e-6, 0.0, {1.000, .0006, 1.080, 1.007, .942, 0.0, .993, not_given, .99406}},
    {10, 2e-6, 0.0, {1.033, .189, 2.826, .976, .942, 0.0, .966, not_given, .97067}},
    {100, 2e-7, 0.0, {1.0013, .063, 2.826, .994, .916, 0.0, .993, .162, .99707}},
    {100, 2e-6, .95, {1.0007, .055, 1.495, 1.007, .467, .9025, .993, .096, .99711}},
}};

TEST(AcaryBar, WaveSpeedContactTimeAndForce) {
  const ElasticBar bar;
  EXPECT_NEAR(bar.wave_speed(), 5188.745217, 1e-6);
  EXPECT_NEAR(bar.contact_time(), 3.854496e-4, 1e-10);
  EXPECT_NEAR(bar.contact_force(), 1271.4721, 1e-4);
}

class AcaryBarRow : public testing::TestWithParam<Row> {};

TEST_P(AcaryBarRow, GivesTheReferenceFigures) {
  const Row& row = GetParam();
  const BarFigures f = measure({.e = row.e, .elements = row.elements}, row.h), &r = row.figures;
  test::expect_figures(f, r);
  EXPECT_NEAR(f.violation, r.violation, 1e-3);
  EXPECT_NEAR(f.speed, r.speed, r.speed > 0.0 ? 1e-3 : 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Table, AcaryBarRow, testing::ValuesIn(rows));

TEST(AcaryBar, PlateauDurationAndReleaseOfAFineMesh) {
  const ElasticBar bar;
  for (const double h : {2e-6, 5e-7}) {
    const BarFigures f = measure(bar, h);
    EXPECT_NEAR(f.force * bar.contact_force(), 1271.472, 1.271);
    EXPECT_NEAR(f.duration * bar.contact_time(), 3.8545e-4, 0.015 * 3.8545e-4);
    EXPECT_NEAR(f.after * bar.velocity, 0.1, 0.015 * 0.1);
    EXPECT_LT(f.speed * bar.velocity, 1e-14);
  }
}

// The tip flies past the wall for the rest of a step, then stops in the mean over one more: (phase + 1/2) h v0.
TEST(AcaryBar, ViolationIsThePhaseOfTheImpactAndHalfAStep) {
  for (const double h : {5e-5, 5e-6, 2e-6, 5e-7}) {
    const ElasticBar bar{.elements = 100};
    const double steps = bar.gap / bar.velocity / h;
    const double violation = measure(bar, h).violation;
    EXPECT_NEAR(violation, std::ceil(steps) - steps + 0.5, 1e-6) << h;
    EXPECT_GE(violation, 0.5 - 1e-6);
    EXPECT_LE(violation, 1.5 + 1e-6);
  }
}

TEST(AcaryBar, ViolationOfAHundredElements) {
  const ElasticBar bar{.elements = 100};
  for (const auto& [h, violation] : {std::pair{5e-5, 6.58831e-6}, {5e-6, 3.38312e-7}, {5e-7, 6.33118e-8}})
    EXPECT_NEAR(measure(bar, h).violation * h * bar.velocity, violation, 1e-3 * violation) << h;
}

TEST(AcaryBar, PeakForceGrowsWithCoarserMeshesAndSmallerSteps) {
  const auto peak = [](int elements, double h) { return measure({.elements = elements}, h).peak; };
  EXPECT_LT(peak(1000, 2e-6), peak(100, 2e-6));
  EXPECT_LT(peak(100, 2e-6), peak(10, 2e-6));
  EXPECT_LT(peak(100, 5e-6), peak(100, 2e-6));
  EXPECT_LT(peak(100, 2e-6), peak(100, 2e-7));
}

}  // namespace
}  // namespace esc
