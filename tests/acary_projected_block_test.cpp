// The direct projected and the combined scheme on acary's rocking block, sections 5.3 and 6.1: two strongly coupled
// corners. A number that must not hang on round-off is computed again from a start moved by 1e-12.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>

#include "examples/rocking_block.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::RockingBlock;

constexpr double h = 1e-2, g = 9.81, e = 0.5;
constexpr double rounding = 1e-15;  // m, as the reference has it
constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

struct Course {
  std::vector<State> states;
  std::vector<double> energies, fastest;  // J; largest |U_N| of a corner, m/s
  double lowest = 0.0, largest_tau = 0.0;
  double energy(double t) const { return energies.at(std::lround(t / h) - 1); }
  double late_speed() const {
    double speed = 0.0;
    for (std::size_t k = 150; k < fastest.size(); ++k) speed = std::max(speed, fastest[k]);  // t > 1.5 s
    return speed;
  }
};

template <class S>
Course course(const typename S::Options& options = {}, double shift = 0.0) {
  Course c;
  const RockingBlock block{.pose = {0.0, 1.0 + shift, 0.2}};
  test::follow<S>(block.model(), options, {.step = h, .until = 2.0}, [&](const System& system, const State& x) {
    c.states.push_back(x);
    c.energies.push_back(test::energy(system, x));
    c.fastest.push_back(test::fastest_corner(system, x));
    c.lowest = std::min(c.lowest, test::smallest_gap(system, x));
    for (const ContactRecord& record : x.contacts) c.largest_tau = std::max(c.largest_tau, std::abs(record.tau));
  });
  EXPECT_EQ(c.states.size(), 200U);
  return c;
}

// A row of acary's comparison: energies at .25, .6, 1 and 2 s, the largest |U_N| once the block should rest.
struct Row {
  std::array<double, 4> energy;
  double late_speed;
};

void expect_row(const Course& c, const Row& row) {
  EXPECT_GE(c.lowest, -rounding);
  constexpr std::array<double, 4> times{0.25, 0.6, 1.0, 2.0};
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isnan(row.energy[i])) {
      EXPECT_NEAR(c.energy(times[i]), row.energy[i], 1e-6 * row.energy[i]) << times[i];
    }
  EXPECT_NEAR(c.late_speed(), row.late_speed, 1e-3 * row.late_speed + 1e-16);
}

TEST(AcaryProjectedBlock, DirectProjectionNeverRests) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    expect_row(course<DirectProjected>({.activation_tol = 1e-8}, shift),
               {{8.959852, 7.905251, 7.363978, 7.364551}, 1.861e-1});
    expect_row(course<DirectProjected>({.gamma = 1.0}, shift), {{8.968730, 7.468492, 7.358726, 7.358724}, 6.037e-2});
    expect_row(course<DirectProjected>({.gamma = 2.0}, shift),
               {{not_given, not_given, not_given, 7.359639}, h * g / (1.0 + e)});
  }
}

TEST(AcaryProjectedBlock, FreeForecastRestsAboveTheFloor) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    const Course c = course<DirectProjected>({.forecast = Forecast::free}, shift);
    expect_row(c, {{not_given, not_given, not_given, 7.358761}, 0.0});
    EXPECT_NEAR(c.states.back().q[1] - 0.75, 1.3e-4, 0.05e-4);
  }
}

double impulse_on(const State& x, unsigned corner) {
  for (const ContactRecord& record : x.contacts)
    if (record.key.feature == corner) return to_world(record)[1];
  return 0.0;
}

TEST(AcaryProjectedBlock, CombinedSchemeRestsOnTheFloor) {
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    const Course c = course<CombinedProjection>({}, shift);
    expect_row(c, {{8.891455, 7.413182, 7.357500, 7.357500}, 0.0});
    EXPECT_NEAR(c.largest_tau, 7.624e-3, 7.624e-6);
    for (std::size_t k = 0; k < c.states.size(); ++k) {
      const State& x = c.states[k];
      if (x.t < 0.855) continue;
      EXPECT_NEAR(x.q[1], 0.75, 1e-12) << x.t;
      EXPECT_NEAR(x.q[2], 0.0, 1e-12) << x.t;
      EXPECT_NEAR(c.energies[k], 7.3575, 1e-10) << x.t;
    }
    const State& end = c.states.back();
    EXPECT_NEAR((impulse_on(end, RockingBlock::corner_a) + impulse_on(end, RockingBlock::corner_b)) / h, g, 1e-8);
  }
}

// A time, P_A and P_B.
struct Impact {
  double t, a, b;
};

TEST(AcaryProjectedBlock, FirstImpulsesOfTheCombinedScheme) {
  constexpr std::array<Impact, 4> expected{{{0.18, 0.0, 1.9604552312},
                                            {0.32, 1.7888420053, 0.0},
                                            {0.45, 0.0, 0.8905086511},
                                            {0.55, 0.7810704173, 0.3041496849}}};
  for (const double shift : {-1e-12, 0.0, 1e-12}) {
    std::vector<Impact> impacts;
    for (const State& x : course<CombinedProjection>({}, shift).states) {
      const Impact impact{x.t, impulse_on(x, RockingBlock::corner_a), impulse_on(x, RockingBlock::corner_b)};
      if (impact.a > 0.0 || impact.b > 0.0) impacts.push_back(impact);
    }
    ASSERT_GE(impacts.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(impacts[i].t, expected[i].t, 1e-9);
      EXPECT_NEAR(impacts[i].a, expected[i].a, 1e-8) << expected[i].t;
      EXPECT_NEAR(impacts[i].b, expected[i].b, 1e-8) << expected[i].t;
    }
  }
}

