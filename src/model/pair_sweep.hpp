// Two shapes on bodies that move from one state to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <escapement/models/anchor.hpp>
#include <escapement/sweep.hpp>

#include "src/geometry/pair_extent.hpp"
#include "src/geometry/pair_passage.hpp"
#include "src/math/so3.hpp"

namespace esc {

// A frame along the step: its body moves straight and turns about one axis.
class Ride {
 public:
  Ride(const Anchor& anchor, const Sweep& sweep) : anchor_(anchor) {
    from = anchor.r;
    if (anchor.kind == BodyKind::ground) return;
    const double *a = sweep.q0 + anchor.q0, *b = sweep.q1 + anchor.q0, *way = sweep.way + anchor.v0;
    const bool rigid = anchor.kind == BodyKind::rigid;
    from = {a[0], a[1], rigid ? a[2] : 0.0};
    shift = {b[0] - a[0], b[1] - a[1], rigid ? b[2] - a[2] : 0.0};
    if (!rigid) {
      angle_ = a[2];
      turn_ = {0.0, 0.0, b[2] - a[2]};
    } else {
      rotation_ = {a[3], a[4], a[5], a[6]};
      const auto [x, y, z] = quaternion_log(multiply(conjugate(rotation_), {b[3], b[4], b[5], b[6]}));
      turn_ = whole_turn({x, y, z}, {way[3], way[4], way[5]});
    }
    angle = norm(turn_);
  }

  Pose<double> at(double s) const {
    if (anchor_.kind == BodyKind::ground) return {anchor_.r, anchor_.R};
    Pose<double> body{from + s * shift, {}};
    if (anchor_.kind == BodyKind::planar) {
      const double phi = angle_ + s * turn_.z, c = std::cos(phi), sine = std::sin(phi);
      body.R = {{c, sine, 0.0}, {-sine, c, 0.0}, {0.0, 0.0, 1.0}};
    } else {
      body.R = rotation_of(normalized(multiply(rotation_, quaternion_exp(s * turn_.x, s * turn_.y, s * turn_.z))));
    }
    return {body.p + body.R * anchor_.r, body.R * anchor_.R};
  }

  double lever() const { return anchor_.kind == BodyKind::ground ? 0.0 : norm(anchor_.r); }

  Vec3<double> from, shift;  // of the centre of mass, or of a frame on ground
  double angle = 0.0;        // rad

 private:
  // The log of a rotation is its shortest turn; h omega tells how many whole ones to add.
  static Vec3<double> whole_turn(const Vec3<double>& shortest, const Vec3<double>& way) {
    constexpr double circle = 2.0 * std::numbers::pi;
    if (dot(way, way) < 0.25 * std::numbers::pi * std::numbers::pi) return shortest;
    const double size = norm(shortest);
    const Vec3<double> axis = size > 1e-9 ? (1.0 / size) * shortest : (1.0 / norm(way)) * way;
    const double turns = std::round((dot(way, axis) - size) / circle);
    return (size + turns * circle) * axis;
  }

  const Anchor& anchor_;
  double angle_ = 0.0;
  Quaternion rotation_{1.0, 0.0, 0.0, 0.0};
  Vec3<double> turn_;  // in the axes of a body in space
};

// The pairs of one item, whatever their kind: nearest(A, B, reach) is the Nearness at two poses.
class PairSweep {
 public:
  PairSweep(const PairExtent& extent, const Anchor& a, const Anchor& b, const Sweep& sweep)
      : extent_(extent), a_(a, sweep), b_(b, sweep) {
    // Seen from B the points of A move with both bodies, those of B with its turn about its own centre.
    const Vec3<double> d0 = b_.from - a_.from, d1 = d0 + b_.shift - a_.shift;
    const double apart = std::sqrt(std::max(dot(d0, d0), dot(d1, d1)));
    arm_a_ = a_.lever() + extent.reach_a;
    arm_b_ = std::min(b_.lever() + extent.reach_b, apart + arm_a_);
    straight_ = norm(b_.shift - a_.shift);
    length_ = straight_ + a_.angle * arm_a_ + b_.angle * arm_b_;
  }

  // Dips of this part of the size are grazes.
  template <class Nearest>
  double depth(const Nearest& nearest, double tol, double part) const {
    double size = extent_.thickness;
    if (extent_.one_sided()) {
      // Without turning a gap is concave, least at an end. Along an arc it dips by less than angle^2 / 8 of its radius;
      // where B turns, a straight way of A is bent by 2 angle / 8 of its length.
      const double angle = (arm_a_ > 0.0 ? a_.angle : 0.0) + b_.angle;
      size = arm_a_ + (b_.angle > 0.0 ? arm_b_ : 0.0);
      if (angle * angle * size + 2.0 * b_.angle * straight_ <= 8.0 * part * size) return 0.0;
    }
    const PassageRule rule{length_, tol, part * size};
    if (rule.length <= 2.0 * std::max(rule.shallow, tol)) return 0.0;
    return passage_depth([&](double s) { return nearest(a_.at(s), b_.at(s), rule.length); }, rule);
  }

 private:
  const PairExtent& extent_;
  Ride a_, b_;
  double arm_a_, arm_b_, straight_, length_;
};

// The bounds that hold for every motion of this pair; those of a pool are the least and the largest of its items.
inline SweepBound sweep_bound(const PairExtent& extent, const Anchor& a, const Anchor& b) {
  const auto moves = [](const Anchor& anchor) { return anchor.kind != BodyKind::ground; };
  const double most = std::numbers::sqrt3;  // |x| of a vector with entries up to 1
  const double arm_a = moves(a) ? norm(a.r) + extent.reach_a : 0.0;
  const double arm_b = moves(b) ? norm(b.r) + extent.reach_b : 0.0;
  const double reach = most * ((moves(a) ? 1.0 + arm_a : 0.0) + (moves(b) ? 1.0 + arm_b : 0.0));
  SweepBound bound{0.0, extent.between_faces ? std::numeric_limits<double>::infinity() : reach};
  if (extent.one_sided()) {
    if (moves(b)) return bound;
    bound.free = arm_a > 0.0 ? std::sqrt(8.0 * Sweep::shallow) / most : std::numeric_limits<double>::infinity();
  } else {
    bound.free = 2.0 * Sweep::shallow * extent.thickness / reach;  // 0 where reach is infinite
  }
  return bound;
}

inline SweepBound both(const SweepBound& a, const SweepBound& b) {
  return {std::min(a.free, b.free), std::max(a.reach, b.reach)};
}

}  // namespace esc
