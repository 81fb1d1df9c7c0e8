// A sphere on a height field: a surface z(x, y) over a regular grid, solid below.
//
// Each cell is two triangles, divided by its diagonal of rising x and y. Triangles rather than bilinear patches: the
// nearest point of a plane, a line and a point is exact without iteration, and a triangle has one nearest point where a
// saddle has up to four.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

// Vertex (i, j) is at (i dx, j dy, heights[j nx + i]) in the frame of the field. The heights are not owned.
struct HeightField {
  int nx = 2, ny = 2;  // vertices along x and y
  double dx = 1.0, dy = 1.0;
  std::span<const double> heights;
  Vec3<double> vertex(int i, int j) const { return {i * dx, j * dy, heights[j * nx + i]}; }
};

// Feature 6 (j nx + i) + part belongs to vertex (i, j): the triangles and the diagonal of the cell that starts there,
// the edges that leave it along x and y, and the vertex itself. Those that hold are the local minima of the distance
// from the centre to the surface, so a ball in a valley touches both of its sides. A centre below the surface belongs
// to the triangle over it. Beyond the border there is nothing: border edges and vertices end the surface. Edges and
// vertices give no normal to a vertex of radius 0 that lies on them (NaN).
struct SphereHeightField {
  enum Part { lower, upper, along_x, along_y, diagonal, corner, parts };
  double radius = 0.0;
  HeightField field;

  template <class S>
  Feature<S> feature(int index, const Pose<S>& A, const Pose<S>& B) const {
    const int i = index / parts % field.nx, j = index / parts / field.nx, part = index % parts;
    const Vec3<double> v = field.vertex(i, j);
    if (part == lower || part == upper) {
      const Vec3<double> N = normal({i, j, part});
      return ball_plane<S>(A.p, radius, in_world(B, v), B.R * ((1.0 / norm(N)) * N));
    }
    if (part == corner) return ball_ball<S>(A.p, radius, in_world(B, v), 0.0);
    const Vec3<double> e = edge({i, j, part});
    const S along = dot(e, in_frame(B, A.p) - v) / dot(e, e);
    return ball_ball<S>(A.p, radius, in_world(B, v + along * e), 0.0);
  }

