// Energy that comes or goes by itself is told: docs/certificate.md#the-energy-of-a-run.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/registry.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Free of torques: its energy is that of the start, 10000 J, for ever.
System wing_nut() {
  const double rate = std::sqrt(2.0 * 10000.0 / (1.0 * 9.0 + 2.0 * 4.0 + 3.0 * 1.0));  // of (3, 2, 1)
  Model model;
  model.add_rigid_body("nut",
                       {.mass = 1.0, .inertia = {1.0, 2.0, 3.0}, .angular_velocity = {3 * rate, 2 * rate, rate}});
  return compile(model);
}

struct SpinRun {
  RunReport report;
  std::string summary;
  double dissipated = 0.0;  // J, sum of (theta - 1/2) dv . M dv
};

// With F . v_theta = 0 a step changes T by v_m . M dv = (v_m - v_theta) . M dv = -(theta - 1/2) dv . M dv.
SpinRun spin(const System& system, double theta, double h) {
  MoreauJean scheme(system, {.theta = theta});
  State x = system.initial_state();
  SpinRun run;
  SimulateOptions options{.step = h, .until = 1.0};
  options.observe = [&](const Progress& p) {
    for (int i = 3; i < 6; ++i) {
      const double dv = p.after.v[i] - p.before.v[i];
      run.dissipated += (theta - 0.5) * (i - 2) * dv * dv;
    }
  };
  run.report = simulate(scheme, x, options);
  run.summary = summary(scheme, options, run.report);
  return run;
}

TEST(EnergyOfARun, ABodyThatSlowsDownByItselfIsNotOk) {
  const System system = wing_nut();
  const SpinRun run = spin(system, 1.0, 2e-3);
  const EnergyJudgement& energy = run.report.energy;
  ASSERT_TRUE(run.report.ok());
  EXPECT_EQ(run.report.failed_certificates, 0);  // every step obeys the discrete equations
  EXPECT_LT(run.report.final.kinetic, 5000.0);   // of 10000 J
  EXPECT_NEAR(energy.lost, 10000.0 - run.report.final.kinetic, 1e-6);
  EXPECT_NEAR(energy.lost, run.dissipated, 1e-6);
  EXPECT_FALSE(run.report.certified());
  EXPECT_FALSE(says(run.summary, "ok for all")) << run.summary;
  EXPECT_TRUE(says(run.summary, "warning      energy: the scheme has lost")) << run.summary;
  EXPECT_TRUE(says(run.summary, "the worst step ends at t = ")) << run.summary;
}

TEST(EnergyOfARun, TheMidpointKeepsIt) {
  const System system = wing_nut();
  const SpinRun run = spin(system, 0.5, 2e-3);
  EXPECT_TRUE(run.report.certified());
  EXPECT_EQ(run.report.energy.part(run.report.total), 0.0);
  EXPECT_TRUE(says(run.summary, "certificate  ok for all")) << run.summary;
  EXPECT_FALSE(says(run.summary, "note ")) << run.summary;
}

// What a scheme of first order loses is told by a note, and is half as much with half the step.
TEST(EnergyOfARun, WhatTheOrderExplainsIsANote) {
  const System system = wing_nut();
  const SpinRun run = spin(system, 1.0, 2e-5), half = spin(system, 1.0, 1e-5);
  EXPECT_TRUE(run.report.certified());
  EXPECT_TRUE(says(run.summary, "note         energy: the scheme has lost")) << run.summary;
  EXPECT_NEAR(run.report.energy.lost / half.report.energy.lost, 2.0, 0.1);
}

// A cart of 1 t at 10 m/s meets a stop of e = 1 whose gap is 1 - x^3. Newton's law reverses 3 x^2 v; with theta = 1 the
// end of the step lies farther back than its beginning, where x^2 is less and v must be more: the stop pushes.
TEST(EnergyOfARun, AStopThatGivesEnergyIsNotOk) {
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1000.0; };
  const auto none = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  Model model;
  const BlockId cart = model.add_coordinates("cart", {"x"}, lagrangian<1>(mass, none), {0.0}, {10.0});
  model.add_contact("stop", {cart}, gap<1>([](const auto&, const auto* q) { return 1.0 - q[0] * q[0] * q[0]; }),
                    {.e = 1.0});
  const System system = compile(model);
  MoreauJean scheme(system, {.theta = 1.0});
  State x = system.initial_state();
  const SimulateOptions options{.step = 0.0095, .until = 0.2};
  const RunReport report = simulate(scheme, x, options);
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report.final.kinetic, 75000.0);  // of 50000 J
  EXPECT_NEAR(report.energy.gained, report.final.kinetic - 50000.0, 1e-6);
  EXPECT_FALSE(report.certified());
  const std::string text = summary(scheme, options, report);
  EXPECT_TRUE(says(text, "warning      energy: the scheme has added")) << text;
  EXPECT_FALSE(says(text, "ok for all")) << text;
}

