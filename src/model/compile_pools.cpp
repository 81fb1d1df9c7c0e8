// The leaves of a Model sorted into pools by type, and what the pools cannot change.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "src/model/compiler.hpp"
#include "src/model/layout.hpp"
#include "src/model/shapes.hpp"
#include "src/model/spatial_contacts.hpp"

namespace esc {

void Compiler::make_block_pools() {
  std::map<std::type_index, int> pool_of;
  for (std::size_t i = 0; i < parts_.blocks.size(); ++i) {
    const auto& leaf = *parts_.blocks[i].leaf;
    const auto [place, fresh] = pool_of.try_emplace(leaf.type(), static_cast<int>(system_.block_sources_.size()));
    if (fresh) {
      system_.block_sources_.push_back(leaf.new_pool());
      blocks_of_source_.emplace_back();
    }
    BlockSource& pool = *system_.block_sources_[place->second];
    leaf.append(pool, slots_[i], parts_.gravity);
    pool.own(slots_[i].q0, slots_[i].v0, leaf.dofs());
    blocks_of_source_[place->second].push_back(system_.block_of_[slots_[i].v0]);
  }
  for (const auto& source : system_.block_sources_) {
    system_.scratch_size_ = std::max(system_.scratch_size_, source->scratch_size());
    system_.euclidean_ = system_.euclidean_ && source->euclidean();
  }
}

// Where A(row, column) stands; -1 for the upper half of a band, which its lower half stands for.
int Compiler::value_index(const std::string& name, int row, int column) const {
  const int bi = system_.block_of_[row], bj = system_.block_of_[column];
  const MatrixBlock& block = system_.blocks_[bi];
  const MatrixBlock& other = system_.blocks_[bj];
  const int i = row - block.v0;
  const int j = column - other.v0;
  if (bi != bj) {
    const auto before = [](const Coupling& c, const std::pair<int, int>& ends) { return std::pair(c.i, c.j) < ends; };
    const auto coupling = std::lower_bound(system_.couplings_.begin(), system_.couplings_.end(),
                                           std::pair(std::min(bi, bj), std::max(bi, bj)), before);
    return (bi < bj ? coupling->upper : coupling->lower) + i * other.n + j;
  }
  if (block.storage == Storage::dense) return block.a0 + i * block.n + j;
  if (i < j) return -1;
  if (i - j > block.half)
    throw ModelError(name, "the force couples coordinates " + std::to_string(j) + " and " + std::to_string(i) +
                               " of a banded block; give it Tangents::none");
  return block.a0 + (i - j) * block.n + j;
}

std::vector<int> Compiler::velocities_of(const std::vector<Coordinates>& coordinates,
                                         const std::vector<Frame>& frames) const {
  std::vector<int> list;
  for (const Segment& segment : columns(coordinates, frames))
    for (int i = 0; i < segment.length; ++i) list.push_back(segment.first + i);
  return list;
}

void Compiler::make_force_pools() {
  std::map<std::type_index, int> pool_of;
  for (const auto& force : parts_.forces) {
    const auto [item, fresh] = pool_of.try_emplace(force.leaf->type(), static_cast<int>(system_.force_sources_.size()));
    if (fresh) {
      system_.force_sources_.push_back(force.leaf->new_pool());
      blocks_of_force_.emplace_back();
    }
    ForcePlace place{anchors(force.frames), {}, velocities_of(force.coordinates, force.frames), {}};
    for (const Segment& segment : arguments(force.coordinates))
      for (int i = 0; i < segment.length; ++i) place.coordinates.push_back(segment.first + i);
    const std::size_t n = place.velocities.size();
    place.values.assign(n * n, -1);
    if (force.leaf->implicit()) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          place.values[i * n + j] = value_index(force.name, place.velocities[i], place.velocities[j]);
      for (const int velocity : place.velocities) {
        MatrixBlock& block = system_.blocks_[system_.block_of_[velocity]];
        block.linear = block.linear && force.leaf->linear();
        blocks_of_force_[item->second].push_back(system_.block_of_[velocity]);
      }
    }
    force.leaf->append(*system_.force_sources_[item->second], std::move(place));
  }
  for (const auto& input : parts_.inputs) {
    system_.input_names_.push_back(input.name);
    system_.initial_.u.push_back(input.value);
  }
  for (const auto& output : parts_.outputs) {
    system_.output_names_.push_back(output.name);
    system_.output_functions_.push_back(output.function);
  }
}

