// Pairs inside a cylindrical hole (a bore) along z, solid outside.
//
// On the axis the direction to the wall is undefined. Where there is clearance nothing can touch there, and one fixed
// direction serves; a body that fills the hole gives NaN, which stops the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <escapement/ad/dual.hpp>

#include "src/geometry/spatial_feature.hpp"
#include "src/geometry/spatial_rim.hpp"

namespace esc::spatial {

// A point p of A inside the hole, at `radius` from what touches the wall: gap = (hole - radius) - |d|, where d is p
// seen along the axis.
template <class S>
Feature<S> in_bore(const Vec3<S>& p, double radius, const Pose<S>& B, double hole) {
  const Vec3<S> d = across(p - B.p, B.R.z);
  const double off = std::sqrt(ad::value(dot(d, d)));
  const bool centred = off <= 1e-10 * hole && hole > radius;
  const Vec3<S> out = centred ? B.R.x : (1.0 / norm(d)) * d;
  const S gap = (hole - radius) - dot(out, d);
  const Vec3<S> a = p + radius * out;
  return {gap, a, a + gap * out, -out};
}

// A sphere, or a vertex of radius 0, in an infinite hole.
struct SphereHole {
  static constexpr int features = 1;
  double radius = 0.0, hole = 1.0;
  template <class S>
  Feature<S> feature(int, const Pose<S>& A, const Pose<S>& B) const {
    return in_bore(A.p, radius, B, hole);
  }
};

// A point of a rim of A, about the z axis of `rim`, at the wall of an infinite hole: a local maximum of the distance
// from the axis.
template <class S>
Feature<S> rim_in_bore(const Rim<S>& rim, RimPart part, const Pose<S>& B, double hole) {
  return in_bore(B.p + rim.extreme_point(Extreme::farthest, part, hole - rim.radius), 0.0, B, hole);
}

// The edge of a disc, a circle about its z axis, in an infinite hole (a journal). Feature 0: the point farthest from
// the axis of the hole, while it is the only local maximum. Features 1, 2: the maxima on either side of the direction
// of tilt, which a disc has when it is tilted enough to touch at two points; 2 is on the side of z_A x z_B.
struct DiscHole {
  static constexpr int features = 3;
  double radius = 0.5, hole = 1.0;
  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    return rim_in_bore(rim(A, B), index == 0 ? RimPart::only : rim_side(index - 1), B, hole);
  }
  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    if (!rim(A, B).form(Extreme::farthest).has_two_maxima()) return visit(0);
    visit(1);
    visit(2);
  }

 private:
  template <class S>
  Rim<S> rim(const Pose<S>& A, const Pose<S>& B) const {
    return {{A.p - B.p, A.R}, radius, B.R.z};
  }
};

