#include <array>
#include <stdexcept>

#include <escapement/ad/expr.hpp>

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

// Which nodes up to f move with the inputs xs. Comparisons and signs are piecewise constant.
std::vector<bool> moving(const Expr& f, std::span<const Expr> xs) {
  const Tape& tape = *f.tape();
  std::vector<bool> moves(f.index() + 1, false);
  for (const Expr& x : xs)
    if (x.index() <= f.index()) moves[x.index()] = true;
  for (int i = 0; i <= f.index(); ++i) {
    const Node& n = tape.node(i);
    const int count = arity(n.op);
    if (count == 0 || n.op == Op::sign || n.op == Op::less || n.op == Op::less_equal || n.op == Op::equal) continue;
    moves[i] = (n.op != Op::select && moves[n.a]) || (count > 1 && moves[n.b]) || (count > 2 && moves[n.c]);
  }
  return moves;
}

std::vector<bool> used_by(const Expr& f) {
  const Tape& tape = *f.tape();
  std::vector<bool> used(f.index() + 1, false);
  used[f.index()] = true;
  for (int i = f.index(); i >= 0; --i) {
    const Node& n = tape.node(i);
    const int count = used[i] ? arity(n.op) : 0;
    if (count > 0) used[n.a] = true;
    if (count > 1) used[n.b] = true;
    if (count > 2) used[n.c] = true;
  }
  return used;
}

// Both walk the nodes on the way from xs to f, listed in the order of recording.
std::vector<Expr> reverse(const Expr& f, std::span<const Expr> xs, const std::vector<int>& way) {
  Tape& tape = *f.tape();
  std::vector<bool> on_way(f.index() + 1, false);
  for (int i : way) on_way[i] = true;
  std::vector<Expr> adjoint(f.index() + 1);
  adjoint[f.index()] = 1.0;
  for (auto at = way.rbegin(); at != way.rend(); ++at) {
    const Node n = tape.node(*at);
    if (n.op == Op::input || adjoint[*at].is_constant(0.0)) continue;
    const auto [da, db] = slopes(tape, *at);
    if (on_way[n.a]) adjoint[n.a] += adjoint[*at] * da;
    if (arity(n.op) > 1 && on_way[n.b]) adjoint[n.b] += adjoint[*at] * db;
  }
  std::vector<Expr> result;
  for (const Expr& x : xs) result.push_back(x.index() <= f.index() ? adjoint[x.index()] : Expr());
  return result;
}

Expr forward(const Expr& f, const Expr& x, const std::vector<int>& way) {
  Tape& tape = *f.tape();
  if (x.index() > f.index()) return 0.0;
  std::vector<Expr> dot(f.index() + 1);
  for (int i : way) {
    const Node n = tape.node(i);
    if (n.op == Op::input) {
      dot[i] = i == x.index() ? 1.0 : 0.0;
    } else if (n.op == Op::select) {
      dot[i] = where({tape.expr(n.a)}, dot[n.b], dot[n.c]);
    } else {
      const auto [da, db] = slopes(tape, i);
      dot[i] = da * dot[n.a];
      if (arity(n.op) > 1) dot[i] += db * dot[n.b];
    }
  }
  return dot[f.index()];
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
  const std::vector<bool> moves = moving(f, xs), used = used_by(f);
  std::vector<int> way;
  bool branches = false;
  for (int i = 0; i <= f.index(); ++i) {
    if (!moves[i] || !used[i]) continue;
    way.push_back(i);
    branches = branches || f.tape()->node(i).op == Op::select;
  }

  if (!branches) return reverse(f, xs, way);
  std::vector<Expr> result;
  for (const Expr& x : xs) result.push_back(forward(f, x, way));
  return result;
}

Expr derivative(const Expr& f, const Expr& x) { return gradient(f, {&x, 1})[0]; }

bool depends_on(const Expr& f, std::span<const Expr> xs) {
  require_inputs(f, xs);
  if (f.is_constant()) return false;
  const std::vector<bool> used = used_by(f);
  for (const Expr& x : xs)
    if (x.index() <= f.index() && used[x.index()]) return true;
  return false;
}

}  // namespace esc::ad
