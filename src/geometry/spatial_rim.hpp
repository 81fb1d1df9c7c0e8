// Where a circle comes farthest from a line, or nearest to it: a rim in a bore, a bore's edge around a pin.
//
// Along the line the circle is seen as an ellipse. With w = (cos phi, sin phi) in the plane of the circle, the square
// of the distance is w' Q w + 2 g' w + const, |w| = 1: a trust-region problem in two unknowns, to be maximised (Q and g
// change sign for the nearest point). In the eigenvectors of Q, with eigenvalues lambda_1 >= lambda_2 and D = lambda_1
// - lambda_2, a stationary w is (g_1 / nu, g_2 / (nu + D)) where the secular equation g_1^2 / nu^2 + g_2^2 / (nu + D)^2
// = 1 holds. The maximum has nu >= 0 and w_1 on the side of g_1. A second local maximum has -D < nu < 0 and w_1 on the
// other side; it exists if |g_1|^(2/3) + |g_2|^(2/3) < D^(2/3), inside the evolute of the ellipse (there is at most
// one: Martinez, SIAM J. Optim. 4 (1994) 159-176).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <escapement/ad/dual.hpp>
#include <escapement/models/pose.hpp>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

// The form in its eigenvectors: the first is at the angle psi on the circle.
struct RimForm {
  double psi, D, g1, g2, scale;
  // No angle is preferred: the circle is centred on the line and square to it.
  bool is_flat() const { return !(std::max({D, std::abs(g1), std::abs(g2)}) > 1e-12 * scale); }
  bool has_two_maxima() const { return !is_flat() && std::cbrt(g1 * g1) + std::cbrt(g2 * g2) < std::cbrt(D * D); }
};

// Which local maximum: the only one, or that on either side of w_1 = 0 where there are two. A side keeps its meaning
// while the tilt of the circle does not vanish, so that two contacts on one rim do not change places when their gaps
// are equal, as they are when both carry load.
enum class RimPart { only, minus_side, plus_side };
constexpr RimPart rim_side(int side) { return side == 0 ? RimPart::minus_side : RimPart::plus_side; }

// An angle on the circle; `stationary` if the squared distance has a definite local maximum there.
struct RimAngle {
  double phi = 0.0;
  bool stationary = false;
};

// The root next to `nu` of the secular equation, by Newton's method: the left side falls and is convex to the right of
// the start, which lies left of the root, so that the iterates rise. `shift` is nu + D, moving with `along` = +-1.
inline double secular_root(double g1, double g2, double nu, double shift, double along) {
  for (int iteration = 0; iteration < 60 && nu > 0.0; ++iteration) {
    const double w1 = g1 / nu, w2 = g2 / shift;
    const double step = 0.5 * (w1 * w1 + w2 * w2 - 1.0) / (w1 * w1 / nu + along * w2 * w2 / shift);
    if (!(step > 1e-16 * nu)) break;
    nu += step;
    shift += along * step;
  }
  return nu;
}

// Where a side has no maximum: the angle at which it was lost, a point of the circle all the same. The point is
// continuous there; the gap follows its rate n . (v_a - v_b) only near the loss, but a side that is kept beyond it for
// the rest of a step is not the nearest point of the rim.
inline RimAngle rim_angle(const RimForm& form, RimPart part) {
  const double g1 = form.g1, g2 = form.g2, D = form.D;
  const double a1 = std::abs(g1), a2 = std::abs(g2);
  if (form.is_flat()) return {0.0, false};
  const double heavy = g1 < 0.0 ? -1.0 : 1.0;
  const double side = part == RimPart::only ? heavy : part == RimPart::plus_side ? 1.0 : -1.0;

  if (side == heavy) {
    const double start = std::max(a1, a2 - D);  // a lower bound where the left side is at most 2
    const double nu = secular_root(g1, g2, start, start + D, 1.0);
    const double w2 = std::clamp(g2 / (nu + D), -1.0, 1.0);
    const double w1 = a1 > 0.0 ? a1 / nu : std::sqrt(1.0 - w2 * w2);
    return {form.psi + std::atan2(w2, side * w1), true};
  }

  const double r1 = std::cbrt(a1), r2 = std::cbrt(a2);
  if (!form.has_two_maxima()) return {form.psi + std::atan2(std::cbrt(g2), side * r1), false};
  const double least = a1 > 0.0 ? D * r1 * r1 / (r1 * r1 + r2 * r2) : 0.0;  // of the left side, as a function of -nu
  const double nu = std::min(secular_root(g1, g2, a1, D - a1, -1.0), least);
  const double w2 = std::clamp(g2 / (D - nu), -1.0, 1.0);
  return {form.psi + std::atan2(w2, side * std::sqrt(1.0 - w2 * w2)), true};
}

