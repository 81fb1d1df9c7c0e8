#include "src/formula/parser.hpp"

#include <numbers>
#include <utility>

namespace esc::formula {

int binding(const Token& token) {
  if (token.is("or")) return binds_or;
  if (token.is("and")) return binds_and;
  if (token.is("<") || token.is("<=") || token.is(">") || token.is(">=") || token.is("==") || token.is("!="))
    return binds_comparison;
  if (token.is("+") || token.is("-")) return binds_sum;
  if (token.is("*") || token.is("/")) return binds_product;
  return token.is("^") ? binds_power : 0;
}

ParsedFormula Parser::formula() {
  advance();
  if (token_.kind == TokenKind::end) throw FormulaError(0, text_.size(), "the formula is empty");
  const Value value = operand(binds_or);
  refuse_rest();
  require_number(value);
  return {value.expr, contents_};
}

Value Parser::operand(int least) {
  Value left = first_operand();
  while (true) {
    const Token op = token_;
    const int binds = binding(op);
    if (binds == 0 || binds < least) return left;
    advance();
    if (binds == binds_power) {
      const Level level(*this);
      left = combine(op, left, operand(binds_sign));
    } else {
      left = combine(op, left, operand(binds + 1));
    }
    if (binds == binds_comparison && binding(token_) == binds_comparison)
      refuse(token_, "comparisons cannot be chained: write a < b and b < c");
  }
}

Value Parser::first_operand() {
  const Token token = token_;
  if (token.is("+") || token.is("-") || token.is("not")) return sign(token);
  if (token.is("(")) return parenthesis(token);
  if (token.kind == TokenKind::name) return named(token);
  if (token.kind != TokenKind::number) refuse_start();
  advance();
  return {token.number, false, token.begin, token.end()};
}

Value Parser::sign(const Token& token) {
  const Level level(*this);
  advance();
  const bool negation = token.is("not");
  Value x = operand(negation ? binds_not : binds_sign);
  if (negation) {
    require_condition(x, "'not'");
    x.expr = (!ad::Condition{x.expr}).indicator;
  } else {
    require_number(x);
    if (token.is("-")) x.expr = -x.expr;
  }
  x.begin = token.begin;
  return finished(x);
}

Value Parser::parenthesis(const Token& open) {
  const Level level(*this);
  advance();
  Value value = operand(binds_or);
  expect_close(open);
  value.begin = open.begin;
  value.end = last_end_;
  return value;
}

void Parser::expect_close(const Token& open) {
  if (token_.is(")")) return advance();
  if (token_.kind == TokenKind::end)
    refuse(token_, "')' is missing: the '(' at character " + std::to_string(open.begin + 1) + " is not closed");
  if (token_.is(","))
    refuse(token_, "',' separates the arguments of a function; a decimal number is written with a point");
  refuse_rest();
}

Value Parser::named(const Token& name) {
  advance();
  if (find_function(name.text) != nullptr || (token_.is("(") && !is_reserved(name.text))) return call(name);
  const Value where{{}, false, name.begin, name.end()};
  if (name.is("and") || name.is("or"))
    refuse(name, quoted(name.text) + " stands between two conditions, such as x > 0 and y > 0");
  if (name.is("pi")) return {std::numbers::pi, false, where.begin, where.end};
  if (name.is("t")) {
    if (!names_.has_time())
      refuse(name, "the time t cannot be used here: " + std::string(request_.noun) + " is constant");
    use(name, {.time = true});
    return {names_.time(), false, where.begin, where.end};
  }
  const ParsedFormula* formula = names_.find(name.text);
  if (formula == nullptr) refuse_name(name);
  use(name, formula->contents);
  return {formula->value, false, where.begin, where.end};
}

void Parser::refuse_name(const Token& name) const {
  struct Hint {
    std::string_view found, message;
  };
  constexpr Hint hints[] = {{"ln", "the natural logarithm is log(x)"},
                            {"log10", "write log(x)/log(10)"},
                            {"pow", "a power is written x^y"},
                            {"arcsin", "write asin(x)"},
                            {"arccos", "write acos(x)"},
                            {"arctan", "write atan(x)"},
                            {"sign", "write if(x > 0, 1, if(x < 0, -1, 0))"},
                            {"sgn", "write if(x > 0, 1, if(x < 0, -1, 0))"},
                            {"where", "write if(condition, a, b)"}};
  const bool is_call = token_.is("(");
  for (const auto& [found, message] : hints)
    if (is_call && name.is(found)) refuse(name, "there is no function " + quoted(found) + ": " + std::string(message));

  std::vector<std::string_view> words;
  for (const Function& function : functions()) words.push_back(function.name);
  if (!is_call) words.emplace_back("pi");
  refuse(name,
         (is_call ? "unknown function " : "unknown name ") + quoted(name.text) + names_.suggestion(name.text, words));
}

Value Parser::call(const Token& name) {
  const Function* function = find_function(name.text);
  if (function == nullptr && names_.find(name.text) != nullptr)
    refuse(name, quoted(name.text) + " is no function; a product is written " + std::string(name.text) + "*(...)");
  if (function == nullptr) refuse_name(name);
  if (!token_.is("(")) refuse(name, quoted(name.text) + " is a function: write " + std::string(name.text) + "(...)");

  const Level level(*this);
  const FormulaContents outside = std::exchange(contents_, {});
  const std::vector<Value> x = arguments(name, *function);
  for (std::size_t i = name.is("if") ? 1 : 0; i < x.size(); ++i) require_number(x[i]);
  const Value value{apply(name, x), false, name.begin, last_end_};
  contents_ = joined(contents_, outside);
  return finished(value);
}

std::vector<Value> Parser::arguments(const Token& name, const Function& function) {
  const Token open = token_;
  const bool branches = name.is("if");
  std::vector<Value> list;
  advance();
  if (!token_.is(")")) {
    while (true) {
      if (branches && list.size() == 1) ++branches_;
      list.push_back(operand(binds_or));
      if (!token_.is(",")) break;
      advance();
    }
  }
  if (branches && list.size() > 1) --branches_;
  expect_close(open);

  const int count = static_cast<int>(list.size());
  if (count >= function.least && (function.most < 0 || count <= function.most)) return list;
  constexpr std::string_view words[] = {"no arguments", "one argument", "two arguments", "three arguments"};
  const std::string wanted = function.most < 0 ? "two or more arguments" : std::string(words[function.least]);
  throw FormulaError(name.begin, last_end_ - name.begin,
                     std::string(name.text) + " takes " + wanted + ", not " + std::to_string(count));
}

// What cannot follow a complete operand.
void Parser::refuse_rest() const {
  if (token_.kind == TokenKind::end) return;
  if (token_.is(")")) refuse(token_, "there is a ')' without a '('");
  if (token_.is(","))
    refuse(token_, "',' separates the arguments of a function; a decimal number is written with a point");
  refuse(token_, "an operator is missing before " + quoted(token_.text) + "; a product is written x*y");
}

void Parser::refuse_start() const {
  const std::string wanted = "a number, a name or '(' is missing";
  if (token_.kind == TokenKind::end) refuse(token_, wanted + " at the end");
  refuse(token_, wanted + " before " + quoted(token_.text));
}

}  // namespace esc::formula

namespace esc {

ParsedFormula parse(std::string_view text, const FormulaNames& names, const FormulaRequest& request) {
  return formula::Parser(text, names, request).formula();
}

}  // namespace esc
