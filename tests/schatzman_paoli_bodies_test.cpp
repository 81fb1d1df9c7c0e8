// The Schatzman-Paoli scheme on bodies in space, with joints and with a mass that varies: Euler's equations, the heavy
// top, a box in a turned scene, the slider-crank without friction.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/box_on_incline.hpp"
#include "examples/free_body.hpp"
#include "examples/heavy_top.hpp"
#include "examples/rotations.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/norms.hpp"
#include "tests/support/rigid_state.hpp"

namespace esc {
namespace {

using namespace examples;
using test::rigid_state;
using test::RigidState;
using test::times;

constexpr SchatzmanPaoliOptions printed{};
constexpr SchatzmanPaoliOptions centred{.theta = 0.0, .frame = FrameAt::begin};

template <class Observe>
RunReport follow(const Model& model, const SchatzmanPaoliOptions& options, const SimulateOptions& run,
                 Observe observe) {
  return test::follow<SchatzmanPaoli>(model, options, run, observe);
}

struct Drifts {
  double energy = 0.0, momentum = 0.0;  // largest relative changes
};

Drifts drifts(const SchatzmanPaoliOptions& options, double h) {
  const FreeBody body{.angular_velocity = {0.3, 5.0, 0.4}};
  const Vec3<double> w0 = vec3(body.angular_velocity);
  const double twice_energy = dot(w0, times(body.inertia, w0)), momentum = norm(times(body.inertia, w0));
  Drifts worst;
  follow(body.model(), options, {.step = h, .until = 20.0}, [&](const System&, const State& state) {
    const RigidState x = rigid_state(state);
    const Vec3<double> L = times(body.inertia, x.w);
    worst.energy = std::max(worst.energy, std::abs(dot(x.w, L) / twice_energy - 1.0));
    worst.momentum = std::max(worst.momentum, std::abs(norm(L) / momentum - 1.0));
    EXPECT_NEAR(x.norm_of_q, 1.0, 1e-14);
  });
  return worst;
}

// Centred: energy and momentum come back to where they were, to second order, over many turns; printed: both fall.
TEST(SchatzmanPaoliFreeBody, EnergyAndMomentum) {
  const Drifts coarse = drifts(centred, 1e-2), fine = drifts(centred, 5e-3);
  EXPECT_LE(coarse.energy, 3e-4);
  EXPECT_NEAR(coarse.energy / fine.energy, 4.0, 0.2);
  EXPECT_NEAR(coarse.momentum / fine.momentum, 4.0, 0.2);
  const Drifts printed_coarse = drifts(printed, 2.5e-3), printed_fine = drifts(printed, 1.25e-3);
  EXPECT_NEAR(printed_coarse.energy / printed_fine.energy, 2.0, 0.3);
}

// x and w of the top at 0.5 s, see rigid_joint_test.cpp.
TEST(SchatzmanPaoliHeavyTop, StaysOnItsJointAndConvergesToTheReferenceMotion) {
  constexpr std::array<double, 3> reference{-.7024682971, -.0211651847, -.7114002577};
  for (const auto& [options, order, tolerance] : {std::tuple{printed, 1.0, 0.03},
                                                  {centred, 2.0, 2e-5},
                                                  {SchatzmanPaoliOptions{.frame = FrameAt::theta}, 1.0, 0.01}}) {
    std::vector<double> steps, errors;
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
      double drift = 0.0, error = 0.0;
      JointSet joints;
      std::vector<double> scratch;
      follow(HeavyTop{}.model(), options, {.step = h, .until = 0.5}, [&](const System& system, const State& x) {
        scratch.resize(system.scratch_size());
        system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
        for (const double g : joints.g) drift = std::max(drift, std::abs(g));
        error = 0.0;
        for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(x.q[i] - reference[i]));
        EXPECT_NEAR(x.v[4], 150.0, 1e-9);
      });
      EXPECT_LE(drift, 1e-12);
      steps.push_back(h);
      errors.push_back(error);
    }
    EXPECT_NEAR(test::slope(steps, errors), order, 0.1);
    EXPECT_LE(errors.back(), tolerance);
  }
}

