// Moreau-Jean, direct projected and combined scheme, theta = 1/2, written out for a slider-crank whose slider does not
// tilt, without a solver: crank and rod, one contact of normal impulse P = P1 + P2 on the wall y = +-c and friction T,
// solved by hand, everything by fixed-point iteration.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <escapement/promise.hpp>

#include "examples/slider_crank.hpp"

namespace esc::test {

class TwoAngles {
 public:
  // none: Moreau-Jean; complementary: direct projection; both activate where gap_k <= tolerance.
  explicit TwoAngles(Projection projection, double tolerance = 0.0) : projection_(projection), tolerance_(tolerance) {}

  double revolutions(double h, int steps) {
    for (int k = 0; k < steps; ++k) step(h);
    return q_[0] / (2.0 * std::numbers::pi);
  }

 private:
  using Pair = std::array<double, 2>;
  struct Step {
    Pair q, v;
    double P = 0.0;
  };

  static double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
  Pair rows_y(const Pair& q) const { return {d_.l1 * std::cos(q[0]), d_.l2 * std::cos(q[1])}; }
  Pair rows_x(const Pair& q) const { return {-d_.l1 * std::sin(q[0]), -d_.l2 * std::sin(q[1])}; }
  Pair normal(double side, const Pair& q) const { return {-side * rows_y(q)[0], -side * rows_y(q)[1]}; }

  // Of the wall on the side +1 or -1.
  double gap(double side, const Pair& q) const {
    return d_.c - side * (d_.l1 * std::sin(q[0]) + d_.l2 * std::sin(q[1]));
  }
  double closed_side(const Pair& q, double tolerance) const {  // 0: none
    return gap(1.0, q) <= tolerance ? 1.0 : gap(-1.0, q) <= tolerance ? -1.0 : 0.0;
  }

  void step(double h) {
    Step next = iterate(h, projection_ == Projection::combined ? 0.0 : closed_side(q_, tolerance_));
    if (projection_ == Projection::combined)
      if (const double side = closed_side(next.q, 0.0); side != 0.0) next = iterate(h, side);
    q_ = next.q;
    v_ = next.v;
  }

  // One step with the wall on this side active, 0: none.
  Step iterate(double h, double side) const {
    const double rebound = d_.e * dot(normal(side, q_), v_);  // e U_k
    Step n{.q = q_, .v = v_};
    double change = 1.0;
    for (int k = 0; change > 1e-12 && k < 100; ++k) {
      const Step before = n;
      for (int i = 0; i < 2; ++i) n.q[i] = q_[i] + 0.5 * h * (v_[i] + n.v[i]);
      project(side, before, n);
      move(h, side, rebound, n);
      change = 0.0;
      for (int i = 0; i < 2; ++i)
        change = std::max({change, std::abs(n.v[i] - before.v[i]), 1e2 * std::abs(n.q[i] - before.q[i])});
    }
    EXPECT_LE(change, 1e-12);
    return n;
  }

  // n.q += N tau with the gap linearised at the iterate before.
  void project(double active, const Step& before, Step& n) const {
    if (projection_ == Projection::none) return;
    const double side = active != 0.0 ? active : projection_ == Projection::combined ? 0.0 : closed_side(n.q, 0.0);
    if (side == 0.0) return;
    const bool held = projection_ == Projection::combined && n.P > 0.0;
    const Pair N = normal(side, before.q);
    double at_n = gap(side, before.q);
    for (int i = 0; i < 2; ++i) at_n += N[i] * (n.q[i] - before.q[i]);
    const double tau = -at_n / dot(N, N);
    if (!held && tau <= 0.0) return;
    for (int i = 0; i < 2; ++i) n.q[i] += N[i] * tau;
  }

  // n.v and n.P from M and F at the middle of q_k and n.q.
  void move(double h, double side, double rebound, Step& n) const {
    const Pair middle{0.5 * (q_[0] + n.q[0]), 0.5 * (q_[1] + n.q[1])};
    const Pair u{0.5 * (v_[0] + n.v[0]), 0.5 * (v_[1] + n.v[1])};
    const double A = d_.J1 + (0.25 * d_.m1 + d_.m2 + d_.m3) * d_.l1 * d_.l1;
    const double B = d_.J2 + (0.25 * d_.m2 + d_.m3) * d_.l2 * d_.l2;
    const double H = (0.5 * d_.m2 + d_.m3) * d_.l1 * d_.l2;
    const double C = H * std::cos(middle[0] - middle[1]), S = H * std::sin(middle[0] - middle[1]);
    const auto solve = [&](const Pair& f) {
      const double det = A * B - C * C;
      return Pair{(B * f[0] - C * f[1]) / det, (A * f[1] - C * f[0]) / det};
    };
    const Pair push =
        solve({h * (-S * u[1] * u[1] - d_.g * (0.5 * d_.m1 + d_.m2 + d_.m3) * d_.l1 * std::cos(middle[0])),
               h * (S * u[0] * u[0] - d_.g * (0.5 * d_.m2 + d_.m3) * d_.l2 * std::cos(middle[1]))});
    const Pair free{v_[0] + push[0], v_[1] + push[1]};
    n.v = free;
    n.P = 0.0;
    if (side == 0.0) return;

    const Pair N = normal(side, n.q), T = rows_x(n.q);
    const double b = dot(N, free) + rebound;
    if (b >= 0.0) return;
    for (const double direction : {1.0, -1.0}) {  // of the slip
      const Pair response = solve({N[0] - direction * d_.mu * T[0], N[1] - direction * d_.mu * T[1]});
      n.P = -b / dot(N, response);
      n.v = {free[0] + n.P * response[0], free[1] + n.P * response[1]};
      if (direction * dot(T, n.v) > 0.0) return;
    }
    ADD_FAILURE() << "the slider sticks: the hand solution does not cover that";
  }

  Projection projection_;
  double tolerance_;
  examples::SliderCrank d_;
  Pair q_{d_.angles[0], d_.angles[1]}, v_{d_.rates[0], d_.rates[1]};
};

}  // namespace esc::test
