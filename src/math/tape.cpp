#include <bit>
#include <stdexcept>

#include <escapement/ad/expr.hpp>

#include "src/math/tape_evaluate.hpp"

namespace esc::ad {

namespace {

bool same(const Expr& a, const Expr& b) {
  if (a.tape() != b.tape() || a.index() != b.index()) return false;
  return !a.is_constant() || std::bit_cast<std::uint64_t>(a.constant()) == std::bit_cast<std::uint64_t>(b.constant());
}

bool is(const Expr& e, Op op) { return !e.is_constant() && e.tape()->node(e.index()).op == op; }

Expr operand(const Expr& e) { return e.tape()->expr(e.tape()->node(e.index()).a); }

Expr second_operand(const Expr& e) { return e.tape()->expr(e.tape()->node(e.index()).b); }

// e = factor * rest, for an expression that is no constant.
struct Scaled {
  double factor;
  Expr rest;
};

Scaled scaled(const Expr& e) {
  if (is(e, Op::neg)) return {-1.0, operand(e)};
  if (is(e, Op::mul)) {
    const Expr a = operand(e), b = second_operand(e);
    if (a.is_constant()) return {a.constant(), b};
    if (b.is_constant()) return {b.constant(), a};
  }
  return {1.0, e};
}

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::isfinite(x) && std::isfinite(1.0 / x) && std::abs(std::frexp(x, &exponent)) == 0.5;
}

Tape* common_tape(const Expr& a, const Expr& b, const Expr& c) {
  Tape* tape = nullptr;
  for (const Expr* e : {&a, &b, &c}) {
    if (e->is_constant()) continue;
    if (tape != nullptr && tape != e->tape())
      throw std::invalid_argument("expressions recorded on two different tapes cannot be combined");
    tape = e->tape();
  }
  return tape;
}

}  // namespace

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      return 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::atan2:
    case Op::hypot:
    case Op::pow:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return 2;
    case Op::select:
      return 3;
    default:
      return 1;
  }
}

std::size_t Tape::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = static_cast<std::uint64_t>(key.op);
  for (std::int32_t part : {key.a, key.b, key.c}) {
    h = (h ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
  }
  return h;
}

Tape::Key Tape::key_of(const Node& node) {
  if (node.op != Op::constant) return {node.op, node.a, node.b, node.c};
  const auto bits = std::bit_cast<std::uint64_t>(node.value);  // equal means equal bits: NaN and -0 included
  return {node.op, static_cast<std::int32_t>(bits), static_cast<std::int32_t>(bits >> 32), 0};
}

int Tape::find(const Node& node) const {
  const auto at = index_.find(key_of(node));
  return at == index_.end() ? -1 : at->second;
}

int Tape::intern(const Node& node) {
  const auto [at, is_new] = index_.try_emplace(key_of(node), size());
  if (is_new) nodes_.push_back(node);
  return at->second;
}

int Tape::index_of(const Expr& e) {
  return e.is_constant() ? intern({.op = Op::constant, .value = e.constant()}) : e.index();
}

Expr Tape::input() {
  const int number = input_count_++;
  return {this, intern({.op = Op::input, .a = number})};
}

std::vector<Expr> Tape::inputs(int count) {
  std::vector<Expr> all;
  for (int i = 0; i < count; ++i) all.push_back(input());
  return all;
}

Expr Tape::expr(int index) {
  const Node& n = nodes_[index];
  return n.op == Op::constant ? Expr(n.value) : Expr(this, index);
}

Expr Tape::apply(Op op, const Expr& a, const Expr& b, const Expr& c) {
  const int count = arity(op);
  const Expr second = count > 1 ? b : Expr(), third = count > 2 ? c : Expr();
  Tape* tape = common_tape(a, second, third);
  if (tape == nullptr) return evaluate(op, a.constant(), second.constant(), third.constant());

  if (op == Op::select) {
    if (a.is_constant()) return a.constant() != 0.0 ? b : c;
    if (same(b, c)) return b;
  }
  Expr result;
  if (simplified(op, a, second, result)) return result;

  Node node{.op = op, .a = tape->index_of(a)};
  if (count > 1) node.b = tape->index_of(b);
  if (count > 2) node.c = tape->index_of(c);
  if ((op == Op::add || op == Op::mul) && node.a > node.b) std::swap(node.a, node.b);
  return {tape, tape->intern(node)};
}

