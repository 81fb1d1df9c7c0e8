// Derivatives that a System gives, against central differences along retract.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/system.hpp>

namespace esc::testing {

using Vector = std::vector<double>;

// Where a System is evaluated.
struct Here {
  explicit Here(const System& system)
      : t(system.initial_state().t),
        q(system.initial_state().q),
        v(system.initial_state().v),
        u(system.initial_state().u),
        scratch(system.scratch_size()) {}
  Point point(TangentForm form = TangentForm::exact) { return {t, q.data(), v.data(), u.data(), scratch.data(), form}; }
  double t;
  Vector q, v, u, scratch;
};

inline Vector random_vector(int n, double size, unsigned seed) {
  std::mt19937 engine(seed);
  Vector x(n);
  for (double& value : x) value = std::uniform_real_distribution<double>(-size, size)(engine);
  return x;
}

inline Here moved(const System& system, const Here& here, const Vector& xi, double s) {
  Here result = here;
  Vector step(xi);
  for (double& value : step) value *= s;
  system.retract(here.q, step, result.q);
  return result;
}

// Away from the initial state by xi of this size, with velocities.
inline Here anywhere(const System& system, double size, unsigned seed) {
  Here here = moved(system, Here(system), random_vector(system.nv(), 1.0, seed), size);
  here.v = random_vector(system.nv(), 1.0, seed + 1);
  return here;
}

inline Vector unit(int n, int i) {
  Vector e(n, 0.0);
  e[i] = 1.0;
  return e;
}

inline Vector force(const System& system, Here here) {
  Vector F(system.nv());
  system.force(here.point(), F);
  return F;
}

inline double potential(const System& system, Here here) { return system.energy(here.point()).potential; }

// sq K + sv C as a full matrix, row-major.
inline Vector tangent(const System& system, Here here, double sq, double sv, TangentForm form = TangentForm::exact) {
  Vector A(system.tangent_size(), 0.0), full(system.nv() * system.nv(), 0.0);
  system.add_tangent(here.point(form), sq, sv, A, Part::all);
  const auto copy = [&](const MatrixBlock& rows, const MatrixBlock& columns, int first) {
    for (int i = 0; i < rows.n; ++i)
      for (int j = 0; j < columns.n; ++j)
        full[(rows.v0 + i) * system.nv() + columns.v0 + j] = A[first + i * columns.n + j];
  };
  for (const MatrixBlock& block : system.blocks()) copy(block, block, block.a0);
  for (const Coupling& c : system.couplings()) {
    copy(system.blocks()[c.i], system.blocks()[c.j], c.upper);
    copy(system.blocks()[c.j], system.blocks()[c.i], c.lower);
  }
  return full;
}

// (f(+eps) - f(-eps)) / (2 eps).
constexpr double eps = 1e-5;
inline Vector slope(const std::function<Vector(double)>& f) {
  Vector up = f(eps);
  const Vector down = f(-eps);
  for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2.0 * eps);
  return up;
}

inline void expect_near(std::span<const double> is, std::span<const double> wanted, double tolerance,
                        const char* what) {
  ASSERT_EQ(is.size(), wanted.size()) << what;
  double scale = 1.0;
  for (const double value : wanted) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], wanted[i], tolerance * scale) << what << ", entry " << i;
}

// F(q, 0) = -dV/dq.
inline void expect_force_is_minus_gradient(const System& system, Here here) {
  std::fill(here.v.begin(), here.v.end(), 0.0);
  Vector gradient;
  for (int i = 0; i < system.nv(); ++i)
    gradient.push_back(
        -slope([&](double s) { return Vector{potential(system, moved(system, here, unit(system.nv(), i), s))}; })[0]);
  expect_near(force(system, here), gradient, 1e-8, "F against -dV/dq");
}

