// Shapes as polygons, coarse: for pictures.
#pragma once

#include <array>
#include <vector>

#include <escapement/io/results.hpp>

namespace esc::io {

struct Mesh {
  std::vector<std::array<double, 3>> points;  // in the frame of the shape
  std::vector<std::vector<int>> polygons;
};

// No polygons: a shape that is not drawn.
Mesh mesh_of(const ShapeInfo& shape);

}  // namespace esc::io