// A box tumbles onto a slope: with everything turned the motion is the same, turned.
TEST(SchatzmanPaoliBox, NothingChangesInATurnedScene) {
  const Quaternion scene = turn({1.0, -2.0, 0.5}, 1.1);
  const Rotation<double> R = rotation_of(scene);
  BoxOnIncline upright{.direction = 0.4, .heading = 0.3, .speed = 0.2, .e = 0.5, .mu = 0.0};
  BoxOnIncline turned = upright;
  turned.scene = scene;
  const System a = compile(upright.model()), b = compile(turned.model());
  SchatzmanPaoli scheme_a(a), scheme_b(b);
  State x = a.initial_state(), y = b.initial_state();
  for (State* state : {&x, &y}) {  // tumbling, in body axes
    state->v[3] = 1.0;
    state->v[4] = -0.5;
    state->v[5] = 2.0;
  }
  scheme_a.start(x);
  scheme_b.start(y);
  int impulses = 0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(scheme_a.step(x, 2e-3).ok());
    ASSERT_TRUE(scheme_b.step(y, 2e-3).ok());
    const RigidState p = rigid_state(x), r = rigid_state(y);
    EXPECT_LE(norm(R * p.x - r.x), 1e-10) << k;
    EXPECT_LE(norm(R * p.v - r.v), 1e-8) << k;
    EXPECT_LE(norm(p.w - r.w), 1e-7) << k;
    ASSERT_EQ(x.contacts.size(), y.contacts.size());
    for (std::size_t i = 0; i < x.contacts.size(); ++i) {
      EXPECT_LE(norm(R * vec3(to_world(x.contacts[i])) - vec3(to_world(y.contacts[i]))), 1e-8);
      impulses += x.contacts[i].mode != ContactMode::open;
    }
  }
  EXPECT_GT(impulses, 2);
}

// The mechanism of acary section 6.4 in minimal coordinates, M(q) full. First contact by a Runge-Kutta method of order
// 8 (tolerance 1e-12); the revolutions over impacts against the Moreau-Jean scheme.
TEST(SchatzmanPaoliSliderCrank, FirstContactWithoutFriction) {
  const System system = compile(SliderCrank{.mu = 0.0}.model());
  for (const auto& [options, h] : {std::pair{centred, 1e-5}, {printed, 1e-6}}) {
    SchatzmanPaoli scheme(system, options);
    State x = system.initial_state();
    scheme.start(x);
    StepReport report;
    do {
      report = scheme.step(x, h);
      ASSERT_TRUE(report.ok());
    } while (report.events.empty() && x.t < 3e-3);
    ASSERT_EQ(report.events.size(), 2U);  // both upper corners
    EXPECT_GE(x.t, 0.002692503 - h);
    EXPECT_LE(x.t, 0.002692503 + 2.0 * h);
    // The velocity is that of the step before, and the corners are slowed down by 700 m/s^2.
    for (const Event& event : report.events) EXPECT_NEAR(event.normal_velocity, -0.841612322, 1e3 * h);
  }
}

TEST(SchatzmanPaoliSliderCrank, RevolutionsConvergeOverImpacts) {
  const SliderCrank crank{.mu = 0.0};
  const auto turns = [](const State& x) { return x.q[0] / (2.0 * std::numbers::pi); };
  double limit = 0.0;
  test::follow(crank.model(), {}, {.step = 4e-6, .until = 0.2, .certify = false},
               [&](const System&, const State& x) { limit = turns(x); });
  const auto error = [&](const SchatzmanPaoliOptions& options, double h) {
    double end = 0.0;
    follow(crank.model(), options, {.step = h, .until = 0.2}, [&](const System&, const State& x) { end = turns(x); });
    return std::abs(end - limit);
  };
  EXPECT_LE(error(centred, 1e-4), 5e-3);
  EXPECT_LE(error(centred, 1e-5), 5e-4);
  EXPECT_LE(error(printed, 1e-4), 0.3);
  EXPECT_LE(error(printed, 1e-5), 0.03);
}

}  // namespace
}  // namespace esc
