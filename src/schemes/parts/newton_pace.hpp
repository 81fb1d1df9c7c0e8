// When a Newton loop factors again: decision 0016. Joints keep their factors while an iteration divides the residual by
// ten; the solution is the same, since residuals are those of the present iterate.
#pragma once

#include <limits>

#include "src/schemes/parts/theta_step.hpp"

namespace esc {

class NewtonPace {
 public:
  // For the next iteration; residual: of the one before. The first one of a loop has none, and factors.
  Factors next(double residual) {
    if (first_) {
      first_ = false;
      return Factors::fresh;
    }
    const Factors factors = residual <= 0.1 * last_ ? Factors::keep : Factors::fresh;
    last_ = residual;
    return factors;
  }
  double last() const { return last_; }  // the residual that the present iteration started from; infinite in the first

 private:
  bool first_ = true;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace esc
