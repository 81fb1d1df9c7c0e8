// The values of a Reader: checks by type, and what it hands out.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "src/io/scene_reader.hpp"

namespace esc::io {

namespace {

std::string counted(int least, int most, const char* what) {
  const std::string unbounded = least > 1 ? "at least " + std::to_string(least) + " " : "";
  const std::string count = most == 0       ? unbounded
                            : least == most ? std::to_string(least) + " "
                                            : std::to_string(least) + " to " + std::to_string(most) + " ";
  return count + what;
}

// A negative or fractional number is a formula too, but nan and inf are none.
bool is_formula(const Node& node) {
  const auto* number = std::get_if<double>(&node.value);
  return std::holds_alternative<std::string>(node.value) || std::holds_alternative<std::int64_t>(node.value) ||
         (number != nullptr && std::isfinite(*number));
}

// The entries of a list with a default: "[0, 0, 1]".
std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> list;
  std::size_t i = 0;
  while ((i = text.find_first_of("-.0123456789", i)) != std::string_view::npos) {
    double value = 0.0;
    const auto end = std::from_chars(text.data() + i, text.data() + text.size(), value).ptr;
    list.push_back(value);
    i = static_cast<std::size_t>(end - text.data());
  }
  return list;
}

}  // namespace

std::string wanted(const Field& field) {
  const std::string unit = field.unit.empty() || field.unit == "1" ? "" : " in " + std::string(field.unit);
  const bool bounded = std::isfinite(field.range.low) || std::isfinite(field.range.high);
  const std::string range = bounded ? ", " + detail::format_range(field.range) : "";
  switch (field.type) {
    case Type::number:
      return "a number" + unit + range;
    case Type::integer:
      return field.is_switch() ? "true or false" : "a whole number" + unit + range;
    case Type::boolean:
      return "true or false";
    case Type::text:
      return "a text";
    case Type::choice:
      return "one of " + detail::join(field.choices);
    case Type::formula:
      return "a formula" + unit;
    case Type::numbers:
      return "a list of " + counted(field.least, field.most, "numbers") + unit + range;
    case Type::integers:
      return "a list of " + counted(field.least, field.most, "whole numbers") + range;
    case Type::texts:
      return "a list of " + counted(field.least, field.most, "texts");
    case Type::formulas:
      return (field.least > 1 ? "a list of " : "a formula or a list of ") +
             counted(field.least, field.most, "formulas") + unit;
    case Type::matrix:
      return "a list of " + counted(field.least, field.most, "numbers (the diagonal)") + unit + ", or of rows";
    case Type::formula_matrix:
      return "a list of formulas" + unit + " (the diagonal), or of rows; one formula for one coordinate";
    case Type::formula_rows:
      return "a formula, a list of formulas" + unit + ", or a list of such lists";
    case Type::definitions:
      return "a table of names and numbers or formulas";
    case Type::table:
      return "a table { key = value, ... }";
    case Type::scheme:
      return "a table { scheme = \"...\", option = value, ... }";
    case Type::tables:
      return "tables [[" + std::string(field.key) + "]]";
  }
  return "";
}

void Reader::check_count(const Field& field, const Node& node) const {
  const List* list = std::get_if<List>(&node.value);
  if (list == nullptr) refuse_type(field, node);
  const int size = static_cast<int>(list->size());
  if (size < field.least || (field.most > 0 && size > field.most))
    io::refuse(node.at, item_ + ": " + std::string(field.key) + " has " + std::to_string(size) + " entries; it takes " +
                            wanted(field));
}

