// Unit quaternions (w, x, y, z) for the starts of the examples in space.
#pragma once

#include <array>
#include <cmath>

#include <escapement/models/pose.hpp>

namespace esc::examples {

using Quaternion = std::array<double, 4>;

// By an angle (rad) about an axis of any length.
inline Quaternion turn(const std::array<double, 3>& axis, double angle) {
  const double s = std::sin(0.5 * angle) / std::hypot(axis[0], axis[1], axis[2]);
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

// First b, then a.
inline Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline std::array<double, 3> components(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

}  // namespace esc::examples
