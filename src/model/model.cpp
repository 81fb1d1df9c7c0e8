#include <escapement/model.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <utility>

#include "src/model/bodies.hpp"
#include "src/model/model_checks.hpp"
#include "src/model/shapes.hpp"

namespace esc {

namespace {

bool admitted(const PairFilter& a, const PairFilter& b) { return (a.group & b.mask) != 0 && (b.group & a.mask) != 0; }

// The pairs of bodies that a joint ties directly, the smaller index first. Ground is no body here: what hangs from it
// may still touch it.
std::set<std::pair<int, int>> jointed_bodies(const Model::Parts& parts) {
  std::set<std::pair<int, int>> pairs;
  for (const auto& joint : parts.joints)
    for (const Frame& a : joint.frames)
      for (const Frame& b : joint.frames)
        if (!(a.body == ground) && a.body.index < b.body.index) pairs.emplace(a.body.index, b.body.index);
  return pairs;
}

// A pair takes more than a kilobyte, and every step looks at each of them.
std::vector<std::pair<int, int>> pairs_that_may_touch(const Model::Parts& parts) {
  constexpr std::size_t most_shapes = 20'000, most_pairs = 2'000'000;
  const auto refuse = [](const std::string& what, std::size_t most) {
    throw ModelError("contacts", what + "; at most " + std::to_string(most) +
                                     " are allowed: name the contacts that matter, or keep shapes apart by groups");
  };
  const auto& shapes = parts.shapes;
  if (shapes.size() > most_shapes) refuse("every pair of " + std::to_string(shapes.size()) + " shapes", most_shapes);
  const auto jointed = jointed_bodies(parts);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(shapes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(shapes.size()); ++j) {
      const int a = shapes[i].frame.body.index, b = shapes[j].frame.body.index;
      if (a == b || !admitted(shapes[i].filter, shapes[j].filter) || jointed.contains(std::minmax(a, b))) continue;
      pairs.emplace_back(i, j);
      if (pairs.size() > most_pairs)
        refuse(std::to_string(shapes.size()) + " shapes have too many pairs that may touch", most_pairs);
    }
  return pairs;
}

}  // namespace

double combine(Combination rule, double a, double b) {
  switch (rule) {
    case Combination::minimum:
      return std::min(a, b);
    case Combination::mean:
      return 0.5 * (a + b);
    case Combination::maximum:
      return std::max(a, b);
    case Combination::geometric_mean:
      return std::sqrt(a * b);
    case Combination::product:
      return a * b;
  }
  return a;
}

namespace {

// The only thing that models share: no result depends on it.
std::uint32_t next_model_number() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

}  // namespace

Model::Parts::Parts() : model(next_model_number()) {}

Model::Owned::Owned() : parts_(std::make_unique<Parts>()) {}
Model::Owned::Owned(Owned&&) noexcept = default;
Model::Owned& Model::Owned::operator=(Owned&&) noexcept = default;
Model::Owned::~Owned() = default;

Model::Parts& Model::Owned::operator*() const {
  if (!parts_) throw ModelError("model", "it was moved to another Model and is empty; use that one");
  return *parts_;
}

Model::Model() = default;
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
  if (leaf->coordinates() != leaf->dofs())
    throw ModelError(name, "a block on a manifold has no plain coordinates; use add_rigid_body");
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
  std::unordered_set<std::string_view> known;
  for (int i = 0; i < n; ++i) {
    if (coordinate_names[i].empty())
      throw ModelError(name, "the name of coordinate " + std::to_string(i) + " is empty; give every coordinate a name");
    if (!known.insert(coordinate_names[i]).second)
      throw ModelError(name, "two coordinates are called '" + coordinate_names[i] + "'; names must differ");
  }
  leaf->check(name);

  std::vector<CoordinateName> names, rates;
  for (std::string& coordinate : coordinate_names) {
    rates.push_back({coordinate, "1/s"});
    names.push_back({std::move(coordinate), ""});
  }
  return keep(*parts_, parts_->blocks,
              {std::move(name), std::move(names), std::move(rates), std::move(leaf), std::move(q), std::move(v)});
}

BlockId Model::add_planar_body(std::string name, const PlanarBody& body) {
  require_name(*parts_, "planar body", name);
  const BlockId id =
      add_coordinates(std::move(name), {"x", "y", "phi"}, planar_body_leaf(body), {body.pose.begin(), body.pose.end()},
                      {body.velocity.begin(), body.velocity.end()});
  auto& block = parts_->blocks.back();
  block.coordinates = {{"x", "m"}, {"y", "m"}, {"phi", "rad"}};
  block.velocities = {{"x", "m/s"}, {"y", "m/s"}, {"phi", "rad/s"}};
  return id;
}

