// The generalized-alpha method at position level, bruels (51), (52), with its sets of parameters, and the modified LCP,
// (25) with (27): what the paper compares its scheme with.
#include <algorithm>
#include <cmath>
#include <vector>

#include <escapement/schemes/alpha_index3.hpp>
#include <escapement/schemes/registry.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/four_bar.hpp"
#include "examples/heavy_top.hpp"
#include "examples/rocking_block.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using Index3 = AlphaIndex3Options;

// Runs until `until`; every step must be certified. observe(state) after every step.
template <class Observe>
State run_index3(const System& system, const Index3& options, std::pair<double, double> step_until, Observe observe) {
  const auto [h, until] = step_until;
  AlphaIndex3 scheme(system, options);
  Certifier certifier(system);
  State x = system.initial_state();
  scheme.start(x);
  State before = x;
  for (int k = 0; k < static_cast<int>(std::lround(until / h)); ++k) {
    before = x;
    const StepReport report = scheme.step(x, h);
    if (!report.ok()) {
      ADD_FAILURE() << to_string(report.status) << " at t = " << x.t;
      return x;
    }
    const Certificate certificate = certifier.certify(before, x, *report.promise);
    EXPECT_TRUE(certificate.ok()) << to_string(certificate.worst()) << " at t = " << x.t;
    observe(x);
  }
  return x;
}
State run_index3(const System& system, const Index3& options, std::pair<double, double> step_until) {
  return run_index3(system, options, step_until, [](const State&) {});
}

Model swing(double damping) {  // q'' = -9.81 sin q - damping q'
  Model model;
  model.add_coordinates("pendulum", {"q"},
                        lagrangian<1>([](double, const double*, MatrixView M) { M(0, 0) = 1.0; },
                                      [damping](const auto&, const auto* q, const auto* v, auto* F) {
                                        using std::sin;
                                        F[0] = -9.81 * sin(q[0]) - damping * v[0];
                                      }),
                        {1.0}, {0.0});
  return model;
}

AlphaEquations equations_of(const Index3& options) {
  static const System system = compile(swing(0.0));
  return std::get<AlphaEquations>(AlphaIndex3(system, options).promise().equations);
}

// The trapezoidal rule, the strongest damping of each, and HHT's alpha = 1/3: as their authors give them.
TEST(BruelsIndex3, ParametersAreThoseOfTheirAuthors) {
  const auto expect = [](const Index3& options, std::array<double, 4> wanted) {
    const AlphaEquations e = equations_of(options);
    const std::array<double, 4> found{e.alpha_m, e.alpha_f, e.gamma, e.beta};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-15) << i;
  };
  expect({.rho_inf = 1.0}, {0.5, 0.5, 0.5, 0.25});
  expect({.rho_inf = 0.0}, {-1.0, 0.0, 1.5, 1.0});
  expect({.method = AlphaParameters::newmark, .rho_inf = 1.0}, {0.0, 0.0, 0.5, 0.25});
  expect({.method = AlphaParameters::newmark, .rho_inf = 0.0}, {0.0, 0.0, 1.5, 1.0});
  expect({.method = AlphaParameters::hht, .rho_inf = 1.0}, {0.0, 0.0, 0.5, 0.25});
  expect({.method = AlphaParameters::hht, .rho_inf = 0.5}, {0.0, 1.0 / 3.0, 5.0 / 6.0, 4.0 / 9.0});
}

TEST(BruelsIndex3, HhtRefusesDampingThatItDoesNotHave) {
  const System system = compile(swing(0.0));
  try {
    AlphaIndex3(system, {.method = AlphaParameters::hht, .rho_inf = 0.4});
    FAIL() << "accepted";
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("0.5"), std::string::npos) << error.what();
  }
}

