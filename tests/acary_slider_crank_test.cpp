// The Moreau-Jean scheme on the slider-crank with clearance of acary section 6.4.1, Table 3 and Fig. 26.
#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/slider_crank.hpp"
#include "tests/support/two_angles.hpp"

namespace esc {
namespace {

using examples::SliderCrank;
using namespace test;

double revolutions(const State& x) { return x.q[0] / (2.0 * std::numbers::pi); }

// The midpoint rule's error is a series in h^2: one extrapolation leaves h^4.
TEST(AcarySliderCrank, FirstContact) {
  const System system = compile(SliderCrank{}.model());
  MoreauJean scheme(system, {.tol = 1e-13});
  const FirstContact a = first_contact(scheme, 250), b = first_contact(scheme, 500), c = first_contact(scheme, 1000);
  const double t = (4.0 * c.t - b.t) / 3.0;
  EXPECT_NEAR(t, 0.002692503, 1e-9);
  EXPECT_NEAR((4.0 * c.U - b.U) / 3.0, -0.841612322, 1e-8);
  EXPECT_NEAR((a.t - t) / (b.t - t), 4.0, 0.01);
  EXPECT_NEAR((b.t - t) / (c.t - t), 4.0, 0.01);
}

// A step of 1e-11 s just past the contact: forces have no time to act.
TEST(AcarySliderCrank, ImpulsesOfTheFirstImpact) {
  struct Impact {
    double mu, left, right;
  };
  for (const Impact& impact : {Impact{0.0, 0.055395015, 0.055395015}, Impact{0.01, 0.055740323, 0.055185693}}) {
    const System system = compile(SliderCrank{.mu = impact.mu}.model());
    MoreauJean scheme(system, {.tol = 1e-13});
    const double t = first_contact(scheme, 1000).t;
    State x = fly(scheme, t + 1e-12, 1000);
    ASSERT_TRUE(scheme.step(x, 1e-11).ok());
    ASSERT_EQ(x.contacts.size(), 2U);
    EXPECT_NEAR(x.contacts[0].P[0], impact.left, 1e-7);
    EXPECT_NEAR(x.contacts[1].P[0], impact.right, 1e-7);
    for (const ContactRecord& record : x.contacts)
      EXPECT_NEAR(std::abs(record.P[1]), impact.mu * record.P[0], 1e-12);  // it slides
  }
}

struct Outcome {
  double revolutions = 0.0, violation = 0.0, tilt = 0.0;
  double highest_energy = 0.0;  // after the start
  RunReport report;
  double final_energy() const { return report.final.kinetic + report.final.potential; }
};

Outcome outcome(double h, const MoreauJeanOptions& options = {}) {
  Outcome o;
  o.report = follow(SliderCrank{}.model(), options, {.step = h, .until = 0.2, .certify = false},
                    [&](const System& system, const State& x) {
                      o.violation = std::max(o.violation, -smallest_gap(system, x));
                      o.tilt = std::max(o.tilt, std::abs(x.q[2]));
                      o.highest_energy = std::max(o.highest_energy, energy(system, x));
                      o.revolutions = revolutions(x);
                    });
  return o;
}

TEST(AcarySliderCrank, TwoTenthsOfASecondWithLongSteps) {
  const Outcome o = outcome(1e-4);
  const double start = o.report.initial.kinetic + o.report.initial.potential;
  EXPECT_NEAR(start, 7.495548750, 1e-9);
  EXPECT_NEAR(o.revolutions, 2.874784, 1e-6);
  EXPECT_NEAR(o.revolutions, 2.8781, 5e-3);
  EXPECT_LT(o.tilt, 1e-9);
  EXPECT_LE(o.highest_energy, start);
  EXPECT_NEAR(o.final_energy(), 6.9507, 1e-4);
  EXPECT_NEAR(o.violation, 1.0510e-4, 1.0510e-7);
  EXPECT_GE(o.report.newton.mean(), 1.9);
  EXPECT_LE(o.report.newton.mean(), 3.2);
  EXPECT_LE(o.report.newton.max, 4.0);
}

void expect_converged(double h) {
  const Outcome o = outcome(h);
  EXPECT_NEAR(o.revolutions, 2.8781, 5e-4);
  EXPECT_LT(o.tilt, 1e-9);
  EXPECT_LE(o.highest_energy, o.report.initial.kinetic + o.report.initial.potential);
  EXPECT_GE(o.violation, 0.8 * h);  // at 1 m/s
  EXPECT_LE(o.violation, 1.6 * h);
  EXPECT_GE(o.report.newton.mean(), 1.9);
  EXPECT_LE(o.report.newton.mean(), 2.3);
}

TEST(AcarySliderCrank, TwoTenthsOfASecondWithShortSteps) { expect_converged(1e-5); }
TEST(AcarySliderCrank, TwoTenthsOfASecondWithTinySteps_slow) { expect_converged(1e-6); }

// The form behind the paper's Table 3. It gains energy.
TEST(AcarySliderCrank, EndpointForm) {
  const Outcome o = outcome(1e-4, {.quadrature = Quadrature::endpoints});
  EXPECT_NEAR(o.violation, 1.3237e-4, 1.3237e-7);
  EXPECT_NEAR(o.revolutions, 3.0510, 1e-3);
  EXPECT_NEAR(o.final_energy(), 8.5606, 1e-3);
  EXPECT_LT(o.tilt, 1e-9);
  EXPECT_GE(o.report.newton.mean(), 1.9);
  EXPECT_LE(o.report.newton.mean(), 3.2);
  EXPECT_LE(o.report.newton.max, 4.0);
}

void expect_endpoint_violation(double h) {
  const Outcome o = outcome(h, {.quadrature = Quadrature::endpoints});
  EXPECT_GE(o.violation, 0.8 * h);
  EXPECT_LE(o.violation, 1.6 * h);
  EXPECT_LT(o.tilt, 1e-9);
  EXPECT_GE(o.report.newton.mean(), 1.9);
  EXPECT_LE(o.report.newton.mean(), 2.3);
}

TEST(AcarySliderCrank, EndpointFormWithShortSteps) { expect_endpoint_violation(1e-5); }
TEST(AcarySliderCrank, EndpointFormWithTinySteps_slow) { expect_endpoint_violation(1e-6); }

// acary Fig. 26: in the first long contact the corner's velocity is smooth.
TEST(AcarySliderCrank, CornerVelocityDoesNotChatter) {
  const CornerCourse c = corner_course();
  EXPECT_GT(c.steps, 30);
  EXPECT_LE(c.largest_jump, 3.6e-3);
  EXPECT_EQ(c.sign_changes, 0);
}

TEST(AcarySliderCrank, AgreesWithTheHandSolutionOfTheScheme) {
  for (const auto& [h, steps] : {std::pair{1e-4, 2000}, std::pair{1e-5, 20000}})
    EXPECT_NEAR(outcome(h, {.tol = 1e-12}).revolutions, TwoAngles(Projection::none).revolutions(h, steps), 1e-6) << h;
}

}  // namespace
}  // namespace esc
