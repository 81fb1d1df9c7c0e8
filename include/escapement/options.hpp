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
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
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
