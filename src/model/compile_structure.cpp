// Components, and where everything stands in q, v, M and the joint rows.
#include <algorithm>
#include <numeric>
#include <string_view>

#include "src/model/compiler.hpp"

namespace esc {

int Compiler::root(int block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

// The model blocks that an item acts on, each once.
std::vector<int> Compiler::blocks_of(const std::vector<Coordinates>& coordinates,
                                     const std::vector<Frame>& frames) const {
  std::vector<int> list;
  const auto add = [&](int block) {
    if (block >= 0 && std::find(list.begin(), list.end(), block) == list.end()) list.push_back(block);
  };
  for (const Coordinates& part : coordinates) add(part.block.index);
  for (const Frame& frame : frames) add(frame.body.index);
  return list;
}

// Blocks that a joint or an implicit force ties together.
void Compiler::find_components() {
  parent_.resize(parts_.blocks.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  const auto tie = [&](const std::string& name, const std::vector<int>& blocks, bool always) {
    for (const int block : blocks) {
      parent_[root(block)] = root(blocks.front());
      const auto& part = parts_.blocks[block];
      if (part.leaf->storage() == Storage::band && (always || blocks.size() > 1))
        throw ModelError(part.name,
                         (always ? "the joint '" : "an implicit force, '") + name + "', ties this banded block" +
                             (always ? "" : " to others") +
                             (always ? "; joints need bodies or plain coordinates"
                                     : "; give that force Tangents::none, or let it act on this block alone"));
    }
  };
  for (const auto& force : parts_.forces)
    if (force.leaf->implicit()) tie(force.name, blocks_of(force.coordinates, force.frames), false);
  for (const auto& joint : parts_.joints) tie(joint.name, blocks_of(joint.coordinates, joint.frames), true);
}

void Compiler::lay_out_blocks() {
  const int count = static_cast<int>(parts_.blocks.size());
  std::vector<std::vector<int>> members(count);
  for (int i = 0; i < count; ++i) members[root(i)].push_back(i);

  slots_.resize(count);
  block_index_.resize(count);
  int q0 = 0, v0 = 0, a0 = 0;
  for (int first = 0; first < count; ++first) {  // components by their first member
    if (members[root(first)].front() != first) continue;
    Component component{.v0 = v0, .block0 = static_cast<int>(system_.blocks_.size())};
    for (const int i : members[root(first)]) {
      const auto& part = parts_.blocks[i];
      const BlockLeaf& leaf = *part.leaf;
      const int index = static_cast<int>(system_.blocks_.size());
      system_.blocks_.push_back(
          {v0, leaf.dofs(), leaf.storage(), leaf.half_bandwidth(), a0, leaf.constant_mass(), leaf.linear()});
      slots_[i] = {q0, v0, a0, leaf.dofs()};
      block_index_[i] = index;
      system_.component_of_block_.push_back(static_cast<int>(system_.components_.size()));
      for (const CoordinateName& name : part.coordinates)
        system_.coordinates_.push_back({part.name + "." + name.name, name.unit});
      for (const CoordinateName& name : part.velocities)
        system_.velocities_.push_back({part.name + "." + name.name, name.unit});
      system_.initial_.q.insert(system_.initial_.q.end(), part.q.begin(), part.q.end());
      system_.initial_.v.insert(system_.initial_.v.end(), part.v.begin(), part.v.end());
      system_.block_of_.insert(system_.block_of_.end(), leaf.dofs(), index);
      q0 += leaf.coordinates();
      v0 += leaf.dofs();
      a0 += system_.blocks_.back().values();
    }
    component.n = v0 - component.v0;
    component.blocks = static_cast<int>(system_.blocks_.size()) - component.block0;
    system_.components_.push_back(component);
  }
  system_.matrix_size_ = system_.tangent_size_ = a0;

  const auto index = [](const std::vector<CoordinateName>& list, std::unordered_map<std::string_view, int>& by_name) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!by_name.emplace(list[i].name, static_cast<int>(i)).second)
        throw ModelError(list[i].name, "two coordinates have this full name; rename a block or a coordinate");
  };
  index(system_.coordinates_, system_.coordinate_index_);
  index(system_.velocities_, system_.velocity_index_);
}

// One pair of off-diagonal parts for every two blocks that an implicit force ties together, by component.
void Compiler::lay_out_couplings() {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& force : parts_.forces) {
    if (!force.leaf->implicit()) continue;
    const auto blocks = blocks_of(force.coordinates, force.frames);
    for (const int a : blocks)
      for (const int b : blocks)
        if (block_index_[a] < block_index_[b]) pairs.emplace_back(block_index_[a], block_index_[b]);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [i, j] : pairs) {
    const int size = system_.blocks_[i].n * system_.blocks_[j].n;
    system_.couplings_.push_back({i, j, system_.tangent_size_, system_.tangent_size_ + size});
    system_.tangent_size_ += 2 * size;
  }
  // Blocks of one component follow each other, so its couplings do.
  int next = 0;
  for (Component& component : system_.components_) {
    component.coupling0 = next;
    while (next < static_cast<int>(pairs.size()) && pairs[next].first < component.block0 + component.blocks) ++next;
    component.couplings = next - component.coupling0;
  }
}

