// The nonsmooth generalized-alpha method with joints: the pendulum of bruels 10.2, the heavy top of the Lie group
// papers, linkages; and its accelerations: at the start, after impacts, where steps vary.
#include <algorithm>
#include <cmath>
#include <vector>

#include "examples/chain.hpp"
#include "examples/four_bar.hpp"
#include "examples/heavy_top.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

TEST(BruelsPendulum, ImpactsJointsAndRest) {
  const System system = compile(RodAgainstWall{}.model());
  for (const AlphaForm form : {AlphaForm::sequential, AlphaForm::coupled}) {
    std::vector<Blow> blows;
    double least = 0.0, drift = 0.0, rise = 0.0, energy = 10.0;
    JointSet joints;
    const State x = run_alpha(system, {.form = form}, {1e-3, 6.0},
                              [&](const System& s, const State& now, const StepReport& report) {
                                note_blows(report, 7.0, blows);
                                least = std::min(least, test::smallest_gap(s, now));
                                std::vector<double> scratch(s.scratch_size());
                                s.evaluate({now.t, now.q.data(), now.v.data(), now.u.data(), scratch.data()}, joints);
                                for (const double g : joints.g) drift = std::max(drift, std::abs(g));
                                rise = std::max(rise, test::energy(s, now) - energy);
                                energy = test::energy(s, now);
                              });
    ASSERT_EQ(blows.size(), 3U);
    const std::vector<std::pair<double, double>> expected{{0.487, 11.74022}, {1.282, 9.36909}, {1.950, 7.46280}};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(blows[i].t, expected[i].first, 1e-9);
      EXPECT_NEAR(blows[i].P, expected[i].second, 1e-5 * expected[i].second);
    }
    EXPECT_GE(least, -1e-12);
    EXPECT_LT(drift, 1e-12);
    EXPECT_LT(rise, 1e-3);
    EXPECT_NEAR(x.q[0], 0.5 * std::numbers::sqrt2, 1e-10);
    EXPECT_NEAR(x.q[1], -0.5 * std::numbers::sqrt2, 1e-10);
    EXPECT_NEAR(energy, -7.0710678, 1e-6);
    EXPECT_NEAR(x.contacts[0].P[0] / x.h, 10.0, 1e-6);
    EXPECT_NEAR(x.joint_impulse[0] / x.h, -10.0, 1e-6);
    EXPECT_NEAR(x.joint_impulse[1] / x.h, 10.0, 1e-6);
  }
}

// Errors at t = 0.4 s against a run with a step 64 times smaller.
TEST(BruelsPendulum, SecondOrderBeforeTheImpact) {
  const System system = compile(RodAgainstWall{}.model());
  const State fine = run_alpha(system, {}, {1.25e-4, 0.4});
  for (const double rho : {0.0, 0.8, 1.0}) {
    std::vector<double> errors;
    for (const double h : {8e-3, 4e-3, 2e-3, 1e-3}) {
      const State x = run_alpha(system, {.rho_inf = rho}, {h, 0.4});
      errors.push_back(
          std::max({std::abs(x.q[0] - fine.q[0]), std::abs(x.q[1] - fine.q[1]), std::abs(x.q[2] - fine.q[2])}));
    }
    for (std::size_t i = 0; i + 1 < errors.size(); ++i)
      EXPECT_NEAR(errors[i] / errors[i + 1], 4.0, rho > 0.0 ? 0.15 : 0.5);
    if (rho == 0.8) {
      EXPECT_NEAR(errors[0], 7.55e-5, 0.03 * 7.55e-5);
    }
  }
}

// The largest second difference of lambda~_1 from the fourth to the tenth step after the first impact: the transient.
double transient(const AlphaGglOptions& options, int from = 4, int to = 10) {
  const System system = compile(RodAgainstWall{}.model());
  std::vector<double> lambda;
  int since = -1;
  run_alpha(system, options, {1e-3, 0.56}, [&](const System&, const State& x, const StepReport& report) {
    if (since < 0 && count_impacts(report.events) > 0) since = 0;
    if (since >= 0) lambda.push_back(alpha_history_of(x).lambda[0]);
  });
  double largest = 0.0;
  for (int k = from; k <= to; ++k)
    largest = std::max(largest, std::abs(lambda[k + 1] - 2.0 * lambda[k] + lambda[k - 1]));
  return largest;
}

TEST(BruelsPendulum, ReactionsSwingAfterAnImpactUnlessRestarted) {
  EXPECT_NEAR(transient({.rho_inf = 0.8}), 42.2, 0.01 * 42.2);
  EXPECT_NEAR(transient({.rho_inf = 0.4}), 2.78, 0.01 * 2.78);
  EXPECT_NEAR(transient({.rho_inf = 0.0}), 0.048, 0.01 * 0.048);
  EXPECT_LT(transient({.rho_inf = 0.4}, 40, 50), 0.02);
  for (const double rho : {0.0, 0.4, 0.8, 1.0})
    EXPECT_LT(transient({.rho_inf = rho, .after_impact = AfterImpact::restart}), 0.05) << rho;
}

// The smooth reactions before anything has moved, and those after an impact where it is asked for.
TEST(BruelsAcceleration, IsConsistentAtTheStart) {
  const RodAgainstWall rod;
  const System system = compile(rod.model());
  AlphaGgl scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  const auto [a, vdot, lambda] = alpha_history_of(x);
  const double alpha = -rod.mass * rod.g * rod.length * std::cos(rod.angle) /
                       (rod.inertia + rod.mass * rod.length * rod.length);  // rad/s^2
  EXPECT_NEAR(a[2], alpha, 1e-12);
  EXPECT_NEAR(a[0], -rod.length * std::sin(rod.angle) * alpha, 1e-12);
  EXPECT_NEAR(lambda[1], rod.mass * (a[1] + rod.g), 1e-12);
  EXPECT_EQ(a, vdot);
}

