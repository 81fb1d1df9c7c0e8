// The Moreau-Jean scheme on the slider-crank with clearance of acary section 6.4.1, Table 3 and Fig. 26.
#include <array>
#include <cmath>
#include <numbers>

#include "examples/slider_crank.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::SliderCrank;
using test::follow;

double revolutions(const State& x) { return x.q[0] / (2.0 * std::numbers::pi); }

// The upper corners 0 and 1 after n free steps to time t.
struct Flight {
  State x;
  double gap, U;
};

Flight fly(const System& system, MoreauJean& scheme, double t, int n) {
  Flight flight{.x = system.initial_state(), .gap = 0.0, .U = 0.0};
  scheme.start(flight.x);
  for (int k = 0; k < n; ++k) EXPECT_TRUE(scheme.step(flight.x, t / n).ok());
  const ContactSet set = test::contacts_at(system, flight.x);
  double U[3];
  velocity(set, set.contacts[0], flight.x.v, U);
  flight.gap = set.contacts[0].gap;
  flight.U = U[0];
  return flight;
}

struct FirstContact {
  double t, U;
};

// n steps of t / n, with t found by Newton so that the gap after them is zero.
FirstContact first_contact(const System& system, MoreauJean& scheme, int n) {
  double t = 2.6e-3;
  for (int i = 0; i < 6; ++i) {
    const Flight flight = fly(system, scheme, t, n);
    t -= flight.gap / flight.U;
  }
  return {t, fly(system, scheme, t, n).U};
}

// The midpoint rule's error is a series in h^2: one extrapolation leaves h^4.
TEST(AcarySliderCrank, FirstContact) {
  const System system = compile(SliderCrank{}.model());
  MoreauJean scheme(system, {.tol = 1e-13});
  const FirstContact a = first_contact(system, scheme, 250), b = first_contact(system, scheme, 500),
                     c = first_contact(system, scheme, 1000);
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
    const double t = first_contact(system, scheme, 1000).t;
    State x = fly(system, scheme, t + 1e-12, 1000).x;
    ASSERT_TRUE(scheme.step(x, 1e-11).ok());
    ASSERT_EQ(x.contacts.size(), 2U);
    EXPECT_NEAR(x.contacts[0].impulse[0], impact.left, 1e-7);
    EXPECT_NEAR(x.contacts[1].impulse[0], impact.right, 1e-7);
    for (const ContactRecord& record : x.contacts)
      EXPECT_NEAR(std::abs(record.impulse[1]), impact.mu * record.impulse[0], 1e-12);  // it slides
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
                      o.violation = std::max(o.violation, -test::smallest_gap(system, x));
                      o.tilt = std::max(o.tilt, std::abs(x.q[2]));
                      o.highest_energy = std::max(o.highest_energy, test::energy(system, x));
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
  double before = 0.0, largest_jump = 0.0;
  int steps = 0, sign_changes = 0;
  follow(SliderCrank{}.model(), {}, {.step = 1e-4, .until = 0.02}, [&](const System& system, const State& x) {
    if (revolutions(x) < 0.15 || revolutions(x) > 0.25) return;
    const ContactSet set = test::contacts_at(system, x);
    double U[3];
    velocity(set, set.contacts[0], x.v, U);
    if (steps++ > 0) {
      largest_jump = std::max(largest_jump, std::abs(U[0] - before));
      sign_changes += U[0] * before < -1e-20;
    }
    before = U[0];
  });
  EXPECT_GT(steps, 30);
  EXPECT_LE(largest_jump, 3.6e-3);
  EXPECT_EQ(sign_changes, 0);
}

// The same scheme written out for a slider that does not tilt, without a solver: crank and rod, one contact of normal
// impulse P = P1 + P2 on the wall y = +-c and friction T, solved by hand, M F G by fixed-point iteration.
class TwoAngles {
 public:
  double revolutions(double h, int steps) {
    for (int k = 0; k < steps; ++k) step(h);
    return q_[0] / (2.0 * std::numbers::pi);
  }

