#include "src/formula/recording.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace esc {

namespace {

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// Short names of coordinates that nothing else claims: short -> long.
std::map<std::string, std::string> short_names(const FormulaScope& scope) {
  std::set<std::string_view> taken;
  std::map<std::string_view, int> count;
  for (const auto& input : scope.inputs) taken.insert(input.name);
  for (const auto& [name, value] : scope.parameters) taken.insert(name);
  for (const auto& definition : scope.definitions) taken.insert(definition.name);
  for (const std::string& name : scope.coordinates) {
    taken.insert(name);
    ++count[last_part(name)];
  }
  std::map<std::string, std::string> names;
  for (const std::string& name : scope.coordinates) {
    const std::string_view last = last_part(name);
    const bool is_name = !last.empty() && !(last[0] >= '0' && last[0] <= '9');
    if (is_name && count[last] == 1 && !taken.contains(last) && names_in(last).size() == 1) names.emplace(last, name);
  }
  return names;
}

}  // namespace

std::vector<int> used_coordinates(const FormulaScope& scope, std::span<const std::string> texts) {
  const auto aliases = short_names(scope);
  std::set<std::string> seen;
  std::vector<std::string> queue;
  const auto look_at = [&](std::string_view text) {
    for (std::string& name : names_in(text)) {
      if (const auto alias = aliases.find(name); alias != aliases.end()) name = alias->second;
      if (seen.insert(name).second) queue.push_back(std::move(name));
    }
  };
  std::map<std::string_view, std::string_view> definitions;
  for (const FormulaDefinition& definition : scope.definitions) definitions.emplace(definition.name, definition.text);
  for (const std::string& text : texts) look_at(text);
  while (!queue.empty()) {
    const std::string name = std::move(queue.back());
    queue.pop_back();
    if (const auto found = definitions.find(name); found != definitions.end()) look_at(found->second);
  }
  std::vector<int> used;
  for (std::size_t i = 0; i < scope.coordinates.size(); ++i)
    if (seen.contains(scope.coordinates[i])) used.push_back(static_cast<int>(i));
  return used;
}

}  // namespace esc