// Combined takes more energy than direct projection; with two contacts it is not monotone, but nearly.
TEST(AcaryProjectedBlock, CombinedSchemeHasTheLeastEnergy) {
  const Course combined = course<CombinedProjection>(), position = course<DirectProjected>({.activation_tol = 1e-8}),
               ahead = course<DirectProjected>({.gamma = 1.0});
  for (std::size_t k = 0; k < combined.energies.size(); ++k) {
    EXPECT_LE(combined.energies[k], position.energies.at(k) + 1e-9) << combined.states[k].t;
    EXPECT_LE(combined.energies[k], ahead.energies.at(k) + 1e-9) << combined.states[k].t;
    if (k > 0) {
      EXPECT_LE(combined.energies[k] - combined.energies[k - 1], 1e-3) << combined.states[k].t;
    }
  }
}

template <class S>
void expect_the_same_coupled_and_decoupled(typename S::Options options) {
  options.implementation = Implementation::decoupled;
  const Course apart = course<S>(options);
  options.implementation = Implementation::coupled;
  const Course together = course<S>(options);
  for (std::size_t k = 0; k < apart.states.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(apart.states[k].q[i], together.states.at(k).q[i], 1e-9) << apart.states[k].t;
      EXPECT_NEAR(apart.states[k].v[i], together.states.at(k).v[i], 1e-9) << apart.states[k].t;
    }
}

TEST(AcaryProjectedBlock, CoupledIsDecoupled) {
  expect_the_same_coupled_and_decoupled<DirectProjected>({.activation_tol = 1e-8});
  expect_the_same_coupled_and_decoupled<DirectProjected>({.gamma = 1.0});
  expect_the_same_coupled_and_decoupled<DirectProjected>({.forecast = Forecast::free});
  expect_the_same_coupled_and_decoupled<CombinedProjection>({});
}

// Flat on the floor with U_A = 0.03 m/s and U_B = -1 m/s. Without impulses both corners would be below the floor; the
// impulse at B lifts A. So A carries none, is not held, and opens; B is pulled to g = 0.
TEST(AcaryProjectedBlock, CornerWithoutImpulseIsNotHeld) {
  const RockingBlock block{.pose = {0.0, 0.75, 0.0}, .velocity = {0.0, -0.485, 1.03}};
  for (const Implementation implementation : {Implementation::decoupled, Implementation::coupled})
    test::follow<CombinedProjection>(block.model(), {.implementation = implementation, .tol = 1e-13},
                                     {.step = h, .until = h}, [&](const System& system, const State& x) {
                                       ASSERT_EQ(x.contacts.size(), 2U);
                                       const ContactRecord &b = x.contacts[0], &a = x.contacts[1];
                                       ASSERT_EQ(b.key.feature, RockingBlock::corner_b);
                                       EXPECT_EQ(to_world(a)[1], 0.0);
                                       EXPECT_EQ(a.tau, 0.0);
                                       const ContactSet set = test::contacts_at(system, x);
                                       EXPECT_NEAR(set.contacts[0].gap, 0.0, 1e-14);
                                       EXPECT_GT(set.contacts[1].gap, 1e-4);

                                       // Newton's law at B with the lever of the end of the step.
                                       const double lever = 0.75 * std::sin(x.q[2]) - 0.5 * std::cos(x.q[2]);
                                       const double before = -0.485 - h * g + lever * 1.03;
                                       const double P = -(before + e * -1.0) / (1.0 + lever * lever / block.inertia());
                                       EXPECT_NEAR(to_world(b)[1], P, 1e-10);
                                       // What P does not account for is the projection along B's normal (0, 1, lever).
                                       const double y = 0.75 + h * (-0.485 - 0.5 * h * g + 0.5 * P);
                                       const double angle = h * (1.03 + 0.5 * lever * P / block.inertia());
                                       EXPECT_NEAR(x.q[1], y + b.tau, 1e-12);
                                       EXPECT_NEAR(x.q[2], angle + lever * b.tau, 1e-12);
                                     });
}

// acary Remark 3: the metric decides how a projected block turns, not where it rests.
TEST(AcaryProjectedBlock, EitherMetricRestsInTheSamePlace) {
  const Course identity = course<CombinedProjection>(),
               mass = course<CombinedProjection>({.metric = Metric::iteration_matrix});
  EXPECT_GT(std::abs(identity.energy(0.25) - mass.energy(0.25)), 1e-4);
  const State& end = mass.states.back();
  EXPECT_NEAR(end.q[1], 0.75, 1e-12);
  EXPECT_NEAR(end.q[2], 0.0, 1e-12);
  EXPECT_NEAR(mass.energies.back(), 7.3575, 1e-10);
  EXPECT_LT(mass.late_speed(), 1e-12);
  EXPECT_GE(mass.lowest, -rounding);
}

}  // namespace
}  // namespace esc
