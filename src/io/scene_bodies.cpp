// Bodies, bars, shapes, materials and frames.
#include <cmath>
#include <numbers>

#include "src/formula/lexer.hpp"
#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

struct PlanarSolid {
  double mass, inertia;
};

PlanarSolid planar_solid(const Reader& body, const Geometry& shape, double density) {
  if (const auto* disc = std::get_if<Disc>(&shape)) {
    const double r2 = disc->radius * disc->radius, m = density * std::numbers::pi * r2;
    return {m, 0.5 * m * r2};
  }
  if (const auto* box = std::get_if<Rectangle>(&shape)) {
    const double m = density * 4.0 * box->half_length * box->half_height;
    return {m, m / 3.0 * (box->half_length * box->half_length + box->half_height * box->half_height)};
  }
  body.refuse("density", "a planar body of a density is a disc or a rectangle, not a " +
                             std::string(geometry_name(shape)) + "; give mass and inertia");
}

void require_mass(const Reader& body) {
  for (const std::string_view key : {"mass", "inertia"})
    if (!body.has(key)) body.refuse("'" + std::string(key) + "' is missing; give mass and inertia, or density");
}

bool at_centre(Reader& shape) {
  for (const double x : shape.numbers("position"))
    if (x != 0.0) return false;
  return !shape.has("rotation") && !shape.has("axis") && !shape.has("angle");
}

}  // namespace

std::array<double, 4> rotation_of(Reader& reader) {
  if (reader.has("rotation")) {
    if (reader.has("axis") || reader.has("angle"))
      reader.refuse("rotation", "it has a rotation and an axis or angle; give one of them");
    const auto q = reader.array<4>("rotation");
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(std::abs(norm - 1.0) <= 1e-9))
      reader.refuse("rotation", "rotation is a quaternion of norm " + detail::format_number(norm) +
                                    "; it must be 1; or give axis and angle");
    return q;
  }
  if (!reader.has("angle")) {
    if (reader.has("axis")) reader.refuse("axis", "it has an axis, but no angle");
    return {1.0, 0.0, 0.0, 0.0};
  }
  const double angle = reader.number("angle");
  const std::array<double, 3> axis =
      reader.has("axis") ? reader.array<3>("axis") : std::array<double, 3>{0.0, 0.0, 1.0};
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0.0) || !std::isfinite(length)) reader.refuse("axis", "the axis has no direction");
  const double s = std::sin(0.5 * angle) / length;
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

Geometry geometry_of(Reader& reader) {
  const std::string_view kind = reader.kind();
  const auto radius = [&] { return reader.number("radius"); };
  const auto half_length = [&] { return reader.number("half_length"); };
  const auto or_endless = [&](std::string_view key) {
    return reader.has(key) ? reader.number(key) : std::numeric_limits<double>::infinity();
  };
  if (kind == "disc") return Disc{radius()};
  if (kind == "half-plane") return HalfPlane{};
  if (kind == "ring") return Ring{radius()};
  if (kind == "rectangle") return Rectangle{half_length(), reader.number("half_height")};
  if (kind == "sphere") return Sphere{radius()};
  if (kind == "half-space") return HalfSpace{};
  if (kind == "capsule") return Capsule{radius(), half_length()};
  if (kind == "cylinder") return Cylinder{radius(), half_length()};
  if (kind == "pin") return Pin{radius(), half_length(), or_endless("shoulder")};
  if (kind == "hole") return Hole{radius(), or_endless("half_length")};
  if (kind == "rim") return Rim{radius()};
  if (kind == "channel") return Channel{reader.number("half_width")};
  if (kind == "box") {
    const auto half = reader.array<3>("half_sizes");
    return Box{half[0], half[1], half[2]};
  }
  if (kind == "height-field") {
    const auto spacing = reader.array<2>("spacing");
    const int columns = reader.integer("columns");
    std::vector<double> heights = reader.numbers("heights");
    const int count = static_cast<int>(heights.size());
    if (count % columns != 0 || count < 2 * columns)
      reader.refuse("heights", std::to_string(count) + " heights do not make rows of " + std::to_string(columns) +
                                   "; give at least two full rows");
    return HeightField{columns, count / columns, spacing[0], spacing[1], std::move(heights)};
  }
  return Vertex{};
}

