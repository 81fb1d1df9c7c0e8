#include <algorithm>
#include <array>
#include <stdexcept>

#include "src/math/tape_walk.hpp"

namespace esc::ad {

namespace {

// The slopes of a node along its operands; those of a select are taken by the caller.
std::array<Expr, 2> slopes(Tape& tape, int index) {
  const Node n = tape.node(index);  // a copy: recording moves the nodes
  const Expr f = tape.expr(index), a = tape.expr(n.a);
  const Expr b = arity(n.op) > 1 ? tape.expr(n.b) : Expr();
  switch (n.op) {
    case Op::add:
      return {1.0, 1.0};
    case Op::sub:
      return {1.0, -1.0};
    case Op::mul:
      return {b, a};
    case Op::div:
      return {1.0 / b, -(f / b)};
    case Op::neg:
      return {-1.0};
    case Op::sin:
      return {cos(a)};
    case Op::cos:
      return {-sin(a)};
    case Op::tan:
      return {1.0 + f * f};
    case Op::asin:
      return {1.0 / sqrt((1.0 - a) * (1.0 + a))};
    case Op::acos:
      return {-1.0 / sqrt((1.0 - a) * (1.0 + a))};
    case Op::atan:
      return {1.0 / (1.0 + a * a)};
    case Op::sqrt:
      return {0.5 / f};
    case Op::exp:
      return {f};
    case Op::log:
      return {1.0 / a};
    case Op::abs:
      return {Tape::apply(Op::sign, a)};
    case Op::sinh:
      return {cosh(a)};
    case Op::cosh:
      return {sinh(a)};
    case Op::tanh:
      return {1.0 - f * f};
    case Op::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b)};
    case Op::hypot:
      return {a / f, b / f};
    case Op::pow:
      return {b * pow(a, b - 1.0), b.is_constant() ? Expr() : f * log(a)};
    default:
      return {};
  }
}

// The nodes on the way from xs to f, in the order of recording. Comparisons and signs are piecewise constant.
std::vector<int> way_from(const Expr& f, std::span<const Expr> xs) {
  const Tape& tape = *f.tape();
  const std::vector<int> below = nodes_below(tape, f.index());
  NodeValues<char> moves(below);
  for (const Expr& x : xs)
    if (moves.has(x.index())) moves[x.index()] = 1;
  std::vector<int> way;
  for (const int i : below) {
    const Node& n = tape.node(i);
    const int count = arity(n.op);
    const bool flat = count == 0 || n.op == Op::sign || n.op == Op::less || n.op == Op::less_equal || n.op == Op::equal;
    if (!flat) moves[i] = (n.op != Op::select && moves[n.a]) || (count > 1 && moves[n.b]) || (count > 2 && moves[n.c]);
    if (moves[i]) way.push_back(i);
  }
  return way;
}

std::vector<Expr> reverse(const Expr& f, std::span<const Expr> xs, const std::vector<int>& way) {
  Tape& tape = *f.tape();
  NodeValues<Expr> adjoint(way);
  if (adjoint.has(f.index())) adjoint[f.index()] = 1.0;
  for (auto at = way.rbegin(); at != way.rend(); ++at) {
    const Node n = tape.node(*at);
    const Expr own = adjoint[*at];
    if (n.op == Op::input || own.is_constant(0.0)) continue;
    const auto [da, db] = slopes(tape, *at);
    if (adjoint.has(n.a)) adjoint[n.a] += own * da;
    if (arity(n.op) > 1 && adjoint.has(n.b)) adjoint[n.b] += own * db;
  }
  std::vector<Expr> result;
  for (const Expr& x : xs) result.push_back(adjoint.value_or_default(x.index()));
  return result;
}

Expr forward(const Expr& f, const Expr& x, const std::vector<int>& way) {
  Tape& tape = *f.tape();
  NodeValues<Expr> dot(way);
  for (int i : way) {
    const Node n = tape.node(i);
    if (n.op == Op::input) {
      dot[i] = i == x.index() ? 1.0 : 0.0;
    } else if (n.op == Op::select) {
      dot[i] = where({tape.expr(n.a)}, dot.value_or_default(n.b), dot.value_or_default(n.c));
    } else {
      const auto [da, db] = slopes(tape, i);
      Expr sum = da * dot.value_or_default(n.a);
      if (arity(n.op) > 1) sum += db * dot.value_or_default(n.b);
      dot[i] = sum;
    }
  }
  return dot.value_or_default(f.index());
}

void require_inputs(const Expr& f, std::span<const Expr> xs) {
  for (const Expr& x : xs) {
    if (x.is_constant() || x.tape()->node(x.index()).op != Op::input)
      throw std::invalid_argument("a derivative is taken by an input of the tape, not by an expression");
    if (!f.is_constant() && x.tape() != f.tape())
      throw std::invalid_argument("the expression and the input were recorded on two different tapes");
  }
}

}  // namespace

std::vector<Expr> gradient(const Expr& f, std::span<const Expr> xs) {
  require_inputs(f, xs);
  if (f.is_constant()) return std::vector<Expr>(xs.size());
  const std::vector<int> way = way_from(f, xs);
  const bool branches = std::any_of(way.begin(), way.end(), [&](int i) { return f.tape()->node(i).op == Op::select; });
  if (!branches) return reverse(f, xs, way);
  std::vector<Expr> result;
  for (const Expr& x : xs) result.push_back(forward(f, x, way));
  return result;
}

Expr derivative(const Expr& f, const Expr& x) { return gradient(f, {&x, 1})[0]; }

bool depends_on(const Expr& f, std::span<const Expr> xs) {
  require_inputs(f, xs);
  if (f.is_constant()) return false;
  const std::vector<int> below = nodes_below(*f.tape(), f.index());
  for (const Expr& x : xs)
    if (std::binary_search(below.begin(), below.end(), x.index())) return true;
  return false;
}

}  // namespace esc::ad
