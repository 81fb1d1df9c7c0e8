// Pairs of round shapes: spheres (a vertex has radius 0) and capsules (a segment along z with a radius), and the plane.
// The half-space is solid below the xy plane of its frame.
#pragma once

#include <cmath>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

struct SpherePlane {
  static constexpr int features = 1;
  double radius = 0.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    return ball_plane(A.p, radius, B.p, B.R.z);
  }
};

// The normal of concentric spheres is undefined: NaN, which stops the step.
struct SphereSphere {
  static constexpr int features = 1;
  double radius_a = 0.0, radius_b = 0.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    return ball_ball(A.p, radius_a, B.p, radius_b);
  }
};

// The balls at the ends: feature 0 at -half_length, 1 at +half_length.
struct CapsulePlane {
  static constexpr int features = 2;
  double radius = 0.0, half_length = 1.0;
  template <class S>
  Feature<S> feature(int end, const Pose<S>& A, const Pose<S>& B) const {
    return ball_plane(axis_end(A, half_length, end), radius, B.p, B.R.z);
  }
};

// A ball of A and the line of a capsule B.
template <class S>
Feature<S> ball_line(const Vec3<S>& centre, double radius_a, const Pose<S>& B, double radius_b) {
  return ball_ball(centre, radius_a, B.p + dot(B.R.z, centre - B.p) * B.R.z, radius_b);
}

// Feature 0: the shaft of the capsule B; 1, 2: its ends at -half_length and +half_length.
struct SphereCapsule {
  static constexpr int features = 3;
  double radius_a = 0.0, radius_b = 0.0, half_length = 1.0;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    if (index == 0) return ball_line(A.p, radius_a, B, radius_b);
    return ball_ball(A.p, radius_a, axis_end(B, half_length, index - 1), radius_b);
  }
  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    const double foot = dot(B.R.z, A.p - B.p);
    visit(std::abs(foot) <= half_length ? 0 : foot < 0.0 ? 1 : 2);
  }
};

// Two capsules.
//   feature 0      shaft and shaft
//   features 1, 2  the ends of A and the shaft of B;  3, 4  the ends of B and the shaft of A
//   features 5..8  end i of A and end j of B, at 5 + 2 i + j
// A ball at an end is a part of its capsule, so 1 to 4 are true conditions wherever the ball stands beside the other
// shaft, and they hold together: capsules side by side touch at both ends of their overlap, without a decision on
// whether they are parallel. Feature 0 joins them while the axes cross; below an angle of 1e-4 its contact point is no
// longer well defined, and left out it hides a penetration of at most l^2 1e-8 / (2 (radius_a + radius_b)), where l is
// half the overlap.
struct CapsuleCapsule {
  static constexpr int features = 9;
  static constexpr double parallel = 1e-4;  // sine of the angle of the axes
  double radius_a = 0.0, half_a = 1.0, radius_b = 0.0, half_b = 1.0;

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    if (index == 0) {
      const auto c = crossing(A, B);
      return ball_ball(A.p + c.s * A.R.z, radius_a, B.p + c.t * B.R.z, radius_b);
    }
    if (index <= 2) return ball_line(axis_end(A, half_a, index - 1), radius_a, B, radius_b);
    if (index <= 4) {
      Feature<S> f = ball_line(axis_end(B, half_b, index - 3), radius_b, A, radius_a);
      return {f.gap, f.b, f.a, -f.n};
    }
    const int end_a = (index - 5) / 2, end_b = (index - 5) % 2;
    return ball_ball(axis_end(A, half_a, end_a), radius_a, axis_end(B, half_b, end_b), radius_b);
  }

  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    double foot_a[2], foot_b[2];  // of the ends of A on the axis of B, and of the ends of B on that of A
    for (int end = 0; end < 2; ++end) {
      foot_a[end] = dot(B.R.z, axis_end(A, half_a, end) - B.p);
      foot_b[end] = dot(A.R.z, axis_end(B, half_b, end) - A.p);
    }

    const auto c = crossing(A, B);
    if (c.sine2 > parallel * parallel && std::abs(c.s) < half_a && std::abs(c.t) < half_b) visit(0);
    for (int end = 0; end < 2; ++end)
      if (std::abs(foot_a[end]) <= half_b) visit(1 + end);
    for (int end = 0; end < 2; ++end)
      if (std::abs(foot_b[end]) < half_a) visit(3 + end);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (sign_of_end(j) * foot_a[i] > half_b && sign_of_end(i) * foot_b[j] >= half_a) visit(5 + 2 * i + j);
  }

 private:
  // The points s and t along the axes where they come nearest, and the square of the sine of their angle.
  template <class S>
  struct Crossing {
    S s, t, sine2;
  };
  template <class S>
  static Crossing<S> crossing(const Pose<S>& A, const Pose<S>& B) {
    const Vec3<S>& u = A.R.z;
    const Vec3<S>& v = B.R.z;
    const Vec3<S> d = A.p - B.p, uxv = cross(u, v);
    const S sine2 = dot(uxv, uxv);
    return {-(dot(across(u, v), d) / sine2), dot(across(v, u), d) / sine2, sine2};
  }
};

}  // namespace esc::spatial
