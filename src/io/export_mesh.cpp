#include "src/io/export_mesh.hpp"

#include <cmath>
#include <numbers>

namespace esc::io {

namespace {

constexpr int around = 24;  // corners of a circle
constexpr int cap_rings = 4;

std::array<double, 2> on_circle(int i) {
  const double angle = 2.0 * std::numbers::pi * i / around;
  return {std::cos(angle), std::sin(angle)};
}

void add_ring(Mesh& mesh, double radius, double z) {
  for (int i = 0; i < around; ++i) {
    const auto [c, s] = on_circle(i);
    mesh.points.push_back({radius * c, radius * s, z});
  }
}

std::vector<int> ring_polygon(int ring) {
  std::vector<int> polygon(around);
  for (int i = 0; i < around; ++i) polygon[static_cast<std::size_t>(i)] = ring * around + i;
  return polygon;
}

// Rings one above the other, with quadrilaterals between them and a lid at each end.
Mesh tube(const std::vector<std::array<double, 2>>& radius_and_z, bool lids) {
  Mesh mesh;
  for (const auto& [radius, z] : radius_and_z) add_ring(mesh, radius, z);
  const int rings = static_cast<int>(radius_and_z.size());
  for (int ring = 0; ring + 1 < rings; ++ring)
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around;
      mesh.polygons.push_back(
          {ring * around + i, ring * around + next, (ring + 1) * around + next, (ring + 1) * around + i});
    }
  if (lids) {
    mesh.polygons.push_back(ring_polygon(0));
    if (rings > 1) mesh.polygons.push_back(ring_polygon(rings - 1));
  }
  return mesh;
}

// Half balls about z = -half and z = half; a ball if half is 0.
Mesh capsule(double radius, double half) {
  std::vector<std::array<double, 2>> rings;
  for (int end = -1; end <= 1; end += 2)
    for (int i = 0; i <= cap_rings; ++i) {
      const double angle = 0.5 * std::numbers::pi * (end < 0 ? i - cap_rings : i) / cap_rings;
      rings.push_back({radius * std::max(std::cos(angle), 1e-9), end * half + radius * std::sin(angle)});
    }
  return tube(rings, false);
}

Mesh box(double x, double y, double z) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.points.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  mesh.polygons = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return mesh;
}

}  // namespace

Mesh mesh_of(const ShapeInfo& shape) {
  const auto& [a, b, c] = shape.sizes;
  const std::string& kind = shape.geometry;
  if (!std::isfinite(a) || !std::isfinite(b)) return {};
  if (kind == "disc") return tube({{a, 0.0}}, true);
  if (kind == "rectangle") return {{{-a, -b, 0.0}, {a, -b, 0.0}, {a, b, 0.0}, {-a, b, 0.0}}, {{0, 1, 2, 3}}};
  if (kind == "sphere") return capsule(a, 0.0);
  if (kind == "capsule") return capsule(a, b);
  if (kind == "box") return box(a, b, c);
  if (kind == "cylinder" || kind == "pin") return tube({{a, -b}, {a, b}}, true);
  if (kind == "hole of finite length") return tube({{a, -b}, {a, b}}, false);
  if (kind == "rim") return tube({{a, 0.0}}, true);
  return {};
}

}  // namespace esc::io
