// A tangent to a given normal.
#pragma once

#include <cmath>

#include <escapement/ad/dual.hpp>
#include <escapement/models/pose.hpp>

namespace esc::spatial {

// A unit vector across the unit vector n, by the axis of the world that n leans least to: smooth, save where two of
// |n_x|, |n_y|, |n_z| are equal and least. The second tangent is cross(n, t).
template <class S>
Vec3<S> tangent_of(const Vec3<S>& n) {
  const double x = std::abs(ad::value(n.x)), y = std::abs(ad::value(n.y)), z = std::abs(ad::value(n.z));
  Vec3<S> t;
  if (x <= y && x <= z) {
    t = {S(0.0), -n.z, n.y};
  } else if (y <= z) {
    t = {n.z, S(0.0), -n.x};
  } else {
    t = {-n.y, n.x, S(0.0)};
  }
  return (1.0 / norm(t)) * t;
}

}  // namespace esc::spatial
