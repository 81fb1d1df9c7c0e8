// Lagrange's equations on the tape against equations derived by hand.
#include <cmath>
#include <functional>
#include <stdexcept>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <escapement/ad/dual.hpp>
#include <escapement/ad/lagrange.hpp>

using namespace esc::ad;

namespace {

constexpr double g = 9.81;

// M and F by rows, and sq*K + sv*C, as the programs have them.
struct Result {
  std::vector<double> MF, A, energy;
};

Result evaluate_at(const LagrangePrograms& p, std::vector<double> in, double sq, double sv) {
  const auto run = [&](const Program& program) {
    std::vector<double> out(program.outputs), registers(program.registers, std::nan(""));
    program.run(in.data(), out.data(), registers.data());
    return out;
  };
  Result r;
  r.MF = run(p.dynamics);
  std::vector<double> separate = run(p.mass);
  const std::vector<double> force = run(p.force);
  separate.insert(separate.end(), force.begin(), force.end());
  EXPECT_EQ(separate, r.MF);
  r.energy = run(p.energy);
  in.push_back(sq);
  in.push_back(sv);
  r.A = run(p.tangent);
  return r;
}

void expect_equal(const std::vector<double>& computed, const std::vector<double>& expected) {
  ASSERT_EQ(computed.size(), expected.size());
  double scale = 0.0;
  for (double e : expected) scale = std::max(scale, std::abs(e));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(computed[k], expected[k], 1e-13 * scale) << "entry " << k;
}

// t, q, v at random, |q| <= 4, |v| <= 10.
std::vector<double> anywhere(int n) {
  std::vector<double> in{1e-6 * *rc::gen::inRange(0, 3000000)};
  for (int i = 0; i < n; ++i) in.push_back(1e-6 * *rc::gen::inRange(-4000000, 4000000));
  for (int i = 0; i < n; ++i) in.push_back(1e-6 * *rc::gen::inRange(-10000000, 10000000));
  return in;
}

// Runs the comparison at random points; `expected` gives M and F, then sq*K + sv*C for sq = 0.7, sv = 1.3.
void check(const LagrangePrograms& p, const std::function<Result(const double* in)>& expected) {
  EXPECT_TRUE(rc::check([&] {
    const std::vector<double> in = anywhere(p.n);
    const Result computed = evaluate_at(p, in, 0.7, 1.3), by_hand = expected(in.data());
    expect_equal(computed.MF, by_hand.MF);
    expect_equal(computed.A, by_hand.A);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

// sq*K + sv*C of a force written by hand, by dual numbers.
template <int n, class F>
std::vector<double> tangent_of(const F& force, const double* q, const double* v, double sq, double sv) {
  std::array<Dual<2 * n>, n> qd, vd, f;
  for (int i = 0; i < n; ++i) qd[i] = seed<2 * n>(q[i], i), vd[i] = seed<2 * n>(v[i], n + i);
  force(qd.data(), vd.data(), f.data());
  std::vector<double> A;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A.push_back(-sq * f[i].d[j] - sv * f[i].d[n + j]);
  return A;
}

TEST(AdLagrange, damped_pendulum) {
  constexpr double m = 0.4, l = 0.7, c = 0.03;
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    using std::sin, std::cos;
    const auto xd = l * cos(q[0]) * v[0], yd = l * sin(q[0]) * v[0];
    return 0.5 * m * (xd * xd + yd * yd);
  };
  const auto potential = [](const auto&, const auto* q) {
    using std::cos;
    return -m * g * l * cos(q[0]);
  };
  const auto damping = [](const auto&, const auto*, const auto* v, auto* Q) { Q[0] = -c * v[0]; };
  const LagrangePrograms p = lagrange(1, kinetic, potential, damping);
  EXPECT_TRUE(p.constant_mass);
  EXPECT_FALSE(p.linear);
  check(p, [](const double* in) {
    const double theta = in[1], w = in[2];
    return Result{{m * l * l, -m * g * l * std::sin(theta) - c * w}, {0.7 * m * g * l * std::cos(theta) + 1.3 * c}, {}};
  });
  const Result r = evaluate_at(p, {0.0, 0.3, 2.0}, 0.0, 0.0);
  EXPECT_NEAR(r.energy[0], 0.5 * m * l * l * 4.0, 1e-15);
  EXPECT_NEAR(r.energy[1], -m * g * l * std::cos(0.3), 1e-15);
}

constexpr double m1 = 0.8, m2 = 1.7, l1 = 0.9, l2 = 1.4;

TEST(AdLagrange, double_pendulum_absolute_angles) {
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    using std::sin, std::cos;
    const auto x1 = l1 * cos(q[0]) * v[0], y1 = l1 * sin(q[0]) * v[0];
    const auto x2 = x1 + l2 * cos(q[1]) * v[1], y2 = y1 + l2 * sin(q[1]) * v[1];
    return 0.5 * m1 * (x1 * x1 + y1 * y1) + 0.5 * m2 * (x2 * x2 + y2 * y2);
  };
  const auto potential = [](const auto&, const auto* q) {
    using std::cos;
    return -g * (m1 * l1 * cos(q[0]) + m2 * (l1 * cos(q[0]) + l2 * cos(q[1])));
  };
  const LagrangePrograms p = lagrange(2, kinetic, potential);
  EXPECT_FALSE(p.constant_mass);
  check(p, [](const double* in) {
    const double a = in[1], b = in[2], wa = in[3], wb = in[4], h = m2 * l1 * l2;
    const double S = h * std::sin(a - b), C = h * std::cos(a - b), Pa = (m1 + m2) * g * l1, Pb = m2 * g * l2;
    return Result{{(m1 + m2) * l1 * l1, C, C, m2 * l2 * l2,  //
                   -S * wb * wb - Pa * std::sin(a), S * wa * wa - Pb * std::sin(b)},
                  {0.7 * (C * wb * wb + Pa * std::cos(a)), -0.7 * C * wb * wb + 1.3 * 2 * S * wb,
                   -0.7 * C * wa * wa - 1.3 * 2 * S * wa, 0.7 * (C * wa * wa + Pb * std::cos(b))},
                  {}};
  });
}

TEST(AdLagrange, double_pendulum_relative_angles) {
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    using std::sin, std::cos;
    const auto x1 = l1 * cos(q[0]) * v[0], y1 = l1 * sin(q[0]) * v[0];
    const auto x2 = x1 + l2 * cos(q[0] + q[1]) * (v[0] + v[1]), y2 = y1 + l2 * sin(q[0] + q[1]) * (v[0] + v[1]);
    return 0.5 * m1 * (x1 * x1 + y1 * y1) + 0.5 * m2 * (x2 * x2 + y2 * y2);
  };
  const auto potential = [](const auto&, const auto* q) {
    using std::cos;
    return -g * ((m1 + m2) * l1 * cos(q[0]) + m2 * l2 * cos(q[0] + q[1]));
  };
  const auto force = [](const auto* q, const auto* v, auto* F) {
    using std::sin;
    const auto S = m2 * l1 * l2 * sin(q[1]), weight = m2 * g * l2 * sin(q[0] + q[1]);
    F[0] = S * (2 * v[0] * v[1] + v[1] * v[1]) - (m1 + m2) * g * l1 * sin(q[0]) - weight;
    F[1] = -S * v[0] * v[0] - weight;
  };
  check(lagrange(2, kinetic, potential), [&](const double* in) {
    const double C = m2 * l1 * l2 * std::cos(in[2]), I = m2 * l2 * l2;
    Result r{
        {(m1 + m2) * l1 * l1 + I + 2 * C, I + C, I + C, I, 0, 0}, tangent_of<2>(force, in + 1, in + 3, 0.7, 1.3), {}};
    force(in + 1, in + 3, r.MF.data() + 4);
    return r;
  });
}

// Crank, rod and slider; the slider turns freely, its position follows from the angles.
TEST(AdLagrange, slider_crank) {
  constexpr double a1 = 0.153, a2 = 0.306, mc = 0.038, mr = 0.038, ms = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    using std::sin, std::cos;
    const auto x1 = -a1 / 2 * sin(q[0]) * v[0], y1 = a1 / 2 * cos(q[0]) * v[0];
    const auto x2 = -a1 * sin(q[0]) * v[0] - a2 / 2 * sin(q[1]) * v[1];
    const auto y2 = a1 * cos(q[0]) * v[0] + a2 / 2 * cos(q[1]) * v[1];
    const auto x3 = -a1 * sin(q[0]) * v[0] - a2 * sin(q[1]) * v[1];
    const auto y3 = a1 * cos(q[0]) * v[0] + a2 * cos(q[1]) * v[1];
    return 0.5 * mc * (x1 * x1 + y1 * y1) + 0.5 * mr * (x2 * x2 + y2 * y2) + 0.5 * ms * (x3 * x3 + y3 * y3) +
           0.5 * J1 * v[0] * v[0] + 0.5 * J2 * v[1] * v[1] + 0.5 * J3 * v[2] * v[2];
  };
  const auto potential = [](const auto&, const auto* q) {
    using std::sin;
    const auto y1 = a1 / 2 * sin(q[0]), y2 = a1 * sin(q[0]) + a2 / 2 * sin(q[1]), y3 = a1 * sin(q[0]) + a2 * sin(q[1]);
    return g * (mc * y1 + mr * y2 + ms * y3);
  };
  const LagrangePrograms p = lagrange(3, kinetic, potential);
  check(p, [](const double* in) {
    constexpr double A = J1 + a1 * a1 * (mc / 4 + mr + ms), B = J2 + a2 * a2 * (mr / 4 + ms),
                     H = a1 * a2 * (mr / 2 + ms);
    constexpr double P = g * a1 * (mc / 2 + mr + ms), Q = g * a2 * (mr / 2 + ms);
    const double w1 = in[4], w2 = in[5], C = H * std::cos(in[1] - in[2]), S = H * std::sin(in[1] - in[2]);
    return Result{
        {A, C, 0, C, B, 0, 0, 0, J3, -S * w2 * w2 - P * std::cos(in[1]), S * w1 * w1 - Q * std::cos(in[2]), 0},
        {0.7 * (C * w2 * w2 - P * std::sin(in[1])), -0.7 * C * w2 * w2 + 1.3 * 2 * S * w2, 0,
         -0.7 * C * w1 * w1 - 1.3 * 2 * S * w1, 0.7 * (C * w1 * w1 - Q * std::sin(in[2])), 0, 0, 0, 0},
        {}};
  });
  // sin^2 + cos^2 = 1 was used: what is left is about as long as the equations by hand.
  EXPECT_LE(p.dynamics.code.size(), 10u);
  EXPECT_LE(p.tangent.code.size(), 20u);
}

TEST(AdLagrange, polar_coordinates_from_cartesian_velocities) {
  constexpr double m = 1.3;
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    using std::sin, std::cos, std::hypot;
    return 0.5 * m *
           pow(hypot(v[0] * cos(q[1]) - q[0] * sin(q[1]) * v[1], v[0] * sin(q[1]) + q[0] * cos(q[1]) * v[1]), 2);
  };
  const auto force = [](const auto* q, const auto* v, auto* F) {
    F[0] = m * q[0] * v[1] * v[1];
    F[1] = -2 * m * q[0] * v[0] * v[1];
  };
  check(lagrange(2, kinetic, [](const auto&, const auto*) { return Expr(0.0); }), [&](const double* in) {
    Result r{{m, 0, 0, m * in[1] * in[1], 0, 0}, tangent_of<2>(force, in + 1, in + 3, 0.7, 1.3), {}};
    force(in + 1, in + 3, r.MF.data() + 4);
    return r;
  });
}

