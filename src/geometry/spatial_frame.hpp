// A tangent to a given normal.
#pragma once

#include <cmath>

#include <escapement/ad/dual.hpp>
#include <escapement/models/pose.hpp>

namespace esc::spatial {

// A unit vector across the unit vector n: n x a for a fixed direction a that no usual normal is near, and another one
// where it is. Smooth, save on the circle n . a = 0.93; normals along the axes of the world, which scenes are full of,
// are far from it, so that round-off cannot turn the frame from one evaluation to the next. The second tangent is
// cross(n, t).
template <class S>
Vec3<S> tangent_of(const Vec3<S>& n) {
  constexpr Vec3<double> a{0.36, 0.48, 0.8}, other{-0.8, 0.36, 0.48};
  const double lean = ad::value(n.x) * a.x + ad::value(n.y) * a.y + ad::value(n.z) * a.z;
  const Vec3<S> t = cross(n, std::abs(lean) < 0.93 ? a : other);
  return (1.0 / norm(t)) * t;
}

}  // namespace esc::spatial