void Compiler::lay_out_joints() {
  std::vector<std::vector<int>> members(system_.components_.size());
  for (int i = 0; i < static_cast<int>(parts_.joints.size()); ++i) {
    const auto& joint = parts_.joints[i];
    const int block = block_index_[blocks_of(joint.coordinates, joint.frames).front()];
    members[system_.component_of_block_[block]].push_back(i);
  }
  for (std::size_t c = 0; c < members.size(); ++c) {
    Component& component = system_.components_[c];
    component.joint0 = static_cast<int>(joint_order_.size());
    component.joints = static_cast<int>(members[c].size());
    component.row0 = system_.joint_rows_;
    for (const int i : members[c]) {
      const auto& item = parts_.joints[i];
      JointPlace place{system_.joint_rows_, system_.joint_values_, anchors(item.frames), arguments(item.coordinates),
                       columns(item.coordinates, item.frames)};
      Joint joint;
      joint.first_row = place.first_row;
      joint.first_value = place.first_value;
      joint.row_count = static_cast<std::uint16_t>(item.leaf->rows());
      joint.position = item.leaf->position();
      for (const Segment& segment : place.segments) joint.width += segment.length;
      system_.joint_rows_ += joint.row_count;
      system_.joint_values_ += joint.row_count * joint.width;
      system_.joints_.push_back(joint);
      system_.joint_segments_.push_back(place.segments);
      system_.joint_names_.push_back(item.name);
      system_.joint_frames_.push_back({place.anchors, item.type});
      joint_order_.push_back(i);
      joint_places_.push_back(std::move(place));
    }
    component.rows = system_.joint_rows_ - component.row0;
  }
  for (std::size_t i = 0; i < system_.joints_.size(); ++i) system_.joints_[i].segments = system_.joint_segments_[i];
  system_.initial_.joint_impulse.assign(system_.joint_rows_, 0.0);
}

std::vector<Segment> Compiler::columns(const std::vector<Coordinates>& coordinates,
                                       const std::vector<Frame>& frames) const {
  std::vector<Segment> list;
  for (const Coordinates& part : coordinates) list.push_back({slots_[part.block.index].v0 + part.first, part.count});
  for (const Frame& frame : frames)
    if (!(frame.body == ground))
      list.push_back({slots_[frame.body.index].v0, parts_.blocks[frame.body.index].leaf->dofs()});
  return list;
}

std::vector<Segment> Compiler::arguments(const std::vector<Coordinates>& coordinates) const {
  std::vector<Segment> list;
  for (const Coordinates& part : coordinates) list.push_back({slots_[part.block.index].q0 + part.first, part.count});
  return list;
}

Anchor Compiler::anchor(const Frame& frame) const {
  Anchor place{BodyKind::ground, 0, 0, vec3(frame.position), rotation_of(frame.rotation)};
  if (frame.body == ground) return place;
  place.kind = parts_.blocks[frame.body.index].leaf->body();
  place.q0 = slots_[frame.body.index].q0;
  place.v0 = slots_[frame.body.index].v0;
  place.a0 = slots_[frame.body.index].a0;
  return place;
}

