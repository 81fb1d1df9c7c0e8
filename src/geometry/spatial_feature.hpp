// What a pair of shapes in space tells about one contact, and the constructions that the pairs share.
//
// A pair is a plain struct with a number of features. feature(k, A, B) is a smooth function of the two poses (S is
// double or a dual number) and k always means the same two features of the shapes: a face, an edge, a rim. Away from
// the region where feature k holds the nearest points it continues smoothly (a face as its plane, an edge as its line),
// so that a step may keep its features while bodies move. Which features hold is the matter of near().
#pragma once

#include <escapement/models/pose.hpp>

namespace esc::spatial {

template <class S>
struct Feature {
  S gap;            // distance of a and b along n: b = a - gap n
  Vec3<S> a, b, n;  // nearest points of A and B; n is a unit vector from B to A: the gap grows at n . (v_a - v_b)
};

// Calls visit(k), k ascending, for the features that hold at these poses: at least all of those with gap <= reach. A
// pair without a method of this name has features that always hold.
template <class Pair, class Visit>
void near(const Pair& pair, const Pose<double>& A, const Pose<double>& B, double reach, Visit visit) {
  if constexpr (requires { pair.near(A, B, reach, visit); }) {
    pair.near(A, B, reach, visit);
  } else {
    for (int k = 0; k < Pair::features; ++k) visit(k);
  }
}

// A point in the axes of the world, and in those of a frame.
template <class S, class T>
auto in_world(const Pose<S>& frame, const Vec3<T>& x) {
  return frame.p + frame.R * x;
}
template <class S, class T>
auto in_frame(const Pose<S>& frame, const Vec3<T>& x) {
  return to_frame(frame.R, x - frame.p);
}

// x without its part along the unit vector u.
template <class S>
Vec3<S> across(const Vec3<S>& x, const Vec3<S>& u) {
  return x - dot(x, u) * u;
}

// The end of an axis of half-length h: end 0 at -h, end 1 at +h.
constexpr double sign_of_end(int end) { return end == 0 ? -1.0 : 1.0; }

template <class S>
Vec3<S> axis_end(const Pose<S>& frame, double half_length, int end) {
  return frame.p + (sign_of_end(end) * half_length) * frame.R.z;
}

// A ball of A above the plane through `origin` with unit normal n.
template <class S>
Feature<S> ball_plane(const Vec3<S>& centre, double radius, const Vec3<S>& origin, const Vec3<S>& n) {
  const S gap = dot(n, centre - origin) - radius;
  const Vec3<S> a = centre - radius * n;
  return {gap, a, a - gap * n, n};
}

// Two balls, or whatever lies around the two centres. NaN if the centres are one point.
template <class S>
Feature<S> ball_ball(const Vec3<S>& a, double radius_a, const Vec3<S>& b, double radius_b) {
  const Vec3<S> d = a - b;
  const S distance = norm(d);
  const Vec3<S> n = (1.0 / distance) * d;
  return {distance - (radius_a + radius_b), a - radius_a * n, b + radius_b * n, n};
}

}  // namespace esc::spatial
