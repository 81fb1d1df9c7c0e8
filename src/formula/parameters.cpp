#include <cmath>
#include <cstddef>

#include <escapement/formula.hpp>

#include "src/formula/lexer.hpp"

namespace esc {

namespace {

constexpr FormulaRequest constant{"a parameter", {}};

double value_of(std::string_view text, const FormulaNames& names) {
  return parse(text, names, constant).value.constant();
}

// Where a name stands in a text.
std::size_t position_of(std::string_view text, std::string_view name) {
  formula::Lexer lexer(text);
  formula::Token token = lexer.next();
  while (token.kind != formula::TokenKind::end && !token.is(name)) token = lexer.next();
  return token.begin;
}

class Resolver {
 public:
  explicit Resolver(std::span<const Parameter> table);
  ParameterValues values();

 private:
  enum class Progress { untouched, open, done };
  struct Entry {
    const Parameter* parameter;
    std::vector<std::size_t> needs;  // entries
    std::size_t next = 0;            // of needs, to visit
    Progress progress = Progress::untouched;
  };

  void resolve(std::size_t first);
  void evaluate(const Parameter& parameter);
  [[noreturn]] void refuse_chain(std::size_t needed) const;

  std::vector<Entry> entries_;
  std::vector<std::size_t> chain_;  // each needs the next: a list of our own, since tables may be long
  ad::Tape tape_;
  FormulaNames names_{tape_};
  ParameterValues values_;
};

Resolver::Resolver(std::span<const Parameter> table) {
  std::map<std::string_view, std::size_t> place;
  for (const Parameter& parameter : table) {
    if (!place.emplace(parameter.name, entries_.size()).second)
      throw FormulaError(0, 0, "the parameter is given twice", parameter.name);
    entries_.push_back({&parameter, {}});
    names_.suggest(parameter.name);
  }
  for (Entry& entry : entries_) {
    if (!std::holds_alternative<std::string>(entry.parameter->value)) continue;
    for (const std::string& name : names_in(std::get<std::string>(entry.parameter->value)))
      if (const auto found = place.find(name); found != place.end()) entry.needs.push_back(found->second);
  }
}

ParameterValues Resolver::values() {
  for (std::size_t i = 0; i < entries_.size(); ++i) resolve(i);
  return values_;
}

// Depth first: what a parameter needs comes before it.
void Resolver::resolve(std::size_t first) {
  if (entries_[first].progress == Progress::done) return;
  chain_.assign(1, first);
  while (!chain_.empty()) {
    Entry& entry = entries_[chain_.back()];
    entry.progress = Progress::open;
    if (entry.next == entry.needs.size()) {
      evaluate(*entry.parameter);
      entry.progress = Progress::done;
      chain_.pop_back();
      continue;
    }
    const std::size_t needed = entry.needs[entry.next++];
    if (entries_[needed].progress == Progress::open) refuse_chain(needed);
    if (entries_[needed].progress == Progress::untouched) chain_.push_back(needed);
  }
}

void Resolver::refuse_chain(std::size_t needed) const {
  std::size_t first = 0;
  while (chain_[first] != needed) ++first;
  const auto name = [&](std::size_t entry) -> const std::string& { return entries_[entry].parameter->name; };
  constexpr std::size_t shown = 12;
  std::string chain;
  for (std::size_t i = first; i < chain_.size(); ++i)
    if (i - first < shown) chain += name(chain_[i]) + " -> ";
  if (chain_.size() - first > shown) chain += "... -> ";

  const Parameter& start = *entries_[needed].parameter;
  const std::string& next = name(first + 1 < chain_.size() ? chain_[first + 1] : needed);
  throw FormulaError(position_of(std::get<std::string>(start.value), next), next.size(),
                     "the parameter needs itself: " + chain + start.name, start.name);
}

void Resolver::evaluate(const Parameter& parameter) {
  double value = 0.0;
  if (const double* number = std::get_if<double>(&parameter.value)) {
    value = *number;
    if (!std::isfinite(value)) throw FormulaError(0, 0, "the parameter must be a finite number", parameter.name);
  } else {
    try {
      value = value_of(std::get<std::string>(parameter.value), names_);
    } catch (const FormulaError& error) {
      throw FormulaError(error.position, error.length, error.message, parameter.name);
    }
  }
  names_.add_parameter(parameter.name, value);
  values_.emplace(parameter.name, value);
}

}  // namespace

double evaluate_constant(std::string_view text, const ParameterValues& parameters) {
  ad::Tape tape;
  FormulaNames names(tape);
  for (const auto& [name, value] : parameters) names.add_parameter(name, value);
  return value_of(text, names);
}

ParameterValues resolve_parameters(std::span<const Parameter> table) { return Resolver(table).values(); }

}  // namespace esc
