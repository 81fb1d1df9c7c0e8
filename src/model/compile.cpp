// Model -> System: merges blocks that implicit forces tie together, lays out the velocities and the matrix values,
// sorts the leaves into pools by type, and checks the initial state.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <escapement/system.hpp>

#include "src/math/block_factor.hpp"
#include "src/math/text.hpp"
#include "src/model/model_parts.hpp"
#include "src/model/planar_contacts.hpp"

namespace esc {

class Compiler {
 public:
  explicit Compiler(const Model::Parts& parts) : parts_(parts) {}

  System compile() {
    if (parts_.blocks.empty()) throw ModelError("model", "there is no body and no coordinate; add at least one");
    merge_blocks();
    lay_out_blocks();
    make_block_pools();
    make_force_pools();
    make_contact_pools();
    finish_flags();
    check_initial_state();
    return std::move(system_);
  }

 private:
  void merge_blocks();
  void lay_out_blocks();
  void make_block_pools();
  void make_force_pools();
  void make_contact_pools();
  void finish_flags();
  void check_initial_state();
  void check_mass(const Point& at);
  void check_contacts();

  int root(int block) {
    while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
    return block;
  }
  int velocity(const Coordinates& part, int i) const { return slots_[part.block.index].v0 + part.first + i; }
  int value_index(const std::string& name, int row, int column) const;
  std::vector<Segment> segments(const std::vector<Coordinates>& coordinates) const;
  PlanarAnchor anchor(const std::string& contact, const Model::Parts::Shape& shape) const;
  std::unique_ptr<ContactLeaf> pair_leaf(const Model::Parts::Contact& contact, std::vector<Segment>& columns) const;

