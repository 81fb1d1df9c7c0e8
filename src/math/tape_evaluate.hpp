// The value of one recorded operation: used to fold constants and, for all but the commonest operations, in programs.
#pragma once

#include <cmath>

#include <escapement/ad/expr.hpp>

namespace esc::ad {

inline double evaluate(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return static_cast<double>((a > 0.0) - (a < 0.0));
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    case Op::pow:
      return std::pow(a, b);
    case Op::less:
      return a < b ? 1.0 : 0.0;
    case Op::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Op::equal:
      return a == b ? 1.0 : 0.0;
    case Op::select:
      return a != 0.0 ? b : c;
    default:
      return std::nan("");  // constants and inputs have no operands; fused operations stand in programs only
  }
}

}  // namespace esc::ad
