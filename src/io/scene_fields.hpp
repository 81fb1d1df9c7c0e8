// What a table of a scene may contain, as data: the reader, the JSON Schema and docs/scene.md all work from these rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <escapement/options.hpp>

namespace esc::io {

struct Table;

enum class Type : std::uint8_t {
  number,    // or a formula of parameters
  integer,   // or a formula of parameters that gives a whole number
  boolean,   //
  text,      //
  choice,    // one of some words
  formula,   // a text, or a number
  numbers,   // a list
  integers,  // a list
  texts,     // a list
  formulas,  // a list of formulas, or one of them alone
  matrix,    // the diagonal, or a list of rows
  formula_matrix,
  formula_rows,  // a list of formulas, or of lists of them
  definitions,   // a table of names and formulas
  table,
  tables,
  scheme,  // a table: the name of a scheme and its options
};

// One key of a table. Required unless it says otherwise.
struct Field {
  std::string_view key;
  Type type = Type::number;
  std::string_view unit;
  Range range;
  std::string_view doc;
  int least = 0, most = 0;                    // entries of a list
  std::span<const std::string_view> choices;  // of a choice
  const Table* inner = nullptr;               // of a table or tables
  bool required = true;
  std::string_view fallback = {};  // as one would write it; empty: none

  // An integer that is a switch is written as true or false too.
  constexpr bool is_switch() const { return type == Type::integer && range.low == 0.0 && range.high == 1.0; }
  constexpr Field or_else(std::string_view text) const {
    Field copy = optional();
    copy.fallback = text;
    return copy;
  }
  constexpr Field optional() const {
    Field copy = *this;
    copy.required = false;
    return copy;
  }
};

namespace field {

constexpr Field number(std::string_view key, std::string_view unit, Range range, std::string_view doc) {
  return {key, Type::number, unit, range, doc, 0, 0, {}, nullptr};
}
constexpr Field integer(std::string_view key, Range range, std::string_view doc) {
  return {key, Type::integer, "", range, doc, 0, 0, {}, nullptr};
}
constexpr Field boolean(std::string_view key, std::string_view doc) {
  return {key, Type::boolean, "", {}, doc, 0, 0, {}, nullptr};
}
constexpr Field text(std::string_view key, std::string_view doc) {
  return {key, Type::text, "", {}, doc, 0, 0, {}, nullptr};
}
constexpr Field choice(std::string_view key, std::span<const std::string_view> words, std::string_view doc) {
  return {key, Type::choice, "", {}, doc, 0, 0, words, nullptr};
}
constexpr Field formula(std::string_view key, std::string_view unit, std::string_view doc) {
  return {key, Type::formula, unit, {}, doc, 0, 0, {}, nullptr};
}
struct Count {
  int least, most;
};
constexpr Field list(Type type, std::string_view key, std::string_view unit, Count count, std::string_view doc,
                     Range range = {}) {
  return {key, type, unit, range, doc, count.least, count.most, {}, nullptr};
}
constexpr Field table(std::string_view key, const Table& inner, std::string_view doc) {
  return {key, Type::table, "", {}, doc, 0, 0, {}, &inner};
}
constexpr Field tables(std::string_view key, const Table& inner, std::string_view doc) {
  return {key, Type::tables, "", {}, doc, 0, 0, {}, &inner};
}

}  // namespace field

// A kind of the things that a table describes, with the keys that only this kind has.
struct Kind {
  std::string_view name;
  std::string_view doc;
  std::span<const Field> fields;
};

struct Table {
  std::string_view name;  // as in [[name]]
  std::string_view doc;
  std::span<const Field> fields = {};  // of every kind
  std::span<const Kind> kinds = {};
  // How the kind is told: by the key "kind", or by the first key of the kind's fields that stands in the table.
  bool kind_by_key = false;
};

// "number in kg, > 0", "list of 3 numbers in m": for messages and docs.
std::string wanted(const Field& field);

}  // namespace esc::io
