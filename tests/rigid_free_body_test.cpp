// A free rigid body under the midpoint form of the Moreau-Jean scheme: what it keeps exactly, and at which order it
// follows Euler's exact solution.
#include <array>
#include <cmath>
#include <vector>

#include "examples/free_body.hpp"
#include "tests/support/norms.hpp"
#include "tests/support/rigid_state.hpp"

namespace esc {
namespace {

using examples::FreeBody;
using test::rigid_state;
using test::RigidState;
using test::times;

const MoreauJeanOptions midpoint{.tol = 1e-14};

template <class Observe>
void follow(const FreeBody& body, double h, int steps, Observe observe) {
  const System system = compile(body.model());
  MoreauJean scheme(system, midpoint);
  State x = system.initial_state();
  scheme.start(x);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = scheme.step(x, h);
    ASSERT_TRUE(report.ok()) << to_string(report.status) << " in step " << k;
    observe(x.t, rigid_state(x));
  }
}

// w . J w and |J w| are quadratic invariants of Euler's equations, and the midpoint rule keeps those.
TEST(FreeBody, KeepsEnergyAndTheSizeOfItsMomentum) {
  const FreeBody body{.angular_velocity = {0.3, 5.0, 0.4}};
  const Vec3<double> w0 = vec3(body.angular_velocity);
  const double twice_energy = dot(w0, times(body.inertia, w0)), momentum = norm(times(body.inertia, w0));
  double energy_error = 0.0, momentum_error = 0.0, quaternion_error = 0.0;
  follow(body, 1e-2, 100'000, [&](double, const RigidState& x) {
    const Vec3<double> L = times(body.inertia, x.w);
    energy_error = std::max(energy_error, std::abs(dot(x.w, L) / twice_energy - 1.0));
    momentum_error = std::max(momentum_error, std::abs(norm(L) / momentum - 1.0));
    quaternion_error = std::max(quaternion_error, std::abs(x.norm_of_q - 1.0));
  });
  EXPECT_LE(energy_error, 1e-12);
  EXPECT_LE(momentum_error, 1e-12);
  EXPECT_LE(quaternion_error, 1e-14);
}

// The direction of R J w needs the rotation too.
TEST(FreeBody, MomentumInTheWorldIsKeptToSecondOrder) {
  const FreeBody body{.angular_velocity = {0.3, 5.0, 0.4}};
  const Vec3<double> before = times(body.inertia, vec3(body.angular_velocity));
  constexpr std::array<double, 4> steps{2e-2, 1e-2, 5e-3, 2.5e-3};
  std::vector<double> errors;
  for (const double h : steps) {
    double worst = 0.0;
    follow(body, h, static_cast<int>(std::lround(10.0 / h)), [&](double, const RigidState& x) {
      worst = std::max(worst, norm(x.R * times(body.inertia, x.w) - before));
    });
    errors.push_back(worst);
  }
  EXPECT_NEAR(test::slope(steps, errors), 2.0, 0.05);
}

// Between two upward passages of the middle component through zero; there its curvature is zero, so that a straight
// line between grid points is third-order accurate.
double measured_period(const FreeBody& body, double h) {
  std::vector<double> passages;
  double t_before = 0.0, w_before = body.angular_velocity[1];
  follow(body, h, static_cast<int>(2.0 * body.period() / h), [&](double t, const RigidState& x) {
    if (w_before < 0.0 && x.w.y >= 0.0) passages.push_back(t_before + (t - t_before) * w_before / (w_before - x.w.y));
    t_before = t;
    w_before = x.w.y;
  });
  EXPECT_EQ(passages.size(), 2U);
  return passages.size() < 2 ? 0.0 : passages[1] - passages[0];
}

TEST(FreeBody, FlipsWithTheExactPeriod) {
  for (const std::array<double, 3>& w : {std::array{0.0, 5.0, 0.1}, std::array{0.1, 5.0, 0.0}}) {
    const FreeBody body{.angular_velocity = w};
    constexpr std::array<double, 3> steps{1e-2, 5e-3, 2.5e-3};
    std::vector<double> errors;
    for (const double h : steps) {
      errors.push_back(std::abs(measured_period(body, h) - body.period()));
    }
    EXPECT_NEAR(test::slope(steps, errors), 2.0, 0.1);
    EXPECT_LE(errors.back(), 1e-3 * body.period());
  }
}

// The formula against limits that need no elliptic function: small swings about the axes of the least and the greatest
// moment have the period 2 pi / (w sqrt((J - J_a) (J - J_b) / (J_a J_b))).
TEST(FreeBody, PeriodOfSmallSwingsIsThatOfTheLinearEquations) {
  const double pi = std::acos(-1.0);
  const FreeBody about_least{.angular_velocity = {5.0, 1e-6, 0.0}};
  EXPECT_NEAR(about_least.period(), 2.0 * pi / (5.0 * std::sqrt(1.0 * 2.0 / (2.0 * 3.0))), 1e-9);
  const FreeBody about_greatest{.angular_velocity = {0.0, 1e-6, 5.0}};
  EXPECT_NEAR(about_greatest.period(), 2.0 * pi / (5.0 * std::sqrt(2.0 * 1.0 / (1.0 * 2.0))), 1e-9);
}

}  // namespace
}  // namespace esc