// A flywheel whose motor swings it, and one whose motor starts and stops at once: the motors do all that happens.
TEST(EnergyOfARun, MotorsAreNotAccused) {
  using std::sin;
  Model swung, jerked;
  for (Model* model : {&swung, &jerked}) {
    const double rate = model == &swung ? 4.0 : 0.0;  // 0.1 . 40 rad/s
    const BlockId wheel = model->add_planar_body("wheel", {.mass = 1.0, .inertia = 2.5, .velocity = {0.0, 0.0, rate}});
    const JointId axle = model->add_joint("axle", Revolute{}, Frame{ground}, Frame{wheel});
    if (model == &swung)
      model->add_motor("drive", axle, JointCoordinate::angle,
                       position_motor([](const auto& t) { return 0.1 * sin(40.0 * t); }));
    else
      model->add_motor("drive", axle, JointCoordinate::angle, Motor::velocity);
  }
  const System system = compile(swung);
  for (const auto& [name, most] : {std::pair{"moreau-jean", 0.02}, std::pair{"alpha-ggl", 1e-4}}) {
    const auto scheme = make_scheme(name, system, {});
    State x = system.initial_state();
    const RunReport report = simulate(*scheme, x, {.step = 1e-3, .until = 10.0});
    EXPECT_TRUE(report.certified()) << name;
    EXPECT_LT(report.energy.part(report.total), most) << name;
  }

  const System jumping = compile(jerked);
  MoreauJean jumps(jumping);
  State y = jumping.initial_state();
  for (const double rate : {30.0, 0.0, -10.0}) {
    y.u[jumping.input("drive.velocity")] = rate;
    EXPECT_TRUE(simulate(jumps, y, {.step = 1e-3, .until = y.t + 0.1}).certified()) << rate;
  }
}

TEST(EnergyOfARun, TheFirstStepWithoutANumberIsKept) {
  EnergyJudgement energy;
  Audit step;
  for (const auto& [t, change] : {std::pair{1.0, 3.0}, {2.0, std::nan("")}, {3.0, 5.0}}) {
    step.change = change;
    energy.see(step, {}, t);
  }
  EXPECT_EQ(energy.worst_t, 2.0);
}

// Its energy passes all bounds: no figure of it is said, but from when on there is none.
TEST(EnergyOfARun, OneThatIsNotFiniteIsTold) {
  const auto mass = [](double t, const double*, MatrixView M) { M(0, 0) = 1.0 / ((0.5 - t) * (0.5 - t)); };
  const auto none = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  Model model;
  model.add_coordinates("cart", {"x"}, lagrangian<1>(mass, none), {0.0}, {1.0});
  const System system = compile(model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  const SimulateOptions options{.step = 0.125, .until = 1.0};
  const RunReport report = simulate(scheme, x, options);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_FALSE(report.certified());
  const std::string text = summary(scheme, options, report);
  EXPECT_TRUE(says(text, "energy: it is not finite at t = 0.5 s")) << text;
  EXPECT_FALSE(says(text, "nan J") || says(text, "nan %")) << text;
}

// Rows that turn while they carry: what their reactions do at one end of the step is not what they do over it.
TEST(EnergyOfARun, ReactionsOfMovingRowsAreAccounted) {
  constexpr std::array<std::string_view, 3> turning{"flyball-governor", "bead-on-wire", "slider-crank-planar"};
  for (const examples::Example& example : examples::all()) {
    if (std::find(turning.begin(), turning.end(), example.name) == turning.end()) continue;
    const System system = compile(example.model());
    const auto scheme = make_scheme("alpha-ggl", system, {});
    State x = system.initial_state();
    const RunReport report = simulate(*scheme, x, {.step = example.step, .until = example.until});
    EXPECT_LT(std::abs(report.total.balance_error()), 1e-3 * report.energy.in_motion(report.total)) << example.name;
  }
}

// Impacts with restitution, motors, moving walls, friction, damping, stiff bars: at the steps of the examples nothing
// comes or goes that is not explained.
TEST(EnergyOfARun, NoExampleIsAccused_slow) {
  for (const examples::Example& example : examples::all()) {
    const System system = compile(example.model());
    for (const SchemeEntry& entry : schemes()) {
      const SchemeTraits traits = scheme_traits(entry.name, {});
      if (!traits.friction && testing::has_friction(system)) continue;
      if (!traits.impacts && system.pairs() > 0) continue;  // rightly accused: it warns of impacts
      const auto scheme = make_scheme(entry.name, system, {});
      State x = system.initial_state();
      const RunReport report = simulate(*scheme, x, {.step = example.step, .until = example.until});
      EXPECT_TRUE(report.energy.ok(report.total))
          << example.name << " with " << entry.name << ": " << report.energy.part(report.total) << " of "
          << report.energy.in_motion(report.total) << " J";
    }
  }
}

}  // namespace
}  // namespace esc
