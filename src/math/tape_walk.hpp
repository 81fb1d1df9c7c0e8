// The nodes below an expression, in a time that grows with their number and not with the length of the tape.
#pragma once

#include <algorithm>
#include <vector>

#include <escapement/ad/expr.hpp>

namespace esc::ad {

// Ascending: operands stand before what uses them. `enter(node)` says whether the operands of a node belong to it.
template <class Enter>
std::vector<int> nodes_below(const Tape& tape, int top, Enter enter) {
  std::vector<int> waiting{top}, found;  // a heap: the latest node is the first
  while (!waiting.empty()) {
    std::pop_heap(waiting.begin(), waiting.end());
    const int i = waiting.back();
    waiting.pop_back();
    if (!found.empty() && found.back() == i) continue;
    found.push_back(i);
    const Node& n = tape.node(i);
    if (!enter(n)) continue;
    const int operands[] = {n.a, n.b, n.c};
    for (int k = 0; k < arity(n.op); ++k) {
      waiting.push_back(operands[k]);
      std::push_heap(waiting.begin(), waiting.end());
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

inline std::vector<int> nodes_below(const Tape& tape, int top) {
  return nodes_below(tape, top, [](const Node&) { return true; });
}

// A value for each of some ascending nodes, and the default for all others.
template <class T>
class NodeValues {
 public:
  explicit NodeValues(const std::vector<int>& nodes) : nodes_(nodes), values_(nodes.size()) {}
  bool has(int node) const { return std::binary_search(nodes_.begin(), nodes_.end(), node); }
  T& operator[](int node) { return values_[place(node)]; }
  const T& at(int node) const { return values_[place(node)]; }
  T value_or_default(int node) const { return has(node) ? at(node) : T(); }

 private:
  std::size_t place(int node) const {
    return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
  }
  const std::vector<int>& nodes_;
  std::vector<T> values_;
};

}  // namespace esc::ad