std::vector<Anchor> Compiler::anchors(const std::vector<Frame>& frames) const {
  std::vector<Anchor> list;
  for (const Frame& frame : frames) list.push_back(anchor(frame));
  return list;
}

// Whether the rows of these joints are independent on the velocities of one block alone.
bool Compiler::owned_rows_independent(const JointSet& set, int block, const std::vector<int>& joints) const {
  const int v0 = system_.blocks_[block].v0, n = system_.blocks_[block].n;
  std::vector<std::vector<double>> basis;
  for (const int index : joints) {
    const Joint& joint = system_.joints_[index];
    for (int row = 0; row < joint.row_count; ++row) {
      std::vector<double> x(n, 0.0);
      const double* G = set.G.data() + joint.first_value + row * joint.width;
      for (const Segment& segment : joint.segments) {
        for (int j = 0; j < segment.length; ++j)
          if (system_.block_of_[segment.first] == block) x[segment.first + j - v0] += G[j];
        G += segment.length;
      }
      const double before = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
      for (const auto& b : basis) {
        const double along = std::inner_product(x.begin(), x.end(), b.begin(), 0.0);
        for (int j = 0; j < n; ++j) x[j] -= along * b[j];
      }
      const double after = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
      if (!(after > 1e-6 * before)) return false;
      for (double& value : x) value /= std::sqrt(after);
      basis.push_back(std::move(x));
    }
  }
  return true;
}

// A spanning tree of each component, from ground outwards: every block owns the joint that leads to it, and further
// joints along the same edge (a motor on a hinge) while their rows stay independent. The others close loops.
void Compiler::choose_owners() {
  if (system_.joints_.empty()) return;
  JointSet set;
  std::vector<double> scratch(system_.scratch_size_);
  const State& x = system_.initial_;
  system_.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);

  const int count = static_cast<int>(system_.blocks_.size());
  std::vector<std::vector<int>> ends(system_.joints_.size());  // blocks of a joint
  std::vector<std::vector<int>> joints_at(count), owned(count);
  std::vector<int> neighbour(count, -1);  // the block on the other side of the owned joint; -1: ground
  std::vector<char> reached(count, 0);
  std::vector<int> queue;
  const auto own = [&](int joint, int block, int other) {
    owned[block].push_back(joint);
    if (owned_rows_independent(set, block, owned[block])) {
      system_.joints_[joint].owner = block;
      neighbour[block] = other;
      return true;
    }
    owned[block].pop_back();
    return false;
  };
  const auto reach = [&](int joint, int block, int other) {
    if (reached[block] || !own(joint, block, other)) return;
    reached[block] = 1;
    queue.push_back(block);
  };
  for (int i = 0; i < static_cast<int>(ends.size()); ++i) {
    for (const int b : blocks_of(parts_.joints[joint_order_[i]].coordinates, parts_.joints[joint_order_[i]].frames)) {
      ends[i].push_back(block_index_[b]);
      joints_at[block_index_[b]].push_back(i);
    }
    if (ends[i].size() == 1) reach(i, ends[i][0], -1);
  }
  for (int start = 0, next = 0; start <= count; ++start) {
    for (; next < static_cast<int>(queue.size()); ++next)
      for (const int i : joints_at[queue[next]])
        if (ends[i].size() == 2) reach(i, ends[i][ends[i][0] == queue[next] ? 1 : 0], queue[next]);
    if (start < count && !reached[start]) {
      reached[start] = 1;
      queue.push_back(start);
    }
  }
  for (int i = 0; i < static_cast<int>(ends.size()); ++i) {
    if (system_.joints_[i].owner >= 0 || ends[i].size() > 2) continue;
    for (const int block : ends[i]) {
      const int other = ends[i].size() == 1 ? -1 : ends[i][ends[i][0] == block ? 1 : 0];
      if (!owned[block].empty() && neighbour[block] == other && own(i, block, other)) break;
    }
  }
}

}  // namespace esc
