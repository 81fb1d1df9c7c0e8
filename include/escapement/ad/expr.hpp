// A recording scalar. Arithmetic on Expr builds an expression graph on a Tape: equal subexpressions are one node,
// constants are folded, and derivatives are again expressions, so that they can be differentiated as often as needed.
// program.hpp turns expressions into a list of instructions.
//
// Simplifications: x+0, x-0, x-x, 0*x, 0/x, 1*x, x/1, --x, signs moved outwards, constant factors collected,
// a*x + b*x with constant a and b, sqrt(x)^2, hypot(x,y)^2, abs(x)^2. They take x as finite (0*x is 0 and x-x is 0
// even where x turns out infinite or NaN), ignore the sign of zero, and may change the last bit of a constant factor.
//
// std::invalid_argument is thrown while recording: two tapes in one expression, a derivative by something that is
// no input. Singular points: as in dual.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <escapement/export.hpp>

namespace esc::ad {

enum class Op : std::uint8_t {
  constant,
  input,
  add,
  sub,
  mul,
  div,
  neg,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sqrt,
  exp,
  log,
  abs,
  sign,  // -1, 0, 1
  sinh,
  cosh,
  tanh,
  atan2,
  hypot,
  pow,
  less,         // comparisons give 1 or 0
  less_equal,   //
  equal,        //
  select,       // a != 0 ? b : c
  sincos,       // this and the following occur in programs only
  mul3,         // (a*b)*c
  neg_mul,      // -(a*b)
  mul_add,      // a*b + c, rounded twice
  mul_sub,      // a*b - c
  sub_mul,      // c - a*b
  mul_add_mul,  // a*b + c*d
  mul_sub_mul,  // a*b - c*d
};

// The number of operands of an operation that can stand on a tape.
ESC_API int arity(Op op);

struct Node {
  Op op = Op::constant;
  int a = -1;  // operands, nodes recorded earlier; for an input its number
  int b = -1;
  int c = -1;
  double value = 0.0;  // of a constant
};

class Tape;

// A handle: a constant, or a node of a tape that must outlive it.
class ESC_API Expr {
 public:
  Expr(double constant = 0.0) : constant_(constant) {}

  bool is_constant() const { return tape_ == nullptr; }
  bool is_constant(double c) const { return tape_ == nullptr && constant_ == c; }
  double constant() const { return constant_; }  // meaningful if is_constant()
  Tape* tape() const { return tape_; }           // null for a constant
  int index() const { return index_; }           // of the node on the tape; -1 for a constant

  Expr& operator+=(const Expr& b);
  Expr& operator-=(const Expr& b);
  Expr& operator*=(const Expr& b);
  Expr& operator/=(const Expr& b);

 private:
  friend class Tape;
  Expr(Tape* tape, int index) : tape_(tape), index_(index) {}

  Tape* tape_ = nullptr;
  int index_ = -1;
  double constant_ = 0.0;
};

// The result of comparing expressions. It is no bool: generic code branches by where(condition, a, b).
struct Condition {
  Expr indicator;  // 1 or 0
};

class ESC_API Tape {
 public:
  Tape() = default;
  Tape(const Tape&) = delete;  // expressions point here
  Tape& operator=(const Tape&) = delete;

  Expr input();
  std::vector<Expr> inputs(int count);

  int size() const { return static_cast<int>(nodes_.size()); }
  int input_count() const { return input_count_; }
  const Node& node(int index) const { return nodes_[index]; }
  Expr expr(int index);  // a handle of a recorded node

  // The simplified expression op(a, b, c); operands beyond arity(op) are ignored.
  static Expr apply(Op op, const Expr& a, const Expr& b = {}, const Expr& c = {});

 private:
  struct Key {
    Op op;
    std::int32_t a, b, c;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  int find(const Node& node) const;  // -1 if not recorded
  int intern(const Node& node);
  int index_of(const Expr& e);  // records a constant if need be
  static Key key_of(const Node& node);
  static bool simplified(Op op, const Expr& a, const Expr& b, Expr& result);
  static bool simplified_sum(const Expr& a, const Expr& b, Expr& result);
  static bool simplified_difference(const Expr& a, const Expr& b, Expr& result);
  static bool simplified_product(const Expr& a, const Expr& b, Expr& result);
  static bool simplified_quotient(const Expr& a, const Expr& b, Expr& result);