// K = -dF/dq and C = -dF/dv.
inline void expect_tangents(const System& system, const Here& here) {
  const int n = system.nv();
  const Vector K = tangent(system, here, 1.0, 0.0), C = tangent(system, here, 0.0, 1.0);
  for (int j = 0; j < n; ++j) {
    const Vector by_q = slope([&](double s) { return force(system, moved(system, here, unit(n, j), s)); });
    const Vector by_v = slope([&](double s) {
      Here there = here;
      there.v[j] += s;
      return force(system, there);
    });
    Vector k, c, k_wanted, c_wanted;
    for (int i = 0; i < n; ++i) {
      k.push_back(K[i * n + j]);
      c.push_back(C[i * n + j]);
      k_wanted.push_back(-by_q[i]);
      c_wanted.push_back(-by_v[i]);
    }
    expect_near(k, k_wanted, 1e-7, "K against -dF/dq");
    expect_near(c, c_wanted, 1e-7, "C against -dF/dv");
  }
}

// F v = damping + applied - dV/dt.
inline void expect_power_balance(const System& system, Here here) {
  const Vector F = force(system, here);
  double virtual_power = 0.0;
  for (int i = 0; i < system.nv(); ++i) virtual_power += F[i] * here.v[i];
  const double loss = slope([&](double s) { return Vector{potential(system, moved(system, here, here.v, s))}; })[0];
  const Power power = system.power(here.point());
  EXPECT_NEAR(virtual_power, power.damping + power.applied - loss, 1e-7 * (1.0 + std::abs(virtual_power)));
}

inline JointSet joints(const System& system, Here here) {
  JointSet set;
  system.evaluate(here.point(), set);
  return set;
}

// U = G v + g_t over all rows.
inline Vector joint_velocities(const System& system, const Here& here) {
  const JointSet set = joints(system, here);
  Vector U(system.joint_rows());
  for (const Joint& joint : system.joints()) velocity(set, joint, here.v, U.data() + joint.first_row);
  return U;
}

inline Vector joint_forces(const System& system, const Here& here, const Vector& lambda) {
  const JointSet set = joints(system, here);
  Vector f(system.nv(), 0.0);
  for (const Joint& joint : system.joints()) add_impulse(set, joint, lambda.data() + joint.first_row, f);
  return f;
}

// G w + g_t, curvature and stiffness of every joint against differences of g, of G v + g_t and of G^T lambda.
inline void expect_joint_derivatives(const System& system, Here here) {
  const int n = system.nv(), rows = system.joint_rows();
  const auto on_the_way = [&](double s) {
    Here there = moved(system, here, here.v, s);
    there.t += s;
    return there;
  };
  Vector U = joint_velocities(system, here);
  for (const Joint& joint : system.joints())
    if (!joint.position) std::fill_n(U.begin() + joint.first_row, joint.row_count, 0.0);  // g is zero by definition
  expect_near(U, slope([&](double s) { return joints(system, on_the_way(s)).g; }), 1e-8, "G v + g_t");

  Vector curvature(rows);
  system.joint_curvature(here.point(), curvature);
  expect_near(curvature, slope([&](double s) { return joint_velocities(system, on_the_way(s)); }), 1e-8, "curvature");

  const Vector lambda = random_vector(rows, 1.0, 77), w = random_vector(n, 1.0, 78);
  Vector stiffness(n, 0.0);
  system.add_joint_stiffness(here.point(), lambda, w, stiffness);
  expect_near(stiffness, slope([&](double s) { return joint_forces(system, moved(system, here, w, s), lambda); }), 1e-8,
              "stiffness");
}

// Steps to t = until, and expects every one to be accepted.
inline State run(const System& system, double h, double until, const std::function<void(State&)>& before_step = {},
                 const MoreauJeanOptions& options = {}) {
  MoreauJean scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  while (x.t < until - 0.5 * h) {
    if (before_step) before_step(x);
    const StepReport report = scheme.step(x, h);
    EXPECT_EQ(report.status, StepStatus::ok) << to_string(report.status) << " at t = " << x.t;
    if (!report.ok()) break;
  }
  return x;
}

}  // namespace esc::testing
