#include "src/io/results_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/model_parts.hpp"

namespace esc::io {

namespace {

const ColumnShape body_shape{"model/body_places", 3, 1024, "", "kind (1 planar, 2 rigid), first entry in q, in v"};
const ColumnShape frame_shape{"model/shape_frames", 7, 1024, "", "position (m) and quaternion w x y z on the body"};
const ColumnShape size_shape{"model/shape_sizes", 3, 1024, "m",
                             "lengths of the geometry; infinite where it is endless"};
const ColumnShape owner_shape{"model/shape_bodies", 1, 1024, "", "number in model/bodies; -1: fixed to ground"};

struct Sizes {
  std::array<double, 3> operator()(const Disc& g) const { return {g.radius, 0, 0}; }
  std::array<double, 3> operator()(const Ring& g) const { return {g.radius, 0, 0}; }
  std::array<double, 3> operator()(const Rectangle& g) const { return {g.half_length, g.half_height, 0}; }
  std::array<double, 3> operator()(const Sphere& g) const { return {g.radius, 0, 0}; }
  std::array<double, 3> operator()(const Capsule& g) const { return {g.radius, g.half_length, 0}; }
  std::array<double, 3> operator()(const Box& g) const { return {g.half_x, g.half_y, g.half_z}; }
  std::array<double, 3> operator()(const Cylinder& g) const { return {g.radius, g.half_length, 0}; }
  std::array<double, 3> operator()(const Pin& g) const { return {g.radius, g.half_length, g.shoulder}; }
  std::array<double, 3> operator()(const Hole& g) const { return {g.radius, g.half_length, 0}; }
  std::array<double, 3> operator()(const Rim& g) const { return {g.radius, 0, 0}; }
  std::array<double, 3> operator()(const Channel& g) const { return {g.half_width, 0, 0}; }
  std::array<double, 3> operator()(const auto&) const { return {0, 0, 0}; }
};

}  // namespace

Drawing drawing_of(const Model& model, const System& system) {
  const Model::Parts& parts = model.parts();
  Drawing drawing;
  std::vector<int> body_of(parts.blocks.size(), -1);
  for (std::size_t i = 0; i < parts.blocks.size(); ++i) {
    const auto& block = parts.blocks[i];
    const BodyKind kind = block.leaf->body();
    if (kind == BodyKind::ground) continue;
    body_of[i] = static_cast<int>(drawing.bodies.size());
    drawing.bodies.push_back({block.name, kind, system.coordinate(block.name + "." + block.coordinates.front().name),
                              system.velocity(block.name + "." + block.velocities.front().name)});
  }
  for (const auto& shape : parts.shapes) {
    const int block = shape.frame.body.index;
    drawing.shapes.push_back({shape.name, block < 0 ? -1 : body_of[static_cast<std::size_t>(block)],
                              shape.frame.position, shape.frame.rotation, std::string(geometry_name(shape.geometry)),
                              std::visit(Sizes{}, shape.geometry)});
  }
  return drawing;
}

void write_drawing(File& file, const Drawing& drawing) {
  std::vector<std::string> bodies, shapes, geometries;
  std::vector<std::int32_t> places, owners;
  std::vector<double> frames, sizes;
  for (const BodyInfo& body : drawing.bodies) {
    bodies.push_back(body.name);
    places.insert(places.end(), {static_cast<std::int32_t>(body.kind), body.q0, body.v0});
  }
  for (const ShapeInfo& shape : drawing.shapes) {
    shapes.push_back(shape.name);
    geometries.push_back(shape.geometry);
    owners.push_back(shape.body);
    frames.insert(frames.end(), shape.position.begin(), shape.position.end());
    frames.insert(frames.end(), shape.rotation.begin(), shape.rotation.end());
    sizes.insert(sizes.end(), shape.sizes.begin(), shape.sizes.end());
  }
  file.write_texts("model/bodies", bodies);
  file.write_texts("model/shapes", shapes);
  file.write_texts("model/shape_geometries", geometries);
  file.append(file.make_column<std::int32_t>(body_shape), 0, places);
  file.append(file.make_column<std::int32_t>(owner_shape), 0, owners);
  file.append(file.make_column<double>(frame_shape), 0, frames);
  file.append(file.make_column<double>(size_shape), 0, sizes);
}

namespace {

template <class T>
std::vector<T> whole(const File& file, const ColumnShape& shape, std::size_t rows) {
  if (file.rows(shape.name, shape.width) != static_cast<std::int64_t>(rows))
    file.fail("the dataset " + shape.name + " does not have as many rows as there are names");
  if (!shape.unit.empty() && file.text(shape.name, "unit") != shape.unit)
    file.fail("the unit of the dataset " + shape.name + " is not " + shape.unit + ", as it must be");
  return file.read<T>(shape.name, shape.width, {0, static_cast<std::int64_t>(rows)});
}

}  // namespace

Drawing read_drawing(const File& file, const Names& names) {
  Drawing drawing;
  const auto bodies = file.read_texts("model/bodies"), shapes = file.read_texts("model/shapes");
  const auto geometries = file.read_texts("model/shape_geometries");
  const auto places = whole<std::int32_t>(file, body_shape, bodies.size());
  const auto owners = whole<std::int32_t>(file, owner_shape, shapes.size());
  const auto frames = whole<double>(file, frame_shape, shapes.size());
  const auto sizes = whole<double>(file, size_shape, shapes.size());
  if (geometries.size() != shapes.size()) file.fail("the lists of shapes in model differ in length");
  const auto nq = static_cast<int>(names.coordinates.size()), nv = static_cast<int>(names.velocities.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyInfo body{bodies[i], static_cast<BodyKind>(places[3 * i]), places[3 * i + 1], places[3 * i + 2]};
    const int coordinates = body.kind == BodyKind::rigid ? 7 : 3, velocities = body.kind == BodyKind::rigid ? 6 : 3;
    if (body.kind < BodyKind::planar || body.kind > BodyKind::rigid || body.q0 < 0 || body.q0 > nq - coordinates ||
        body.v0 < 0 || body.v0 > nv - velocities)
      file.fail("the body " + body.name + " names coordinates that are not there");
    drawing.bodies.push_back(body);
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    ShapeInfo shape{shapes[i], owners[i], {}, {}, geometries[i], {}};
    if (shape.body < -1 || shape.body >= static_cast<int>(bodies.size()))
      file.fail("the shape " + shape.name + " stands on a body that is not there");
    const auto finite = [](double x) { return std::isfinite(x); };
    const auto size = [](double x) { return x >= 0.0; };  // holes, and shoulders of pins, may be infinitely far away
    if (!std::all_of(frames.data() + 7 * i, frames.data() + 7 * i + 7, finite))
      file.fail("the place of the shape " + shape.name + " is not finite");
    if (!std::all_of(sizes.data() + 3 * i, sizes.data() + 3 * i + 3, size))
      file.fail("a size of the shape " + shape.name + " is negative or not a number");
    std::copy_n(frames.data() + 7 * i, 3, shape.position.begin());
    std::copy_n(frames.data() + 7 * i + 3, 4, shape.rotation.begin());
    std::copy_n(sizes.data() + 3 * i, 3, shape.sizes.begin());
    drawing.shapes.push_back(shape);
  }
  return drawing;
}

}  // namespace esc::io
