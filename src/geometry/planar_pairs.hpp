// Closed-form planar pairs. A pair is a plain struct with a number of features; a feature gives the gap, the two
// nearest points and the normal from B to A, as smooth functions of the two poses (S is double or a dual number).
#pragma once

#include <cmath>

#include <escapement/ad/dual.hpp>

namespace esc::planar {

template <class S>
struct Vec {
  S x, y;
};

template <class S>
Vec<S> operator+(const Vec<S>& a, const Vec<S>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class S>
Vec<S> operator-(const Vec<S>& a, const Vec<S>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class S>
Vec<S> operator*(const S& s, const Vec<S>& a) {
  return {s * a.x, s * a.y};
}
template <class S>
S dot(const Vec<S>& a, const Vec<S>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class S>
S cross(const Vec<S>& a, const Vec<S>& b) {
  return a.x * b.y - a.y * b.x;
}

// The frame of a shape in the world: origin, and cosine and sine of its angle.
template <class S>
struct Pose {
  Vec<S> p;
  S c, s;
};

template <class S>
struct Feature {
  S gap;
  Vec<S> a, b;  // nearest points of A and B
  Vec<S> n;     // unit, from B to A: the gap grows at n . (v_a - v_b)
};

// A disc (a vertex has radius 0) above a half-plane.
struct DiscLine {
  static constexpr int features = 1;
  double radius = 0.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    const Vec<S> n{-B.s, B.c};
    const S d = dot(n, A.p - B.p);
    return {d - radius, A.p - S(radius) * n, A.p - d * n, n};
  }
};

// Two discs. The normal of concentric discs is undefined: NaN, which stops the step.
struct DiscDisc {
  static constexpr int features = 1;
  double radius_a = 0.0, radius_b = 0.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    using std::sqrt;
    const Vec<S> d = A.p - B.p;
    const S distance = sqrt(dot(d, d));
    const Vec<S> n{d.x / distance, d.y / distance};
    return {distance - (radius_a + radius_b), A.p - S(radius_a) * n, B.p + S(radius_b) * n, n};
  }
};

// A disc (a vertex has radius 0) inside the hole of a ring. In the middle of a hole with clearance nothing can touch,
// and one fixed direction serves; a disc that fills the hole gives NaN there, which stops the step.
struct DiscRing {
  static constexpr int features = 1;
  double radius = 0.0, hole = 1.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    using std::sqrt;
    const Vec<S> d = A.p - B.p;
    if (ad::value(dot(d, d)) <= 1e-20 * hole * hole && hole > radius) {
      const Vec<S> n{-B.c, -B.s};
      return {S(hole - radius) + dot(n, d), A.p - S(radius) * n, B.p - S(hole) * n, n};
    }
    const S distance = sqrt(dot(d, d));
    const Vec<S> n{-(d.x / distance), -(d.y / distance)};
    return {(hole - radius) - distance, A.p - S(radius) * n, B.p - S(hole) * n, n};
  }
};

// The corners of a rectangle above a half-plane, counter-clockwise from the lower left one.
struct RectangleLine {
  static constexpr int features = 4;
  double half_length = 0.5, half_height = 0.5;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const double x = index == 1 || index == 2 ? half_length : -half_length;
    const double y = index >= 2 ? half_height : -half_height;
    const Vec<S> corner{A.p.x + (A.c * x - A.s * y), A.p.y + (A.s * x + A.c * y)};
    const Vec<S> n{-B.s, B.c};
    const S gap = dot(n, corner - B.p);
    return {gap, corner, corner - gap * n, n};
  }
};

}  // namespace esc::planar
