#include <escapement/model.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/math/text.hpp"
#include "src/model/bodies.hpp"
#include "src/model/model_parts.hpp"

namespace esc {

namespace {

void require_finite(const std::string& name, const char* what, std::span<const double> values) {
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    if (!std::isfinite(values[i]))
      throw ModelError(
          name, std::string(what) + "[" + std::to_string(i) + "] is " + to_text(values[i]) + "; it must be finite");
}

void require_law(const std::string& name, const ContactLaw& law) {
  if (!(law.e >= 0.0 && law.e <= 1.0))
    throw ModelError(name, "restitution e is " + to_text(law.e) + "; allowed is [0, 1]");
  if (!(law.mu >= 0.0) || !std::isfinite(law.mu))
    throw ModelError(name, "friction mu is " + to_text(law.mu) + "; allowed is >= 0 and finite");
}

void require_name(const Model::Parts& parts, const char* kind, const std::string& name) {
  if (name.empty()) throw ModelError(kind, "the name is empty; give every item a name");
  if (parts.names.contains(name)) throw ModelError(name, "the name is used twice; names of all items must differ");
}

// The last thing that adding an item does: a refused item leaves the model as it was.
template <class Item>
int keep(Model::Parts& parts, std::vector<Item>& list, Item item) {
  parts.names.insert(item.name);
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

void require_block(const Model::Parts& parts, const std::string& name, BlockId id) {
  if (id.index >= 0 && id.index < static_cast<int>(parts.blocks.size())) return;
  throw ModelError(name, "body number " + std::to_string(id.index) + " does not exist in this model");
}

int require_coordinates(const Model::Parts& parts, const std::string& name, std::vector<Coordinates>& coordinates,
                        int arity) {
  int total = 0;
  for (Coordinates& part : coordinates) {
    require_block(parts, name, part.block);
    const auto& block = parts.blocks[part.block.index];
    const int dofs = block.leaf->dofs();
    if (part.count < 0) part.count = dofs - part.first;
    if (part.first < 0 || part.count < 1 || part.first + part.count > dofs)
      throw ModelError(name, "coordinates " + std::to_string(part.first) + ".." +
                                 std::to_string(part.first + part.count - 1) + " of '" + block.name +
                                 "' do not exist; it has " + std::to_string(dofs));
    for (const Coordinates* other = coordinates.data(); other != &part; ++other)
      if (other->block == part.block && other->first < part.first + part.count &&
          part.first < other->first + other->count)
        throw ModelError(name, "a coordinate of '" + block.name + "' is given twice; each may stand once");
    total += part.count;
  }
  if (total != arity)
    throw ModelError(name, "the function takes " + std::to_string(arity) + " coordinates, but " +
                               std::to_string(total) + " were given");
  return total;
}

double combine(Combination rule, double a, double b) {
  switch (rule) {
    case Combination::minimum:
      return std::min(a, b);
    case Combination::mean:
      return 0.5 * (a + b);
    case Combination::maximum:
      return std::max(a, b);
  }
  return a;
}

bool admitted(const PairFilter& a, const PairFilter& b) { return (a.group & b.mask) != 0 && (b.group & a.mask) != 0; }

}  // namespace

Model::Model() : parts_(std::make_unique<Parts>()) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

void Model::set_gravity(std::array<double, 3> gravity) {
  require_finite("gravity", "gravity", gravity);
  parts_->gravity = gravity;
}

void Model::set_penetration_tolerance(double tolerance) {
  if (!(tolerance >= 0.0) || !std::isfinite(tolerance))
    throw ModelError("penetration_tolerance", "the value is " + to_text(tolerance) + " m; allowed is >= 0 and finite");
  parts_->penetration_tolerance = tolerance;
}

BlockId Model::add_coordinates(std::string name, std::vector<std::string> coordinate_names,
                               std::unique_ptr<BlockLeaf> leaf, std::vector<double> q, std::vector<double> v) {
  require_name(*parts_, "coordinates", name);
  if (!leaf) throw ModelError(name, "no mass and force were given");
  const int n = leaf->dofs();
  const auto size_error = [&](const char* what, std::size_t size) {
    if (static_cast<int>(size) != n)
      throw ModelError(name, std::string(what) + " has " + std::to_string(size) + " entries; the block has " +
                                 std::to_string(n) + " coordinates");
  };
  size_error("the list of coordinate names", coordinate_names.size());
  size_error("the initial q", q.size());
  size_error("the initial v", v.size());
  require_finite(name, "the initial q", q);
  require_finite(name, "the initial v", v);
  for (int i = 0; i < n; ++i) {
    if (coordinate_names[i].empty())
      throw ModelError(name, "the name of coordinate " + std::to_string(i) + " is empty; give every coordinate a name");
    for (int j = 0; j < i; ++j)
      if (coordinate_names[i] == coordinate_names[j])
        throw ModelError(name, "two coordinates are called '" + coordinate_names[i] + "'; names must differ");
  }
  leaf->check(name);

  std::vector<std::string> units(coordinate_names.size(), "");
  return {keep(*parts_, parts_->blocks,
               {std::move(name), std::move(coordinate_names), std::move(units), std::move(leaf), std::move(q),
                std::move(v), false})};
}

BlockId Model::add_planar_body(std::string name, const PlanarBody& body) {
  require_name(*parts_, "planar body", name);
  const BlockId id =
      add_coordinates(std::move(name), {"x", "y", "phi"}, planar_body_leaf(body), {body.pose.begin(), body.pose.end()},
                      {body.velocity.begin(), body.velocity.end()});
  parts_->blocks.back().units = {"m", "m", "rad"};
  parts_->blocks.back().planar_body = true;
  return id;
}

BlockId Model::add_bar(std::string name, const Bar& bar) {
  if (bar.elements < 1 || bar.elements > 10'000'000)
    throw ModelError(name, "elements is " + std::to_string(bar.elements) + "; allowed is 1 to 10000000");
  std::vector<std::string> nodes(bar.elements + 1);
  for (int i = 0; i <= bar.elements; ++i) nodes[i] = "u" + std::to_string(i);
  require_name(*parts_, "bar", name);
  std::unique_ptr<BlockLeaf> leaf = bar_leaf(bar);
  leaf->check(name);
  const std::vector<double> q(nodes.size(), bar.displacement);
  const std::vector<double> v(nodes.size(), bar.velocity);
  require_finite(name, "displacement", {&bar.displacement, 1});
  require_finite(name, "velocity", {&bar.velocity, 1});
  std::vector<std::string> units(nodes.size(), "m");
  return {keep(*parts_, parts_->blocks,
               {std::move(name), std::move(nodes), std::move(units), std::move(leaf), q, v, false})};
}

ContactId Model::add_contact(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ContactLeaf> leaf,
                             ContactLaw law) {
  require_name(*parts_, "contact", name);
  require_law(name, law);
  if (!leaf) throw ModelError(name, "no gap function was given");
  require_coordinates(*parts_, name, coordinates, leaf->arity());
  if (law.mu > 0.0 && !leaf->has_slip())
    throw ModelError(name,
                     "friction mu is " + to_text(law.mu) + ", but there is no slip function; give one or set mu = 0");
  return {keep(*parts_, parts_->contacts, {std::move(name), law, {std::move(coordinates), std::move(leaf)}, -1, -1})};
}

ShapeId Model::add_shape(std::string name, const Frame& frame, Geometry geometry, Material material,
                         PairFilter filter) {
  require_name(*parts_, "shape", name);
  if (!(frame.body == ground)) require_block(*parts_, name, frame.body);
  require_finite(name, "frame position", frame.position);
  require_finite(name, "frame rotation", frame.rotation);
  const auto& r = frame.rotation;
  const double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  if (std::abs(norm - 1.0) > 1e-9)
    throw ModelError(name, "the frame's quaternion has norm " + to_text(norm) + "; it must be 1");
  require_law(name, {material.e, material.mu});
  const auto size = [&](const char* what, double value) {
    if (!(value > 0.0) || !std::isfinite(value))
      throw ModelError(name, std::string(what) + " is " + to_text(value) + " m; it must be positive and finite");
  };
  if (const auto* disc = std::get_if<Disc>(&geometry)) size("radius", disc->radius);
  if (const auto* ring = std::get_if<Ring>(&geometry)) size("radius", ring->radius);
  if (const auto* box = std::get_if<Rectangle>(&geometry)) {
    size("half_length", box->half_length);
    size("half_height", box->half_height);
  }
  return {keep(*parts_, parts_->shapes, {std::move(name), frame, geometry, material, filter})};
}

ContactId Model::add_contact(std::string name, ShapeId a, ShapeId b, ContactLaw law) {
  require_name(*parts_, "contact", name);
  require_law(name, law);
  const int count = static_cast<int>(parts_->shapes.size());
  for (const ShapeId id : {a, b})
    if (id.index < 0 || id.index >= count)
      throw ModelError(name, "shape number " + std::to_string(id.index) + " does not exist in this model");
  return {keep(*parts_, parts_->contacts, {std::move(name), law, {}, a.index, b.index})};
}

void Model::add_contacts(Combination restitution, Combination friction) {
  const auto& shapes = parts_->shapes;
  for (int i = 0; i < static_cast<int>(shapes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes.size()); ++j) {
      const auto& a = shapes[i];
      const auto& b = shapes[j];
      if (a.frame.body == b.frame.body || !admitted(a.filter, b.filter)) continue;
      add_contact(a.name + "/" + b.name, ShapeId{i}, ShapeId{j},
                  {combine(restitution, a.material.e, b.material.e), combine(friction, a.material.mu, b.material.mu)});
    }
}

ForceId Model::add_force(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ForceLeaf> leaf) {
  require_name(*parts_, "force", name);
  if (!leaf) throw ModelError(name, "no force function was given");
  require_coordinates(*parts_, name, coordinates, leaf->arity());
  return {keep(*parts_, parts_->forces, {std::move(name), std::move(coordinates), std::move(leaf)})};
}

InputId Model::add_input(std::string name, double value) {
  require_name(*parts_, "input", name);
  require_finite(name, "the value", {&value, 1});
  return {keep(*parts_, parts_->inputs, {std::move(name), value})};
}

OutputId Model::add_output(std::string name, OutputFunction function) {
  require_name(*parts_, "output", name);
  if (!function) throw ModelError(name, "no function was given");
  return {keep(*parts_, parts_->outputs, {std::move(name), std::move(function)})};
}

Frame planar_frame(BlockId body, double x, double y, double phi) {
  return {body, {x, y, 0.0}, {std::cos(0.5 * phi), 0.0, 0.0, std::sin(0.5 * phi)}};
}

std::string_view geometry_name(const Geometry& geometry) {
  constexpr std::array<std::string_view, 5> names{"vertex", "disc", "half-plane", "ring", "rectangle"};
  static_assert(names.size() == std::variant_size_v<Geometry>);
  return names[geometry.index()];
}

}  // namespace esc
