// A problem in units of its own: the mean diagonal of W of every cone is one, the largest b is one, W is by blocks.
// Then mass ratios do not show, and a number alone says what is small.
#pragma once

#include <vector>

#include <escapement/cone_problem.hpp>

namespace esc::cone {

class OwnUnits {
 public:
  ConeProblem problem;

  void read(const ConeProblem& from);                                 // cones, W, b and p
  void write(const std::vector<double>& own, ConeProblem& to) const;  // into p of the problem that was read
  bool all_zero() const { return unit_ == 0.0; }                      // b, and so a solution

 private:
  void read_dense(const ConeProblem& from);
  void scale_blocks();

  double unit_ = 0.0;          // of b in the units of its cone
  std::vector<double> scale_;  // by cone: sqrt of its mean diagonal
};

}  // namespace esc::cone