// A pendulum whose pivot is moved as a*sin(W t): the force m a W^2 sin(W t) l cos(theta) comes from T_vt.
TEST(AdLagrange, moving_pivot) {
  constexpr double m = 0.5, l = 1.2, a = 0.1, W = 7.0;
  const auto kinetic = [](const auto& t, const auto* q, const auto* v) {
    using std::sin, std::cos;
    const auto xd = a * W * cos(W * t) + l * cos(q[0]) * v[0], yd = l * sin(q[0]) * v[0];
    return 0.5 * m * (xd * xd + yd * yd);
  };
  const auto potential = [](const auto&, const auto* q) { return -m * g * l * cos(q[0]); };
  check(lagrange(1, kinetic, potential), [](const double* in) {
    const double push = m * a * W * W * std::sin(W * in[0]) * l;
    return Result{{m * l * l, push * std::cos(in[1]) - m * g * l * std::sin(in[1])},
                  {0.7 * (push * std::sin(in[1]) + m * g * l * std::cos(in[1]))},
                  {}};
  });
}

TEST(AdLagrange, springs_and_dampers_are_linear) {
  constexpr double m = 2.0, k = 30.0, c = 0.4, l0 = 0.1;
  const auto kinetic = [](const auto&, const auto*, const auto* v) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); };
  const auto potential = [](const auto&, const auto* q) { return 0.5 * k * (pow(q[0], 2) + pow(q[1] - q[0] - l0, 2)); };
  const auto damping = [](const auto& t, const auto*, const auto* v, auto* Q) { Q[1] = sin(t) - c * v[1]; };
  const LagrangePrograms p = lagrange(2, kinetic, potential, damping);
  EXPECT_TRUE(p.constant_mass);
  EXPECT_TRUE(p.linear);
  check(p, [](const double* in) {
    const double pull = k * (in[2] - in[1] - l0);
    return Result{{m, 0, 0, m, pull - k * in[1], std::sin(in[0]) - c * in[4] - pull},
                  {0.7 * 2 * k, -0.7 * k, -0.7 * k, 0.7 * k + 1.3 * c},
                  {}};
  });
}