BlockId Model::add_rigid_body(std::string name, const RigidBody& body) {
  require_name(*parts_, "rigid body", name);
  std::unique_ptr<BlockLeaf> leaf = rigid_body_leaf(body);
  leaf->check(name);
  require_finite(name, "position", body.position);
  require_finite(name, "velocity", body.velocity);
  require_finite(name, "angular_velocity", body.angular_velocity);
  require_rotation(name, "rotation", body.rotation);
  if (!physical_inertia(body)) {
    const std::string what = "no solid has this inertia: a principal moment is larger than the sum of the other two";
    if (!body.allow_unphysical_inertia) throw ModelError(name, what + "; correct it, or set allow_unphysical_inertia");
    parts_->warnings.push_back(name + ": " + what + " (allowed by allow_unphysical_inertia)");
  }
  const auto joined = [](const auto& a, const auto& b) {
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    return all;
  };
  return keep(*parts_, parts_->blocks,
              {std::move(name),
               {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}},
               {{"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}},
               std::move(leaf),
               joined(body.position, body.rotation),
               joined(body.velocity, body.angular_velocity)});
}

BlockId Model::add_bar(std::string name, const Bar& bar) {
  if (bar.elements < 1 || bar.elements > 10'000'000)
    throw ModelError(name, "elements is " + std::to_string(bar.elements) + "; allowed is 1 to 10000000");
  std::vector<CoordinateName> nodes, rates;
  for (int i = 0; i <= bar.elements; ++i) {
    nodes.push_back({"u" + std::to_string(i), "m"});
    rates.push_back({nodes.back().name, "m/s"});
  }
  require_name(*parts_, "bar", name);
  std::unique_ptr<BlockLeaf> leaf = bar_leaf(bar);
  leaf->check(name);
  const std::vector<double> q(nodes.size(), bar.displacement);
  const std::vector<double> v(nodes.size(), bar.velocity);
  require_finite(name, "displacement", {&bar.displacement, 1});
  require_finite(name, "velocity", {&bar.velocity, 1});
  return keep(*parts_, parts_->blocks, {std::move(name), std::move(nodes), std::move(rates), std::move(leaf), q, v});
}

ContactId Model::add_contact(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ContactLeaf> leaf,
                             ContactLaw law) {
  require_name(*parts_, "contact", name);
  require_law(name, law);
  if (!leaf) throw ModelError(name, "no gap function was given");
  require_coordinates(*parts_, name, coordinates, leaf->arity(), "give it shapes (add_shape) and a contact of shapes");
  require_slip(name, *leaf, law);
  return keep(*parts_, parts_->contacts, {std::move(name), law, std::move(leaf), std::move(coordinates), {}, -1, -1});
}

ShapeId Model::add_shape(std::string name, const Frame& frame, Geometry geometry, Material material,
                         PairFilter filter) {
  require_name(*parts_, "shape", name);
  require_frame(*parts_, name, frame);
  require_law(name, {material.e, material.mu});
  require_sizes(name, geometry);
  return keep(*parts_, parts_->shapes, {std::move(name), frame, std::move(geometry), material, filter});
}

ContactId Model::add_contact(std::string name, ShapeId a, ShapeId b, ContactLaw law) {
  require_name(*parts_, "contact", name);
  require_law(name, law);
  for (const ShapeId id : {a, b}) require_id(*parts_, name, "shape", id, parts_->shapes);
  return keep(*parts_, parts_->contacts, {std::move(name), law, nullptr, {}, {}, a.index, b.index});
}

void Model::add_contacts(Combination restitution, Combination friction) {
  const auto& shapes = parts_->shapes;
  for (const auto& [i, j] : pairs_that_may_touch(*parts_)) {
    const auto& a = shapes[i];
    const auto& b = shapes[j];
    add_contact(a.name + "/" + b.name, ShapeId{i}, ShapeId{j},
                {combine(restitution, a.material.e, b.material.e), combine(friction, a.material.mu, b.material.mu)});
  }
}

ForceId Model::add_force(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ForceLeaf> leaf) {
  require_name(*parts_, "force", name);
  if (!leaf) throw ModelError(name, "no force function was given");
  require_coordinates(*parts_, name, coordinates, leaf->arity(),
                      "use add_wrench, add_spring, add_bushing or line_force on its frames");
  return keep(*parts_, parts_->forces, {std::move(name), std::move(coordinates), {}, std::move(leaf)});
}

InputId Model::add_input(std::string name, double value) {
  require_name(*parts_, "input", name);
  require_finite(name, "the value", {&value, 1});
  return keep(*parts_, parts_->inputs, {std::move(name), value});
}

void Model::set_input(InputId input, double value) {
  require_id(*parts_, "input", "input", input, parts_->inputs);
  require_finite(parts_->inputs[input.index].name, "the value", {&value, 1});
  parts_->inputs[input.index].value = value;
}

OutputId Model::add_output(std::string name, OutputFunction function) {
  require_name(*parts_, "output", name);
  if (!function) throw ModelError(name, "no function was given");
  return keep(*parts_, parts_->outputs, {std::move(name), std::move(function)});
}

Frame planar_frame(BlockId body, double x, double y, double phi) {
  return {body, {x, y, 0.0}, {std::cos(0.5 * phi), 0.0, 0.0, std::sin(0.5 * phi)}};
}

}  // namespace esc
