// Joints at both levels: with the combined projection scheme a four-bar linkage in space and a chain of spherical
// joints hold their joints for 1e5 steps, and move as the same mechanisms do in minimal coordinates.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>

#include "examples/chain.hpp"
#include "examples/four_bar.hpp"
#include "tests/support/norms.hpp"

namespace esc {
namespace {

using examples::Chain;
using examples::FourBar;

constexpr double upright = 0.5 * std::numbers::pi;

// Largest |g| and |G v + g_t| over a run, from the joints themselves.
struct Drift {
  double position = 0.0, velocity = 0.0;
};

template <class S>
Drift drift_over(const Model& model, const typename S::Options& options, double h, int steps) {
  const System system = compile(model);
  S scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  JointSet joints;
  std::vector<double> scratch(system.scratch_size());
  Drift drift;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = scheme.step(x, h);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " at step " << k;
    if (!report.ok()) break;
    system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
    for (const Joint& joint : system.joints()) {
      std::array<double, max_joint_rows> U{};
      velocity(joints, joint, x.v, U.data());
      for (int row = 0; row < joint.row_count; ++row) {
        drift.position = std::max(drift.position, std::abs(joints.g[joint.first_row + row]));
        drift.velocity = std::max(drift.velocity, std::abs(U[row]));
      }
    }
  }
  return drift;
}

TEST(ProjectedJoints, FourBarInSpaceHoldsItsJointsFor100000Steps_slow) {
  const Drift drift =
      drift_over<CombinedProjection>(FourBar{.angle = upright, .rate = 0.0}.spatial_model(), {}, 1e-4, 100000);
  EXPECT_LT(drift.position, 1e-10);
  EXPECT_LT(drift.velocity, 1e-10);
}

TEST(ProjectedJoints, ChainHoldsItsJointsFor100000Steps_slow) {
  const Drift drift =
      drift_over<CombinedProjection>(Chain{.links = 5, .slope = 0.0, .spin = 0.0}.model(), {}, 1e-4, 100000);
  EXPECT_LT(drift.position, 1e-10);
  EXPECT_LT(drift.velocity, 1e-10);
}

TEST(ProjectedJoints, EveryMetricAndBothSchemesHoldThem) {
  const Model chain = Chain{.links = 3}.model();
  for (const Metric metric : {Metric::identity, Metric::iteration_matrix, Metric::mass}) {
    const Drift combined = drift_over<CombinedProjection>(chain, {.metric = metric}, 2e-3, 300);
    const Drift direct = drift_over<DirectProjected>(chain, {.metric = metric}, 2e-3, 300);
    for (const Drift& drift : {combined, direct}) {
      EXPECT_LT(drift.position, 2e-12);
      EXPECT_LT(drift.velocity, 2e-8);
    }
  }
}

// y'' = f(y, y') by the classical Runge-Kutta method.
template <std::size_t n, class Acceleration>
void runge_kutta(std::array<double, n>& y, std::array<double, n>& w, double h, int steps, Acceleration acceleration) {
  using Vector = std::array<double, n>;
  const auto moved = [](const Vector& a, const Vector& b, double s) {
    Vector c = a;
    for (std::size_t i = 0; i < n; ++i) c[i] += s * b[i];
    return c;
  };
  for (int k = 0; k < steps; ++k) {
    const Vector w1 = w, a1 = acceleration(y, w1);
    const Vector w2 = moved(w, a1, 0.5 * h), a2 = acceleration(moved(y, w1, 0.5 * h), w2);
    const Vector w3 = moved(w, a2, 0.5 * h), a3 = acceleration(moved(y, w2, 0.5 * h), w3);
    const Vector w4 = moved(w, a3, h), a4 = acceleration(moved(y, w3, h), w4);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] += h / 6.0 * (w1[i] + 2.0 * w2[i] + 2.0 * w3[i] + w4[i]);
      w[i] += h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]);
    }
  }
}

