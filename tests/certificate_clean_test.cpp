// Every step of every example is certified, whatever the options; a certificate raises no false alarm.
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/block_pool.hpp>
#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

RunReport expect_certified(Scheme& scheme, State x, const SimulateOptions& options) {
  const RunReport report = simulate(scheme, x, options);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.failed_certificates, 0) << "worst: " << to_string(report.worst_check) << ", " << report.worst_ratio
                                           << " of what is allowed, first at t = " << report.first_failed_certificate;
  return report;
}

class CleanRun : public ::testing::TestWithParam<testing::ContractCase> {};

TEST_P(CleanRun, EveryCertificateIsOk) {
  const examples::Example& example = testing::example_of(GetParam());
  const System system = compile(example.model());
  const auto scheme = testing::scheme_of(GetParam()).make(system);
  expect_certified(*scheme, system.initial_state(), {.step = example.step, .until = example.until});
}

INSTANTIATE_TEST_SUITE_P(All, CleanRun, testing::every_scheme_on_every_example(), testing::contract_name);

void expect_same_bits(const Certificate& a, const Certificate& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  for (int i = 0; i < check_count; ++i) {
    const Finding &x = a.findings[i], &y = b.findings[i];
    EXPECT_TRUE(same(x.value, y.value) && same(x.allowed, y.allowed) && x.key == y.key && x.joint == y.joint)
        << check_names[i];
  }
  EXPECT_TRUE(same(a.audit.before.kinetic, b.audit.before.kinetic));
  EXPECT_TRUE(same(a.audit.before.potential, b.audit.before.potential));
  for (std::size_t i = 0; i < work_lines.size(); ++i) EXPECT_TRUE(same(a.audit.works[i], b.audit.works[i])) << i;
}

// A certifier keeps what it knows of the end of a step. It says the same as one that knows nothing: along a run, after
// a step of another state, and when it was asked in between with another promise.
TEST(Certifier, HasNoMemoryThatShows) {
  const System ball = compile(examples::BouncingBall{}.model());
  const System crank = compile(examples::SliderCrank{}.model());
  for (const System* one : {&ball, &crank}) {
    const System& system = *one;
    const double h = one == &ball ? 7e-3 : 1e-4;
    MoreauJean scheme(system, {.theta = 0.6});
    Promise other = scheme.promise();
    std::get<ThetaEquations>(other.equations).activation_tolerance = 1e-3;
    Certifier certifier(system);
    State x = system.initial_state();
    scheme.start(x);
    int records = 0;
    for (int k = 0; k < 300; ++k) {
      const State before = x;
      ASSERT_TRUE(scheme.step(x, h).ok());
      records += static_cast<int>(x.contacts.size());
      if (k % 7 == 3) static_cast<void>(certifier.certify(before, x, other));
      if (k % 11 == 5) static_cast<void>(certifier.certify(x, before, scheme.promise()));
      expect_same_bits(certifier.certify(before, x, scheme.promise()), certify(system, before, x, scheme.promise()));
    }
    EXPECT_GT(records, 0);
  }
}

// A step's length is the difference of two times, and less accurate the later it is.
TEST(FalseAlarm, NoneLateInARun) {
  const System ball = compile(examples::BouncingBall{}.model());
  const System crank = compile(examples::SliderCrank{}.model());
  for (const System* system : {&ball, &crank})
    for (const double t : {1e3, 1e5, 1e7}) {
      MoreauJean scheme(*system);
      State x = system->initial_state();
      x.t = t;
      expect_certified(scheme, x, {.step = 1e-4, .until = t + 0.05});
    }
}

// Walls that move: the jacobian check moves bodies and clock together, and a late clock is coarse.
TEST(FalseAlarm, NoneForMovingWallsLateInARun) {
  for (const double t : {1e4, 1e6}) {
    Model model;
    const BlockId ball = model.add_planar_body("ball", {.pose = {0.0, 0.5, 0.0}, .velocity = {0.0, -1.0, 0.0}});
    model.add_contact("lift", {Coordinates(ball, 1, 1)},
                      gap<1>([t](const auto& time, const auto* q) { return q[0] - 0.1 * (time - t); }), {.e = 0.5});
    const System system = compile(model);
    MoreauJean scheme(system);
    State x = system.initial_state();
    x.t = t;
    EXPECT_EQ(expect_certified(scheme, x, {.step = 1e-2, .until = t + 1.0}).impacts, 1);
  }
}

TEST(FalseAlarm, NoneFarFromTheOrigin) {
  const System system = compile(examples::BouncingBall{.height = 1e8, .velocity = -1e4}.model());
  MoreauJean scheme(system);
  expect_certified(scheme, system.initial_state(), {.step = 1e-2, .until = 1.0});
}

// A linear block under a force that depends on time: its work is taken as the force is.
struct Shaken {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  void mass(double, const double*, MatrixView M) const { M(0, 0) = 2.0; }
  template <class S>
  void force(const S& t, const S* q, const S*, S* F) const {
    using std::sin;
    F[0] = 100.0 * sin(30.0 * t) - 50.0 * q[0];
  }
  double potential(double, const double* q) const { return 25.0 * q[0] * q[0]; }
  double applied(double t, const double*, const double* v) const { return 100.0 * std::sin(30.0 * t) * v[0]; }
};

TEST(FalseAlarm, NoneForAForceThatDependsOnTime) {
  Model model;
  model.add_coordinates("mass", {"x"}, block(Shaken{}), {0.1}, {0.0});
  const System system = compile(model);
  for (const Quadrature quadrature : {Quadrature::theta_point, Quadrature::endpoints}) {
    MoreauJean scheme(system, {.quadrature = quadrature});
    expect_certified(scheme, system.initial_state(), {.step = 1e-2, .until = 1.0});
  }
}

// Air drag with explicit tangents on a body that is linear otherwise.
TEST(FalseAlarm, NoneForANonlinearExplicitForce) {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId body = model.add_planar_body("body", {.velocity = {20.0, 5.0, 3.0}});
  model.add_force("drag", {Coordinates(body, 0, 2)},
                  force<2>(
                      [](const auto&, const auto*, const auto* v, const double*, auto* Q) {
                        using std::sqrt;
                        const auto speed = sqrt(v[0] * v[0] + v[1] * v[1]);
                        Q[0] = -0.1 * speed * v[0];
                        Q[1] = -0.1 * speed * v[1];
                      },
                      {.kind = ForceKind::damping, .tangents = Tangents::none}));
  const System system = compile(model);
  ASSERT_TRUE(system.constant_matrix());
  for (const Quadrature quadrature : {Quadrature::theta_point, Quadrature::endpoints}) {
    MoreauJean scheme(system, {.quadrature = quadrature});
    expect_certified(scheme, system.initial_state(), {.step = 1e-2, .until = 1.0});
  }
}

// The examples from a grid of other options, on a mechanism with friction.
TEST(FalseAlarm, NoneForAnyCombinationOfOptions) {
  const System system = compile(examples::SliderCrank{}.model());
  for (const double theta : {0.5, 0.75, 1.0})
    for (const Forecast forecast : {Forecast::position, Forecast::free})
      for (const FrameAt frame : {FrameAt::begin, FrameAt::theta, FrameAt::end})
        for (const Quadrature quadrature : {Quadrature::theta_point, Quadrature::endpoints}) {
          MoreauJean scheme(system, {.theta = theta, .forecast = forecast, .frame = frame, .quadrature = quadrature});
          expect_certified(scheme, system.initial_state(), {.step = 1e-4, .until = 0.03});
        }
}

}  // namespace
}  // namespace esc
