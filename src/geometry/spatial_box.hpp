// Pairs of a box with the given half edges.
#pragma once

#include <array>
#include <cmath>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

// Corner 0..7: bit 0 is set at +x, bit 1 at +y, bit 2 at +z.
inline Vec3<double> box_corner(const std::array<double, 3>& half, int corner) {
  return {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1], corner & 4 ? half[2] : -half[2]};
}

// The corners above a half-space.
struct BoxPlane {
  static constexpr int features = 8;
  std::array<double, 3> half{0.5, 0.5, 0.5};
  template <class S>
  Feature<S> feature(int corner, const Pose<S>& A, const Pose<S>& B) const {
    return ball_plane<S>(in_world(A, box_corner(half, corner)), 0.0, B.p, B.R.z);
  }
};

// The corners between two walls: solid where |y| > half_width. Feature 2 corner + wall; wall 0 is at y = -half_width,
// wall 1 at +half_width.
struct BoxSlot {
  static constexpr int features = 16;
  std::array<double, 3> half{0.5, 0.5, 0.5};
  double half_width = 1.0;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const double outward = sign_of_end(index % 2);
    const Vec3<S> origin = B.p + (outward * half_width) * B.R.y;
    return ball_plane<S>(in_world(A, box_corner(half, index / 2)), 0.0, origin, -outward * B.R.y);
  }
};

// A sphere outside a box. In the axes of the box, each coordinate of the centre is below (0), within (1) or above (2)
// the box; feature x + 3 y + 9 z is the face, edge or corner that is nearest there. 13, within on all axes, is none: a
// centre inside belongs to the face that it is least deep under. Edges and corners give no normal to a vertex that lies
// on them (NaN).
struct SphereBox {
  static constexpr int features = 27;
  double radius = 0.0;
  std::array<double, 3> half{0.5, 0.5, 0.5};

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const int x = index % 3 - 1, y = index / 3 % 3 - 1, z = index / 9 - 1;
    const Vec3<double> side{1.0 * x, 1.0 * y, 1.0 * z};
    const Vec3<double> point{side.x * half[0], side.y * half[1], side.z * half[2]};
    if (dot(side, side) == 1.0) return ball_plane<S>(A.p, radius, in_world(B, point), B.R * side);
    const Vec3<S> c = in_frame(B, A.p);
    const Vec3<S> nearest{side.x == 0.0 ? c.x : S(point.x), side.y == 0.0 ? c.y : S(point.y),
                          side.z == 0.0 ? c.z : S(point.z)};
    return ball_ball<S>(A.p, radius, in_world(B, nearest), 0.0);
  }

  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    const Vec3<double> c = in_frame(B, A.p);
    const double centre[3] = {c.x, c.y, c.z};
    const int weight[3] = {1, 3, 9};
    int index = 13, shallow = 0;
    for (int i = 0; i < 3; ++i) {
      const double height = std::abs(centre[i]) - half[i];
      if (height > 0.0) index += centre[i] < 0.0 ? -weight[i] : weight[i];
      if (height > std::abs(centre[shallow]) - half[shallow]) shallow = i;
    }
    if (index == 13) index += centre[shallow] < 0.0 ? -weight[shallow] : weight[shallow];
    visit(index);
  }
};

}  // namespace esc::spatial
