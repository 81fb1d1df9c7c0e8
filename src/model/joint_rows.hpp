// The rows that joints are made of. Each is a function of two frames A and B and knows its derivative: the force n on B
// (and -n on A, each at the origin of its frame) and the moments m_a, m_b that a unit multiplier exerts.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include <escapement/models/anchor.hpp>

namespace esc {

enum class RowKind : std::uint8_t {
  slide,     // a_i . (p_b - p_a)
  axes,      // a_i . b_j
  distance,  // |p_b - p_a|
  angle,     // of b_x about a_z, from a_x
  screw,     // slide along a_z less lead / (2 pi) times the angle, to the nearest turn
};

struct JointRow {
  RowKind kind = RowKind::slide;
  std::uint8_t i = 0, j = 0;  // axes of A and B
  double offset = 0.0;        // subtracted from the value; screw: the lead
};

template <class S>
struct Wrench {
  Vec3<S> n, m_a, m_b;
};

// The value of a number without its derivatives.
inline double plain(double value) { return value; }
template <int N, class S>
double plain(const ad::Dual<N, S>& value) {
  return plain(value.value);
}

template <class S>
const Vec3<S>& axis(const Rotation<S>& R, int i) {
  return i == 0 ? R.x : i == 1 ? R.y : R.z;
}

template <class S>
S row_value(const JointRow& row, const Pose<S>& A, const Pose<S>& B) {
  using std::atan2;
  switch (row.kind) {
    case RowKind::slide:
      return dot(axis(A.R, row.i), B.p - A.p) - row.offset;
    case RowKind::axes:
      return dot(axis(A.R, row.i), axis(B.R, row.j)) - row.offset;
    case RowKind::distance:
      return norm(B.p - A.p) - row.offset;
    case RowKind::angle:
      return atan2(dot(A.R.y, B.R.x), dot(A.R.x, B.R.x)) - row.offset;
    case RowKind::screw: {
      const S value = row_value<S>({RowKind::slide, 2, 0, 0.0}, A, B) -
                      row.offset / (2.0 * std::numbers::pi) * row_value<S>({RowKind::angle, 2, 0, 0.0}, A, B);
      return value - row.offset * std::round(plain(value) / row.offset);
    }
  }
  return S(0.0);
}

template <class S>
Wrench<S> row_wrench(const JointRow& row, const Pose<S>& A, const Pose<S>& B) {
  const Vec3<S> zero{S(0.0), S(0.0), S(0.0)};
  switch (row.kind) {
    case RowKind::slide: {
      const Vec3<S>& a = axis(A.R, row.i);
      return {a, cross(a, B.p - A.p), zero};
    }
    case RowKind::axes: {
      const Vec3<S> m = cross(axis(A.R, row.i), axis(B.R, row.j));
      return {zero, m, -m};
    }
    case RowKind::distance: {
      const Vec3<S> d = B.p - A.p;
      return {(1.0 / norm(d)) * d, zero, zero};
    }
    case RowKind::angle: {
      const S c = dot(A.R.x, B.R.x), s = dot(A.R.y, B.R.x);
      const Vec3<S> m = (1.0 / (c * c + s * s)) * (c * cross(B.R.x, A.R.y) - s * cross(B.R.x, A.R.x));
      return {zero, -m, m};
    }
    case RowKind::screw: {
      const auto slide = row_wrench<S>({RowKind::slide, 2, 0, 0.0}, A, B);
      const auto angle = row_wrench<S>({RowKind::angle, 2, 0, 0.0}, A, B);
      const double c = row.offset / (2.0 * std::numbers::pi);
      return {slide.n, slide.m_a - c * angle.m_a, -(c * angle.m_b)};
    }
  }
  return {zero, zero, zero};
}

// One row of G over the columns of A, then B.
template <class S>
S* write_row(const Wrench<S>& w, const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B, S* out) {
  out = write_columns(a, A.body, A.frame.p, -w.n, w.m_a, out);
  return write_columns(b, B.body, B.frame.p, w.n, w.m_b, out);
}

}  // namespace esc