  const Model::Parts& parts_;
  System system_;
  std::vector<int> parent_;                         // merged groups of model blocks
  std::vector<Slot> slots_;                         // by model block
  std::vector<int> source_of_;                      // by model block
  std::vector<std::vector<int>> blocks_of_source_;  // matrix blocks that a block source writes to
  std::vector<std::vector<int>> blocks_of_force_;   // ... and a force source
};

void Compiler::merge_blocks() {
  parent_.resize(parts_.blocks.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const auto& force : parts_.forces) {
    if (!force.leaf->implicit()) continue;
    const int first = root(force.coordinates.front().block.index);
    for (const Coordinates& part : force.coordinates) parent_[root(part.block.index)] = first;
  }
}

void Compiler::lay_out_blocks() {
  const int count = static_cast<int>(parts_.blocks.size());
  std::vector<std::vector<int>> members(count);
  for (int i = 0; i < count; ++i) members[root(i)].push_back(i);
  std::vector<int> order;  // of the groups, by their first member
  for (int i = 0; i < count; ++i)
    if (members[root(i)].front() == i) order.push_back(root(i));

  slots_.resize(count);
  int v0 = 0;
  int a0 = 0;
  for (const int group : order) {
    const auto& leaf = *parts_.blocks[members[group].front()].leaf;
    const bool single = members[group].size() == 1;
    MatrixBlock block{v0, 0, single ? leaf.storage() : Storage::dense, single ? leaf.half_bandwidth() : 0, a0};
    block.constant_mass = block.linear = true;
    for (const int i : members[group]) {
      const auto& part = parts_.blocks[i];
      if (!single && part.leaf->storage() == Storage::band)
        throw ModelError(part.name,
                         "an implicit force ties this banded block to others; give that force "
                         "Tangents::none, or let it act on this block alone");
      block.n += part.leaf->dofs();
      block.constant_mass = block.constant_mass && part.leaf->constant_mass();
      block.linear = block.linear && part.leaf->linear();
    }
    for (const int i : members[group]) {
      const auto& part = parts_.blocks[i];
      const int local = v0 - block.v0;
      slots_[i] = {v0, v0, a0 + local * block.n + local, block.n};
      for (int j = 0; j < part.leaf->dofs(); ++j) {
        system_.coordinates_.push_back({part.name + "." + part.coordinates[j], part.units[j]});
        system_.initial_.q.push_back(part.q[j]);
        system_.initial_.v.push_back(part.v[j]);
        system_.block_of_.push_back(static_cast<int>(system_.blocks_.size()));
      }
      v0 += part.leaf->dofs();
    }
    a0 += block.values();
    system_.blocks_.push_back(block);
  }
  system_.matrix_size_ = a0;

  std::unordered_set<std::string_view> names;
  for (const CoordinateName& coordinate : system_.coordinates_)
    if (!names.insert(coordinate.name).second)
      throw ModelError(coordinate.name, "two coordinates have this full name; rename a block or a coordinate");
}

void Compiler::make_block_pools() {
  std::map<std::type_index, int> pool_of;
  source_of_.resize(parts_.blocks.size());
  for (std::size_t i = 0; i < parts_.blocks.size(); ++i) {
    const auto& leaf = *parts_.blocks[i].leaf;
    const auto [place, fresh] = pool_of.try_emplace(leaf.type(), static_cast<int>(system_.block_sources_.size()));
    if (fresh) {
      system_.block_sources_.push_back(leaf.new_pool());
      blocks_of_source_.emplace_back();
    }
    source_of_[i] = place->second;
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
  const MatrixBlock& block = system_.blocks_[system_.block_of_[row]];
  const int i = row - block.v0;
  const int j = column - block.v0;
  if (block.storage == Storage::dense) return block.a0 + i * block.n + j;
  if (i < j) return -1;
  if (i - j > block.half)
    throw ModelError(name, "the force couples coordinates " + std::to_string(j) + " and " + std::to_string(i) +
                               " of a banded block; give it Tangents::none");
  return block.a0 + (i - j) * block.n + j;
}

void Compiler::make_force_pools() {
  std::map<std::type_index, int> pool_of;
  for (const auto& force : parts_.forces) {
    const auto [place, fresh] =
        pool_of.try_emplace(force.leaf->type(), static_cast<int>(system_.force_sources_.size()));
    if (fresh) {
      system_.force_sources_.push_back(force.leaf->new_pool());
      blocks_of_force_.emplace_back();
    }
    std::vector<int> velocities;
    for (const Coordinates& part : force.coordinates)
      for (int i = 0; i < part.count; ++i) velocities.push_back(velocity(part, i));
    std::vector<int> values(velocities.size() * velocities.size(), -1);
    if (force.leaf->implicit()) {
      for (std::size_t i = 0; i < velocities.size(); ++i)
        for (std::size_t j = 0; j < velocities.size(); ++j)
          values[i * velocities.size() + j] = value_index(force.name, velocities[i], velocities[j]);
      MatrixBlock& block = system_.blocks_[system_.block_of_[velocities.front()]];
      block.linear = block.linear && force.leaf->linear();
      blocks_of_force_[place->second].push_back(system_.block_of_[velocities.front()]);
    }
    force.leaf->append(*system_.force_sources_[place->second], velocities, values);
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

std::vector<Segment> Compiler::segments(const std::vector<Coordinates>& coordinates) const {
  std::vector<Segment> list;
  for (const Coordinates& part : coordinates) list.push_back({velocity(part, 0), part.count});
  return list;
}

PlanarAnchor Compiler::anchor(const std::string& contact, const Model::Parts::Shape& shape) const {
  const auto& r = shape.frame.rotation;
  if (r[1] != 0.0 || r[2] != 0.0 || shape.frame.position[2] != 0.0)
    throw ModelError(shape.name, "the frame leaves the plane; planar shapes need z = 0 and a rotation about z");
  const double phi = 2.0 * std::atan2(r[3], r[0]);
  PlanarAnchor place{-1, shape.frame.position[0], shape.frame.position[1], phi};
  if (shape.frame.body == ground) return place;
  const auto& block = parts_.blocks[shape.frame.body.index];
  if (!block.planar_body)
    throw ModelError(contact, "shape '" + shape.name + "' sits on '" + block.name +
                                  "', which is not a body; shapes need a body or ground");
  place.v0 = slots_[shape.frame.body.index].v0;
  return place;
}

std::unique_ptr<ContactLeaf> Compiler::pair_leaf(const Model::Parts::Contact& contact,
                                                 std::vector<Segment>& columns) const {
  const auto& a = parts_.shapes[contact.shape_a];
  const auto& b = parts_.shapes[contact.shape_b];
  if (a.frame.body == b.frame.body)
    throw ModelError(contact.name, "shapes '" + a.name + "' and '" + b.name + "' sit on the same body");
  auto [leaf, swapped] = planar_pair(a.geometry, b.geometry);
  if (!leaf)
    throw ModelError(contact.name, "there is no contact between a " + std::string(geometry_name(a.geometry)) + " ('" +
                                       a.name + "') and a " + std::string(geometry_name(b.geometry)) + " ('" + b.name +
                                       "')");
  PlanarAnchor first = anchor(contact.name, a);
  PlanarAnchor second = anchor(contact.name, b);
  if (swapped) std::swap(first, second);
  set_anchors(*leaf, first, second);
  for (const PlanarAnchor& place : {first, second})
    if (place.v0 >= 0) columns.push_back({place.v0, 3});
  return std::move(leaf);
}

void Compiler::make_contact_pools() {
  struct Entry {
    const Model::Parts::Contact* contact;
    const ContactLeaf* leaf;
    std::vector<Segment> columns;
  };
  std::vector<std::unique_ptr<ContactLeaf>> pairs;
  std::map<std::type_index, std::size_t> pool_of;
  std::vector<std::vector<Entry>> pools;
  for (const auto& contact : parts_.contacts) {
    Entry entry{&contact, contact.gap.leaf.get(), {}};
    if (entry.leaf) {
      entry.columns = segments(contact.gap.coordinates);
    } else {
      pairs.push_back(pair_leaf(contact, entry.columns));
      entry.leaf = pairs.back().get();
    }
    const auto [place, fresh] = pool_of.try_emplace(entry.leaf->type(), pools.size());
    if (fresh) pools.emplace_back();
    pools[place->second].push_back(std::move(entry));
  }
  if (pools.size() > 65535) throw ModelError("model", "more than 65535 kinds of contacts");

  // Pairs are numbered pool by pool, so that a set sorted by key is sorted by source.
  for (auto& pool : pools) {
    const auto source = static_cast<std::uint16_t>(system_.contact_sources_.size());
    system_.contact_sources_.push_back(pool.front().leaf->new_pool());
    for (Entry& entry : pool) {
      const auto pair = static_cast<std::uint32_t>(system_.pair_names_.size());
      entry.leaf->append(*system_.contact_sources_.back(),
                         {pair, source, entry.contact->law, std::move(entry.columns)});
      system_.pair_names_.push_back(entry.contact->name);
    }
  }
}

void Compiler::finish_flags() {
  system_.linear_ = true;
  system_.all_constant_mass_ = true;
  for (const MatrixBlock& block : system_.blocks_) {
    system_.linear_ = system_.linear_ && block.linear;
    system_.all_constant_mass_ = system_.all_constant_mass_ && block.constant_mass;
  }
  const auto all = [&](const std::vector<int>& blocks, bool MatrixBlock::*property) {
    return std::all_of(blocks.begin(), blocks.end(), [&](int i) { return system_.blocks_[i].*property; });
  };
  for (const auto& blocks : blocks_of_source_) {
    system_.source_constant_mass_.push_back(all(blocks, &MatrixBlock::constant_mass));
    system_.source_linear_.push_back(all(blocks, &MatrixBlock::linear));
  }
  for (const auto& blocks : blocks_of_force_) system_.force_linear_.push_back(all(blocks, &MatrixBlock::linear));
  system_.penetration_tolerance_ = parts_.penetration_tolerance;
}

void Compiler::check_mass(const Point& at) {
  std::vector<double> M(system_.matrix_size_);
  system_.mass(at, M, Part::all);
  for (const MatrixBlock& block : system_.blocks_) {
    const std::string name = system_.coordinates_[block.v0].name;
    const std::string item = name.substr(0, name.rfind('.'));
    if (block.storage == Storage::band) continue;  // positive definite by construction
    // Cholesky by rows: the mass must be symmetric positive definite.
    std::vector<double> L(M.begin() + block.a0, M.begin() + block.a0 + block.values());
    const int n = block.n;
    for (int i = 0; i < n * n; ++i)
      if (!std::isfinite(L[i]))
        throw ModelError(item, "the mass matrix is not finite at the initial state: M(" + std::to_string(i / n) + "," +
                                   std::to_string(i % n) + ") = " + to_text(L[i]));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        if (!(std::abs(L[i * n + j] - L[j * n + i]) <= 1e-12 * (std::abs(L[i * n + i]) + std::abs(L[j * n + j]))))
          throw ModelError(item, "the mass matrix is not symmetric at the initial state: M(" + std::to_string(i) + "," +
                                     std::to_string(j) + ") = " + to_text(L[i * n + j]) + ", M(" + std::to_string(j) +
                                     "," + std::to_string(i) + ") = " + to_text(L[j * n + i]));
    for (int k = 0; k < n; ++k) {
      const double d = L[k * n + k];
      if (!(d > 0.0) || !std::isfinite(d))
        throw ModelError(item, "the mass matrix is not positive definite at the initial state: pivot " +
                                   std::to_string(k) + " is " + to_text(d) + "; masses must be positive and finite");
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j < n; ++j) L[i * n + j] -= L[i * n + k] * L[k * n + j] / d;
    }
  }
}

void Compiler::check_contacts() {
  ContactSet set;
  const State& x = system_.initial_;
  system_.detect(x.t, x.q, everything, set);
  system_.evaluate(x.t, x.q, set);
  for (const Contact& contact : set.contacts) {
    const std::string name = system_.contact_name(contact.key);
    if (!std::isfinite(contact.gap))
      throw ModelError(name, "the gap is " + to_text(contact.gap) + " at the initial state; it must be finite");
    if (contact.gap < -system_.penetration_tolerance_)
      throw ModelError(name, "the initial penetration is " + to_text(-contact.gap) + " m; allowed is " +
                                 to_text(system_.penetration_tolerance_) +
                                 " m (set_penetration_tolerance); move the bodies apart");
    const auto size_of_row = [&](int row) {
      double size = 0.0;
      for (int j = 0; j < contact.width; ++j) size += std::abs(set.G[contact.first_value + row * contact.width + j]);
      return size;
    };
    for (int row = 0; row < contact.rows; ++row)
      if (!std::isfinite(size_of_row(row) + set.g_t[contact.first_row + row]))
        throw ModelError(name, std::string("the gradient of the ") + (row == 0 ? "gap" : "slip") +
                                   " is not finite at the initial state");
    if (contact.gap <= system_.penetration_tolerance_ && size_of_row(0) == 0.0)
      throw ModelError(name, "the gap is " + to_text(contact.gap) +
                                 " m and its gradient is zero: no impulse can act; the gap must change with q");
  }
}

void Compiler::check_initial_state() {
  const State& x = system_.initial_;
  std::vector<double> scratch(system_.scratch_size_);
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
  check_mass(at);
  std::vector<double> F(x.v.size());
  system_.force(at, F);
  for (std::size_t i = 0; i < F.size(); ++i)
    if (!std::isfinite(F[i]))
      throw ModelError(system_.coordinates_[i].name, "the force is " + to_text(F[i]) + " at the initial state");
  check_contacts();
}

System compile(const Model& model) { return Compiler(model.parts()).compile(); }

}  // namespace esc
