// Origins of frames as coordinates of formulas: a.x, a.y, a.z of the first, b.x, b.y, b.z of the second.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <escapement/models/anchor.hpp>

namespace esc::formula {

using Points = std::array<Placed<double>, 2>;

inline std::vector<std::string> names_of_points(int frames) {
  std::vector<std::string> names{"a.x", "a.y", "a.z"};
  if (frames == 2) names.insert(names.end(), {"b.x", "b.y", "b.z"});
  return names;
}

inline void put(const Vec3<double>& a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

inline Vec3<double> taken(const double* from) { return {from[0], from[1], from[2]}; }

// Where they are: three numbers each.
inline Points place_points(std::span<const Anchor> anchors, const double* q, double* to) {
  Points points;
  for (std::size_t f = 0; f < anchors.size(); ++f, to += 3) {
    points[f] = place(anchors[f], q);
    put(points[f].frame.p, to);
  }
  return points;
}

// Where they are, then how fast they move. Returns their accelerations at constant v, as they turn about the centres of
// their bodies.
inline std::array<Vec3<double>, 2> move_points(std::span<const Anchor> anchors, const double* q, const double* v,
                                               double* to) {
  std::array<Vec3<double>, 2> turning;
  double* const rates = to + 3 * anchors.size();
  for (std::size_t f = 0; f < anchors.size(); ++f) {
    const Anchor& anchor = anchors[f];
    const Placed<ad::Dual<1>> moving = place_along(anchor, q, v);
    const Placed<double> now = place(anchor, q);
    put(now.frame.p, to + 3 * f);
    put({moving.frame.p.x.d[0], moving.frame.p.y.d[0], moving.frame.p.z.d[0]}, rates + 3 * f);
    const Vec3<double> spin = anchor.kind == BodyKind::ground ? Vec3<double>{} : spin_of(anchor, now.body.R, v);
    turning[f] = cross(spin, cross(spin, now.frame.p - now.body.p));
  }
  return turning;
}

// One row of G from the slopes of a function of the points; returns where the next row goes.
inline double* write_slope(std::span<const Anchor> anchors, const Points& points, const double* slope, double* G) {
  for (std::size_t f = 0; f < anchors.size(); ++f, slope += 3)
    G = write_columns(anchors[f], points[f].body, points[f].frame.p, taken(slope), Vec3<double>{}, G);
  return G;
}

}  // namespace esc::formula
