// A disc in a V-groove: as a gap function that any program can write, as a planar pair of the library, and as a sphere
// in a groove in space.
#pragma once

#include <array>
#include <cmath>

#include "src/geometry/planar_pairs.hpp"
#include "src/geometry/spatial_feature.hpp"

namespace esc {

// The groove is fixed to ground, its edge at the origin, open upwards. Coordinates: x, y, phi of the disc.
struct DiscInGroove {
  static constexpr int size = 3, contacts = 2, slips = 1;
  double radius = 0.1;      // m
  double half_angle = 0.5;  // rad, between the axis of the groove and a flank

  // Unit normal of a flank, out of the solid: flank 0 is the left one.
  std::array<double, 2> normal(int flank) const {
    return {flank == 0 ? std::cos(half_angle) : -std::cos(half_angle), std::sin(half_angle)};
  }
  template <class S>
  void gap(const S&, const S* q, S* g) const {
    for (int k = 0; k < contacts; ++k) {
      const auto n = normal(k);
      g[k] = n[0] * q[0] + n[1] * q[1] - radius;
    }
  }
  // Its rate is t . v + radius * omega with t = (n_y, -n_x): zero when the disc rolls.
  template <class S>
  void slip(const S&, const S* q, S* s) const {
    for (int k = 0; k < contacts; ++k) {
      const auto n = normal(k);
      s[k] = n[1] * q[0] - n[0] * q[1] + radius * q[2];
    }
  }
};

namespace planar {

// A disc in a V-groove: A is the disc, B the groove, which may stand on a moving body.
struct DiscGroove {
  static constexpr int features = 2;  // left flank, right flank
  double radius = 0.1, half_angle = 0.5;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const double x = index == 0 ? std::cos(half_angle) : -std::cos(half_angle), y = std::sin(half_angle);
    const Vec<S> n{B.c * x - B.s * y, B.s * x + B.c * y};
    const S d = dot(n, A.p - B.p);
    return {d - radius, A.p - S(radius) * n, A.p - d * n, n};
  }
};

}  // namespace planar

namespace spatial {

// A sphere in a V-groove: A is the sphere, B the groove. Its edge is y of the frame, it opens towards z.
struct SphereGroove {
  static constexpr int features = 2;  // left flank, right flank
  double radius = 0.1, half_angle = 0.5;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const double side = index == 0 ? 1.0 : -1.0;
    const Vec3<S> n = (side * std::cos(half_angle)) * B.R.x + std::sin(half_angle) * B.R.z;
    return ball_plane(A.p, radius, B.p, n);
  }
};

}  // namespace spatial

}  // namespace esc
