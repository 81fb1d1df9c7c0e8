// Factors of K = [A -G^T; G 0], one component at a time: A is M or Mhat with the couplings of implicit forces, G the
// joint rows. Components of one block without joints are plain blocks.
#pragma once

#include <span>
#include <vector>

#include <escapement/system.hpp>

#include "src/math/block_factor.hpp"
#include "src/math/component_factor.hpp"

namespace esc {

class SystemFactor {
 public:
  explicit SystemFactor(const System& system);

  // A: System::tangent_size() values. T: laid out as G, stands below A in its place if given. False: singular or not
  // finite.
  [[nodiscard]] bool factor(int component, std::span<const double> A, const JointSet& joints,
                            std::span<const double> T = {});

  // How many entries a right-hand side of the component has: its velocities, then its joint rows.
  int size(int component) const;
  // y <- S^-1 y, y = [velocities, rows]; y is zero before index `first`.
  void solve_from(int component, int first, double* y) const;

  // The same in the arrays of the whole System.
  void solve(int component, double* v, double* rows);
  void solve_all(double* v, double* rows);  // over all components

  // Whether the last factor() met dependent rows; multipliers summed over several factors then lose what G^T does not
  // see.
  bool redundant(int component) const { return tree_of_[component] >= 0 && trees_[tree_of_[component]].redundant; }
  void project_to_least_norm(int component, double* rows);

  // Rows that depend on others, by row of the System; allocates.
  std::vector<int> dependent_rows(int component, std::span<const double> A, const JointSet& joints);

 private:
  struct Link {  // a joint row block on one block: where its columns stand
    int joint = 0;
    int edge = 0;
    int column = 0;  // first column within G's rows
    int length = 0;
    int local = 0;  // first velocity within the block
    int n = 0;      // velocities of the block
  };
  struct Tree {
    ComponentFactor factor;
    std::vector<Link> links;
    bool redundant = false;  // of the last factor
  };

  Tree make_tree(const Component& component) const;
  [[gnu::noinline]] void solve_tree(int component, double* v, double* rows);
  FactorStatus factor_tree(int component, std::span<const double> A, std::span<const double> G,
                           std::span<const double> T);

  const System& system_;
  BlockFactor blocks_;
  std::vector<int> tree_of_;  // by component; -1: simple
  std::vector<Tree> trees_;
  std::vector<double> y_;
};

}  // namespace esc
