// The nonsmooth generalized-alpha method on the elastic bar of bruels 10.3, and with Coulomb friction.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "examples/box_on_incline.hpp"
#include "examples/box_stack.hpp"
#include "examples/elastic_bar.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

// Courant number 1.2; the impact is at 0.5005 s and lasts 2/3 s, with 300 N. The energy is 500 J before it.
struct BarRun {
  std::vector<double> forces;  // N, while in contact
  double gap = 0.0, speed = 0.0, energy = 0.0, rise = 0.0;
};
BarRun run_bar(const AlphaGglOptions& options) {
  const System system = compile(examples::ElasticBar{
      .young = 900.0, .density = 1.0, .length = 10.0, .section = 1.0, .velocity = 10.0, .gap = 5.005, .elements = 200}
                                    .model());
  BarRun run;
  double energy = 500.0;
  run_alpha(system, options, {2e-3, 1.5}, [&](const System& s, const State& x, const StepReport&) {
    run.energy = test::energy(s, x);
    run.rise = std::max(run.rise, run.energy - energy);
    energy = run.energy;
    if (x.contacts.empty() || x.contacts[0].mode == ContactMode::open) return;
    run.forces.push_back(x.contacts[0].P[0] / x.h);
    run.gap = std::max(run.gap, std::abs(test::smallest_gap(s, x)));
    run.speed = std::max(run.speed, test::fastest_corner(s, x));
  });
  return run;
}

TEST(BruelsBar, ForcesContactAndEnergy) {
  const BarRun run = run_bar({});
  const std::array<double, 3> first{215.06297527, 307.99574896, 308.30289762};
  ASSERT_GT(run.forces.size(), 300U);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(run.forces[i], first[i], 1e-7 * first[i]);
  double mean = 0.0;
  const std::size_t n = run.forces.size();
  for (std::size_t i = n / 10; i < n - n / 10; ++i) mean += run.forces[i] / static_cast<double>(n - 2 * (n / 10));
  EXPECT_NEAR(mean, 300.0, 1e-2);
  EXPECT_NEAR(2e-3 * static_cast<double>(n), 2.0 / 3.0, 0.01 * 2.0 / 3.0);
  EXPECT_LT(run.gap, 1e-12);
  EXPECT_LT(run.speed, 1e-12);
  EXPECT_NEAR(run.energy, 497.5441, 1e-5 * 497.5);
  EXPECT_LT(run.rise, 3e-5);
}

TEST(BruelsBar, DampedForces) {
  const BarRun run = run_bar({.rho_inf = 0.0, .form = AlphaForm::coupled});
  const std::array<double, 3> first{243.06008, 282.41460, 302.91785};
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(run.forces[i], first[i], 1e-5);
  EXPECT_NEAR(run.energy, 487.9332, 1e-5 * 488.0);
}

// With friction at velocity level alone it would creep by h g sin(0.3) / 2 per second.
TEST(BruelsFriction, WhatSticksDoesNotCreep) {
  for (const double h : {1e-2, 5e-3}) {
    const State x = run_alpha(compile(on_incline(0.8)), {}, {h, 1.0});
    EXPECT_LT(std::abs(x.q[0]), 1e-14);
  }
}

TEST(BruelsFriction, SlidingIsExactUnderAConstantLoad) {
  const State x = run_alpha(compile(on_incline(0.2)), {}, {1e-2, 1.0});
  EXPECT_NEAR(x.q[0], 0.5 * g * (std::sin(0.3) - 0.2 * std::cos(0.3)), 1e-13);
}

// potra 10.2: 8 cos t against mu = 0.8; it slides until 0.3386 s. x(2) by quadrature.
TEST(BruelsFriction, SecondOrderThroughSlipAndStick) {
  constexpr double exact = 3.004348569727;
  const auto error = [&](double rho, int power) {
    const System system = compile(block_on_plane(
        [](const auto& t) {
          using std::cos;
          return 8.0 * cos(t);
        },
        g, 0.8, {3.0, 0.0}));
    return run_alpha(system, {.rho_inf = rho}, {std::ldexp(1.0, -power), 2.0}).q[0] - exact;
  };
  const std::vector<std::pair<double, std::array<double, 6>>> expected{
      {0.8, {-8.8524e-5, -1.9444e-5, -4.8587e-6, -1.2310e-6, -2.9900e-7, -8.0098e-8}},
      {0.0, {-2.9185e-3, -7.4225e-4, -1.8759e-4, -4.7098e-5, -1.1799e-5, -2.9579e-6}},
      {1.0, {-5.1966e-5, -1.0254e-5, -2.5546e-6, -6.5515e-7, -1.5494e-7, -4.4085e-8}}};
  for (const auto& [rho, values] : expected)
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(error(rho, 5 + i), values[i], 1e-3 * std::abs(values[i])) << rho << ' ' << i;
}

// In space: a box sticks where it has landed, and slides with the exact acceleration.
TEST(BruelsFriction, BoxInSpaceSticksAndSlides) {
  const examples::BoxOnIncline steep{.slope = 0.3, .heading = 0.4, .clearance = 0.0, .mu = 0.2};
  const System sliding = compile(steep.model());
  const State x = run_alpha(sliding, {}, {1e-2, 0.5});
  const auto way = [](const examples::BoxOnIncline& box, const State& at) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += (at.q[i] - box.start()[i]) * box.descent()[i];
    return sum;
  };
  EXPECT_NEAR(way(steep, x), 0.125 * steep.g * (std::sin(0.3) - 0.2 * std::cos(0.3)), 1e-10);
  const examples::BoxOnIncline rough{.slope = 0.3, .heading = 0.4, .clearance = 0.0, .mu = 0.8};
  EXPECT_LT(std::abs(way(rough, run_alpha(compile(rough.model()), {}, {1e-2, 1.0}))), 1e-12);
}

// Boxes that fall alike: no smooth motion closes the gaps between them, only what holds the lowest one does.
TEST(BruelsFriction, APileComesToRest) {
  const System system = compile(examples::BoxStack{.boxes = 3}.model());
  double energy = test::energy(system, system.initial_state()), rise = 0.0;
  const State x = run_alpha(system, {}, {5e-3, 0.2}, [&](const System& s, const State& now, const StepReport&) {
    rise = std::max(rise, test::energy(s, now) - energy);
    energy = test::energy(s, now);
  });
  EXPECT_LT(rise, 1e-12);
  for (const double v : x.v) EXPECT_LT(std::abs(v), 1e-10);
}

}  // namespace
}  // namespace esc::testing