void Builder::keep_place(const std::string& name, const Reader& item) {
  const auto [place, is_new] = names_.emplace(name, item.place());
  if (!is_new)
    item.refuse("name", "the name " + in_quotes(name) + " is used twice, first in line " +
                            std::to_string(place->second.line) + " of " + place->second.source->file +
                            "; names of all items must differ");
  scene_.places.push_back({name, item.place().source->file, item.place().line, item.place().column});
}

std::string Builder::name_of(Reader& item) {
  const std::string name = item.text("name");
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  constexpr std::size_t longest_name = 200;
  bool is_word = !name.empty() && letter(name[0]);
  for (const char c : name) is_word = is_word && (letter(c) || (c >= '0' && c <= '9') || c == '.');
  if (name.size() > longest_name)
    item.refuse("name", in_quotes(name) + " has " + std::to_string(name.size()) + " characters; a name has at most " +
                            std::to_string(longest_name));
  if (name == "ground") item.refuse("name", "'ground' is the name of what does not move; give this item another");
  if (!is_word)
    item.refuse("name", in_quotes(name) +
                            " is no name: a name begins with a letter and has letters, digits, '_' and '.' only (so "
                            "that formulas can use it)");
  return name;
}

BlockId Builder::body(Reader& reader, std::string_view key) {
  const std::string name = reader.text(key);
  if (name == "ground") return ground;
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) return found->second;
  reader.refuse(key, "there is no body " + in_quotes(name) + did_you_mean(name, names_of(bodies_)) +
                         (names_.contains(name) ? "; this name is that of something else" : ""));
}

void Builder::doubt_angle(const std::string& item, const std::string& key, double angle) {
  if (std::isfinite(angle) && std::abs(angle) > 2.0 * std::numbers::pi)
    scene_.doubts.push_back({item, item + ": " + key + " is " + short_text(angle) +
                                       " rad, more than a turn: is it in degrees? 90 degrees are pi/2"});
}

Frame Builder::frame(Reader reader) {
  const BlockId on = body(reader, "body");
  const auto position = reader.array<3>("position");
  const auto rotation = rotation_of(reader);
  if (reader.has("angle")) doubt_angle(reader.item(), "angle", reader.number("angle"));
  const bool in_world = reader.choice("axes") == 1;
  reader.finish();
  if (in_world) return added(reader, [&] { return scene_.model.frame_at(on, position, rotation); });
  return {on, position, rotation};
}

void Builder::add_material(Reader material) {
  const std::string name = name_of(material);
  if (materials_.contains(name)) material.refuse("name", "there are two materials " + in_quotes(name));
  materials_[name] = {.e = material.number("e"), .mu = material.number("mu")};
  material.finish();
}

PairFilter Builder::filter(Reader& shape) {
  PairFilter filter;
  filter.group = std::uint32_t{1} << (shape.integer("group") - 1);
  if (!shape.has("touches")) return filter;
  filter.mask = 0;
  for (const double group : shape.numbers("touches")) filter.mask |= std::uint32_t{1} << (static_cast<int>(group) - 1);
  return filter;
}

void Builder::add_shape(Reader shape, const std::string& of_body) {
  const std::string own = name_of(shape);
  const std::string name = of_body.empty() ? own : of_body + "." + own;
  if (!of_body.empty() && shape.has("body"))
    shape.refuse("body", "a shape within a body sits on it; omit 'body', or write it as [[shape]]");
  keep_place(name, shape);
  const BlockId on = of_body.empty() ? body(shape, "body") : bodies_.at(of_body);
  const Frame frame{on, shape.array<3>("position"), rotation_of(shape)};
  if (shape.has("angle")) doubt_angle(name, "angle", shape.number("angle"));
  Shape kept;
  if (shape.has("material")) {
    const std::string material = shape.text("material");
    const auto found = materials_.find(material);
    if (found == materials_.end())
      shape.refuse("material",
                   "there is no material " + in_quotes(material) + did_you_mean(material, names_of(materials_)));
    kept.material = found->second;
    kept.has_material = true;
  }
  Geometry geometry = geometry_of(shape);
  const PairFilter groups = filter(shape);
  shape.finish();
  kept.id =
      added(shape, [&] { return scene_.model.add_shape(name, frame, std::move(geometry), kept.material, groups); });
  shapes_[name] = kept;
}

