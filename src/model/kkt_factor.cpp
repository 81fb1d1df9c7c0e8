#include "src/model/kkt_factor.hpp"

#include <algorithm>
#include <stdexcept>

namespace esc {

namespace {

// Patterns are kept up to these; the oldest goes first.
constexpr std::size_t most_patterns = 256;
constexpr std::ptrdiff_t most_rows = 2'000'000;  // of all: about a gigabyte

}  // namespace

KktFactor::KktFactor(const System& system) : system_(system), node_of_(system.nv()) {
  for (const MatrixBlock& block : system.blocks()) {
    block_node_.push_back(velocity_nodes_);
    const int most = block.storage == Storage::dense ? block.n : std::max(block.half, 1);
    for (int first = 0; first < block.n; first += most) {
      // What is left of a band must not be narrower than its half: the last node takes it.
      const bool last = block.n - first < 2 * most;
      const int count = last ? block.n - first : most;
      node_first_.push_back(block.v0 + first);
      node_velocities_.push_back(count);
      for (int i = 0; i < count; ++i) node_of_[block.v0 + first + i] = velocity_nodes_;
      ++velocity_nodes_;
      if (last) break;
    }
  }
}

// Builds one pattern.
class KktFactor::Maker {
 public:
  Maker(const KktFactor& of, std::span<const ContactNode> contacts) : of_(of), system_(of.system_) {
    out_.contacts.assign(contacts.begin(), contacts.end());
    for (int node = 0; node < of.velocity_nodes_; ++node) add_node({levels * of.node_velocities_[node], false, -1});
    owns_.assign(of.velocity_nodes_, 0);
    for (const Joint& joint : system_.joints()) {
      const int owner = joint.owner < 0 ? -1 : of.block_node_[joint.owner];
      if (owner >= 0) owns_[owner] = 1;
      out_.unowned += owner < 0;
      add_item(joint.segments, {levels * joint.row_count, true, owner});
    }
    for (const ContactNode& contact : contacts) add_contact(contact);
  }

  Pattern make() && {
    std::vector<FactorEdge> all;
    const auto tie = [&](int i, int j) {
      if (i != j) all.push_back({std::min(i, j), std::max(i, j)});
    };
    for (const Coupling& coupling : system_.couplings()) tie(of_.block_node_[coupling.i], of_.block_node_[coupling.j]);
    for (int node = 0; node + 1 < of_.velocity_nodes_; ++node)
      if (chained(node)) tie(node, node + 1);
    for (const Item& item : out_.items)
      for (const Piece& a : pieces(item)) {
        tie(a.node, item.node);
        for (const Piece& b : pieces(item)) tie(a.node, b.node);
      }
    const auto before = [](const FactorEdge& a, const FactorEdge& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; };
    const auto same = [](const FactorEdge& a, const FactorEdge& b) { return a.i == b.i && a.j == b.j; };
    std::sort(all.begin(), all.end(), before);
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    out_.edges = std::move(all);
    find_edges();
    colour();
    out_.factor = ComponentFactor(nodes_, out_.edges);
    return std::move(out_);
  }

 private:
  std::span<Piece> pieces(const Item& item) {
    return std::span(out_.pieces).subspan(item.first_piece, item.piece_count);
  }
  bool chained(int node) const {
    const int block = system_.block_of(of_.node_first_[node]);
    return system_.block_of(of_.node_first_[node + 1]) == block;
  }
  void add_node(const FactorNode& node) {
    nodes_.push_back(node);
    out_.sizes.push_back(node.n);
  }

  void add_item(std::span<const Segment> segments, const FactorNode& node) {
    Item item;
    item.node = static_cast<int>(nodes_.size());
    item.first_piece = static_cast<int>(out_.pieces.size());
    item.segments = segments;
    for (const Segment& segment : segments)
      for (int i = 0; i < segment.length;) {
        const int v = segment.first + i, at = of_.node_of_[v], local = v - of_.node_first_[at];
        const int length = std::min(segment.length - i, of_.node_velocities_[at] - local);
        out_.pieces.push_back({at, local, length, item.width, 0});
        item.width += length;
        i += length;
      }
    item.piece_count = static_cast<int>(out_.pieces.size()) - item.first_piece;
    out_.items.push_back(item);
    add_node(node);
  }