// The linkage by its crank angle alone: I(phi) phi'' + I'(phi) phi'^2 / 2 + V'(phi) = 0.
class FourBarInOneAngle {
 public:
  explicit FourBarInOneAngle(const FourBar& data) : d_(data) {}

  double crank_angle_at(double t) const {
    std::array<double, 1> phi{d_.angle}, rate{d_.rate};
    const int steps = static_cast<int>(std::lround(t / 1e-4));
    runge_kutta(phi, rate, t / steps, steps, [&](const auto& y, const auto& w) {
      constexpr double e = 1e-5;
      const double dI = (inertia(y[0] + e) - inertia(y[0] - e)) / (2.0 * e);
      const double dV = (potential(y[0] + e) - potential(y[0] - e)) / (2.0 * e);
      return std::array<double, 1>{-(0.5 * dI * w[0] * w[0] + dV) / inertia(y[0])};
    });
    return phi[0];
  }

 private:
  // Angles of coupler and rocker, the joint between them being above the line of their ends.
  struct Angles {
    double coupler, rocker;
  };
  Angles angles(double phi) const {
    const double ax = d_.crank * std::cos(phi), ay = d_.crank * std::sin(phi);
    const double dx = d_.base - ax, dy = -ay, length = std::hypot(dx, dy);
    const double along = (d_.coupler * d_.coupler - d_.rocker * d_.rocker + length * length) / (2.0 * length);
    const double above = std::sqrt(d_.coupler * d_.coupler - along * along);
    const double cx = ax + (along * dx - above * dy) / length, cy = ay + (along * dy + above * dx) / length;
    return {std::atan2(cy - ay, cx - ax), std::atan2(cy, cx - d_.base)};
  }
  double inertia(double phi) const {
    const auto [chi, psi] = angles(phi);
    // crank e(phi) + coupler e(chi) = base + rocker e(psi), differentiated.
    const double denominator = std::sin(chi - psi);
    const double dchi = -d_.crank / d_.coupler * std::sin(phi - psi) / denominator;
    const double dpsi = -d_.crank / d_.rocker * std::sin(phi - chi) / denominator;
    const double vx = -d_.crank * std::sin(phi) - 0.5 * d_.coupler * std::sin(chi) * dchi;
    const double vy = d_.crank * std::cos(phi) + 0.5 * d_.coupler * std::cos(chi) * dchi;
    return d_.m_crank * d_.crank * d_.crank / 3.0 + d_.m_coupler * (vx * vx + vy * vy) +
           d_.m_coupler * d_.coupler * d_.coupler / 12.0 * dchi * dchi +
           d_.m_rocker * d_.rocker * d_.rocker / 3.0 * dpsi * dpsi;
  }
  double potential(double phi) const {
    const auto [chi, psi] = angles(phi);
    const double crank = 0.5 * d_.crank * std::sin(phi);
    const double coupler = d_.crank * std::sin(phi) + 0.5 * d_.coupler * std::sin(chi);
    const double rocker = 0.5 * d_.rocker * std::sin(psi);
    return -d_.gravity[1] * (d_.m_crank * crank + d_.m_coupler * coupler + d_.m_rocker * rocker);
  }

  FourBar d_;
};

// Errors at falling steps: first order, and the linear extrapolation of the last two much closer.
void expect_first_order(const std::vector<double>& h, const std::vector<double>& value, double exact, double close) {
  std::vector<double> error;
  for (const double v : value) error.push_back(std::abs(v - exact));
  EXPECT_NEAR(test::slope(h, error), 1.0, 0.1);
  const std::size_t n = value.size();
  const double limit = value[n - 1] + (value[n - 1] - value[n - 2]) * h[n - 1] / (h[n - 2] - h[n - 1]);
  EXPECT_NEAR(limit, exact, close);
}

