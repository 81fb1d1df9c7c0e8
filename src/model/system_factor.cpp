#include "src/model/system_factor.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace esc {

SystemFactor::SystemFactor(const System& system) : system_(system), blocks_(system.blocks()) {
  int largest = 0;
  for (const Component& component : system.components()) {
    tree_of_.push_back(component.simple() ? -1 : static_cast<int>(trees_.size()));
    if (!component.simple()) trees_.push_back(make_tree(component));
    largest = std::max(largest, component.n + component.rows);
  }
  y_.resize(largest);
}

// Nodes: the blocks of the component, then its joints. Edges: its couplings, then every joint with each of its blocks.
SystemFactor::Tree SystemFactor::make_tree(const Component& component) const {
  std::vector<FactorNode> nodes;
  std::vector<FactorEdge> edges;
  std::vector<Link> links;
  for (int i = 0; i < component.blocks; ++i) nodes.push_back({system_.blocks()[component.block0 + i].n, false, -1});
  for (int i = 0; i < component.couplings; ++i) {
    const Coupling& coupling = system_.couplings()[component.coupling0 + i];
    edges.push_back({coupling.i - component.block0, coupling.j - component.block0});
  }
  for (int i = 0; i < component.joints; ++i) {
    const Joint& joint = system_.joints()[component.joint0 + i];
    const int node = component.blocks + i;
    nodes.push_back({joint.row_count, true, joint.owner < 0 ? -1 : joint.owner - component.block0});
    const auto first = edges.size();
    int column = 0;
    for (const Segment& segment : joint.segments) {
      const int block = system_.block_of(segment.first) - component.block0;
      auto edge = first;
      while (edge < edges.size() && edges[edge].i != block) ++edge;
      if (edge == edges.size()) edges.push_back({block, node});
      const MatrixBlock& columns = system_.blocks()[component.block0 + block];
      links.push_back({component.joint0 + i, static_cast<int>(edge), column, segment.length, segment.first - columns.v0,
                       columns.n});
      column += segment.length;
    }
  }
  try {
    return {ComponentFactor(nodes, edges), std::move(links)};
  } catch (const std::length_error&) {
    throw ModelError(system_.block_name(component.block0),
                     "it is tied to " + std::to_string(component.blocks - 1) + " others by " +
                         std::to_string(component.joints) + " joints and " + std::to_string(component.couplings) +
                         " implicit forces in so many loops that a step would take minutes; cut some of them, or give "
                         "forces Tangents::none");
  }
}

FactorStatus SystemFactor::factor_tree(int index, std::span<const double> A, std::span<const double> G,
                                       std::span<const double> T) {
  const Component& component = system_.components()[index];
  Tree& tree = trees_[tree_of_[index]];
  tree.factor.clear();
  for (int i = 0; i < component.blocks; ++i) {
    const MatrixBlock& block = system_.blocks()[component.block0 + i];
    std::copy_n(A.data() + block.a0, block.n * block.n, tree.factor.diagonal(i));
  }
  for (int i = 0; i < component.couplings; ++i) {
    const Coupling& coupling = system_.couplings()[component.coupling0 + i];
    std::copy_n(A.data() + coupling.upper, coupling.lower - coupling.upper, tree.factor.upper(i));
    std::copy_n(A.data() + coupling.lower, coupling.lower - coupling.upper, tree.factor.lower(i));
  }
  for (const Link& link : tree.links) {
    const Joint& joint = system_.joints()[link.joint];
    double* upper = tree.factor.upper(link.edge);
    double* lower = tree.factor.lower(link.edge);
    for (int row = 0; row < joint.row_count; ++row) {
      const int first = joint.first_value + row * joint.width + link.column;
      for (int j = 0; j < link.length; ++j) {
        lower[row * link.n + link.local + j] += T[first + j];
        upper[(link.local + j) * joint.row_count + row] -= G[first + j];
      }
    }
  }
  return tree.factor.factor();
}

bool SystemFactor::factor(int index, std::span<const double> A, const JointSet& joints, std::span<const double> T) {
  if (tree_of_[index] < 0) return blocks_.factor(system_.components()[index].block0, A);
  Tree& tree = trees_[tree_of_[index]];
  const FactorStatus status = factor_tree(index, A, joints.G, T.empty() ? joints.G : T);
  tree.redundant = status == FactorStatus::redundant;
  if (tree.redundant) tree.factor.prepare_least_norm();
  return status != FactorStatus::singular;
}

void SystemFactor::project_to_least_norm(int index, double* rows) {
  const Component& component = system_.components()[index];
  std::fill_n(y_.data(), component.n, 0.0);
  std::copy_n(rows + component.row0, component.rows, y_.data() + component.n);
  trees_[tree_of_[index]].factor.project_to_least_norm(y_.data());
  std::copy_n(y_.data() + component.n, component.rows, rows + component.row0);
}

std::vector<int> SystemFactor::dependent_rows(int index, std::span<const double> A, const JointSet& joints) {
  std::vector<int> rows;
  if (tree_of_[index] < 0) return rows;
  static_cast<void>(factor_tree(index, A, joints.G, joints.G));
  const Component& component = system_.components()[index];
  for (const DependentRow& row : trees_[tree_of_[index]].factor.dependent_rows())
    rows.push_back(system_.joints()[component.joint0 + row.node - component.blocks].first_row + row.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

int SystemFactor::size(int index) const { return system_.components()[index].n + system_.components()[index].rows; }

void SystemFactor::solve_from(int index, int first, double* y) const {
  if (tree_of_[index] < 0) return blocks_.solve_from(system_.components()[index].block0, first, y);
  const Tree& tree = trees_[tree_of_[index]];
  if (tree.redundant)
    tree.factor.solve_least_norm(y);
  else
    tree.factor.solve(y);
}

void SystemFactor::solve(int index, double* v, double* rows) {
  const Component& component = system_.components()[index];
  if (tree_of_[index] < 0) return blocks_.solve_from(component.block0, 0, v + component.v0);
  solve_tree(index, v, rows);
}

void SystemFactor::solve_tree(int index, double* v, double* rows) {
  const Component& component = system_.components()[index];
  std::copy_n(v + component.v0, component.n, y_.data());
  std::copy_n(rows + component.row0, component.rows, y_.data() + component.n);
  solve_from(index, 0, y_.data());
  std::copy_n(y_.data(), component.n, v + component.v0);
  std::copy_n(y_.data() + component.n, component.rows, rows + component.row0);
}

void SystemFactor::solve_all(double* v, double* rows) {
  for (int c = 0; c < static_cast<int>(tree_of_.size()); ++c) solve(c, v, rows);
}

}  // namespace esc
