// The order in which a block-sparse LU eliminates velocity and constraint nodes, and what fills.
#pragma once

#include <span>
#include <vector>

namespace esc {

struct FactorNode {
  int n = 0;                // rows
  bool constraint = false;  // or velocities
  int owner = -1;           // of a constraint: the velocity node on which alone its rows are independent; -1: last
};

struct FactorEdge {
  int i = 0;  // i < j; at least one of both a velocity node
  int j = 0;
};

// Nodes in the order of elimination: minimum degree, constraints with their owners, those without last.
std::vector<int> node_order(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges);

// For each step the later steps that it is tied to, fill included. `position`: the step of a node.
std::vector<std::vector<int>> later_steps(std::span<const int> position, std::span<const FactorEdge> edges);

}  // namespace esc
