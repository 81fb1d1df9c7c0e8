// Unit quaternions (w, x, y, z) and rotation vectors: the exponential, its inverse, and the product.
#pragma once

#include <array>
#include <cmath>

namespace esc {

using Quaternion = std::array<double, 4>;

inline Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline Quaternion conjugate(const Quaternion& a) { return {a[0], -a[1], -a[2], -a[3]}; }

// exp(w~): the rotation about w by |w|.
inline Quaternion quaternion_exp(double x, double y, double z) {
  const double a2 = 0.25 * (x * x + y * y + z * z);  // square of the half angle
  double s = 0.0, c = 0.0;                           // sin(a) / (2 a), cos(a)
  if (a2 < 1e-3) {                                   // the next terms are below 1e-18
    s = 0.5 * (1.0 - a2 / 6.0 * (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0 * (1.0 - a2 / 72.0))));
    c = 1.0 - a2 / 2.0 * (1.0 - a2 / 12.0 * (1.0 - a2 / 30.0 * (1.0 - a2 / 56.0 * (1.0 - a2 / 90.0))));
  } else {
    const double a = std::sqrt(a2);
    s = 0.5 * std::sin(a) / a;
    c = std::cos(a);
  }
  return {c, s * x, s * y, s * z};
}

// The shortest w with exp(w~) = q, |w| <= pi.
inline std::array<double, 3> quaternion_log(const Quaternion& q) {
  const double sign = q[0] < 0.0 ? -1.0 : 1.0;
  const double s2 = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const double w = sign * q[0];
  double scale = 0.0;  // 2 a / sin(a)
  if (s2 < 1e-6) {     // a / sin(a) = 1 + s^2/6 + 3 s^4/40 + ..., the next term below 1e-19
    scale = 2.0 * (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (15.0 / 336.0))));
  } else {
    const double s = std::sqrt(s2);
    scale = 2.0 * std::atan2(s, w) / s;
  }
  return {sign * scale * q[1], sign * scale * q[2], sign * scale * q[3]};
}

// Back to norm one; a Newton step of 1/sqrt is exact to round-off for the small defects that products leave.
inline Quaternion normalized(const Quaternion& q) {
  const double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const double s = std::abs(n2 - 1.0) < 1e-7 ? 0.5 * (3.0 - n2) : 1.0 / std::sqrt(n2);
  return {s * q[0], s * q[1], s * q[2], s * q[3]};
}

}  // namespace esc