namespace esc::formula {

namespace {

constexpr int largest_tape = 1'000'000;  // nodes, derivatives included

int coordinate_count(const FormulaScope& scope) {
  if (scope.coordinates.empty()) throw FormulaError(0, 0, "the formulas have no coordinates", "coordinates");
  return static_cast<int>(scope.coordinates.size());
}

}  // namespace

Recording::Recording(const FormulaScope& scope)
    : r(coordinate_count(scope), static_cast<int>(scope.inputs.size())), names_(r.tape) {
  for (std::size_t i = 0; i < scope.coordinates.size(); ++i)
    names_.add_coordinate(scope.coordinates[i], r.q[i], r.v[i]);
  name_all(scope);
}

// A recording has a coordinate at least; here it has no name.
Recording::Recording(const FormulaScope& scope, OfTime) : r(1, static_cast<int>(scope.inputs.size())), names_(r.tape) {
  name_all(scope);
}

void Recording::name_all(const FormulaScope& scope) {
  names_.set_time(r.t);
  for (std::size_t i = 0; i < scope.inputs.size(); ++i) {
    names_.add_input(scope.inputs[i].name, r.u[i]);
    inputs.push_back(scope.inputs[i].index);
  }
  for (const auto& [name, value] : scope.parameters) names_.add_parameter(name, value);
  for (const auto& [alias, name] : short_names(scope)) names_.add_alias(alias, name);
  for (auto definition = scope.definitions.begin(); definition != scope.definitions.end(); ++definition) {
    const auto& [name, text] = *definition;
    try {
      names_.add_formula(name, esc::parse(text, names_));
    } catch (const FormulaError& error) {
      const std::string word = text.substr(std::min(error.position, text.size()), error.length);
      const bool later = std::any_of(definition, scope.definitions.end(),
                                     [&](const FormulaDefinition& other) { return other.name == word; });
      throw FormulaError(error.position, error.length,
                         !later         ? error.message
                         : word == name ? "'" + word + "' is defined by itself"
                                        : "'" + word + "' is defined after '" + name +
                                              "'; a definition may use those before it: put it first",
                         "definitions." + name);
    }
  }
}

ad::Expr Recording::parse(const std::string& text, const Field& field) const {
  try {
    return esc::parse(text, names_, {field.noun, field.allowed}).value;
  } catch (const FormulaError& error) {
    throw FormulaError(error.position, error.length, error.message, field.name);
  }
}

std::vector<ad::Expr> Recording::parse_list(const std::vector<std::string>& texts, const Field& field) const {
  if (texts.empty()) return std::vector<ad::Expr>(n());
  if (static_cast<int>(texts.size()) != n())
    throw FormulaError(
        0, 0,
        std::to_string(texts.size()) + " formulas for " + std::to_string(n()) + " coordinates; each coordinate has one",
        field.name);
  std::vector<ad::Expr> list;
  for (std::size_t i = 0; i < texts.size(); ++i)
    list.push_back(parse(texts[i], {field.name + "[" + std::to_string(i) + "]", field.noun, field.allowed}));
  return list;
}

ad::Expr Recording::parse_optional(const std::string& text, const Field& field) const {
  return text.empty() ? ad::Expr(0.0) : parse(text, field);
}

ad::Expr Recording::rate(const ad::Expr& f) const { return names_.rate(f); }

void append(std::vector<ad::Expr>& list, std::span<const ad::Expr> more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<ad::Expr> Recording::position() const {
  std::vector<ad::Expr> list{r.t};
  append(list, r.q);
  return list;
}

std::vector<ad::Expr> Recording::motion() const {
  std::vector<ad::Expr> list = position();
  append(list, r.v);
  return list;
}

std::vector<ad::Expr> Recording::all() const {
  std::vector<ad::Expr> list = motion();
  append(list, r.u);
  return list;
}

bool depends_on_rates(const Recording& recording, std::span<const ad::Expr> Q) {
  return std::ranges::any_of(Q, [&](const ad::Expr& force) {
    return std::ranges::any_of(gradient(force, recording.r.v),
                               [](const ad::Expr& derivative) { return !derivative.is_constant(0.0); });
  });
}

Tangent tangent_of(Recording& recording, std::span<const ad::Expr> Q, std::span<const ad::Expr> V_q) {
  const ad::Expr sq = recording.r.tape.input(), sv = recording.r.tape.input();
  Tangent result;
  result.inputs = recording.all();
  append(result.inputs, std::vector<ad::Expr>{sq, sv});
  for (int i = 0; i < recording.n(); ++i) {
    const ad::Expr& F = result.force.emplace_back(Q[i] - V_q[i]);
    const std::vector<ad::Expr> F_q = gradient(F, recording.r.q), F_v = gradient(F, recording.r.v);
    for (int j = 0; j < recording.n(); ++j) {
      result.values.push_back(-(sq * F_q[j] + sv * F_v[j]));
      result.constant = result.constant && F_q[j].is_constant() && F_v[j].is_constant();
    }
  }
  return result;
}

ad::Program compile_for_stack(const Recording& recording, std::span<const ad::Expr> inputs,
                              std::span<const ad::Expr> outputs, const std::string& field) {
  if (recording.r.tape.size() > largest_tape)
    throw FormulaError(0, 0, "the derivatives take more than " + std::to_string(largest_tape) + " operations", field);
  ad::Program program = ad::compile(inputs, outputs);
  const int size = program.inputs + program.outputs + program.registers;
  if (size > stack_scratch)
    throw FormulaError(0, 0,
                       "the formulas are too long: with their derivatives they need " + std::to_string(size) +
                           " numbers at a time, of " + std::to_string(stack_scratch) + "; divide the item",
                       field);
  return program;
}

}  // namespace esc::formula
