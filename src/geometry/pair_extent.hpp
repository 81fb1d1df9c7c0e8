// How large the shapes of a pair are, as far as it matters when they move.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/geometry/planar_pairs.hpp"
#include "src/geometry/spatial_pairs.hpp"

namespace esc {

struct PairExtent {
  double reach_a = 0.0, reach_b = 0.0;  // m, from the origin of the frame; without the radius of what is round
  // m: overlaps less than this keep their normal. Infinite where the solid of B has no other side: its boundary can
  // only be crossed and crossed back, by turning.
  double thickness = std::numeric_limits<double>::infinity();
  bool between_faces = false;  // the pair has no features beyond the faces of B

  bool one_sided() const { return std::isinf(thickness); }
};

namespace spatial {

inline double corner_of(const std::array<double, 3>& half) { return std::hypot(half[0], half[1], half[2]); }
inline double least_of(const std::array<double, 3>& half) { return std::min({half[0], half[1], half[2]}); }

constexpr double unbounded = std::numeric_limits<double>::infinity();

inline PairExtent extent_of(const SpherePlane&) { return {0.0, unbounded}; }
inline PairExtent extent_of(const CapsulePlane& p) { return {p.half_length, unbounded}; }
inline PairExtent extent_of(const BoxPlane& p) { return {corner_of(p.half), unbounded}; }
inline PairExtent extent_of(const CylinderPlane& p) { return {std::hypot(p.radius, p.half_length), unbounded}; }
inline PairExtent extent_of(const BoxSlot& p) { return {corner_of(p.half), unbounded}; }
inline PairExtent extent_of(const SphereHole&) { return {0.0, unbounded}; }
inline PairExtent extent_of(const DiscHole& p) { return {p.radius, unbounded}; }
inline PairExtent extent_of(const SphereSphere& p) { return {0.0, 0.0, p.radius_a + p.radius_b}; }
inline PairExtent extent_of(const SphereCapsule& p) { return {0.0, p.half_length, p.radius_a + p.radius_b}; }
inline PairExtent extent_of(const CapsuleCapsule& p) { return {p.half_a, p.half_b, p.radius_a + p.radius_b}; }
inline PairExtent extent_of(const SphereBox& p) { return {0.0, corner_of(p.half), p.radius + least_of(p.half)}; }
inline PairExtent extent_of(const SphereCylinder& p) {
  return {0.0, std::hypot(p.radius, p.half_length), p.radius_a + std::min(p.radius, p.half_length)};
}
// A ridge is as wide as a cell.
inline PairExtent extent_of(const SphereHeightField& p) {
  const HeightField& field = p.field;
  double high = 0.0;
  for (const double z : field.heights) high = std::max(high, std::abs(z));
  return {0.0, std::hypot((field.nx - 1) * field.dx, (field.ny - 1) * field.dy, high),
          p.radius + 0.5 * std::min(field.dx, field.dy)};
}
inline PairExtent extent_of(const PinInHole& p) {
  const double reach = std::hypot(p.radius, p.half_length);
  if (std::isinf(p.hole_half_length)) return {reach, unbounded};
  return {reach, unbounded, std::min(p.radius, p.hole_half_length), true};
}

}  // namespace spatial

namespace planar {

inline PairExtent extent_of(const DiscLine&) { return {0.0, spatial::unbounded}; }
inline PairExtent extent_of(const DiscRing&) { return {0.0, spatial::unbounded}; }
inline PairExtent extent_of(const RectangleLine& p) {
  return {std::hypot(p.half_length, p.half_height), spatial::unbounded};
}
inline PairExtent extent_of(const DiscDisc& p) { return {0.0, 0.0, p.radius_a + p.radius_b}; }

}  // namespace planar

}  // namespace esc