// A pin in a bore with radial and axial play.
//
// The pin A is a solid cylinder |z| <= half_length of the given radius. The bore B is a hole of radius `hole` through a
// plate |z| <= hole_half_length of any width, or through everything if that is infinite; hole > radius. The clearance
// between two straight walls is least at an end of their overlap, so the edges tell all:
//   features 0, 1    the rim of the pin at -half_length, +half_length: its point farthest from the axis of the bore,
//                    while that point is between the faces of the plate
//   features 2, 3    the edge of the bore at -hole_half_length, +hole_half_length: its point nearest to the axis of the
//                    pin, while that point is beside the pin: the pin reaches out of the bore there
//   features 4, 5    axial stops: the pin carries two shoulders, planes across its axis at -(hole_half_length + play/2)
//                    and +(hole_half_length + play/2) that face each other, and the middle of the bore's opening at
//                    -hole_half_length, +hole_half_length runs against them like the tip of a thrust bearing, which
//                    takes no moment: that is left to the edges. The play along the axis is axial_play when the axes
//                    are parallel. No stops if hole_half_length or axial_play is infinite.
//   features 6..9    in place of feature 0 or 1, where the rim has two local maxima: 6 + 2 end + side; side 1 is
//                    that of z_A x z_B
//   features 10..13  in place of feature 2 or 3, where the edge has two local minima: 10 + 2 end + side; side 1 is
//   where
//                    the z axis of the pin leans to. A short pin or a thin plate, tilted, touches at two points of one
//                    circle.
// An edge on an edge (the rim of the pin on the opening, before it has entered) and the flat ends of the pin on the
// faces of the plate are not part of this pair.
struct PinInHole {
  static constexpr int features = 14;
  double radius = 0.5, half_length = 1.0;
  double hole = 1.0, hole_half_length = std::numeric_limits<double>::infinity();
  double axial_play = std::numeric_limits<double>::infinity();

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    if (index == 4 || index == 5) return stop(index - 4, A, B);
    const int end = index < 6 ? index % 2 : (index - 6) / 2 % 2;
    const RimPart part = index < 6 ? RimPart::only : rim_side(index % 2);
    if (of_pin(index)) return rim_in_bore(pin_rim(end, A, B), part, B, hole);
    return around_pin(bore_edge(end, A, B), part, A);
  }

  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double, Visit visit) const {
    const bool plate = std::isfinite(hole_half_length);
    bool two[4] = {};  // of the two rims and the two edges
    for (int end = 0; end < 2; ++end) {
      two[end] = pin_rim(end, A, B).form(Extreme::farthest).has_two_maxima();
      if (plate) two[2 + end] = bore_edge(end, A, B).form(Extreme::nearest).has_two_maxima();
    }
    for (int k = 0; k < features; ++k) {
      if (!plate && !of_pin(k)) continue;
      if (k == 4 || k == 5) {
        if (std::isfinite(axial_play)) visit(k);
      } else if (two[k < 4 ? k : (k - 6) / 2] == (k >= 6) && overlaps(k, A, B)) {
        visit(k);
      }
    }
  }

  // The least distance along the bore where no feature holds.
  double apart(const Pose<double>& A, const Pose<double>& B) const {
    const double along = dot(A.R.z, B.R.z), across_axis = std::sqrt(std::max(0.0, 1.0 - along * along));
    const double own = half_length * std::abs(along) + radius * across_axis;
    return std::max(0.0, std::abs(dot(B.R.z, A.p - B.p)) - own - hole_half_length);
  }

  // What a start means that no gap shows; empty: all is well.
  std::string_view bad_start(const Pose<double>& A, const Pose<double>& B) const {
    if (is_beside(A, B))
      return "the pin starts outside its hole, beside it: only the wall and the edges of a hole touch, not its plate; "
             "place the pin in the hole or in line with it";
    if (std::isfinite(axial_play) && !(dot(A.R.z, B.R.z) > 0.0))
      return "the z axes of pin and hole point away from each other, and its shoulders would let the pin pass: turn "
             "the "
             "frame of one of them by half a turn";
    return {};
  }

 private:
  // Beyond the faces of the plate, and not in line with the hole: the pin could only fall on the plate, which is not
  // part of this pair.
  bool is_beside(const Pose<double>& A, const Pose<double>& B) const {
    if (std::isinf(hole_half_length)) return false;
    bool engaged = false;
    near(A, B, 0.0, [&](int k) { engaged = engaged || (k != 4 && k != 5); });
    if (engaged) return false;
    const int end = dot(B.R.z, A.p - B.p) * dot(B.R.z, A.R.z) > 0.0 ? 0 : 1;  // the nearer one
    return norm(across(axis_end(A, half_length, end) - B.p, B.R.z)) + radius > hole;
  }

  static constexpr bool of_pin(int k) { return k < 2 || (k >= 6 && k < 10); }

  template <class S>
  Rim<S> pin_rim(int end, const Pose<S>& A, const Pose<S>& B) const {
    return {{axis_end(A, half_length, end) - B.p, A.R}, radius, B.R.z};
  }
  template <class S>
  Rim<S> bore_edge(int end, const Pose<S>& A, const Pose<S>& B) const {
    return {{axis_end(B, hole_half_length, end) - A.p, B.R}, hole, A.R.z};
  }

  // gap = |d| - radius, where d is the nearest point of the edge seen along the pin; -|d| - radius if the axis of the
  // pin is beyond the edge, in the plate.
  template <class S>
  Feature<S> around_pin(const Rim<S>& edge, RimPart part, const Pose<S>& A) const {
    const Vec3<S> b = edge.extreme_point(Extreme::nearest, part, hole - radius);
    const Vec3<S> d = across(b, A.R.z);
    const bool within = ad::value(dot(d, b - edge.frame.p)) > 0.0;
    const S distance = within ? norm(d) : -norm(d);
    const Vec3<S> n = (-1.0 / distance) * d;
    const S gap = distance - radius;
    return {gap, A.p + b + gap * n, A.p + b, n};
  }

  template <class S>
  Feature<S> stop(int end, const Pose<S>& A, const Pose<S>& B) const {
    const Vec3<S> n = sign_of_end(end) * A.R.z;
    const Vec3<S> b = axis_end(B, hole_half_length, end);
    const S gap = (hole_half_length + 0.5 * axial_play) - dot(n, b - A.p);
    return {gap, b + gap * n, b, n};
  }

  // Is the point of the one within the length of the other? A NaN stays, and stops the step.
  bool overlaps(int k, const Pose<double>& A, const Pose<double>& B) const {
    const Feature<double> f = feature(k, A, B);
    if (of_pin(k)) return !(std::abs(dot(B.R.z, f.a - B.p)) > hole_half_length);
    return !(std::abs(dot(A.R.z, f.b - A.p)) > half_length);
  }
};

}  // namespace esc::spatial
