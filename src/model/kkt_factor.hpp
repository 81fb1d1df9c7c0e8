// The factors of a saddle-point matrix over the whole System with contacts in it, whose pattern follows the contacts:
// nodes are blocks, joints and contacts. A node of a block has `levels` unknowns per velocity, one after the other; so
// does that of a joint per row. The node of a contact has as many rows as the caller says.
//
// Blocks that rows turn together meet: two bodies of a joint or a contact have an edge, which elimination fills anyway.
// A banded block becomes a chain of nodes as long as its half band. Nodes, edges and the order of elimination are kept
// per pattern.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <escapement/system.hpp>

#include "src/math/component_factor.hpp"

namespace esc {

class KktFactor {
 public:
  static constexpr int levels = 3;

  explicit KktFactor(const System& system);

  // Some columns of an item's rows, all of one node.
  struct Piece {
    int node = 0;
    int local = 0;   // the first velocity within the node
    int length = 0;  // velocities
    int column = 0;  // the first column within the item's rows
    int edge = 0;    // to the item's node
  };
  // A joint, or after all joints a contact.
  struct Item {
    int node = 0;
    int width = 0;  // columns
    int first_piece = 0, piece_count = 0;
    int first_pair = 0;  // edges between its pieces, row by row
    std::span<const Segment> segments;
  };
  // A part of the matrix: the rows of one node, the columns of another.
  struct Block {
    double* a = nullptr;
    int stride = 0;
    double& operator()(int i, int j) const { return a[i * stride + j]; }
  };
  struct ContactNode {
    std::uint32_t pair = 0;
    int rows = 0;
    bool operator==(const ContactNode&) const = default;
  };

  // Brings nodes and edges into the pattern of these contacts. False: elimination would fill too much.
  [[nodiscard]] bool shape(std::span<const ContactNode> contacts);
  void forget() {  // the patterns
    patterns_.clear();
    kept_rows_ = 0;
    now_ = nullptr;
  }

  int node_count() const { return static_cast<int>(now_->sizes.size()); }
  int velocity_nodes() const { return velocity_nodes_; }
  int size(int node) const { return now_->sizes[node]; }
  int velocities(int node) const { return node_velocities_[node]; }
  int first_velocity(int node) const { return node_first_[node]; }
  std::span<const Item> items() const { return now_->items; }
  std::span<const Piece> pieces(const Item& item) const {
    return std::span(now_->pieces).subspan(item.first_piece, item.piece_count);
  }
  std::span<const FactorEdge> edges() const { return now_->edges; }
  int pair(const Item& item, int p, int q) const { return now_->pairs[item.first_pair + p * item.piece_count + q]; }
  // Whether constraints meet that no block owns: then rows may depend on each other.
  bool may_be_redundant() const { return now_->unowned > 1; }
  // Colours of the velocities: two that stand in the same rows, or in one block of varying mass, differ. -1: in none.
  std::span<const int> colours() const { return now_->colour; }
  int colour_count() const { return now_->colours; }

  // Values, before factor(). Every entry is zero after clear().
  void clear() { now_->factor.clear(); }
  Block block(int i, int j, int edge) {
    if (i == j) return {now_->factor.diagonal(i), now_->sizes[i]};
    return {i < j ? now_->factor.upper(edge) : now_->factor.lower(edge), now_->sizes[j]};
  }
  int block_node(int block) const { return block_node_[block]; }               // its first
  int coupling_edge(int coupling) const { return now_->couplings[coupling]; }  // edges of System::couplings()
  int next_edge(int node) const { return now_->chain[node]; }                  // to the next node of a banded block

  [[nodiscard]] FactorStatus factor() { return now_->factor.factor(); }
  ComponentFactor& factors() { return now_->factor; }
  int offset(int node) const { return now_->factor.offset(node); }  // in the vectors of solve()
  int rows() const { return now_->factor.size(); }

 private:
  struct Pattern {
    std::vector<ContactNode> contacts;
    std::vector<int> sizes;
    std::vector<FactorEdge> edges;
    std::vector<Item> items;
    std::vector<Piece> pieces;
    std::vector<int> pairs, couplings, chain, colour;
    int colours = 0;
    int unowned = 0;
    ComponentFactor factor;
  };
  class Maker;

  const System& system_;
  std::vector<int> node_velocities_, node_first_;  // of velocity nodes
  std::vector<int> node_of_;                       // by velocity
  std::vector<int> block_node_;                    // by block
  int velocity_nodes_ = 0;
  std::deque<Pattern> patterns_;  // the latest last
  std::ptrdiff_t kept_rows_ = 0;  // of all patterns
  Pattern* now_ = nullptr;
};

}  // namespace esc
