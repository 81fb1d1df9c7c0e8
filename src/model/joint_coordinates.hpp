// The coordinate of a joint (an angle or a slide, as a row of joint_rows.hpp) in springs, motors, gears and limits.
#pragma once

#include <cmath>
#include <numbers>

#include "src/model/joint_rows.hpp"

namespace esc {

constexpr double full_turn = 2.0 * std::numbers::pi;

// After how much the coordinate comes back to the same pose; 0: never.
inline double period_of(const JointRow& row) { return row.kind == RowKind::angle ? full_turn : 0.0; }

// x less whole periods, in (-period / 2, period / 2].
template <class S>
S nearest(const S& x, double period) {
  if (period == 0.0) return x;
  return x - period * std::ceil(plain(x) / period - 0.5);
}

// Angles that are whole turns apart are one pose. Between planar bodies and ground the coordinates phi tell them apart:
// the angle is start + sense (phi_b - phi_a). In space nothing does: sense is 0.
struct TurnCount {
  double sense = 0.0, start = 0.0;

  bool known() const { return sense != 0.0; }
  // That of the angles s + whole turns which phi tells, or if it does not, the one nearest to `middle`.
  double among_turns(double s, double middle, const Anchor& a, const Anchor& b, const double* q) const {
    const auto phi = [q](const Anchor& anchor) { return anchor.kind == BodyKind::planar ? q[anchor.q0 + 2] : 0.0; };
    const double near = known() ? start + sense * (phi(b) - phi(a)) : middle;
    return near + nearest(s - near, full_turn);
  }
};

inline TurnCount count_turns(const JointRow& row, const Anchor& a, const Anchor& b) {
  const double along_z = a.R.z.z;
  if (row.kind != RowKind::angle || a.kind == BodyKind::rigid || b.kind == BodyKind::rigid || std::abs(along_z) < 0.5)
    return {};
  return {std::copysign(1.0, along_z), row_value(row, Pose<double>{{}, a.R}, Pose<double>{{}, b.R})};
}

template <class S>
Wrench<S> scaled(double factor, const Wrench<S>& w) {
  return {factor * w.n, factor * w.m_a, factor * w.m_b};
}

// The rate of the coordinate at the velocities v: its row times v.
template <class S>
S row_rate(const Wrench<S>& w, const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B,
           const double* v) {
  return rate_of(a, A.body, A.frame.p, -w.n, w.m_a, v) + rate_of(b, B.body, B.frame.p, w.n, w.m_b, v);
}

}  // namespace esc