  // Only the cells under the box of the ball, grown by the reach, are visited.
  template <class Visit>
  void near(const Pose<double>& A, const Pose<double>& B, double reach, Visit visit) const {
    const Vec3<double> c = in_frame(B, A.p);
    if (const GridFeature over = triangle_over(c); below(over, c)) return visit(index_of(over));

    const double size = std::max(0.0, radius + reach);
    const int i0 = cell(c.x - size, field.dx, field.nx), i1 = cell(c.x + size, field.dx, field.nx);
    const int j0 = cell(c.y - size, field.dy, field.ny), j1 = cell(c.y + size, field.dy, field.ny);
    bool found = false;
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i)
        for (int part = 0; part < parts; ++part)
          if (holds({i, j, part}, c)) {
            visit(index_of({i, j, part}));
            found = true;
          }
    if (found) return;
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i)
        for (const int part : {lower, upper})
          if (on_seam({i, j, part}, c)) return visit(index_of({i, j, part}));
  }

  // Whether near() visits feature k at some reach.
  bool holds(std::uint32_t k, const Pose<double>& A, const Pose<double>& B) const {
    const auto nx = static_cast<std::uint32_t>(field.nx), ny = static_cast<std::uint32_t>(field.ny);
    if (k / parts / nx >= ny) return false;
    const GridFeature place{static_cast<int>(k / parts % nx), static_cast<int>(k / parts / nx),
                            static_cast<int>(k % parts)};
    const Vec3<double> c = in_frame(B, A.p);
    if (const GridFeature over = triangle_over(c); below(over, c)) return static_cast<int>(k) == index_of(over);
    if (holds(place, c)) return true;
    if (!on_seam(place, c)) return false;
    // A seam is visited only if nothing holds within reach: the smallest reach that has its foot decides.
    bool visited = false;
    const double reach = feature(static_cast<int>(k), A, B).gap + 1e-9 * (field.dx + field.dy);
    near(A, B, reach, [&](int other) { visited = visited || other == static_cast<int>(k); });
    return visited;
  }

 private:
  struct GridFeature {
    int i, j, part;
  };
  int index_of(const GridFeature& p) const { return parts * (p.j * field.nx + p.i) + p.part; }

  // The vertex at or before x; a NaN gives 0.
  static int cell(double x, double width, int count) {
    return static_cast<int>(std::fmin(std::fmax(std::floor(x / width), 0.0), count - 1.0));
  }

  // A triangle or an edge is part of the field if its far end is.
  bool exists(const GridFeature& p) const {
    const bool right = p.part != along_y && p.part != corner, ahead = p.part != along_x && p.part != corner;
    return p.i >= 0 && p.j >= 0 && p.i + (right ? 1 : 0) < field.nx && p.j + (ahead ? 1 : 0) < field.ny;
  }

  Vec3<double> edge(const GridFeature& p) const {
    const int right = p.part == along_y ? 0 : 1, ahead = p.part == along_x ? 0 : 1;
    return field.vertex(p.i + right, p.j + ahead) - field.vertex(p.i, p.j);
  }

  // Of a triangle: upward, not of unit length.
  Vec3<double> normal(const GridFeature& p) const {
    const Vec3<double> v = field.vertex(p.i, p.j), across_cell = field.vertex(p.i + 1, p.j + 1) - v;
    return p.part == lower ? cross(field.vertex(p.i + 1, p.j) - v, across_cell)
                           : cross(across_cell, field.vertex(p.i, p.j + 1) - v);
  }
  double height_above(const GridFeature& triangle, const Vec3<double>& c) const {
    return dot(normal(triangle), c - field.vertex(triangle.i, triangle.j));
  }

  GridFeature triangle_over(const Vec3<double>& c) const {
    const int i = std::min(cell(c.x, field.dx, field.nx), field.nx - 2);
    const int j = std::min(cell(c.y, field.dy, field.ny), field.ny - 2);
    return {i, j, (c.y - j * field.dy) * field.dx > (c.x - i * field.dx) * field.dy ? upper : lower};
  }

  // How far c, seen along the normal of the triangle, is to the left of an edge, that is, of its direction of rising x
  // and y. Both triangles at an edge ask the same line, so that coplanar triangles agree to the last bit.
  double left_of(const GridFeature& line, const GridFeature& triangle, const Vec3<double>& c) const {
    return dot(cross(normal(triangle), edge(line)), c - field.vertex(line.i, line.j));
  }

  // Is c, seen along the normal, over the triangle? The line of an edge belongs to the triangle on its left.
  bool over_triangle(const GridFeature& p, const Vec3<double>& c, double relative_slack = 0.0) const {
    if (!exists(p)) return false;
    const Vec3<double> N = normal(p);
    const double slack = relative_slack * dot(N, N);
    const auto left = [&](const GridFeature& line) { return left_of(line, p, c) >= -slack; };
    const auto right = [&](const GridFeature& line) { return left_of(line, p, c) < slack; };
    if (p.part == lower)
      return left({p.i, p.j, along_x}) && left({p.i + 1, p.j, along_y}) && right({p.i, p.j, diagonal});
    return right({p.i, p.j, along_y}) && right({p.i, p.j + 1, along_x}) && left({p.i, p.j, diagonal});
  }

  // Inside the border, and below the triangle there.
  bool below(const GridFeature& over, const Vec3<double>& c) const {
    const bool inside =
        c.x >= 0.0 && c.y >= 0.0 && c.x <= (field.nx - 1) * field.dx && c.y <= (field.ny - 1) * field.dy;
    return inside && height_above(over, c) < 0.0;
  }

  // On a sloping plane rounding can leave a seam between its triangles; the gap is the same on both sides.
  bool on_seam(const GridFeature& p, const Vec3<double>& c) const {
    return (p.part == lower || p.part == upper) && over_triangle(p, c, 1e-12) && height_above(p, c) >= 0.0;
  }

  GridFeature left_triangle(const GridFeature& line) const {
    if (line.part == along_y) return {line.i - 1, line.j, lower};
    return {line.i, line.j, line.part == along_x ? lower : upper};
  }
  GridFeature right_triangle(const GridFeature& line) const {
    if (line.part == along_x) return {line.i, line.j - 1, upper};
    return {line.i, line.j, line.part == along_y ? upper : lower};
  }

  bool holds(const GridFeature& p, const Vec3<double>& c) const {
    if (!exists(p)) return false;
    if (p.part == lower || p.part == upper) return height_above(p, c) >= 0.0 && over_triangle(p, c);
    if (p.part == corner) return nearest_corner(p, c);
    const Vec3<double> e = edge(p), d = c - field.vertex(p.i, p.j);
    if (!(dot(e, d) > 0.0) || !(dot(e, d - e) < 0.0)) return false;
    const GridFeature left = left_triangle(p), right = right_triangle(p);
    return !(exists(left) && left_of(p, left, c) >= 0.0) && !(exists(right) && left_of(p, right, c) < 0.0);
  }

  // No edge and no triangle leads from the vertex towards c.
  bool nearest_corner(const GridFeature& p, const Vec3<double>& c) const {
    const Vec3<double> v = field.vertex(p.i, p.j), d = c - v;
    const int step[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    for (const auto& s : step)
      for (const int way : {-1, 1}) {
        const int i = p.i + way * s[0], j = p.j + way * s[1];
        if (i < 0 || j < 0 || i >= field.nx || j >= field.ny) continue;
        if (dot(field.vertex(i, j) - v, d) > 0.0) return false;
      }
    const GridFeature around[] = {{p.i, p.j, lower},         {p.i, p.j, upper},         {p.i - 1, p.j, lower},
                                  {p.i - 1, p.j - 1, lower}, {p.i - 1, p.j - 1, upper}, {p.i, p.j - 1, upper}};
    return std::none_of(std::begin(around), std::end(around),
                        [&](const GridFeature& t) { return over_triangle(t, c); });
  }
};

}  // namespace esc::spatial
