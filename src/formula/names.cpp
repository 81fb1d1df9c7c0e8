#include <algorithm>

#include <escapement/formula.hpp>

#include "src/formula/lexer.hpp"

namespace esc {

namespace {

std::string place(std::size_t position, const std::string& formula) {
  return (formula.empty() ? "" : formula + ", ") + "character " + std::to_string(position + 1) + ": ";
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// How many letters must be inserted, removed, replaced or exchanged with their neighbour to make b from a.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// The nearest candidates to an unknown name, at most three.
class Nearest {
 public:
  explicit Nearest(std::string_view name) : name_(lower_case(name)) {}

  void consider(std::string_view candidate) {
    constexpr std::size_t longest = 100;
    if (candidate.size() > longest || name_.size() > longest) return;
    const std::string lower = lower_case(candidate);
    const std::string last_part = lower.substr(lower.rfind('.') + 1);
    const int allowed = std::max(1, static_cast<int>(name_.size()) / 3);
    const int distance = last_part == name_ ? 0 : edit_distance(name_, lower);
    if (distance > allowed || distance >= static_cast<int>(lower.size())) return;
    if (distance < best_) found_.clear();
    best_ = std::min(best_, distance);
    const bool is_new = std::find(found_.begin(), found_.end(), candidate) == found_.end();
    if (distance == best_ && found_.size() < 3 && is_new) found_.emplace_back(candidate);
  }

  std::string question() const {
    if (found_.empty()) return "";
    std::string text = "; did you mean ";
    for (std::size_t i = 0; i < found_.size(); ++i)
      text += (i == 0 ? "" : i + 1 < found_.size() ? ", " : " or ") + formula::quoted(found_[i]);
    return text + "?";
  }

 private:
  std::string name_;
  int best_ = 1000;
  std::vector<std::string> found_;
};

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
  Nearest nearest(name);
  for (const auto& [known, formula] : known_) nearest.consider(known);
  for (const std::string& other : suggested_) nearest.consider(other);
  for (const std::string_view word : more) nearest.consider(word);
  return nearest.question();
}

}  // namespace esc