// (q - 1000)^2 is not multiplied out: near 1000 that would lose half the digits and more.
TEST(AdLagrange, differences_stay_closed) {
  const auto kinetic = [](const auto&, const auto* q, const auto* v) {
    const auto r = q[0] - 1000.0, xd = r * cos(q[1]) * v[1], yd = r * sin(q[1]) * v[1];
    return 0.5 * (xd * xd + yd * yd) + 0.5 * v[0] * v[0];
  };
  const auto potential = [](const auto&, const auto* q) { return 0.25 * pow(q[0] - 1000.0, 4); };
  const double r = std::ldexp(1.0, -12);
  const Result result = evaluate_at(lagrange(2, kinetic, potential), {0.0, 1000.0 + r, 0.4, 0.0, 0.0}, 1.0, 0.0);
  EXPECT_NEAR(result.MF[3], r * r, 1e-15 * r * r);
  EXPECT_NEAR(result.MF[4], -r * r * r, 1e-15 * r * r * r);
  EXPECT_NEAR(result.A[0], 3 * r * r, 1e-15 * r * r);
}

TEST(AdLagrange, inputs_u_follow_the_velocities) {
  LagrangeRecording r(1, 2);
  r.kinetic = 0.5 * 3.0 * r.v[0] * r.v[0];
  r.potential = r.u[1] * r.q[0];
  r.force[0] = r.u[0] * r.v[0];
  const Result result = evaluate_at(lagrange(r), {0.0, 5.0, 7.0, 11.0, 13.0}, 1.0, 1.0);
  expect_equal(result.MF, {3.0, 11.0 * 7.0 - 13.0});
  expect_equal(result.A, {-11.0});
}