  std::vector<Node> nodes_;
  std::unordered_map<Key, int, KeyHash> index_;
  int input_count_ = 0;
};

// df/dx for an input x.
ESC_API Expr derivative(const Expr& f, const Expr& x);
// df/dx_i for inputs x_i: by reverse accumulation; with where, min or max in f by forward accumulation, so that
// a branch not taken cannot spoil the derivative with 0*infinity.
ESC_API std::vector<Expr> gradient(const Expr& f, std::span<const Expr> xs);
// Whether f, as simplified, contains one of the inputs xs.
ESC_API bool depends_on(const Expr& f, std::span<const Expr> xs);

inline Expr operator+(const Expr& a) { return a; }
inline Expr operator-(const Expr& a) { return Tape::apply(Op::neg, a); }
inline Expr operator+(const Expr& a, const Expr& b) { return Tape::apply(Op::add, a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return Tape::apply(Op::sub, a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return Tape::apply(Op::mul, a, b); }
inline Expr operator/(const Expr& a, const Expr& b) { return Tape::apply(Op::div, a, b); }
inline Expr& Expr::operator+=(const Expr& b) { return *this = *this + b; }
inline Expr& Expr::operator-=(const Expr& b) { return *this = *this - b; }
inline Expr& Expr::operator*=(const Expr& b) { return *this = *this * b; }
inline Expr& Expr::operator/=(const Expr& b) { return *this = *this / b; }

inline Expr sin(const Expr& x) { return Tape::apply(Op::sin, x); }
inline Expr cos(const Expr& x) { return Tape::apply(Op::cos, x); }
inline Expr tan(const Expr& x) { return Tape::apply(Op::tan, x); }
inline Expr asin(const Expr& x) { return Tape::apply(Op::asin, x); }
inline Expr acos(const Expr& x) { return Tape::apply(Op::acos, x); }
inline Expr atan(const Expr& x) { return Tape::apply(Op::atan, x); }
inline Expr sqrt(const Expr& x) { return Tape::apply(Op::sqrt, x); }
inline Expr exp(const Expr& x) { return Tape::apply(Op::exp, x); }
inline Expr log(const Expr& x) { return Tape::apply(Op::log, x); }
inline Expr abs(const Expr& x) { return Tape::apply(Op::abs, x); }
inline Expr sinh(const Expr& x) { return Tape::apply(Op::sinh, x); }
inline Expr cosh(const Expr& x) { return Tape::apply(Op::cosh, x); }
inline Expr tanh(const Expr& x) { return Tape::apply(Op::tanh, x); }
inline Expr atan2(const Expr& y, const Expr& x) { return Tape::apply(Op::atan2, y, x); }
inline Expr hypot(const Expr& x, const Expr& y) { return Tape::apply(Op::hypot, x, y); }
inline void sincos(const Expr& x, Expr& s, Expr& c) {
  const Expr argument = x;  // s or c may be x itself
  s = sin(argument);
  c = cos(argument);
}
// A whole exponent becomes products (a constant one up to 64), so that x < 0 is allowed.
ESC_API Expr pow(const Expr& x, int n);
ESC_API Expr pow(const Expr& x, double e);
ESC_API Expr pow(const Expr& x, const Expr& y);

inline Condition operator<(const Expr& a, const Expr& b) { return {Tape::apply(Op::less, a, b)}; }
inline Condition operator>(const Expr& a, const Expr& b) { return b < a; }
inline Condition operator<=(const Expr& a, const Expr& b) { return {Tape::apply(Op::less_equal, a, b)}; }
inline Condition operator>=(const Expr& a, const Expr& b) { return b <= a; }
inline Condition operator==(const Expr& a, const Expr& b) { return {Tape::apply(Op::equal, a, b)}; }
inline Condition operator!(const Condition& a) { return {1.0 - a.indicator}; }
inline Condition operator!=(const Expr& a, const Expr& b) { return !(a == b); }
inline Condition operator&&(const Condition& a, const Condition& b) { return {a.indicator * b.indicator}; }
inline Condition operator||(const Condition& a, const Condition& b) { return !(!a && !b); }

inline Expr where(const Condition& condition, const Expr& a, const Expr& b) {
  return Tape::apply(Op::select, condition.indicator, a, b);
}
inline Expr min(const Expr& a, const Expr& b) { return where(b < a, b, a); }
inline Expr max(const Expr& a, const Expr& b) { return where(a < b, b, a); }

}  // namespace esc::ad