void Reader::check_matrix(const Field& field, const Node& node) const {
  const bool formulas = field.type == Type::formula_matrix;
  if (formulas && is_formula(node)) return;
  const List* list = std::get_if<List>(&node.value);
  if (list == nullptr || list->empty()) refuse_type(field, node);
  const bool rows = std::holds_alternative<List>(list->front().value);
  for (const Node& entry : *list) {
    const List* row = std::get_if<List>(&entry.value);
    if (rows != (row != nullptr)) refuse_type(field, node);
    if (!rows) {
      if (formulas && !is_formula(entry)) refuse_type(field, entry);
      if (!formulas) static_cast<void>(number_of(field, entry));
      continue;
    }
    if (row->size() != list->size())
      io::refuse(entry.at, item_ + ": " + std::string(field.key) + " has " + std::to_string(list->size()) +
                               " rows, but this one has " + std::to_string(row->size()) +
                               " entries; it must be square");
    for (const Node& cell : *row) {
      if (formulas && !is_formula(cell)) refuse_type(field, cell);
      if (!formulas) static_cast<void>(number_of(field, cell));
    }
  }
  if (field.most > 0 && static_cast<int>(list->size()) != field.most) check_count(field, node);
}

void Reader::check_choice(const Field& field, const Node& node) const {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) refuse_type(field, node);
  for (const std::string_view word : field.choices)
    if (*text == word) return;
  io::refuse(node.at, item_ + ": " + std::string(field.key) + " is " + in_quotes(*text) +
                          did_you_mean(*text, {field.choices.begin(), field.choices.end()}) + "; it is " +
                          wanted(field));
}

void Reader::check_formulas(const Field& field, const List& list) const {
  for (const Node& entry : list) {
    const List* row = std::get_if<List>(&entry.value);
    if (row != nullptr && field.type == Type::formula_rows) {
      for (const Node& cell : *row)
        if (!is_formula(cell)) refuse_type(field, cell);
    } else if (!is_formula(entry)) {
      refuse_type(field, entry);
    }
  }
}

void Reader::check_definitions(const Field& field, const Node& node) const {
  const Map* map = std::get_if<Map>(&node.value);
  if (map == nullptr) refuse_type(field, node);
  for (const Entry& entry : *map)
    if (!is_formula(entry.value))
      io::refuse(entry.value.at, item_ + ": " + in_quotes(entry.key) + " is " + described(entry.value) +
                                     "; it takes a finite number or a formula");
}

void Reader::check(const Field& field, const Node& node) const {
  switch (field.type) {
    case Type::number:
    case Type::integer:
      static_cast<void>(number_of(field, node));
      break;
    case Type::boolean:
      if (!std::holds_alternative<bool>(node.value)) refuse_type(field, node);
      break;
    case Type::text:
      if (!std::holds_alternative<std::string>(node.value)) refuse_type(field, node);
      break;
    case Type::choice:
      check_choice(field, node);
      break;
    case Type::formula:
      if (!is_formula(node)) refuse_type(field, node);
      break;
    case Type::formulas:
    case Type::formula_rows:
      if (is_formula(node) && field.least <= 1) break;
      check_count(field, node);
      check_formulas(field, std::get<List>(node.value));
      break;
    case Type::numbers:
    case Type::integers:
      check_count(field, node);
      for (const Node& entry : std::get<List>(node.value)) static_cast<void>(number_of(field, entry));
      break;
    case Type::texts:
      check_count(field, node);
      for (const Node& entry : std::get<List>(node.value))
        if (!std::holds_alternative<std::string>(entry.value)) refuse_type(field, entry);
      break;
    case Type::matrix:
    case Type::formula_matrix:
      check_matrix(field, node);
      break;
    case Type::definitions:
      check_definitions(field, node);
      break;
    case Type::table:
    case Type::scheme:
      if (!std::holds_alternative<Map>(node.value)) refuse_type(field, node);
      break;
    case Type::tables:
      if (!std::holds_alternative<List>(node.value)) refuse_type(field, node);
      break;
  }
}

double Reader::number(std::string_view key) {
  const Field& f = field(key);
  const Node* node = read(f);
  return node == nullptr ? numbers_in(f.fallback).at(0) : number_of(f, *node);
}

int Reader::integer(std::string_view key) { return static_cast<int>(number(key)); }

bool Reader::boolean(std::string_view key) {
  const Field& f = field(key);
  const Node* node = read(f);
  return node == nullptr ? f.fallback == "true" : std::get<bool>(node->value);
}