bool Tape::simplified(Op op, const Expr& a, const Expr& b, Expr& result) {
  switch (op) {
    case Op::add:
      return simplified_sum(a, b, result);
    case Op::sub:
      return simplified_difference(a, b, result);
    case Op::mul:
      return simplified_product(a, b, result);
    case Op::div:
      return simplified_quotient(a, b, result);
    case Op::neg: {
      const Scaled s = scaled(a);
      if (s.factor != 1.0) return result = -s.factor * s.rest, true;
      if (!is(a, Op::sub)) return false;
      const Node& n = a.tape()->nodes_[a.index()];
      const int reversed = a.tape()->find({.op = Op::sub, .a = n.b, .b = n.a});
      return reversed < 0 ? false : (result = a.tape()->expr(reversed), true);
    }
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign:
      return is(a, Op::neg) ? (result = -apply(op, operand(a)), true) : false;
    case Op::cos:
    case Op::cosh:
    case Op::abs:
      return is(a, Op::neg) ? (result = apply(op, operand(a)), true) : false;
    default:
      return false;
  }
}

bool Tape::simplified_sum(const Expr& a, const Expr& b, Expr& result) {
  if (a.is_constant(0.0)) return result = b, true;
  if (b.is_constant(0.0)) return result = a, true;
  if (!a.is_constant() && !b.is_constant()) {
    const Scaled x = scaled(a), y = scaled(b);
    if (same(x.rest, y.rest)) return result = (x.factor + y.factor) * x.rest, true;
  }
  if (is(a, Op::neg) && is(b, Op::neg)) return result = -(operand(a) + operand(b)), true;
  if (is(b, Op::neg)) return result = a - operand(b), true;
  if (is(a, Op::neg)) return result = b - operand(a), true;
  return false;
}

bool Tape::simplified_difference(const Expr& a, const Expr& b, Expr& result) {
  if (a.is_constant(0.0)) return result = -b, true;
  if (b.is_constant(0.0)) return result = a, true;
  if (b.is_constant()) return false;
  if (!a.is_constant()) {
    const Scaled x = scaled(a), y = scaled(b);
    if (same(x.rest, y.rest)) return result = (x.factor - y.factor) * x.rest, true;
  }
  if (is(b, Op::neg)) return result = a + operand(b), true;
  if (is(a, Op::neg)) return result = -(operand(a) + b), true;

  // a - b is -(b - a) if that is there and the difference itself is not.
  Tape& tape = *b.tape();
  const int ia = tape.index_of(a), ib = b.index();
  if (tape.find({.op = Op::sub, .a = ia, .b = ib}) >= 0) return false;
  const int reversed = tape.find({.op = Op::sub, .a = ib, .b = ia});
  return reversed < 0 ? false : (result = -tape.expr(reversed), true);
}

bool Tape::simplified_product(const Expr& a, const Expr& b, Expr& result) {
  if (b.is_constant()) {
    if (b.is_constant(0.0)) return result = 0.0, true;
    if (b.is_constant(1.0)) return result = a, true;
    if (b.is_constant(-1.0)) return result = -a, true;
    const Scaled s = scaled(a);
    return s.factor != 1.0 ? (result = s.rest * (s.factor * b.constant()), true) : false;
  }
  if (a.is_constant()) return simplified_product(b, a, result);

  const Scaled x = scaled(a), y = scaled(b);
  if (x.factor != 1.0 || y.factor != 1.0) return result = (x.rest * y.rest) * (x.factor * y.factor), true;
  if (!same(a, b)) return false;
  if (is(a, Op::sqrt)) return result = operand(a), true;
  if (is(a, Op::abs)) return result = operand(a) * operand(a), true;
  if (!is(a, Op::hypot)) return false;
  const Expr u = operand(a), w = second_operand(a);
  return result = u * u + w * w, true;
}

bool Tape::simplified_quotient(const Expr& a, const Expr& b, Expr& result) {
  if (a.is_constant(0.0)) return result = 0.0, true;
  if (b.is_constant() && is_power_of_two(b.constant())) return result = a * (1.0 / b.constant()), true;
  if (is(a, Op::neg)) return result = -(operand(a) / b), true;
  if (is(b, Op::neg)) return result = -(a / operand(b)), true;
  return false;
}

Expr pow(const Expr& x, int n) {
  const long long magnitude = n < 0 ? -static_cast<long long>(n) : n;
  Expr power = 1.0, square = x;
  for (long long bits = magnitude; bits != 0; bits /= 2) {
    if (bits % 2 != 0) power = power * square;
    if (bits > 1) square = square * square;
  }
  return n < 0 ? 1.0 / power : power;
}

Expr pow(const Expr& x, double e) {
  constexpr double largest_product = 64.0;
  if (std::abs(e) <= largest_product && e == std::floor(e)) return pow(x, static_cast<int>(e));
  return Tape::apply(Op::pow, x, e);
}

Expr pow(const Expr& x, const Expr& y) { return y.is_constant() ? pow(x, y.constant()) : Tape::apply(Op::pow, x, y); }

}  // namespace esc::ad
