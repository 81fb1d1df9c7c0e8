// Pairs of a solid cylinder, its axis along z.
#pragma once

#include <cmath>
#include <numbers>

#include <escapement/ad/dual.hpp>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

// A cylinder on a half-space.
//   features 0, 1   the lowest points of the rims at -half_length and +half_length
//   features 2..17  points fixed to the cylinder: point k of the rim of end e at 2 + 8 e + k, k pi/4 from the x axis
// The lowest points are exact and smooth at every tilt except upright, where each may be any point of its rim: a
// cylinder that lies or leans rolls on them. A cylinder that stands needs points that stay: those of the lower rim join
// from a tilt of 0.05 down. They belong to the body, so they are true conditions. The one within pi/8 of the lowest
// point stays out while that is there: it is never lower, and touches where they meet. Both at zero have one solution,
// a double one, so Newton steps halve their error only, and their multipliers grow without bound. The lowest points
// leave at a tilt of 1e-5, where the octagon differs from the rim by less than 1e-6 radius.
struct CylinderPlane {
  static constexpr int points = 8;
  static constexpr int features = 2 + 2 * points;
  static constexpr double upright = 1e-5, leaning = 0.05;  // sine of the tilt
  double radius = 0.5, half_length = 0.5;

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const int end = index < 2 ? index : (index - 2) / points;
    const Vec3<S> out = index < 2 ? downward(A, B.R.z) : point_direction(A, (index - 2) % points);
    return ball_plane<S>(axis_end(A, half_length, end) + radius * out, 0.0, B.p, B.R.z);
  }

  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    const double tilt = norm(cross(A.R.z, B.R.z));
    const bool leans = tilt > upright;
    if (leans) {
      visit(0);
      visit(1);
    }
    if (tilt > leaning) return;
    const int lower = dot(A.R.z, B.R.z) > 0.0 ? 0 : 1;
    const Vec3<double> down = downward(A, B.R.z);
    const double beside = std::cos(std::numbers::pi / points);
    for (int k = 0; k < points; ++k)
      if (!leans || dot(point_direction(A, k), down) < beside) visit(2 + points * lower + k);
  }

 private:
  // The unit vector across the axis that points down most; upright, any one will do. The double product stays across
  // the axis to the last bit where n - (n . u) u would lean by 1e-16 / tilt.
  template <class S>
  static Vec3<S> downward(const Pose<S>& A, const Vec3<S>& up) {
    const Vec3<S> down = cross(A.R.z, cross(A.R.z, up));
    const S sine2 = dot(down, down);
    if (ad::value(sine2) < 1e-20) return A.R.x;
    using std::sqrt;
    return (1.0 / sqrt(sine2)) * down;
  }
  template <class S>
  static Vec3<S> point_direction(const Pose<S>& A, int point) {
    const double angle = point * (2.0 * std::numbers::pi / points);
    return std::cos(angle) * A.R.x + std::sin(angle) * A.R.y;
  }
};

// A sphere outside a cylinder. Feature 0: the lateral surface; 1, 2: the flat ends at -half_length and +half_length;
// 3, 4: their rims. A centre inside belongs to the surface that it is least deep under. The lateral surface gives no
// normal on the axis, a rim none to a vertex that lies on it (NaN).
struct SphereCylinder {
  static constexpr int features = 5;
  double radius_a = 0.0;
  double radius = 0.5, half_length = 0.5;  // of the cylinder

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const Vec3<S> d = A.p - B.p;
    const S height = dot(B.R.z, d);
    if (index == 0) return ball_ball<S>(A.p, radius_a, B.p + height * B.R.z, radius);
    const int end = (index - 1) % 2;
    const Vec3<S> middle = axis_end(B, half_length, end);
    if (index <= 2) return ball_plane<S>(A.p, radius_a, middle, sign_of_end(end) * B.R.z);
    const Vec3<S> out = d - height * B.R.z;
    return ball_ball<S>(A.p, radius_a, middle + (radius / norm(out)) * out, 0.0);
  }

  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    const Vec3<double> d = A.p - B.p;
    const double height = dot(B.R.z, d);
    const double beside = norm(across(d, B.R.z)) - radius, beyond = std::abs(height) - half_length;
    const int end = height < 0.0 ? 0 : 1;
    if (beside > 0.0 && beyond > 0.0) {
      visit(3 + end);
    } else {
      visit(beside > beyond ? 0 : 1 + end);
    }
  }
};

}  // namespace esc::spatial