void Compiler::make_joint_pools() {
  std::map<std::type_index, std::size_t> pool_of;
  for (std::size_t i = 0; i < joint_order_.size(); ++i) {
    const JointLeaf& leaf = *parts_.joints[joint_order_[i]].leaf;
    const auto [item, fresh] = pool_of.try_emplace(leaf.type(), system_.joint_sources_.size());
    if (fresh) system_.joint_sources_.push_back(leaf.new_pool());
    leaf.append(*system_.joint_sources_[item->second], std::move(joint_places_[i]));
  }
}

PlanarAnchor Compiler::planar_anchor(const std::string& contact, const Model::Parts::Shape& shape) const {
  const auto& r = shape.frame.rotation;
  if (r[1] != 0.0 || r[2] != 0.0 || shape.frame.position[2] != 0.0)
    throw ModelError(shape.name, "the frame leaves the plane; planar shapes need z = 0 and a rotation about z");
  const double phi = 2.0 * std::atan2(r[3], r[0]);
  PlanarAnchor place{-1, -1, shape.frame.position[0], shape.frame.position[1], phi};
  if (shape.frame.body == ground) return place;
  const auto& block = parts_.blocks[shape.frame.body.index];
  if (block.leaf->body() != BodyKind::planar)
    throw ModelError(contact, "shape '" + shape.name + "' is planar, but '" + block.name + "' is a body in space");
  place.q0 = slots_[shape.frame.body.index].q0;
  place.v0 = slots_[shape.frame.body.index].v0;
  return place;
}

// A pair of shapes in space stands on bodies in space, or ground.
void Compiler::require_space(const std::string& contact, const Model::Parts::Shape& shape) const {
  if (shape.frame.body == ground) return;
  const auto& block = parts_.blocks[shape.frame.body.index];
  if (block.leaf->body() != BodyKind::rigid)
    throw ModelError(
        contact, "the contact is in space, but shape '" + shape.name + "' sits on '" + block.name + "', a planar body");
}

namespace {

// The kinds of shapes that this one can touch.
template <std::size_t... kind>
std::string partners(const Geometry& shape, bool in_space, std::index_sequence<kind...>) {
  std::string names;
  const auto try_one = [&](const Geometry& other) {
    if ((in_space ? spatial_pair(shape, other) : planar_pair(shape, other)).leaf)
      names += (names.empty() ? "" : ", ") + std::string(geometry_name(other));
  };
  (try_one(Geometry(std::in_place_index<kind>)), ...);
  return names.empty() ? "nothing" : names;
}

}  // namespace

std::unique_ptr<ContactLeaf> Compiler::pair_leaf(const Model::Parts::Contact& contact, ContactPlace& place) const {
  const auto& a = parts_.shapes[contact.shape_a];
  const auto& b = parts_.shapes[contact.shape_b];
  if (a.frame.body.index == b.frame.body.index)
    throw ModelError(contact.name, "shapes '" + a.name + "' and '" + b.name + "' sit on the same body");
  const auto one_of = [&](const auto& shape) {
    return "a " + std::string(geometry_name(shape.geometry)) + " ('" + shape.name + "')";
  };
  const World worlds[] = {world_of(a.geometry), world_of(b.geometry)};
  const bool in_space = worlds[0] == World::space || worlds[1] == World::space;
  if (in_space && (worlds[0] == World::plane || worlds[1] == World::plane))
    throw ModelError(contact.name, one_of(worlds[0] == World::plane ? a : b) + " is planar, but " +
                                       one_of(worlds[0] == World::plane ? b : a) +
                                       " is in space; make both of one kind");
  auto [leaf, swapped] = in_space ? spatial_pair(a.geometry, b.geometry) : planar_pair(a.geometry, b.geometry);
  if (!leaf) {
    const auto touches = [&](const auto& shape) {
      return "a " + std::string(geometry_name(shape.geometry)) + " touches " +
             partners(shape.geometry, in_space, std::make_index_sequence<std::variant_size_v<Geometry>>());
    };
    throw ModelError(contact.name, "there is no contact between " + one_of(a) + " and " + one_of(b) + "; " +
                                       touches(a) + "; " + touches(b));
  }
  const auto& first = swapped ? b : a;
  const auto& second = swapped ? a : b;
  if (in_space) {
    require_space(contact.name, first);
    require_space(contact.name, second);
    place.anchors = anchors({first.frame, second.frame});
  } else {
    set_anchors(*leaf, planar_anchor(contact.name, first), planar_anchor(contact.name, second));
  }
  place.segments = columns({}, {first.frame, second.frame});
  return std::move(leaf);
}

