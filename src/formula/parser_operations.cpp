// What the operators and functions of a formula do, and what they refuse.
#include <cmath>

#include "src/formula/parser.hpp"

namespace esc::formula {

using ad::Condition;
using ad::Expr;

Expr Parser::apply(const Token& name, const std::vector<Value>& x) {
  const Expr& a = x[0].expr;
  if (name.is("if")) {
    require_condition(x[0], "the first argument of if");
    return where({a}, x[1].expr, x[2].expr);
  }
  if (name.is("dot")) return rate(name, x[0]);
  if (name.is("min") || name.is("max")) {
    Expr best = a;
    for (std::size_t i = 1; i < x.size(); ++i) best = name.is("min") ? min(best, x[i].expr) : max(best, x[i].expr);
    return best;
  }
  if (name.is("atan2")) return atan2(a, x[1].expr);
  if (name.is("hypot")) return hypot(a, x[1].expr);

  struct Simple {
    std::string_view name;
    ad::Op op;
  };
  constexpr Simple simple[] = {{"sin", ad::Op::sin},   {"cos", ad::Op::cos},   {"tan", ad::Op::tan},
                               {"asin", ad::Op::asin}, {"acos", ad::Op::acos}, {"atan", ad::Op::atan},
                               {"sqrt", ad::Op::sqrt}, {"exp", ad::Op::exp},   {"log", ad::Op::log},
                               {"abs", ad::Op::abs},   {"sinh", ad::Op::sinh}, {"cosh", ad::Op::cosh},
                               {"tanh", ad::Op::tanh}};
  for (const auto& [word, op] : simple)
    if (name.is(word)) return ad::Tape::apply(op, a);
  refuse_name(name);
}

// d/dt along the motion: of a coordinate its velocity, of a formula of coordinates and time by the chain rule.
Expr Parser::rate(const Token& name, const Value& x) {
  if (contents_.velocities) refuse(x, "dot(...) of a velocity would be an acceleration, which no formula may contain");
  if (contents_.inputs) refuse(x, "dot(...) of an input is not known");
  if (!contents_.coordinates && !contents_.time)
    refuse(x, "dot(...) takes a coordinate or a formula of coordinates; " + text_of(x) + " is constant");
  use(name, {.velocities = contents_.coordinates});
  derivative_work_ += names_.tape().size();
  if (derivative_work_ > max_derivative_work)
    refuse(x, "there are too many dot(...) of long formulas here; give the derivative a name and use that");
  return names_.rate(x.expr);
}

Value Parser::combine(const Token& op, const Value& a, const Value& b) {
  Value value{{}, false, a.begin, b.end};
  if (op.is("and") || op.is("or")) {
    for (const Value& side : {a, b}) require_condition(side, quoted(op.text));
    const Condition left{a.expr}, right{b.expr};
    value.expr = (op.is("and") ? left && right : left || right).indicator;
    value.condition = true;
    return finished(value);
  }

  for (const Value& side : {a, b}) require_number(side);
  const Expr &x = a.expr, &y = b.expr;
  value.condition = binding(op) == binds_comparison;
  if (value.condition)
    value.expr = (op.is("<")    ? x < y
                  : op.is("<=") ? x <= y
                  : op.is(">")  ? x > y
                  : op.is(">=") ? x >= y
                  : op.is("==") ? x == y
                                : x != y)
                     .indicator;
  else
    value.expr = op.is("+") ? x + y : op.is("-") ? x - y : op.is("*") ? x * y : op.is("/") ? x / y : pow(x, y);
  return finished(value);
}

Value Parser::finished(Value value) const {
  if (names_.tape().size() > max_formula_nodes)
    refuse(value,
           "the formulas are too long: they take more than " + std::to_string(max_formula_nodes) + " operations");
  if (branches_ == 0 && value.expr.is_constant() && !std::isfinite(value.expr.constant()))
    refuse(value, text_of(value) + (std::isnan(value.expr.constant()) ? " is not a number" : " is infinite"));
  return value;
}

void Parser::use(const Token& name, const FormulaContents& contents) {
  const FormulaContents& allowed = request_.allowed;
  const auto refuse_use = [&](const std::string& what) {
    refuse(name, std::string(request_.noun) + " must not contain " + what);
  };
  if (contents.velocities && !allowed.velocities)
    refuse_use(name.is("dot") ? "velocities: dot(...)" : quoted(name.text) + ", which contains velocities");
  if (contents.inputs && !allowed.inputs) refuse_use("the input " + quoted(name.text));
  if (contents.coordinates && !allowed.coordinates) refuse_use("the coordinate " + quoted(name.text));
  if (contents.time && !allowed.time)
    refuse_use(name.is("t") ? "the time t" : quoted(name.text) + ", which changes in time");
  contents_ = joined(contents_, contents);
}

void Parser::require_number(const Value& value) const {
  if (value.condition)
    refuse(value, text_of(value) + " is a comparison: it gives a condition, not a number; use if(condition, a, b)");
}

void Parser::require_condition(const Value& value, const std::string& where) const {
  if (!value.condition) refuse(value, where + " takes a condition, such as x > 0; " + text_of(value) + " is a number");
}

}  // namespace esc::formula
