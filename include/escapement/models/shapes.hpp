// Frames on bodies, shapes with material, and which pairs may touch.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include <escapement/export.hpp>

namespace esc {

struct BlockId {
  int index = -1;
  bool operator==(const BlockId&) const = default;
};
struct ShapeId {
  int index = -1;
};
struct ContactId {
  int index = -1;
};
struct ForceId {
  int index = -1;
};
struct InputId {
  int index = -1;
};
struct OutputId {
  int index = -1;
};

constexpr BlockId ground{};  // the world: it does not move

// A frame fixed to a body, or to ground: position in the body's axes, unit quaternion (w, x, y, z).
struct Frame {
  BlockId body = ground;
  std::array<double, 3> position{0, 0, 0};
  std::array<double, 4> rotation{1, 0, 0, 0};
};

ESC_API Frame planar_frame(BlockId body, double x, double y, double phi = 0.0);

// Planar geometries, in the frame of the shape.
struct Vertex {};  // the origin
struct Disc {
  double radius = 1.0;
};
struct HalfPlane {};  // solid below: the boundary is the x axis, y points out of the solid
struct Ring {         // solid outside: a hole of this radius
  double radius = 1.0;
};
struct Rectangle {
  double half_length = 0.5;  // along x
  double half_height = 0.5;  // along y
};
using Geometry = std::variant<Vertex, Disc, HalfPlane, Ring, Rectangle>;

struct Material {
  double e = 0.0;
  double mu = 0.0;
};

// Two shapes may touch if each one's group is in the other's mask.
struct PairFilter {
  std::uint32_t group = 1;
  std::uint32_t mask = ~std::uint32_t{0};
};

ESC_API std::string_view geometry_name(const Geometry& geometry);

}  // namespace esc