  // A contact of one block alone is eliminated with it. With two blocks its row may vanish on either.
  void add_contact(const ContactNode& contact) {
    add_item(system_.pair_segments(contact.pair), {contact.rows, true, -1});
    const std::span<Piece> all = pieces(out_.items.back());
    const bool alone =
        !all.empty() && std::all_of(all.begin(), all.end(), [&](const Piece& p) { return p.node == all[0].node; });
    if (alone && owns_[all[0].node] == 0) {
      nodes_.back().owner = all[0].node;
      owns_[all[0].node] = 1;
    } else {
      ++out_.unowned;
    }
  }

  int edge(int a, int b) const {
    if (a == b) return -1;
    const auto [i, j] = std::minmax(a, b);
    const auto before = [](const FactorEdge& x, const FactorEdge& y) { return x.i != y.i ? x.i < y.i : x.j < y.j; };
    const auto found = std::lower_bound(out_.edges.begin(), out_.edges.end(), FactorEdge{i, j}, before);
    return static_cast<int>(found - out_.edges.begin());
  }

  void find_edges() {
    for (const Coupling& coupling : system_.couplings())
      out_.couplings.push_back(edge(of_.block_node_[coupling.i], of_.block_node_[coupling.j]));
    for (int node = 0; node < of_.velocity_nodes_; ++node)
      out_.chain.push_back(node + 1 < of_.velocity_nodes_ && chained(node) ? edge(node, node + 1) : -1);
    for (Item& item : out_.items) {
      item.first_pair = static_cast<int>(out_.pairs.size());
      for (Piece& a : pieces(item)) {
        a.edge = edge(a.node, item.node);
        for (const Piece& b : pieces(item)) out_.pairs.push_back(edge(a.node, b.node));
      }
    }
  }

  // The least colour that no velocity has with which this one stands in a row or a varying mass.
  void colour() {
    const int nv = system_.nv();
    std::vector<std::vector<int>> items_of(nv);
    for (int k = 0; k < static_cast<int>(out_.items.size()); ++k)
      for (const Segment& segment : out_.items[k].segments)
        for (int i = 0; i < segment.length; ++i) items_of[segment.first + i].push_back(k);
    out_.colour.assign(nv, -1);
    std::vector<int> taken;  // by colour: the velocity that cannot have it
    for (int v = 0; v < nv; ++v) {
      const MatrixBlock& block = system_.blocks()[system_.block_of(v)];
      const bool varying = !block.constant_mass;
      if (items_of[v].empty() && !varying) continue;
      const auto take = [&](int other) {
        const int c = out_.colour[other];
        if (c >= 0) taken[c] = v;
      };
      for (const int k : items_of[v])
        for (const Segment& segment : out_.items[k].segments)
          for (int i = 0; i < segment.length; ++i) take(segment.first + i);
      for (int i = 0; varying && i < block.n; ++i) take(block.v0 + i);
      const auto free = std::find_if(taken.begin(), taken.end(), [v](int by) { return by != v; });
      out_.colour[v] = static_cast<int>(free - taken.begin());
      if (free == taken.end()) taken.push_back(-1);
    }
    out_.colours = static_cast<int>(taken.size());
  }

  const KktFactor& of_;
  const System& system_;
  std::vector<FactorNode> nodes_;
  std::vector<char> owns_;
  Pattern out_{{}, {}, {}, {}, {}, {}, {}, {}, {}, 0, 0, ComponentFactor({}, {})};
};

bool KktFactor::shape(std::span<const ContactNode> contacts) {
  const auto fits = [&](const Pattern& pattern) {
    return std::equal(contacts.begin(), contacts.end(), pattern.contacts.begin(), pattern.contacts.end());
  };
  if (now_ != nullptr && fits(*now_)) return true;
  const auto found = std::find_if(patterns_.rbegin(), patterns_.rend(), fits);
  if (found != patterns_.rend()) {
    now_ = &*found;
    return true;
  }
  try {
    Pattern made = Maker(*this, contacts).make();
    kept_rows_ += made.factor.size();
    while (!patterns_.empty() && (patterns_.size() >= most_patterns || kept_rows_ > most_rows)) {
      kept_rows_ -= patterns_.front().factor.size();
      patterns_.pop_front();
    }
    now_ = &patterns_.emplace_back(std::move(made));
    return true;
  } catch (const std::length_error&) {
    return false;
  }
}

}  // namespace esc
