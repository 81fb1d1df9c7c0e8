#include "src/math/elimination_order.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace esc {

namespace {

// The quotient graph of supernodes during elimination.
class Elimination {
 public:
  Elimination(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges)
      : nodes_(nodes), adjacent_(nodes.size()), waits_(nodes.size()), blocks_(nodes.size()) {
    for (const FactorEdge& edge : edges) {
      const int a = super(edge.i);
      const int b = super(edge.j);
      if (a == b) continue;
      adjacent_[a].insert(b);
      adjacent_[b].insert(a);
      add_child(edge.i, edge.j);
      add_child(edge.j, edge.i);
    }
    for (int s = 0; s < static_cast<int>(nodes.size()); ++s)
      if (super(s) == s) queue_.insert(key(s));
  }

  // Supernodes in their order, each named by its velocity node or its constraint without owner.
  std::vector<int> order() {
    std::vector<int> result;
    while (!queue_.empty()) {
      const int s = std::get<3>(*queue_.begin());
      // Constraints that are all tied to each other stay so, in whatever order.
      if (nodes_[s].constraint && adjacent_[s].size() + 1 == queue_.size()) {
        for (const Key& left : queue_) result.push_back(std::get<3>(left));
        break;
      }
      result.push_back(s);
      eliminate(s);
    }
    return result;
  }

  int super(int node) const { return nodes_[node].owner >= 0 ? nodes_[node].owner : node; }

 private:
  // Late ones last; fewest neighbours; then fewest children: bodies whose joint hangs on this one. Of the two ends of a
  // chain it is the free one, which fills nothing, not the one at the ground.
  using Key = std::tuple<bool, int, int, int>;
  Key key(int s) const { return {nodes_[s].constraint, static_cast<int>(adjacent_[s].size()), waits_[s], s}; }

  void add_child(int velocity, int constraint) {
    if (nodes_[velocity].constraint || !nodes_[constraint].constraint || nodes_[constraint].owner < 0) return;
    ++waits_[velocity];
    blocks_[nodes_[constraint].owner].push_back(velocity);
  }

  void eliminate(int s) {
    for (int a : adjacent_[s]) queue_.erase(key(a));
    queue_.erase(key(s));
    for (int a : adjacent_[s]) {
      for (int b : adjacent_[s])
        if (a != b) adjacent_[a].insert(b);
      adjacent_[a].erase(s);
    }
    for (int parent : blocks_[s]) --waits_[parent];  // adjacent to s, or eliminated
    for (int a : adjacent_[s]) queue_.insert(key(a));
  }

  std::span<const FactorNode> nodes_;
  std::vector<std::set<int>> adjacent_;
  std::vector<int> waits_;                // children left
  std::vector<std::vector<int>> blocks_;  // whose child this is
  std::set<Key> queue_;
};

}  // namespace

std::vector<int> node_order(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges) {
  Elimination elimination(nodes, edges);
  std::vector<std::vector<int>> owned(nodes.size());
  for (int c = 0; c < static_cast<int>(nodes.size()); ++c)
    if (elimination.super(c) != c) owned[nodes[c].owner].push_back(c);
  std::vector<int> order;
  for (int s : elimination.order()) {
    order.push_back(s);
    order.insert(order.end(), owned[s].begin(), owned[s].end());
  }
  return order;
}

// Its own edges and what its children in the elimination tree hand on.
std::vector<std::vector<int>> later_steps(std::span<const int> position, std::span<const FactorEdge> edges) {
  std::vector<std::vector<int>> later(position.size());
  for (const FactorEdge& edge : edges) {
    const auto [first, last] = std::minmax(position[edge.i], position[edge.j]);
    later[first].push_back(last);
  }
  for (std::vector<int>& steps : later) {
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    if (steps.empty()) continue;
    std::vector<int>& parent = later[steps.front()];
    parent.insert(parent.end(), steps.begin() + 1, steps.end());
  }
  return later;
}

}  // namespace esc