// q'' = -9.81 sin q - 0.3 q' + cos 2t with steps in the ratio 1 : 2.
TEST(BruelsAcceleration, VariableStepsKeepTheOrder) {
  Model model;
  model.add_coordinates("pendulum", {"q"},
                        lagrangian<1>([](double, const double*, MatrixView M) { M(0, 0) = 1.0; },
                                      [](const auto& t, const auto* q, const auto* v, auto* F) {
                                        using std::cos, std::sin;
                                        F[0] = -9.81 * sin(q[0]) - 0.3 * v[0] + cos(2.0 * t);
                                      }),
                        {1.0}, {0.0});
  const System system = compile(model);
  const auto end = [&](int steps) {
    AlphaGgl scheme(system, {.rho_inf = 0.0});
    State x = system.initial_state();
    scheme.start(x);
    const double h = 2.0 / (1.5 * steps);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(scheme.step(x, k % 2 == 0 ? h : 2.0 * h).ok());
    return x;
  };
  const State exact = end(1 << 16);
  const std::vector<double> expected{3.417e-3, 8.606e-4, 2.159e-4};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const State x = end(256 << i);
    const double error = std::max(std::abs(x.q[0] - exact.q[0]), std::abs(x.v[0] - exact.v[0]));
    EXPECT_NEAR(error, expected[i], 0.01 * expected[i]);
  }
}

// Reference: rotation about the fixed point by DOP853 with rtol 1e-13; x(0.5).
TEST(BruelsHeavyTop, SecondOrderOnTheRotationGroup) {
  const System system = compile(examples::HeavyTop{}.model());
  const std::array<double, 3> exact{-0.7024682971, -0.0211651847, -0.7114002577};
  const std::vector<std::pair<double, double>> expected{{1e-3, 8.217e-4}, {5e-4, 2.051e-4}, {2.5e-4, 5.126e-5}};
  double last = 0.0;
  for (const auto& [h, value] : expected) {
    double spin = 0.0;
    const State x = run_alpha(
        system, {.rho_inf = 0.9}, {h, 0.5},
        [&](const System&, const State& now, const StepReport&) { spin = std::max(spin, std::abs(now.v[4] - 150.0)); });
    double error = 0.0;
    for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(x.q[i] - exact[i]));
    EXPECT_NEAR(error, value, 0.01 * value) << h;
    if (last > 0.0) {
      EXPECT_NEAR(last / error, 4.0, 0.1);
    }
    EXPECT_LT(spin, 1e-9);
    last = error;
  }
}

double largest_energy_error(const Model& model, const AlphaGglOptions& options, std::pair<double, double> step_until) {
  const System system = compile(model);
  const double first = test::energy(system, system.initial_state());
  double error = 0.0;
  run_alpha(system, options, step_until, [&](const System& s, const State& x, const StepReport&) {
    error = std::max(error, std::abs(test::energy(s, x) - first));
  });
  return error;
}

// 1.99 J turn: combined-projection loses 6 % of them in this time.
TEST(BruelsLinkage, EnergyErrorFallsWithTheSquareOfTheStep) {
  const Model model = examples::FourBar{}.spatial_model();
  const double coarse = largest_energy_error(model, {}, {1e-3, 0.6});
  const double fine = largest_energy_error(model, {}, {5e-4, 0.6});
  EXPECT_LT(coarse, 4e-4 * 1.99);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
}

TEST(BruelsLinkage, ChainEnergyErrorFallsWithTheSquareOfTheStep) {
  const Model model = examples::Chain{}.model();
  const double coarse = largest_energy_error(model, {}, {2e-3, 0.4});
  const double fine = largest_energy_error(model, {}, {1e-3, 0.4});
  EXPECT_LT(coarse, 1e-4 * 1.04);
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

TEST(BruelsLinkage, PlanarAndSpatialFourBarsMoveAlike) {
  const System flat = compile(examples::FourBar{}.planar_model()), full = compile(examples::FourBar{}.spatial_model());
  const State x = run_alpha(flat, {.tol_s = 1e-13, .tol_p = 1e-14, .tol_v = 1e-12}, {1e-3, 0.3}),
              y = run_alpha(full, {.tol_s = 1e-13, .tol_p = 1e-14, .tol_v = 1e-12}, {1e-3, 0.3});
  for (const char* name : {"crank.x", "crank.y", "rocker.x", "rocker.y"})
    EXPECT_NEAR(x.q[flat.coordinate(name)], y.q[full.coordinate(name)], 1e-12);
}

TEST(BruelsLinkage, JointsDoNotDriftIn1e5Steps_slow) {
  const System system = compile(examples::FourBar{}.spatial_model());
  AlphaGgl scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  std::vector<double> scratch(system.scratch_size());
  JointSet joints;
  double drift = 0.0;
  for (int k = 0; k < 100000; ++k) {
    ASSERT_TRUE(scheme.step(x, 1e-3).ok());
    if (k % 100 != 0) continue;
    system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
    for (const double g : joints.g) drift = std::max(drift, std::abs(g));
  }
  EXPECT_LT(drift, 1e-10);
}

}  // namespace
}  // namespace esc::testing