// Against a run of the trapezoidal rule with a 32 times smaller step.
TEST(BruelsIndex3, OrdersOfItsMethods) {
  const System system = compile(swing(0.3));
  const State exact = run_index3(system, {.rho_inf = 1.0}, {1.0 / 32768, 1.0});
  const auto ratio = [&](const Index3& options) {
    const auto error = [&](double h) { return std::abs(run_index3(system, options, {h, 1.0}).q[0] - exact.q[0]); };
    return error(1.0 / 512) / error(1.0 / 1024);
  };
  for (const double rho : {0.0, 0.5, 0.8, 1.0}) EXPECT_NEAR(ratio({.rho_inf = rho}), 4.0, 0.15) << rho;
  for (const double rho : {0.5, 0.8}) {
    EXPECT_NEAR(ratio({.method = AlphaParameters::hht, .rho_inf = rho}), 4.0, 0.15) << rho;
    EXPECT_NEAR(ratio({.method = AlphaParameters::newmark, .rho_inf = rho}), 2.0, 0.1) << rho;
  }
  EXPECT_NEAR(ratio({.method = AlphaParameters::newmark, .rho_inf = 1.0}), 4.0, 0.1);
}

// The reaction along x of the rod before it reaches the wall is m x'' of a physical pendulum.
TEST(BruelsIndex3, JointReactionsAndDrift) {
  const RodAgainstWall rod;
  const System system = compile(rod.model());
  const double c = rod.mass * rod.g * rod.length / (rod.inertia + rod.mass * rod.length * rod.length);
  std::vector<double> worst;
  for (const double h : {2e-3, 1e-3}) {
    double drift = 0.0, error = 0.0;
    run_index3(system, {}, {h, 0.44}, [&](const State& x) {
      drift = std::max({drift, std::abs(x.q[0] - std::cos(x.q[2])), std::abs(x.q[1] - std::sin(x.q[2]))});
      const double square = 2.0 * c * (std::sin(rod.angle) - std::sin(x.q[2]));
      const double exact = std::cos(x.q[2]) * (c * std::sin(x.q[2]) - square);
      if (x.t > 0.1) error = std::max(error, std::abs(x.joint_impulse[0] / x.h - exact));
    });
    EXPECT_LT(drift, 1e-12);
    worst.push_back(error);
  }
  EXPECT_LT(worst[1], 1e-3);
  EXPECT_NEAR(worst[0] / worst[1], 4.0, 0.6);
}

// x(0.5) of bruels' Lie group benchmark, as in bruels_joint_test.cpp.
TEST(BruelsIndex3, SecondOrderOnTheRotationGroup) {
  const System system = compile(examples::HeavyTop{}.model());
  const std::array<double, 3> exact{-0.7024682971, -0.0211651847, -0.7114002577};
  const auto error = [&](double h) {
    const State x = run_index3(system, {.rho_inf = 0.9}, {h, 0.5});
    return std::max({std::abs(x.q[0] - exact[0]), std::abs(x.q[1] - exact[1]), std::abs(x.q[2] - exact[2])});
  };
  EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.2);
}

TEST(BruelsIndex3, EnergyErrorOfALinkageFallsWithTheSquareOfTheStep) {
  const System system = compile(examples::FourBar{}.spatial_model());
  const auto error = [&](double h) {
    const double first = test::energy(system, system.initial_state());
    double worst = 0.0;
    run_index3(system, {}, {h, 0.3},
               [&](const State& x) { worst = std::max(worst, std::abs(test::energy(system, x) - first)); });
    return worst;
  };
  EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.3);
}

// A force that stands still: the transient of the start, where the floor was not yet felt, is damped away.
TEST(BruelsIndex3, ClosedContactsCarryTheWeight) {
  const System system = compile(examples::RockingBlock{.pose = {0.0, 0.75, 0.0}, .velocity = {0.0, 0.0, 0.0}}.model());
  const State x = run_index3(system, {}, {1e-2, 3.0});
  ASSERT_EQ(x.contacts.size(), 2U);
  for (const ContactRecord& record : x.contacts) EXPECT_NEAR(record.P[0] / x.h, 4.905, 1e-6);
  EXPECT_NEAR(x.q[1], 0.75, 1e-12);
}