void Compiler::make_contact_pools() {
  struct Entry {
    const Model::Parts::Contact* contact;
    const ContactLeaf* leaf;
    ContactPlace place;
  };
  std::vector<std::unique_ptr<ContactLeaf>> pairs;
  std::map<std::type_index, std::size_t> pool_of;
  std::vector<std::vector<Entry>> pools;
  for (const auto& contact : parts_.contacts) {
    Entry entry{&contact, contact.leaf.get(), {}};
    if (entry.leaf) {
      entry.place.anchors = anchors(contact.frames);
      entry.place.arguments = arguments(contact.coordinates);
      entry.place.segments = columns(contact.coordinates, contact.frames);
    } else {
      pairs.push_back(pair_leaf(contact, entry.place));
      entry.leaf = pairs.back().get();
    }
    const auto [place, fresh] = pool_of.try_emplace(entry.leaf->type(), pools.size());
    if (fresh) pools.emplace_back();
    pools[place->second].push_back(std::move(entry));
  }
  if (pools.size() > 65535) throw ModelError("model", "more than 65535 kinds of contacts");

  // Pairs are numbered pool by pool, in the order of the items, so that a set sorted by key is sorted by source and a
  // key leads to its item.
  for (auto& pool : pools) {
    const auto source = static_cast<std::uint16_t>(system_.contact_sources_.size());
    system_.contact_sources_.push_back(pool.front().leaf->new_pool());
    for (Entry& entry : pool) {
      const auto pair = static_cast<std::uint32_t>(system_.pair_names_.size());
      entry.place.pair = pair;
      entry.place.source = source;
      entry.place.law = entry.contact->law;
      system_.pair_segments_.push_back(entry.place.segments);
      entry.leaf->append(*system_.contact_sources_.back(), std::move(entry.place));
      system_.pair_names_.push_back(entry.contact->name);
      system_.pair_units_.emplace_back(entry.leaf->gap_unit());
      system_.pair_laws_.push_back(entry.contact->law);
      system_.pair_sources_.push_back(source);
    }
  }
  system_.passage_free_ = std::numeric_limits<double>::infinity();
  for (const auto& source : system_.contact_sources_) {
    system_.sweep_bounds_.push_back(source->sweep_bound());
    if (double& free = system_.sweep_bounds_.back().free; !(free > 0.0)) free = -1.0;  // a wall may pass what rests
    system_.passage_free_ = std::min(system_.passage_free_, system_.sweep_bounds_.back().free);
  }
}

void Compiler::finish_flags() {
  system_.linear_ = true;
  system_.all_constant_mass_ = true;
  for (Component& component : system_.components_) {
    component.linear = component.joints == 0 && component.couplings == 0;
    for (int i = component.block0; i < component.block0 + component.blocks; ++i) {
      component.linear = component.linear && system_.blocks_[i].linear;
      system_.all_constant_mass_ = system_.all_constant_mass_ && system_.blocks_[i].constant_mass;
    }
    system_.linear_ = system_.linear_ && component.linear;
    // A block is factored with its component, so its tangents are evaluated with those of the others.
    for (int i = component.block0; i < component.block0 + component.blocks; ++i)
      system_.blocks_[i].linear = component.linear;
  }
  const auto all = [&](const std::vector<int>& blocks, bool MatrixBlock::*property) {
    return std::all_of(blocks.begin(), blocks.end(), [&](int i) { return system_.blocks_[i].*property; });
  };
  for (const auto& blocks : blocks_of_source_) {
    system_.source_constant_mass_.push_back(all(blocks, &MatrixBlock::constant_mass));
    system_.source_linear_.push_back(all(blocks, &MatrixBlock::linear));
  }
  for (const auto& blocks : blocks_of_force_) system_.force_linear_.push_back(all(blocks, &MatrixBlock::linear));
  system_.linearises_ = !system_.linear_;
  for (std::size_t i = 0; i < system_.block_sources_.size(); ++i)
    if (!system_.source_linear_[i])
      system_.linearises_ = system_.linearises_ && system_.block_sources_[i]->linearises();
  system_.penetration_tolerance_ = parts_.penetration_tolerance;
  system_.joint_tolerance_ = parts_.joint_tolerance;
  system_.warnings_ = parts_.warnings;
}

void Compiler::finish_layout() {
  LayoutHash hash;
  hash.named(system_.coordinates_);
  hash.named(system_.velocities_);
  hash.texts(system_.input_names_);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < system_.joints_.size(); ++i)
    for (int row = 0; row < system_.joints_[i].row_count; ++row)
      rows.push_back(system_.joint_names_[i] + "[" + std::to_string(row) + "]");
  hash.texts(rows);
  hash.number(system_.pair_names_.size());
  for (std::size_t i = 0; i < system_.pair_names_.size(); ++i) {
    hash.text(system_.pair_names_[i]);
    hash.text(system_.pair_units_[i]);
  }
  system_.layout_.value = system_.initial_.layout = hash.value();
}

}  // namespace esc
