// Spinning bodies on joints and a bead on a driven wire, against exact solutions and tabulated reference motions.
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "examples/bead_on_wire.hpp"
#include "examples/gyroscope.hpp"
#include "examples/heavy_top.hpp"
#include "tests/support/norms.hpp"
#include "tests/support/rigid_state.hpp"

namespace esc {
namespace {

using examples::BeadOnWire;
using examples::Gyroscope;
using examples::HeavyTop;
using test::rigid_state;
using test::RigidState;

// Body number i at some grid times of a run with this step.
std::vector<RigidState> states_at(const Model& model, double h, std::span<const double> times, int i = 0) {
  std::vector<RigidState> states;
  const System system = compile(model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  for (const double t : times)
    while (x.t < t - 0.5 * h) {
      const StepReport report = scheme.step(x, h);
      EXPECT_TRUE(report.ok()) << to_string(report.status) << " at t = " << x.t;
      if (!report.ok()) return std::vector<RigidState>(times.size());
      if (x.t >= t - 0.5 * h) states.push_back(rigid_state(x, i));
    }
  return states;
}

using Six = std::array<double, 6>;

// Rotation about the fixed point by an explicit Runge-Kutta method of order 8 (tolerance 1e-13): x and w of the body.
constexpr std::array<double, 3> top_times{0.1, 0.5, 1.0};
constexpr std::array<Six, 3> top_motion{{{.4212966589, .8945719743, -.1491647006, 4.80894133, 150.0, 1.02830076},
                                         {-.7024682971, -.0211651847, -.7114002577, -.47105310, 150.0, 5.90108305},
                                         {.1733439641, .6400885921, -.7484907911, -.82207810, 150.0, -5.92329135}}};

std::array<Six, 3> top_at(double h) {
  std::array<Six, 3> result{};
  const auto states = states_at(HeavyTop{}.model(), h, top_times);
  for (std::size_t i = 0; i < 3; ++i) {
    const RigidState& s = states[i];
    result[i] = {s.x.x, s.x.y, s.x.z, s.w.x, s.w.y, s.w.z};
  }
  return result;
}

double distance(const Six& a, const Six& b, int first, int last) {
  double worst = 0.0;
  for (int i = first; i < last; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Romberg's table of runs with h, h/2, h/4, ... of a method whose error is a series in all powers of h: the last entry.
template <class Values>
Values extrapolated(std::vector<Values> runs) {
  for (std::size_t level = 1; level < runs.size(); ++level) {
    const double f = std::pow(2.0, static_cast<double>(level));
    for (std::size_t n = runs.size() - 1; n >= level; --n)
      for (std::size_t i = 0; i < runs[n].size(); ++i) runs[n][i] += (runs[n][i] - runs[n - 1][i]) / (f - 1.0);
  }
  return runs.back();
}

// Joints at velocity level with the frame of the end of the step: first order, and a clean series in h.
TEST(HeavyTop, ConvergesToTheReferenceMotion) {
  std::array<std::vector<Six>, 3> runs;
  std::vector<double> steps, errors;
  double h = 1e-3;
  for (int n = 0; n < 6; ++n, h *= 0.5) {
    const auto motion = top_at(h);
    for (std::size_t i = 0; i < 3; ++i) runs[i].push_back(motion[i]);
    steps.push_back(h);
    errors.push_back(distance(motion[1], top_motion[1], 0, 3));
  }
  EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.05);
  for (std::size_t i = 0; i < 3; ++i) {
    const Six limit = extrapolated(runs[i]);
    EXPECT_LE(distance(limit, top_motion[i], 0, 3), 1e-6) << top_times[i];
    EXPECT_LE(distance(limit, top_motion[i], 3, 6), 1e-6) << top_times[i];
  }
}

TEST(HeavyTop, SpinAboutItsAxisOfSymmetryNeverChanges) {
  double worst = 0.0;
  test::follow(HeavyTop{}.model(), {}, {.step = 1e-3, .until = 5.0},
               [&](const System&, const State& x) { worst = std::max(worst, std::abs(rigid_state(x).w.y - 150.0)); });
  EXPECT_LE(worst, 1e-9);
}

TEST(BeadOnWire, FollowsTheExactMotionToFirstOrder) {
  const BeadOnWire bead;
  constexpr std::array<double, 1> end{1.0};
  constexpr std::array<double, 4> steps{1e-2, 5e-3, 2.5e-3, 1.25e-3};
  std::vector<double> errors;
  std::vector<std::array<double, 2>> runs;
  for (const double h : steps) {
    const RigidState s = states_at(bead.model(), h, end)[0];
    const double r = norm(s.x);
    runs.push_back({r, dot(s.x, s.v) / r});
    errors.push_back(std::abs(r - bead.exact_distance(1.0)));
    EXPECT_EQ(s.x.z, 0.0);
  }
  EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.05);
  EXPECT_NEAR(extrapolated(runs)[0], bead.exact_distance(1.0), 1e-6);
  EXPECT_NEAR(extrapolated(runs)[1], bead.exact_velocity(1.0), 1e-5);
}

// The wheel's azimuth over time, and its height, at time t in the limit of small steps.
std::array<double, 2> precession(const Gyroscope& gyroscope, double t) {
  std::vector<std::array<double, 2>> runs;
  const std::array<double, 1> end{t};
  for (const int steps : {2000, 4000, 8000, 16000}) {
    const RigidState wheel = states_at(gyroscope.model(), t / steps, end, 1)[0];
    runs.push_back({std::atan2(wheel.x.y, wheel.x.x) / t, wheel.x.z});
  }
  return extrapolated(runs);
}

TEST(Gyroscope, StaysLevelWhileItWalksAtItsSteadyRate) {
  Gyroscope gyroscope;
  gyroscope.precession = gyroscope.steady_precession();
  const auto [rate, height] = precession(gyroscope, 0.5);
  EXPECT_NEAR(rate / gyroscope.steady_precession(), 1.0, 1e-4);
  EXPECT_NEAR(height, 0.0, 1e-5);
}

// Let go at rest it nods; over whole nods the mean rate is that of steady precession, the better the faster it spins.
TEST(Gyroscope, MeanRateFromRestIsTheSteadyRateForFastSpin) {
  std::vector<double> errors;
  for (const double spin : {300.0, 600.0}) {
    const Gyroscope gyroscope{.spin = spin};
    const RigidBody wheel = solid(Cylinder{gyroscope.radius, 0.5 * gyroscope.thickness}, gyroscope.density);
    const RigidBody arm = solid(Cylinder{gyroscope.arm_radius, 0.5 * gyroscope.arm}, gyroscope.density);
    const double l = gyroscope.arm;
    const double about_stand = wheel.inertia[0] + wheel.mass * l * l + arm.inertia[0] + arm.mass * 0.25 * l * l;
    const double nod = 2.0 * std::numbers::pi * about_stand / (wheel.inertia[2] * spin);
    errors.push_back(std::abs(precession(gyroscope, 3.0 * nod)[0] / gyroscope.steady_precession() - 1.0));
  }
  EXPECT_LE(errors[0], 2e-2);
  EXPECT_LE(errors[1], 0.25 * errors[0]);
}

}  // namespace
}  // namespace esc