// The solid whose density is given.
Geometry Builder::solid_shape(Reader& body) {
  for (const std::string_view key : {"mass", "inertia"})
    if (body.has(key)) body.refuse(key, "it has a density and also " + std::string(key) + "; give one of them");
  if (body.has("solid")) {
    Reader solid = body.table("solid");
    Geometry geometry = geometry_of(solid);
    solid.finish();
    return geometry;
  }
  std::vector<Reader> shapes = body.tables("shape");
  if (shapes.size() != 1 || !at_centre(shapes[0]))
    body.refuse("density", "a density needs 'solid', or a body with one shape whose frame is that of the body");
  return geometry_of(shapes[0]);
}

BlockId Builder::add_planar_body(Reader& body, const std::string& name) {
  PlanarBody planar;
  if (body.has("density")) {
    const PlanarSolid solid = planar_solid(body, solid_shape(body), body.number("density"));
    planar.mass = solid.mass;
    planar.inertia = solid.inertia;
  } else {
    require_mass(body);
    planar.mass = body.number("mass");
    planar.inertia = body.number("inertia");
  }
  planar.pose = body.array<3>("pose");
  doubt_angle(name, "the third number of pose", planar.pose[2]);
  planar.velocity = body.array<3>("velocity");
  return keep_block(name, added(body, [&] { return scene_.model.add_planar_body(name, planar); }), {"x", "y", "phi"});
}

BlockId Builder::add_space_body(Reader& body, const std::string& name) {
  RigidBody rigid;
  if (body.has("density")) {
    const Geometry shape = solid_shape(body);
    rigid = added(body, [&] { return solid(shape, body.number("density")); });
  } else {
    require_mass(body);
    rigid.mass = body.number("mass");
    rigid.inertia = body.array<3>("inertia");
    rigid.products = body.array<3>("products");
    rigid.allow_unphysical_inertia = body.boolean("allow_unphysical_inertia");
  }
  rigid.position = body.array<3>("position");
  rigid.rotation = rotation_of(body);
  if (body.has("angle")) doubt_angle(name, "angle", body.number("angle"));
  rigid.velocity = body.array<3>("velocity");
  rigid.angular_velocity = body.array<3>("angular_velocity");
  if (body.choice("angular_velocity_axes") == 1) {
    const auto& [w, x, y, z] = rigid.rotation;
    const Vec3<double> own = to_frame(esc::rotation_of(w, x, y, z), vec3(rigid.angular_velocity));
    rigid.angular_velocity = {own.x, own.y, own.z};
  }
  return added(body, [&] { return scene_.model.add_rigid_body(name, rigid); });
}

void Builder::add_body(Reader body) {
  const std::string name = name_of(body);
  keep_place(name, body);
  bodies_[name] = body.kind() == "planar" ? add_planar_body(body, name) : add_space_body(body, name);
  static_cast<void>(body.tables("shape"));  // added later, behind those on ground
  body.finish();
}

void Builder::add_bar(Reader reader) {
  const std::string name = name_of(reader);
  keep_place(name, reader);
  Bar bar;
  bar.length = reader.number("length");
  bar.section = reader.number("section");
  bar.young = reader.number("young");
  bar.density = reader.number("density");
  bar.elements = reader.integer("elements");
  bar.displacement = reader.number("displacement");
  bar.velocity = reader.number("velocity");
  reader.finish();
  constexpr std::size_t most_coordinates = 1'000'000;
  if (coordinates_.size() + static_cast<std::size_t>(bar.elements) > most_coordinates)
    reader.refuse("elements", "the scene has more than " + std::to_string(most_coordinates) + " coordinates");
  std::vector<std::string> nodes;
  for (int i = 0; i <= bar.elements; ++i) nodes.push_back("u" + std::to_string(i));
  keep_block(name, added(reader, [&] { return scene_.model.add_bar(name, bar); }), nodes);
}

}  // namespace esc::io