// bruels 10.1: it has no impact law, and gains energy at impacts.
TEST(BruelsIndex3, ImpactsGainEnergy) {
  const examples::BouncingBall ball{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0};
  const System system = compile(ball.model());
  double highest = 0.0, least = 0.0;
  run_index3(system, {}, {1.8e-3, 5.0}, [&](const State& x) {
    highest = std::max(highest, test::energy(system, x));
    least = std::min(least, x.q[0]);
  });
  EXPECT_GT(highest, 2.0 * 8.01);
  EXPECT_NEAR(highest, 95.2, 0.05);
  EXPECT_GE(least, -1e-15);
}

// The ball keeps on moving after the accumulation, and rests with (28).
TEST(BruelsModifiedLcp, NeverComesToRest) {
  const System system =
      compile(examples::BouncingBall{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0}.model());
  const auto late_speed = [&](GapLaw law) {
    double fastest = 0.0;
    run_alpha(system, {.gap_law = law}, {1.8e-3, 6.0}, [&](const System&, const State& x, const StepReport&) {
      if (x.t > 4.5) fastest = std::max(fastest, std::abs(x.v[0]));
    });
    return fastest;
  };
  EXPECT_LT(late_speed(GapLaw::nu), 1e-12);
  EXPECT_GT(late_speed(GapLaw::mu), 0.03);
  EXPECT_NEAR(late_speed(GapLaw::mu), 0.090, 1e-3);
}

// nu = h mu + h P: a step in which the contact of a ball acts lifts it by h P / m above q~ at least.
TEST(BruelsModifiedLcp, AnImpactLiftsByItsImpulse) {
  const System system =
      compile(examples::BouncingBall{.mass = 2.0, .force = -10.0, .e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  const double h = 1e-2, v = -1.0 - 5.0 * h, q_tilde = 1e-3 - h - 2.5 * h * h;
  const State x = run_alpha(system, {.gap_law = GapLaw::mu}, {h, h});
  const double P = 2.0 * (0.5 - v);
  EXPECT_NEAR(x.contacts.at(0).P[0], P, 1e-12);
  EXPECT_NEAR(x.q[0], q_tilde + h * P / 2.0, 1e-15);
  EXPECT_EQ(x.contacts.at(0).tau, 0.0);
}

TEST(BruelsModifiedLcp, RefusesWhatItDoesNotHave) {
  const System system = compile(examples::BouncingBall{}.model());
  for (const AlphaGglOptions& options : {AlphaGglOptions{.form = AlphaForm::coupled, .gap_law = GapLaw::mu},
                                         AlphaGglOptions{.levels = Levels::velocity, .gap_law = GapLaw::mu},
                                         AlphaGglOptions{.gap_law = GapLaw::mu, .prediction = Prediction::end},
                                         AlphaGglOptions{.levels = Levels::position}})
    EXPECT_THROW(AlphaGgl(system, options), OptionError);
  const System rough = compile(block_on_plane([](const auto&) { return 0.0; }, 9.81, 0.3));
  EXPECT_THROW(AlphaGgl(rough, {.gap_law = GapLaw::mu}), ModelError);
}

// bruels section 10: theta = 1 / (1 + rho_inf); one number is not given in two ways.
TEST(BruelsTheta, RadiusInPlaceOfTheta) {
  const System system = compile(swing(0.0));
  for (const char* name : {"moreau-jean", "direct-projected", "combined-projection", "position-theta"}) {
    const std::vector<OptionText> radius{{"rho_inf", "0.25"}}, theta{{"theta", "0.8"}};
    EXPECT_EQ(option_values(name, radius).front().value, "0.8") << name;
    const auto a = make_scheme(name, system, radius), b = make_scheme(name, system, theta);
    State x = system.initial_state(), y = x;
    a->start(x);
    b->start(y);
    ASSERT_TRUE(a->step(x, 1e-2).ok() && b->step(y, 1e-2).ok());
    EXPECT_EQ(x.q, y.q) << name;
    const std::vector<OptionText> both{{"rho_inf", "0.25"}, {"theta", "0.8"}}, none{{"rho_inf", "-0.1"}};
    EXPECT_THROW(static_cast<void>(make_scheme(name, system, both)), OptionError) << name;
    EXPECT_THROW(static_cast<void>(make_scheme(name, system, none)), OptionError) << name;
  }
}

}  // namespace
}  // namespace esc::testing
