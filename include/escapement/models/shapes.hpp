// Frames on bodies, shapes with material, and which pairs may touch.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include <escapement/export.hpp>

namespace esc {

// What a Model hands out: the number of an item, and which Model it belongs to. Another Model refuses it. An id that is
// written by hand, BlockId{2}, names no Model and counts in the one that it is given to.
struct BlockId {
  int index = -1;
  std::uint32_t model = 0;
  bool operator==(const BlockId&) const = default;
};
struct ShapeId {
  int index = -1;
  std::uint32_t model = 0;
};
struct ContactId {
  int index = -1;
  std::uint32_t model = 0;
};
struct ForceId {
  int index = -1;
  std::uint32_t model = 0;
};
struct JointId {
  int index = -1;
  std::uint32_t model = 0;
};
struct InputId {
  int index = -1;
  std::uint32_t model = 0;
};
struct OutputId {
  int index = -1;
  std::uint32_t model = 0;
};

constexpr BlockId ground{};  // the world: it does not move

// A frame fixed to a body, or to ground: position in the body's axes, unit quaternion (w, x, y, z).
struct Frame {
  BlockId body = ground;
  std::array<double, 3> position{0, 0, 0};
  std::array<double, 4> rotation{1, 0, 0, 0};
};

ESC_API Frame planar_frame(BlockId body, double x, double y, double phi = 0.0);

// A geometry of both worlds: the origin of its frame.
struct Vertex {};

// Planar geometries, in the xy plane of the frame of the shape. Lengths in m.
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

// Geometries in space, in the frame of the shape.
struct Sphere {
  double radius = 1.0;
};
struct HalfSpace {};  // solid below: the boundary is the xy plane, z points out of the solid
struct Capsule {      // all points within the radius of a segment along z
  double radius = 0.5;
  double half_length = 0.5;  // of the segment
};
struct Box {
  double half_x = 0.5, half_y = 0.5, half_z = 0.5;
};
struct Cylinder {  // its axis along z
  double radius = 0.5;
  double half_length = 0.5;
};
struct Pin {  // a cylinder that runs in a hole, with two shoulders that face each other at z = -shoulder and +shoulder
  double radius = 0.5;
  double half_length = 0.5;
  double shoulder = std::numeric_limits<double>::infinity();  // none; they stop at the openings of a finite hole only
};
struct Hole {  // solid outside: a bore along z through a plate |z| <= half_length
  double radius = 1.0;
  double half_length = std::numeric_limits<double>::infinity();
};
struct Rim {  // the edge of a disc: a circle about z
  double radius = 0.5;
};
struct Channel {  // two walls, solid where |y| > half_width
  double half_width = 1.0;
};
struct HeightField {   // solid below: vertex (i, j) is at (i dx, j dy, heights[j nx + i]); a cell is two triangles
  int nx = 2, ny = 2;  // vertices along x and y, >= 2
  double dx = 1.0, dy = 1.0;
  std::vector<double> heights{0.0, 0.0, 0.0, 0.0};
};

using Geometry = std::variant<Vertex, Disc, HalfPlane, Ring, Rectangle, Sphere, HalfSpace, Capsule, Box, Cylinder, Pin,
                              Hole, Rim, Channel, HeightField>;

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
