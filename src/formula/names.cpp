#include <algorithm>

#include <escapement/formula.hpp>

#include "src/formula/lexer.hpp"
#include "src/math/spelling.hpp"

namespace esc {

namespace {

std::string place(std::size_t position, const std::string& formula) {
  return (formula.empty() ? "" : formula + ", ") + "character " + std::to_string(position + 1) + ": ";
}

}  // namespace

FormulaError::FormulaError(std::size_t at, std::size_t over, const std::string& what_is_wrong, std::string of)
    : std::runtime_error(place(at, of) + what_is_wrong),
      position(at),
      length(over),
      message(what_is_wrong),
      formula(std::move(of)) {}

void FormulaNames::set_time(ad::Expr t) { time_ = t; }

void FormulaNames::add_coordinate(std::string name, ad::Expr q, ad::Expr v) {
  add(std::move(name), {q, {.coordinates = true}});
  q_.push_back(q);
  v_.push_back(v);
}

void FormulaNames::add_input(std::string name, ad::Expr u) { add(std::move(name), {u, {.inputs = true}}); }
void FormulaNames::add_parameter(std::string name, double value) { add(std::move(name), {value, {}}); }
void FormulaNames::add_formula(std::string name, ParsedFormula formula) { add(std::move(name), formula); }

void FormulaNames::add_alias(std::string alias, std::string_view of) {
  const ParsedFormula* formula = find(of);
  if (formula == nullptr) throw FormulaError(0, of.size(), "unknown name " + formula::quoted(of), alias);
  add(std::move(alias), *formula);
}

void FormulaNames::suggest(std::string name) { suggested_.push_back(std::move(name)); }

void FormulaNames::add(std::string name, ParsedFormula formula) {
  const auto refuse = [&](const std::string& why) { throw FormulaError(0, name.size(), why, name); };
  if (formula::is_reserved(name))
    refuse(formula::quoted(name) + " already means something in formulas; choose another name");
  bool is_name = false;
  try {
    formula::Lexer lexer(name);
    const formula::Token token = lexer.next();
    is_name = token.kind == formula::TokenKind::name && token.text == name;
  } catch (const FormulaError&) {
  }
  if (!is_name)
    refuse(formula::quoted(name) +
           " is no name: it begins with a letter and is made of the letters a-z and A-Z, digits, '_' and '.'");
  if (known_.contains(name)) refuse("the name " + formula::quoted(name) + " is given twice");
  known_.emplace(std::move(name), formula);
}

const ParsedFormula* FormulaNames::find(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : &found->second;
}

ad::Expr FormulaNames::rate(const ad::Expr& f) const {
  ad::Expr sum = time_ ? ad::derivative(f, *time_) : ad::Expr(0.0);
  const std::vector<ad::Expr> slope = ad::gradient(f, q_);
  for (std::size_t i = 0; i < q_.size(); ++i) sum += slope[i] * v_[i];
  return sum;
}

std::string FormulaNames::suggestion(std::string_view name, std::span<const std::string_view> more) const {
  std::vector<std::string_view> words;
  for (const auto& [known, formula] : known_) words.push_back(known);
  words.insert(words.end(), suggested_.begin(), suggested_.end());
  words.insert(words.end(), more.begin(), more.end());
  return esc::suggestion(name, words);
}

}  // namespace esc
