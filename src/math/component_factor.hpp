// Block-sparse LU of the saddle-point matrix of one joint-connected component,
//
//   K = [ A  -G^T ]     A: blocks of velocity nodes, nonsymmetric values, symmetric structure
//       [ G'   0  ]     G, G': rows of constraint nodes; G' may differ from G in value
//
// A velocity node is eliminated together with the constraint nodes it owns; such supernodes follow each other by
// minimum degree, on a tree from the leaves to the root: no fill, and time and storage linear in the number of nodes.
// Constraint nodes without an owner (the joints that close loops) come last.
//
// The elimination is plain LU, its blocks are only storage: where the symmetric part of A is positive definite and G'
// close to G, this needs no exchange of rows (A and S = G' A^-1 G^T have positive pivots in any order). Rows are
// exchanged inside a node where a pivot is below 1/1000 of an entry under it.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "src/math/elimination_order.hpp"

namespace esc {

enum class FactorStatus {
  regular,    // K was factored
  redundant,  // K was factored without the constraint rows in dependent_rows()
  singular,   // A is singular on the constraints, or a value is not finite: there are no factors
};

struct DependentRow {
  int node = 0;
  int row = 0;  // of the node's rows
};

class ComponentFactor {
 public:
  // Throws std::length_error where elimination would fill too much: hundreds of loops, or all tied to all.
  ComponentFactor(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges);

  // Input, row-major; factor() overwrites all of it.
  void clear();
  double* diagonal(int node) { return values_.data() + steps_[position_[node]].diagonal; }
  double* upper(int edge) { return values_.data() + edges_[edge].upper; }  // block (i, j)
  double* lower(int edge) { return values_.data() + edges_[edge].lower; }  // block (j, i)

  // A constraint row counts as dependent on those eliminated before it where elimination leaves nothing of the row's
  // diagonal d in G' A^-1 G^T: at most 1e-10 d, or 10 times the rounding error that the multipliers may have carried
  // there, at most 1e-7 d. Independent rows leave d/condition, and 1e-8 is worth keeping; but a body 1e6 times
  // heavier than its neighbour, or a loop of 1000 bodies, leaves rounding errors between 1e-10 d and 1e-8 d.
  [[nodiscard]] FactorStatus factor();
  std::span<const DependentRow> dependent_rows() const { return dependent_; }
  int deficiency() const { return static_cast<int>(dependent_.size()); }

  // x <- S^-1 x, by nodes in their given order. Dependent rows are left out and their multipliers are zero. Returns the
  // largest defect of a dependent row, |b - G' v|, in the unit of b: zero up to rounding if the rows are consistent.
  double solve(double* x) const;

  // For a redundant K: an orthonormal basis of the multipliers with G^T lambda = 0 (deficiency() vectors; allocates up
  // to a high-water mark; time deficiency()^2 * size()).
  void prepare_least_norm();
  // The same solution as solve(), but with the multipliers of least Euclidean norm.
  double solve_least_norm(double* x) const;
  // Removes from the multipliers in x what G^T does not see.
  void project_to_least_norm(double* x) const;

  int size() const { return size_; }
  int offset(int node) const { return steps_[position_[node]].x; }
  int stored_values() const { return static_cast<int>(values_.size()); }

 private:
  struct Neighbour {  // of a step, eliminated later
    int n = 0;
    int x = 0;      // offset in x
    int step = 0;   // where it is eliminated
    int upper = 0;  // offset of the block (step, neighbour) in values_
    int lower = 0;  // of the block (neighbour, step)
  };
  struct Step {  // elimination of one node
    int node = 0;
    int n = 0;
    int x = 0;
    int diagonal = 0;
    int first = 0;  // neighbours first ... last - 1, by elimination
    int last = 0;
    int target = 0;  // first of the blocks that the step changes, row by row of its neighbours
    bool constraint = false;
    bool exchanged = false;
  };
  struct Edge {
    int upper = 0;
    int lower = 0;
  };

  void store(std::span<const FactorNode> nodes, std::span<const std::vector<int>> later);
  int block(int row_step, int column_step) const;
  bool factor_diagonal(Step& step);
  bool factor_pivoted(Step& step);
  double zero_pivot(const Step& step, double scale, double noise) const;
  void eliminate(const Step& step);
  void forward(double* x) const;
  void backward(int last_step, double* x) const;
  void make_orthogonal(int d, double* z) const;

  std::vector<Step> steps_;
  std::vector<Neighbour> neighbours_;
  std::vector<int> targets_;
  std::vector<Edge> edges_;
  std::vector<int> position_;    // step of a node
  std::vector<double> values_;   // input, then factors
  std::vector<int> pivot_;       // row exchanged with row i, by x; read where step.exchanged
  std::vector<double> removed_;  // by x: what constraint nodes took from the diagonal of a constraint row
  std::vector<double> noise_;    // by x: estimated rounding error in the diagonal of a row
  std::vector<double> scale_;    // of the rows of one node, to measure its pivots by
  std::vector<DependentRow> dependent_;
  std::vector<int> dependent_x_;    // the same rows by x
  std::vector<double> null_space_;  // orthonormal, deficiency() x size(), zero over velocities
  int size_ = 0;
  int first_constraint_ = std::numeric_limits<int>::max();  // by x: all before are velocities
  bool may_be_redundant_ = false;                           // a constraint node meets another one
};

}  // namespace esc
