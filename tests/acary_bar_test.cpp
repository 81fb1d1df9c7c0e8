// The Moreau-Jean scheme on the impacting elastic bar of acary section 6.2, Figs 12 to 15.
#include <array>
#include <cmath>
#include <limits>

#include "examples/elastic_bar.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::ElasticBar;

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

// With t1 = gap / v0 and T = 2 L / c0 the exact contact is [t1, t1 + T]. A step from t - h to t with impulse P is in
// contact if P > 0, and its force F = P / h belongs to t.
struct Figures {
  double force, force_sd;  // over t in [t1 + .1 T, t1 + .9 T], population standard deviation, / r
  double peak;             // largest F / r
  double duration;         // from the first to the last step in contact, both counted, / T
  double violation;        // largest penetration / (h v0)
  double speed;            // largest |v| of the tip in contact, first step left out, / v0
  double after, after_sd;  // velocity of the tip away from the wall over t in [t1 + 1.15 T, t1 + 2 T], / v0
  double energy;           // end / start
};

struct Row {
  int elements;
  double h, e;
  Figures figures;
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

Figures measure(const ElasticBar& bar, double h) {
  const double t1 = bar.gap / bar.velocity, T = bar.contact_time();
  test::Sample force, after;
  Figures f{};
  double first = 0.0, last = 0.0;
  const RunReport report = test::follow(
      bar.model(), {}, {.step = h, .until = t1 + 2.0 * T, .certify = false}, [&](const System&, const State& x) {
        const double P = x.contacts.empty() ? 0.0 : x.contacts[0].impulse[0];
        const double F = P / h / bar.contact_force(), v = x.v[bar.tip()] / bar.velocity;
        if (P > 0.0) {
          if (first == 0.0)
            first = x.t;
          else
            f.speed = std::max(f.speed, std::abs(v));
          last = x.t;
        }
        if (x.t >= t1 + 0.1 * T && x.t <= t1 + 0.9 * T) force.add(F);
        if (x.t >= t1 + 1.15 * T) after.add(-v);
        f.peak = std::max(f.peak, F);
        f.violation = std::max(f.violation, (x.q[bar.tip()] - bar.gap) / (h * bar.velocity));
      });
  f.force = force.mean();
  f.force_sd = force.deviation();
  f.duration = (last - first + h) / T;
  f.after = after.mean();
  f.after_sd = after.deviation();
  f.energy = (report.final.kinetic + report.final.potential) / report.initial.kinetic;
  return f;
}

TEST(AcaryBar, WaveSpeedContactTimeAndForce) {
  const ElasticBar bar;
  EXPECT_NEAR(bar.wave_speed(), 5188.745217, 1e-6);
  EXPECT_NEAR(bar.contact_time(), 3.854496e-4, 1e-10);
  EXPECT_NEAR(bar.contact_force(), 1271.4721, 1e-4);
}

class AcaryBarRow : public testing::TestWithParam<Row> {};

TEST_P(AcaryBarRow, GivesTheReferenceFigures) {
  const Row& row = GetParam();
  const Figures f = measure({.e = row.e, .elements = row.elements}, row.h), &r = row.figures;
  EXPECT_NEAR(f.force, r.force, 1e-3);
  EXPECT_NEAR(f.force_sd, r.force_sd, 1e-3);
  EXPECT_NEAR(f.peak, r.peak, 1e-3);
  EXPECT_NEAR(f.duration, r.duration, 1e-3);
  EXPECT_NEAR(f.violation, r.violation, 1e-3);
  EXPECT_NEAR(f.speed, r.speed, r.speed > 0.0 ? 1e-3 : 1e-14);
  EXPECT_NEAR(f.after, r.after, 1e-3);
  if (!std::isnan(r.after_sd)) {
    EXPECT_NEAR(f.after_sd, r.after_sd, 1e-3);
  }
  EXPECT_NEAR(f.energy, r.energy, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Table, AcaryBarRow, testing::ValuesIn(rows));

TEST(AcaryBar, PlateauDurationAndReleaseOfAFineMesh) {
  const ElasticBar bar;
  for (const double h : {2e-6, 5e-7}) {
    const Figures f = measure(bar, h);
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
