// Options are described once: a constexpr table of fields beside each options struct. Validation, text assignment
// (command line, TOML), JSON Schema and the docs are generated from that table.
//
//   struct Options { double theta = 0.5; Forecast forecast = Forecast::position; };
//   template <> struct Fields<Options> {
//     static constexpr std::string_view owner = "moreau-jean";
//     static constexpr auto table = std::tuple{
//         number("theta", &Options::theta, "1", Range{0.0, 1.0}, "weight of the end of the step"),
//         choice("forecast", &Options::forecast, forecast_names, "activation rule")};
//   };
//
// Tables of what a program writes and reads back (promises, reports) may have rows of parts, lists and variants too;
// for_each_field() unfolds them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <escapement/error.hpp>
#include <escapement/export.hpp>

namespace esc {

template <class Options>
struct Fields;

struct OptionText {
  std::string name, value;
};

// A scheme that another one holds, by its name in the registry.
struct SchemeChoice {
  std::string scheme;
  std::vector<OptionText> options;
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
};

constexpr Range positive_range{0.0, std::numeric_limits<double>::infinity(), true};
constexpr Range nonnegative_range{0.0, std::numeric_limits<double>::infinity(), false};

template <class Options, class Number>
struct NumberField {
  std::string_view name;
  Number Options::*member;
  std::string_view unit;
  Range range;
  std::string_view doc;
};

// An enum whose values are 0, 1, 2, ... in the order of `names`.
template <class Options, class Enum>
struct ChoiceField {
  std::string_view name;
  Enum Options::*member;
  std::span<const std::string_view> names;
  std::string_view doc;
};

// A scheme with its options: "inner.scheme" is its name, "inner.theta" its option theta.
template <class Options>
struct SchemeField {
  std::string_view name;
  SchemeChoice Options::*member;
  std::string_view doc;
};

// Another way to give a number of the table, which is kept as the number: member = of_given(given).
template <class Options>
struct DerivedField {
  std::string_view name;
  double Options::*member;
  Range range;
  double (*of_given)(double);
  double (*given_of)(double);
  std::string_view instead_of;  // the row of the member
  std::string_view doc;
};

template <class Options, class Number>
constexpr auto number(std::string_view name, Number Options::*member, std::string_view unit, Range range,
                      std::string_view doc) {
  return NumberField<Options, Number>{name, member, unit, range, doc};
}

template <class Options, class Enum>
constexpr auto choice(std::string_view name, Enum Options::*member, std::span<const std::string_view> names,
                      std::string_view doc) {
  return ChoiceField<Options, Enum>{name, member, names, doc};
}

template <class Options>
constexpr auto scheme(std::string_view name, SchemeChoice Options::*member, std::string_view doc) {
  return SchemeField<Options>{name, member, doc};
}

// A member that has a table of its own: the rows of that table, with `prefix` before their names.
template <class Options, class Part>
struct PartField {
  std::string_view prefix;
  Part Options::*member;
};

template <class Options, class Part>
constexpr auto part(std::string_view prefix, Part Options::*member) {
  return PartField<Options, Part>{prefix, member};
}

// An array of numbers that have names: one row for each.
struct ListLine {
  std::string_view name;
  std::string_view label;  // for people
  std::string_view doc;
};

template <class Options, class List>
struct ListField {
  std::string_view prefix;
  List Options::*member;
  std::string_view unit;
  std::span<const ListLine> lines;
};

template <class Options, class Number, std::size_t n>
constexpr auto named_numbers(std::string_view prefix, std::array<Number, n> Options::*member, std::string_view unit,
                             const std::array<ListLine, n>& lines) {
  return ListField<Options, std::array<Number, n>>{prefix, member, unit, lines};
}

// A figure of a step of which a run keeps the sum or the largest value.
enum class Kept : std::uint8_t { sum, largest };

template <class Options, class Number, Kept how>
struct FigureField {
  static constexpr Kept kept = how;
  using Value = Number;
  std::string_view name;
  Number Options::*member;
  std::string_view unit;
  std::string_view doc;  // a noun: "sum of ..." or "worst ..." stands before it
};

template <class Options, class Number>
constexpr auto kept_sum(std::string_view name, Number Options::*member, std::string_view unit, std::string_view doc) {
  return FigureField<Options, Number, Kept::sum>{name, member, unit, doc};
}
template <class Options, class Number>
constexpr auto kept_largest(std::string_view name, Number Options::*member, std::string_view unit,
                            std::string_view doc) {
  return FigureField<Options, Number, Kept::largest>{name, member, unit, doc};
}

// One of several structs that have tables: a choice between the owners of these tables, then the rows of the chosen.
template <class Options, class Variant>
struct VariantField {
  std::string_view name;
  Variant Options::*member;
  std::string_view doc;
};

template <class Options, class Variant>
constexpr auto one_of(std::string_view name, Variant Options::*member, std::string_view doc) {
  return VariantField<Options, Variant>{name, member, doc};
}

// One row of a table as text, for docs, schema and help.
struct FieldInfo {
  std::string name, type, unit, fallback, allowed, doc;
  Range range = {};                              // of a number
  std::span<const std::string_view> names = {};  // of a choice
};

namespace detail {

ESC_API void check_number(std::string_view owner, std::string_view name, double value, const Range& range);
ESC_API void check_choice(std::string_view owner, std::string_view name, int value,
                          std::span<const std::string_view> names);
ESC_API double parse_number(std::string_view owner, std::string_view name, std::string_view text, bool integer);
ESC_API int parse_choice(std::string_view owner, std::string_view name, std::string_view text,
                         std::span<const std::string_view> names);
ESC_API std::string format_number(double value);
ESC_API std::string format_range(const Range& range);
ESC_API std::string join(std::span<const std::string_view> names);
[[noreturn]] ESC_API void unknown_option(std::string_view owner, std::string_view name, const std::string& known);

template <class O, class T>
void check(std::string_view owner, const O& options, const NumberField<O, T>& field) {
  check_number(owner, field.name, static_cast<double>(options.*field.member), field.range);
}
template <class O, class E>
void check(std::string_view owner, const O& options, const ChoiceField<O, E>& field) {
  check_choice(owner, field.name, static_cast<int>(options.*field.member), field.names);
}

template <class O>
void check(std::string_view, const O&, const SchemeField<O>&) {}  // the registry does, when the scheme is made

template <class O>
void check(std::string_view, const O&, const DerivedField<O>&) {}  // the row of the member does

template <class O, class T>
void assign(std::string_view owner, O& options, const NumberField<O, T>& field, std::string_view text) {
  const double value = parse_number(owner, field.name, text, std::is_integral_v<T>);
  check_number(owner, field.name, value, field.range);
  options.*field.member = static_cast<T>(value);
}
template <class O, class E>
void assign(std::string_view owner, O& options, const ChoiceField<O, E>& field, std::string_view text) {
  options.*field.member = static_cast<E>(parse_choice(owner, field.name, text, field.names));
}

template <class O>
void assign(std::string_view owner, O& options, const DerivedField<O>& field, std::string_view text) {
  const double value = parse_number(owner, field.name, text, false);
  check_number(owner, field.name, value, field.range);
  options.*field.member = field.of_given(value);
}

template <class O, class T>
FieldInfo info(const O& defaults, const NumberField<O, T>& field) {
  return {std::string(field.name),
          std::is_integral_v<T> ? "integer" : "number",
          std::string(field.unit),
          format_number(static_cast<double>(defaults.*field.member)),
          format_range(field.range),
          std::string(field.doc),
          field.range};
}
template <class O, class E>
FieldInfo info(const O& defaults, const ChoiceField<O, E>& field) {
  const auto index = static_cast<std::size_t>(defaults.*field.member);
  return {std::string(field.name), "choice", "",         std::string(field.names[index]), join(field.names),
          std::string(field.doc),  {},       field.names};
}

template <class O>
FieldInfo info(const O& defaults, const SchemeField<O>& field) {
  return {std::string(field.name), "scheme", "", (defaults.*field.member).scheme, "a scheme with its options",
          std::string(field.doc)};
}

template <class O>
FieldInfo info(const O& defaults, const DerivedField<O>& field) {
  return {std::string(field.name),
          "number",
          "1",
          format_number(field.given_of(defaults.*field.member)),
          format_range(field.range),
          std::string(field.doc),
          field.range};
}

// Whether this field takes the option of this name, which it then has: "theta", or "inner.theta" for a scheme.
template <class O, class Field>
bool take(std::string_view owner, O& options, const Field& field, std::string_view name, std::string_view text) {
  if (field.name != name) return false;
  assign(owner, options, field, text);
  return true;
}
template <class O>
bool take(std::string_view, O& options, const SchemeField<O>& field, std::string_view name, std::string_view text) {
  if (!name.starts_with(field.name) || name.size() < field.name.size() + 2 || name[field.name.size()] != '.')
    return false;
  SchemeChoice& choice = options.*field.member;
  const std::string part(name.substr(field.name.size() + 1));
  if (part == "scheme") {
    choice.scheme = text;
    choice.options.clear();  // those of another scheme
  } else {
    choice.options.push_back({part, std::string(text)});
  }
  return true;
}

}  // namespace detail

// One row as for_each_field() shows it.
struct FieldRow {
  std::string name;
  std::string_view unit;
  std::string_view doc;
  std::span<const std::string_view> names = {};  // of a choice: its values
};

enum class Alternative : std::uint8_t {};  // which struct a variant holds

template <class T, class Visit>
void for_each_field(T& object, Visit&& visit, const std::string& prefix = {});

namespace detail {

template <class T, class O, class N, class Visit>
void unfold(T& object, const NumberField<O, N>& field, Visit& visit, const std::string& prefix) {
  visit(object.*field.member, FieldRow{prefix + std::string(field.name), field.unit, field.doc});
}

template <class T, class O, class E, class Visit>
void unfold(T& object, const ChoiceField<O, E>& field, Visit& visit, const std::string& prefix) {
  visit(object.*field.member, FieldRow{prefix + std::string(field.name), "1", field.doc, field.names});
}

template <class T, class O, class P, class Visit>
void unfold(T& object, const PartField<O, P>& field, Visit& visit, const std::string& prefix) {
  for_each_field(object.*field.member, visit, prefix + std::string(field.prefix));
}

template <class T, class O, class L, class Visit>
void unfold(T& object, const ListField<O, L>& field, Visit& visit, const std::string& prefix) {
  for (std::size_t i = 0; i < field.lines.size(); ++i)
    visit((object.*field.member)[i], FieldRow{prefix + std::string(field.prefix) + std::string(field.lines[i].name),
                                              field.unit, field.lines[i].doc});
}

template <class T, class O, class N, Kept how, class Visit>
void unfold(T& object, const FigureField<O, N, how>& field, Visit& visit, const std::string& prefix) {
  visit(object.*field.member, FieldRow{prefix + std::string(field.name), field.unit, field.doc});
}

template <class Variant>
struct Alternatives;
template <class... T>
struct Alternatives<std::variant<T...>> {
  static constexpr std::array<std::string_view, sizeof...(T)> names{Fields<T>::owner...};
  static void emplace(std::variant<T...>& variant, std::size_t index) {
    std::size_t i = 0;
    ((i++ == index ? static_cast<void>(variant = T{}) : void()), ...);
  }
};

// A visitor that reads may change which struct it is; its rows then start from their defaults.
template <class T, class O, class V, class Visit>
void unfold(T& object, const VariantField<O, V>& field, Visit& visit, const std::string& prefix) {
  auto& variant = object.*field.member;
  const auto before = static_cast<Alternative>(variant.index());
  auto chosen = before;
  visit(chosen, FieldRow{prefix + std::string(field.name), "1", field.doc, Alternatives<V>::names});
  if constexpr (!std::is_const_v<T>)
    if (chosen != before) Alternatives<V>::emplace(variant, static_cast<std::size_t>(chosen));
  std::visit([&](auto& held) { for_each_field(held, visit, prefix); }, variant);
}

}  // namespace detail

// visit(value, row) for every number and choice of an object that has a table, in the order of the table. Of a choice
// the value may be set to any of row.names, and to no other.
template <class T, class Visit>
void for_each_field(T& object, Visit&& visit, const std::string& prefix) {
  std::apply([&](const auto&... field) { (detail::unfold(object, field, visit, prefix), ...); },
             Fields<std::remove_const_t<T>>::table);
}

// Throws OptionError naming the field, its value and what is allowed.
template <class Options>
void validate(const Options& options) {
  std::apply([&](const auto&... field) { (detail::check(Fields<Options>::owner, options, field), ...); },
             Fields<Options>::table);
}

template <class Options>
std::vector<FieldInfo> describe() {
  const Options defaults{};
  std::vector<FieldInfo> rows;
  std::apply([&](const auto&... field) { (rows.push_back(detail::info(defaults, field)), ...); },
             Fields<Options>::table);
  return rows;
}

// options.<name> = text, checked against the table.
template <class Options>
void set_option(Options& options, std::string_view name, std::string_view text) {
  constexpr std::string_view owner = Fields<Options>::owner;
  bool found = false;
  const auto visit = [&](const auto& field) { found = found || detail::take(owner, options, field, name, text); };
  std::apply([&](const auto&... field) { (visit(field), ...); }, Fields<Options>::table);
  if (found) return;

  std::string known;
  for (const FieldInfo& row : describe<Options>())
    known += (known.empty() ? "" : ", ") + row.name + (row.type == "scheme" ? ".scheme" : "");
  detail::unknown_option(owner, name, known);
}

}  // namespace esc
