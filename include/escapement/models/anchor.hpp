// Frames on bodies as the evaluations see them: where a frame is, how it moves, and what a wrench on it does to the
// body's velocities.
#pragma once

#include <cmath>
#include <cstdint>

#include <escapement/ad/dual.hpp>
#include <escapement/models/pose.hpp>

namespace esc {

enum class BodyKind : std::uint8_t {
  ground,  // or coordinates that are no body
  planar,  // q = (x, y, phi), v = (vx, vy, omega)
  rigid,   // q = (x, y, z, quaternion), v = (velocity in the world, angular velocity in the body)
};

struct Anchor {
  BodyKind kind = BodyKind::ground;
  int q0 = 0, v0 = 0;
  Vec3<double> r;      // origin of the frame, in the body's axes
  Rotation<double> R;  // axes of the frame, in the body's axes
  int a0 = 0;          // first value of the body's block, dofs() x dofs(), in M

  int dofs() const { return kind == BodyKind::rigid ? 6 : kind == BodyKind::planar ? 3 : 0; }
};

template <class S>
struct Placed {
  Pose<S> body;   // its centre of mass and axes
  Pose<S> frame;  // of the anchor
};

namespace detail {

template <class S>
Placed<S> place_frame(const Anchor& anchor, const Pose<S>& body) {
  return {body, {body.p + body.R * anchor.r, body.R * anchor.R}};
}

}  // namespace detail

inline Pose<double> body_pose(const Anchor& anchor, const double* q) {
  const double* x = q + anchor.q0;
  switch (anchor.kind) {
    case BodyKind::rigid:
      return {{x[0], x[1], x[2]}, rotation_of(x[3], x[4], x[5], x[6])};
    case BodyKind::planar: {
      const double c = std::cos(x[2]), s = std::sin(x[2]);
      return {{x[0], x[1], 0.0}, {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }
    case BodyKind::ground:
      break;
  }
  return {};
}

inline Placed<double> place(const Anchor& anchor, const double* q) {
  return detail::place_frame(anchor, body_pose(anchor, q));
}

// The angular velocity in the world, of a velocity (or a direction) w of the System.
inline Vec3<double> spin_of(const Anchor& anchor, const Rotation<double>& body, const double* w) {
  const double* x = w + anchor.v0;
  if (anchor.kind == BodyKind::rigid) return body * Vec3<double>{x[3], x[4], x[5]};
  return {0.0, 0.0, anchor.kind == BodyKind::planar ? x[2] : 0.0};
}

// The same along retract(q, eps w): S carries the derivative in eps.
inline Placed<ad::Dual<1>> place_along(const Anchor& anchor, const double* q, const double* w) {
  using S = ad::Dual<1>;
  const Pose<double> now = body_pose(anchor, q);
  if (anchor.kind == BodyKind::ground) return detail::place_frame(anchor, Pose<S>{});
  const auto moving = [](const Vec3<double>& value, const Vec3<double>& rate) {
    Vec3<S> result{S(value.x), S(value.y), S(value.z)};
    result.x.d[0] = rate.x;
    result.y.d[0] = rate.y;
    result.z.d[0] = rate.z;
    return result;
  };
  const double* x = w + anchor.v0;
  const Vec3<double> spin = spin_of(anchor, now.R, w);
  const Vec3<double> speed{x[0], x[1], anchor.kind == BodyKind::rigid ? x[2] : 0.0};
  return detail::place_frame(anchor,
                             Pose<S>{moving(now.p, speed),
                                     {moving(now.R.x, cross(spin, now.R.x)), moving(now.R.y, cross(spin, now.R.y)),
                                      moving(now.R.z, cross(spin, now.R.z))}});
}

// What the force n at a point and the moment m do to the velocities of a body: one row of G, dofs() entries.
template <class S>
S* write_columns(const Anchor& anchor, const Pose<S>& body, const Vec3<S>& point, const Vec3<S>& n, const Vec3<S>& m,
                 S* out) {
  if (anchor.kind == BodyKind::ground) return out;
  const Vec3<S> moment = m + cross(point - body.p, n);
  if (anchor.kind == BodyKind::planar) {
    out[0] = n.x;
    out[1] = n.y;
    out[2] = moment.z;
    return out + 3;
  }
  const Vec3<S> own = to_frame(body.R, moment);
  out[0] = n.x;
  out[1] = n.y;
  out[2] = n.z;
  out[3] = own.x;
  out[4] = own.y;
  out[5] = own.z;
  return out + 6;
}

// The rate at which n . p + m . phi grows: the same row times the velocities v.
template <class S>
S rate_of(const Anchor& anchor, const Pose<S>& body, const Vec3<S>& point, const Vec3<S>& n, const Vec3<S>& m,
          const double* v) {
  S columns[6];
  S* end = write_columns(anchor, body, point, n, m, columns);
  S sum(0.0);
  for (S* column = columns; column != end; ++column) sum = sum + *column * v[anchor.v0 + (column - columns)];
  return sum;
}

}  // namespace esc
