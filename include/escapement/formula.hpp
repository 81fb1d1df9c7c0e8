// Formulas as text, parsed once and recorded on a tape: docs/formulas.md has the grammar.
//
//   ad::Tape tape;
//   FormulaNames names(tape);
//   names.add_coordinate("theta", tape.input(), tape.input());
//   names.add_parameter("L", 1.0);
//   const ad::Expr height = parse("L/2*sin(theta)", names).value;
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <escapement/ad/expr.hpp>
#include <escapement/export.hpp>

namespace esc {

// Every error of a text. what() has all of it: "slip[1], character 4: unknown name 'thta'; did you mean 'theta'?"
struct ESC_API FormulaError : std::runtime_error {
  FormulaError(std::size_t at, std::size_t over, const std::string& what_is_wrong, std::string of = {});

  std::size_t position;  // characters before the place
  std::size_t length;    // characters concerned; 0 at the end of the text
  std::string message;
  std::string formula;  // which of several texts: the name of a parameter, or a field such as "slip[1]"
};

constexpr std::size_t max_formula_length = 64 * 1024;  // characters
constexpr int max_formula_nesting = 256;               // parentheses, arguments, signs and powers within each other
constexpr int max_formula_nodes = 20'000;              // on the tape, over all formulas recorded there
constexpr int max_derivative_work = 5'000'000;         // operations looked at for the dot(...) of one formula

// What a formula contains, or may contain. dot(x) counts as coordinates and velocities.
struct FormulaContents {
  bool time = false;
  bool coordinates = false;
  bool velocities = false;
  bool inputs = false;

  bool operator==(const FormulaContents&) const = default;
};

struct ParsedFormula {
  ad::Expr value;
  FormulaContents contents;
};

// What is asked of a formula: messages call it by its noun.
struct FormulaRequest {
  std::string_view noun = "this formula";
  FormulaContents allowed{true, true, true, true};
};

// The names that a formula may use and what they stand for. A name is letters, digits, underscores and dots, beginning
// with a letter or underscore. All add functions throw FormulaError on a name that is taken or no name.
class ESC_API FormulaNames {
 public:
  explicit FormulaNames(ad::Tape& tape) : tape_(&tape) {}

  void set_time(ad::Expr t);  // t has no meaning before
  void add_coordinate(std::string name, ad::Expr q, ad::Expr v);
  void add_input(std::string name, ad::Expr u);
  void add_parameter(std::string name, double value);
  void add_formula(std::string name, ParsedFormula formula);
  void add_alias(std::string alias, std::string_view of);
  void suggest(std::string name);  // not known here, but a question "did you mean" may name it

  ad::Tape& tape() const { return *tape_; }
  const ParsedFormula* find(std::string_view name) const;  // null if unknown
  bool has_time() const { return time_.has_value(); }
  ad::Expr time() const { return *time_; }
  // d/dt of a formula of time and coordinates.
  ad::Expr rate(const ad::Expr& f) const;
  // "; did you mean ...?" for an unknown name, or nothing.
  std::string suggestion(std::string_view name, std::span<const std::string_view> more) const;

 private:
  void add(std::string name, ParsedFormula formula);

  ad::Tape* tape_;
  std::map<std::string, ParsedFormula, std::less<>> known_;
  std::vector<std::string> suggested_;
  std::optional<ad::Expr> time_;
  std::vector<ad::Expr> q_, v_;
};

[[nodiscard]] ESC_API ParsedFormula parse(std::string_view text, const FormulaNames& names,
                                          const FormulaRequest& request = {});

using ParameterValues = std::map<std::string, double, std::less<>>;

// A constant formula of parameters; the value is finite.
[[nodiscard]] ESC_API double evaluate_constant(std::string_view text, const ParameterValues& parameters);

struct Parameter {
  std::string name;
  std::variant<double, std::string> value;  // a number, or a formula of other parameters
};

// The values of a whole table, in any order. FormulaError::formula is the name of the parameter; one that needs itself
// is reported with the chain "a -> b -> a".
[[nodiscard]] ESC_API ParameterValues resolve_parameters(std::span<const Parameter> table);

// The names in a text, functions and words of the grammar left out, as far as it can be read.
[[nodiscard]] ESC_API std::vector<std::string> names_in(std::string_view text);

}  // namespace esc
