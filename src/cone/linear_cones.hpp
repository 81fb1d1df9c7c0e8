// The linear systems of Newton's method over cones. Every cone has as many equations as rows,
//   P dp + U du = right-hand side,   du = (W + proximal 1) dp,
// which are stacked, factored by blocks and solved.
#pragma once

#include <vector>

#include <escapement/cone_problem.hpp>

#include "src/math/sparse_lu.hpp"

namespace esc::cone {

struct ConeRows {  // 3 x 3, row-major
  double P[9] = {};
  double U[9] = {};
};

class LinearCones {
 public:
  void analyse(const ConeProblem& problem);  // W by blocks, in units of its own
  double cost() const { return lu_.cost(); }
  // `proximal` makes a W of lower rank regular, and keeps dp small where the equations say nothing.
  void factor(const ConeProblem& problem, const std::vector<ConeRows>& rows, double proximal);
  void solve(std::vector<double>& x);  // right-hand side in, dp out

 private:
  SparseLu lu_;
  std::vector<int> sizes_;
  std::vector<double> scale_;  // of the equations
};

// out = W x.
void multiply(const ConeProblem& problem, const std::vector<double>& x, std::vector<double>& out);

}  // namespace esc::cone