 private:
  using Pair = std::array<double, 2>;
  static double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
  Pair rows_y(const Pair& q) const { return {d_.l1 * std::cos(q[0]), d_.l2 * std::cos(q[1])}; }
  Pair rows_x(const Pair& q) const { return {-d_.l1 * std::sin(q[0]), -d_.l2 * std::sin(q[1])}; }

  void step(double h) {
    const double y = d_.l1 * std::sin(q_[0]) + d_.l2 * std::sin(q_[1]);
    const double side = y >= d_.c ? 1.0 : y <= -d_.c ? -1.0 : 0.0;  // gap = c - side y
    const double rebound = -d_.e * side * dot(rows_y(q_), v_);      // e U_k
    Pair w = v_;
    for (double change = 1.0; change > 1e-12;) {
      const Pair before = w;
      const Pair q{q_[0] + 0.5 * h * (v_[0] + w[0]), q_[1] + 0.5 * h * (v_[1] + w[1])};
      w = velocity_after(h, w, q, {side, rebound});
      change = std::max(std::abs(w[0] - before[0]), std::abs(w[1] - before[1]));
    }
    for (int i = 0; i < 2; ++i) q_[i] += 0.5 * h * (v_[i] + w[i]);
    v_ = w;
  }

  struct Wall {
    double side, rebound;
  };

  Pair velocity_after(double h, const Pair& w, const Pair& q, const Wall& wall) const {
    const Pair middle{0.5 * (q_[0] + q[0]), 0.5 * (q_[1] + q[1])};
    const Pair u{0.5 * (v_[0] + w[0]), 0.5 * (v_[1] + w[1])};
    const double A = d_.J1 + (0.25 * d_.m1 + d_.m2 + d_.m3) * d_.l1 * d_.l1;
    const double B = d_.J2 + (0.25 * d_.m2 + d_.m3) * d_.l2 * d_.l2;
    const double H = (0.5 * d_.m2 + d_.m3) * d_.l1 * d_.l2;
    const double C = H * std::cos(middle[0] - middle[1]), S = H * std::sin(middle[0] - middle[1]);
    const auto solve = [&](const Pair& f) {
      const double det = A * B - C * C;
      return Pair{(B * f[0] - C * f[1]) / det, (A * f[1] - C * f[0]) / det};
    };
    const Pair push =
        solve({h * (-S * u[1] * u[1] - d_.g * (0.5 * d_.m1 + d_.m2 + d_.m3) * d_.l1 * std::cos(middle[0])),
               h * (S * u[0] * u[0] - d_.g * (0.5 * d_.m2 + d_.m3) * d_.l2 * std::cos(middle[1]))});
    const Pair free{v_[0] + push[0], v_[1] + push[1]};
    if (wall.side == 0.0) return free;

    Pair N = rows_y(q);
    for (double& entry : N) entry *= -wall.side;
    const Pair T = rows_x(q);
    const double b = dot(N, free) + wall.rebound;
    if (b >= 0.0) return free;
    for (const double direction : {1.0, -1.0}) {  // of the slip
      const Pair along{N[0] - direction * d_.mu * T[0], N[1] - direction * d_.mu * T[1]};
      const Pair response = solve(along);
      const double P = -b / dot(N, response);
      const Pair after{free[0] + P * response[0], free[1] + P * response[1]};
      if (direction * dot(T, after) > 0.0) return after;
    }
    ADD_FAILURE() << "the slider sticks: the hand solution does not cover that";
    return free;
  }

  SliderCrank d_;
  Pair q_{d_.angles[0], d_.angles[1]}, v_{d_.rates[0], d_.rates[1]};
};

TEST(AcarySliderCrank, AgreesWithTheHandSolutionOfTheScheme) {
  for (const auto& [h, steps] : {std::pair{1e-4, 2000}, std::pair{1e-5, 20000}})
    EXPECT_NEAR(outcome(h, {.tol = 1e-12}).revolutions, TwoAngles{}.revolutions(h, steps), 1e-6) << h;
}

}  // namespace
}  // namespace esc