TEST(ProjectedJoints, FourBarInSpaceConvergesToItsMotionInOneAngle) {
  const FourBar data{.angle = upright, .rate = 0.0};
  const double until = 0.4, exact = FourBarInOneAngle(data).crank_angle_at(until);
  const System system = compile(data.spatial_model());
  const int qw = system.coordinate("crank.qw"), qz = system.coordinate("crank.qz");
  const std::vector<double> steps{2e-3, 1e-3, 5e-4, 2.5e-4};
  std::vector<double> angle;
  for (const double h : steps) {
    CombinedProjection scheme(system);
    State x = system.initial_state();
    EXPECT_TRUE(simulate(scheme, x, {.step = h, .until = until}).certified());
    const double raw = 2.0 * std::atan2(x.q[qz], x.q[qw]);
    angle.push_back(exact + std::remainder(raw - exact, 2.0 * std::numbers::pi));
  }
  expect_first_order(steps, angle, exact, 2e-4);
}

// Three links in a vertical plane by their angles from below: sum_j (A_ij cos(a_i - a_j) + J d_ij) a_j'' +
// sum_j A_ij sin(a_i - a_j) a_j'^2 + g B_i sin(a_i) = 0.
constexpr int links = 3;
using Angles = std::array<double, links>;

Angles chain_acceleration(const Angles& a, const Angles& w, double m, double J, double L, double g) {
  std::array<std::array<double, links>, links> M{};
  Angles f{};
  for (int i = 0; i < links; ++i)
    for (int k = 0; k < links; ++k) {
      const double ci = i < k ? 1.0 : i == k ? 0.5 : 0.0;
      f[i] -= g * m * L * ci * std::sin(a[i]);
      for (int j = 0; j < links; ++j) {
        const double A = m * L * L * ci * (j < k ? 1.0 : j == k ? 0.5 : 0.0);
        M[i][j] += A * std::cos(a[i] - a[j]);
        f[i] -= A * std::sin(a[i] - a[j]) * w[j] * w[j];
      }
    }
  for (int i = 0; i < links; ++i) M[i][i] += J;
  for (int i = 0; i < links; ++i)
    for (int r = i + 1; r < links; ++r) {
      const double factor = M[r][i] / M[i][i];
      for (int j = i; j < links; ++j) M[r][j] -= factor * M[i][j];
      f[r] -= factor * f[i];
    }
  for (int i = links - 1; i >= 0; --i) {
    for (int j = i + 1; j < links; ++j) f[i] -= M[i][j] * f[j];
    f[i] /= M[i][i];
  }
  return f;
}

TEST(ProjectedJoints, ChainReleasedLevelConvergesToItsMotionInAngles) {
  const Chain chain{.links = links, .slope = 0.0, .spin = 0.0};
  const RigidBody link = solid(Capsule{chain.radius, 0.5 * chain.length - chain.radius}, chain.density);
  const double until = 0.2, J = link.inertia[0];
  Angles a, w{};
  a.fill(upright);
  runge_kutta(a, w, until / 4000, 4000, [&](const Angles& y, const Angles& v) {
    return chain_acceleration(y, v, link.mass, J, chain.length, chain.g);
  });
  double exact = 0.0;  // height of the last link's centre
  for (int i = 0; i < links; ++i) exact -= chain.length * (i + 1 < links ? 1.0 : 0.5) * std::cos(a[i]);

  const System system = compile(chain.model());
  const int z = system.coordinate("link" + std::to_string(links - 1) + ".z");
  const std::vector<double> steps{1e-3, 5e-4, 2.5e-4, 1.25e-4};
  std::vector<double> height;
  for (const double h : steps) {
    CombinedProjection scheme(system);
    State x = system.initial_state();
    EXPECT_TRUE(simulate(scheme, x, {.step = h, .until = until}).certified());
    height.push_back(x.q[z]);
  }
  expect_first_order(steps, height, exact, 1e-5);
}

}  // namespace
}  // namespace esc