template <class S>
inline constexpr int dual_depth = 0;
template <int N, class S>
inline constexpr int dual_depth<ad::Dual<N, S>> = 1 + dual_depth<S>;

enum class Extreme { farthest, nearest };

// The circle of the given radius about the z axis of a frame whose origin is p, and the line through 0 along the unit
// vector u.
template <class S>
struct Rim {
  Pose<S> frame;
  double radius;
  Vec3<S> u;

  Vec3<S> point(const S& phi) const {
    using std::cos, std::sin;
    return frame.p + radius * (cos(phi) * frame.R.x + sin(phi) * frame.R.y);
  }

  // With the direction of the line in the axes of the circle, (z_1, z_2) in its plane: Q = radius^2 (1 - z z'), so that
  // D = radius^2 |z|^2 and the eigenvectors are across z and along it.
  RimForm form(Extreme extreme) const {
    const auto plain = [](const Vec3<S>& a) { return Vec3<double>{ad::value(a.x), ad::value(a.y), ad::value(a.z)}; };
    const Vec3<double> axis = plain(u), x = plain(frame.R.x), y = plain(frame.R.y);
    const Vec3<double> p = radius * across(plain(frame.p), axis);
    const double z1 = dot(x, axis), z2 = dot(y, axis), scale = radius * radius;
    const bool far = extreme == Extreme::farthest;
    const double psi = far ? std::atan2(z1, -z2) : std::atan2(z2, z1), sign = far ? 1.0 : -1.0;
    const double c = sign * std::cos(psi), s = sign * std::sin(psi);
    const double gx = dot(p, x), gy = dot(p, y);
    return {psi, scale * (z1 * z1 + z2 * z2), c * gx + s * gy, c * gy - s * gx, scale};
  }

  // The point at the farthest or nearest angle. Newton's method for d|distance|^2 / d phi = 0 in the scalar S starts
  // from the angle in doubles, so each step adds one exact order of derivatives. If no angle is preferred (a circle
  // centred on the line and square to it) the point at phi = 0 stands for all, unless the contact may be active:
  // then NaN.
  Vec3<S> extreme_point(Extreme extreme, RimPart part, double clearance) const {
    const RimAngle start = rim_angle(form(extreme), part);
    S phi(start.phi);
    if (!start.stationary && part == RimPart::only && !(clearance > 1e-10 * radius))
      phi = S(std::numeric_limits<double>::quiet_NaN());
    if (!start.stationary) return point(phi);

    using std::cos, std::sin;
    for (int k = 0; k < std::max(1, dual_depth<S>); ++k) {
      const Vec3<S> out = radius * (cos(phi) * frame.R.x + sin(phi) * frame.R.y);
      const Vec3<S> along = across(radius * (cos(phi) * frame.R.y - sin(phi) * frame.R.x), u);
      const Vec3<S> d = across(frame.p + out, u);
      phi = phi - dot(d, along) / (dot(along, along) - dot(d, out));
    }
    return point(phi);
  }
};

}  // namespace esc::spatial
