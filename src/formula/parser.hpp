// Recursive descent by precedence, lowest first: or, and, not, comparisons, + -, * /, signs, ^ (from the right).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/formula.hpp>

#include "src/formula/lexer.hpp"

namespace esc::formula {

enum Binding {
  binds_or = 1,
  binds_and,
  binds_not,
  binds_comparison,
  binds_sum,
  binds_product,
  binds_sign,
  binds_power
};

// Of an operator; 0 if it is none.
int binding(const Token& token);

inline FormulaContents joined(const FormulaContents& a, const FormulaContents& b) {
  return {a.time || b.time, a.coordinates || b.coordinates, a.velocities || b.velocities, a.inputs || b.inputs};
}

// A number or a condition, and where it stands in the text.
struct Value {
  ad::Expr expr;
  bool condition = false;
  std::size_t begin = 0, end = 0;
};

class Parser {
 public:
  Parser(std::string_view text, const FormulaNames& names, const FormulaRequest& request)
      : text_(text), names_(names), request_(request), lexer_(text) {}
  ParsedFormula formula();

 private:
  // Counts levels and gives a clear error where the machine would run out of stack.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_formula_nesting)
        parser_.refuse(parser_.token_, "the formula is nested more than " + std::to_string(max_formula_nesting) +
                                           " levels deep; give a part of it a name of its own");
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Value operand(int least);
  Value first_operand();
  Value sign(const Token& token);
  Value parenthesis(const Token& open);
  Value named(const Token& name);
  Value call(const Token& name);
  std::vector<Value> arguments(const Token& name, const Function& function);
  Value combine(const Token& op, const Value& a, const Value& b);
  ad::Expr apply(const Token& name, const std::vector<Value>& x);
  ad::Expr rate(const Token& name, const Value& x);

  void advance() {
    last_end_ = token_.end();
    token_ = lexer_.next();
  }
  void expect_close(const Token& open);
  void require_number(const Value& value) const;
  void require_condition(const Value& value, const std::string& where) const;
  Value finished(Value value) const;
  void use(const Token& name, const FormulaContents& contents);
  void refuse_rest() const;
  [[noreturn]] void refuse_start() const;
  [[noreturn]] void refuse_name(const Token& name) const;
  [[noreturn]] void refuse(const Token& token, const std::string& message) const {
    throw FormulaError(token.begin, token.text.size(), message);
  }
  [[noreturn]] void refuse(const Value& value, const std::string& message) const {
    throw FormulaError(value.begin, value.end - value.begin, message);
  }
  std::string text_of(const Value& value) const { return quoted(text_.substr(value.begin, value.end - value.begin)); }

  std::string_view text_;
  const FormulaNames& names_;
  const FormulaRequest& request_;
  Lexer lexer_;
  Token token_;               // the next one
  std::size_t last_end_ = 0;  // of the one before
  FormulaContents contents_;
  int depth_ = 0;
  int branches_ = 0;         // a branch of if() that is not taken may be infinite
  int derivative_work_ = 0;  // operations looked at for dot(...)
};

}  // namespace esc::formula