std::string Reader::text(std::string_view key) {
  const Field& f = field(key);
  const Node* node = read(f);
  return node == nullptr ? std::string(f.fallback) : std::get<std::string>(node->value);
}

int Reader::choice(std::string_view key) {
  const Field& f = field(key);
  const std::string word = text(key);
  int index = 0;
  while (index < static_cast<int>(f.choices.size()) && f.choices[index] != word) ++index;
  return index;
}

std::vector<double> Reader::numbers(std::string_view key) {
  const Field& f = field(key);
  const Node* node = read(f);
  if (node == nullptr) return numbers_in(f.fallback);
  std::vector<double> list;
  for (const Node& entry : std::get<List>(node->value)) list.push_back(number_of(f, entry));
  return list;
}

std::vector<std::string> Reader::texts(std::string_view key) {
  std::vector<std::string> list;
  if (const Node* node = read(field(key)))
    for (const Node& entry : std::get<List>(node->value)) list.push_back(std::get<std::string>(entry.value));
  return list;
}

FormulaText Reader::formula(std::string_view key) {
  const Node* node = read(field(key));
  return node == nullptr ? FormulaText{} : formula_of(*node);
}

std::vector<FormulaText> Reader::formulas(std::string_view key) {
  std::vector<FormulaText> list;
  const Node* node = read(field(key));
  if (node == nullptr) return list;
  if (is_formula(*node)) return {formula_of(*node)};
  for (const Node& entry : std::get<List>(node->value)) list.push_back(formula_of(entry));
  return list;
}

std::vector<std::vector<FormulaText>> Reader::formula_rows(std::string_view key) {
  std::vector<std::vector<FormulaText>> rows;
  const Node* node = read(field(key));
  if (node == nullptr) return rows;
  if (is_formula(*node)) return {{formula_of(*node)}};
  const List& list = std::get<List>(node->value);
  const bool nested = std::any_of(list.begin(), list.end(), [](const Node& n) { return !is_formula(n); });
  if (!nested) rows.emplace_back();
  for (const Node& entry : list) {
    if (!nested) {
      rows[0].push_back(formula_of(entry));
    } else if (is_formula(entry)) {
      rows.push_back({formula_of(entry)});
    } else {
      rows.emplace_back();
      for (const Node& cell : std::get<List>(entry.value)) rows.back().push_back(formula_of(cell));
    }
  }
  return rows;
}

std::vector<std::vector<double>> Reader::matrix(std::string_view key) {
  const Field& f = field(key);
  std::vector<std::vector<double>> rows;
  const Node* node = read(f);
  if (node == nullptr) return rows;
  const List& list = std::get<List>(node->value);
  const bool nested = std::holds_alternative<List>(list.front().value);
  if (!nested) rows.emplace_back();
  for (const Node& entry : list) {
    if (!nested) {
      rows[0].push_back(number_of(f, entry));
      continue;
    }
    rows.emplace_back();
    for (const Node& cell : std::get<List>(entry.value)) rows.back().push_back(number_of(f, cell));
  }
  return rows;
}

std::vector<Definition> Reader::definitions(std::string_view key) {
  std::vector<Definition> list;
  if (const Node* node = read(field(key)))
    for (const Entry& entry : std::get<Map>(node->value)) list.push_back({entry.key, formula_of(entry.value)});
  return list;
}

Reader Reader::table(std::string_view key) {
  const Field& f = field(key);
  return {*constants_, *f.inner, *read(f), item_ + ", " + std::string(key)};
}

std::vector<Reader> Reader::tables(std::string_view key) {
  const Field& f = field(key);
  std::vector<Reader> list;
  const Node* node = read(f);
  if (node == nullptr) return list;
  const std::string of = table_->kinds.empty() ? "" : " of " + item_;
  for (const Node& entry : std::get<List>(node->value))
    list.emplace_back(*constants_, *f.inner, entry, item_of(*f.inner, entry) + of);
  return list;
}

}  // namespace esc::io
