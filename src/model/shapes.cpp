#include "src/model/shapes.hpp"

#include <cmath>
#include <vector>

#include <escapement/error.hpp>

#include "src/math/text.hpp"

namespace esc {

namespace {

struct Size {
  const char* what;
  double value;  // m
  bool may_be_infinite = false;
};

struct Description {
  std::string_view name;
  World world;
  std::vector<Size> sizes;
};

// One line a shape.
Description describe(const Vertex&) { return {"vertex", World::both, {}}; }
Description describe(const Disc& s) { return {"disc", World::plane, {{"radius", s.radius}}}; }
Description describe(const HalfPlane&) { return {"half-plane", World::plane, {}}; }
Description describe(const Ring& s) { return {"ring", World::plane, {{"radius", s.radius}}}; }
Description describe(const Rectangle& s) {
  return {"rectangle", World::plane, {{"half_length", s.half_length}, {"half_height", s.half_height}}};
}
Description describe(const Sphere& s) { return {"sphere", World::space, {{"radius", s.radius}}}; }
Description describe(const HalfSpace&) { return {"half-space", World::space, {}}; }
Description describe(const Capsule& s) {
  return {"capsule", World::space, {{"radius", s.radius}, {"half_length", s.half_length}}};
}
Description describe(const Box& s) {
  return {"box", World::space, {{"half_x", s.half_x}, {"half_y", s.half_y}, {"half_z", s.half_z}}};
}
Description describe(const Cylinder& s) {
  return {"cylinder", World::space, {{"radius", s.radius}, {"half_length", s.half_length}}};
}
Description describe(const Pin& s) {
  return {"pin", World::space, {{"radius", s.radius}, {"half_length", s.half_length}, {"shoulder", s.shoulder, true}}};
}
Description describe(const Hole& s) {
  return {std::isfinite(s.half_length) ? "hole of finite length" : "hole",
          World::space,
          {{"radius", s.radius}, {"half_length", s.half_length, true}}};
}
Description describe(const Rim& s) { return {"rim", World::space, {{"radius", s.radius}}}; }
Description describe(const Channel& s) { return {"channel", World::space, {{"half_width", s.half_width}}}; }
Description describe(const HeightField& s) { return {"height field", World::space, {{"dx", s.dx}, {"dy", s.dy}}}; }

Description describe(const Geometry& geometry) {
  return std::visit([](const auto& shape) { return describe(shape); }, geometry);
}

void require_grid(const std::string& name, const HeightField& field) {
  constexpr int most = 16384;  // features are numbered in 32 bits
  for (const int count : {field.nx, field.ny})
    if (count < 2 || count > most)
      throw ModelError(name, "the grid is " + std::to_string(field.nx) + " x " + std::to_string(field.ny) +
                                 " vertices; allowed is 2 to " + std::to_string(most) + " in each direction");
  if (static_cast<int>(field.heights.size()) != field.nx * field.ny)
    throw ModelError(name, std::to_string(field.heights.size()) + " heights were given; a grid of " +
                               std::to_string(field.nx) + " x " + std::to_string(field.ny) + " vertices needs " +
                               std::to_string(field.nx * field.ny));
  for (std::size_t i = 0; i < field.heights.size(); ++i)
    if (!std::isfinite(field.heights[i]))
      throw ModelError(name,
                       "heights[" + std::to_string(i) + "] is " + to_text(field.heights[i]) + " m; it must be finite");
}

}  // namespace

std::string_view geometry_name(const Geometry& geometry) { return describe(geometry).name; }

World world_of(const Geometry& geometry) { return describe(geometry).world; }

std::vector<double> sizes_of(const Geometry& geometry) {
  std::vector<double> values;
  for (const Size& size : describe(geometry).sizes)
    if (std::isfinite(size.value)) values.push_back(size.value);
  return values;
}

void require_sizes(const std::string& name, const Geometry& geometry) {
  for (const Size& size : describe(geometry).sizes) {
    if (size.value > 0.0 && (size.may_be_infinite || std::isfinite(size.value))) continue;
    throw ModelError(name, std::string(size.what) + " is " + to_text(size.value) + " m; it must be positive" +
                               (size.may_be_infinite ? "" : " and finite"));
  }
  if (const auto* field = std::get_if<HeightField>(&geometry)) require_grid(name, *field);
}

}  // namespace esc