TEST(AdLagrange, free_particle_needs_no_code) {
  const auto kinetic = [](const auto&, const auto*, const auto* v) { return 0.5 * v[0] * v[0]; };
  const LagrangePrograms p = lagrange(1, kinetic, [](const auto&, const auto*) { return 0.0; });
  EXPECT_TRUE(p.linear);
  EXPECT_TRUE(p.dynamics.code.empty() && p.tangent.code.empty());
  expect_equal(evaluate_at(p, {0.0, 1.0, 2.0}, 1.0, 1.0).MF, {1.0, 0.0});
}

TEST(AdLagrange, refuses_what_is_no_lagrangian) {
  const auto record = [](auto kinetic, auto potential) {
    LagrangeRecording r(1, 1);
    r.kinetic = kinetic(r);
    r.potential = potential(r);
    return lagrange(r);
  };
  const auto zero = [](auto&) { return Expr(0.0); };
  EXPECT_THROW(record([](auto& r) { return pow(r.v[0], 4); }, zero), std::invalid_argument);
  EXPECT_THROW(record([](auto& r) { return r.u[0] * r.v[0] * r.v[0]; }, zero), std::invalid_argument);
  EXPECT_THROW(record([](auto& r) { return r.v[0] * r.v[0]; }, [](auto& r) { return r.v[0] * r.q[0]; }),
               std::invalid_argument);
  EXPECT_THROW(LagrangeRecording(0), std::invalid_argument);
}

}  // namespace
