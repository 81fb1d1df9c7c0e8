#include "src/io/scene_reader.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <escapement/io/scene.hpp>

#include "src/math/text.hpp"

namespace esc::io {

namespace {

bool in_range(const Range& range, double value) {
  return (range.low_excluded ? value > range.low : value >= range.low) && value <= range.high;
}

std::string with_unit(double value, std::string_view unit) {
  return to_text(value) + (unit.empty() || unit == "1" ? "" : " " + std::string(unit));
}

std::vector<std::string_view> keys_of(const Table& table, const Kind* kind) {
  std::vector<std::string_view> keys;
  if (!table.kinds.empty() && !table.kind_by_key) keys.emplace_back("kind");
  for (const Field& field : table.fields) keys.push_back(field.key);
  if (kind != nullptr)
    for (const Field& field : kind->fields) keys.push_back(field.key);
  return keys;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

}  // namespace

void Constants::add(const std::string& name, double value) {
  names_.add_parameter(name, value);
  values_.emplace(name, value);
}

void Constants::use(const std::string& text) {
  for (std::string& name : names_in(text))
    if (values_.contains(name)) used_.insert(std::move(name));
}

double Constants::evaluate(const TextPlace& at, const std::string& text, const std::string& item) {
  try {
    const double value = parse(text, names_, {"a number of the scene", {}}).value.constant();
    use(text);
    return value;
  } catch (const FormulaError& error) {
    refuse(place_inside(at, error.position), item + ": " + error.message);
  }
}

std::string item_of(const Table& table, const Node& node) {
  const Map* map = std::get_if<Map>(&node.value);
  const Node* name = map == nullptr ? nullptr : find(*map, "name");
  const std::string* text = name == nullptr ? nullptr : std::get_if<std::string>(&name->value);
  return std::string(table.name) + (text == nullptr ? "" : " " + in_quotes(*text));
}

Reader::Reader(Constants& constants, const Table& table, const Node& node, std::string item)
    : constants_(&constants),
      table_(&table),
      map_(std::get_if<Map>(&node.value)),
      at_(node.at),
      item_(std::move(item)) {
  if (map_ == nullptr) refuse("this is " + described(node) + "; it takes a table { key = value, ... }");
  choose_kind(*map_);
  check_keys(*map_);
  for (const Entry& entry : *map_)
    if (const Field* known = find_field(entry.key)) check(*known, entry.value);
}

void Reader::choose_kind(const Map& map) {
  if (table_->kinds.empty()) return;
  std::vector<std::string_view> names;
  if (table_->kind_by_key) {
    for (const Kind& kind : table_->kinds) {
      const std::string_view key = kind.fields[0].key;
      names.push_back(key);
      if (find(map, key) == nullptr) continue;
      if (kind_ != nullptr)
        refuse("it has both " + in_quotes(kind_->fields[0].key) + " and " + in_quotes(key) + "; give one of them");
      kind_ = &kind;
    }
    if (kind_ == nullptr) {
      for (const Entry& entry : map)
        if (const std::string hint = did_you_mean(entry.key, names); find_field(entry.key) == nullptr && !hint.empty())
          io::refuse(entry.at, item_ + ": there is no key " + in_quotes(entry.key) + hint);
      refuse("it does not say what it is; give one of the keys " + joined(names));
    }
    return;
  }
  for (const Kind& kind : table_->kinds) names.push_back(kind.name);
  const Node* node = find(map, "kind");
  if (node == nullptr) {
    for (const Entry& entry : map)
      if (const std::string hint = did_you_mean(entry.key, {"kind"}); !hint.empty() && find_field(entry.key) == nullptr)
        io::refuse(entry.at, item_ + ": there is no key " + in_quotes(entry.key) + hint);
    refuse("'kind' is missing; it is one of " + joined(names));
  }
  const std::string* text = std::get_if<std::string>(&node->value);
  if (text == nullptr)
    io::refuse(node->at, item_ + ": kind is " + described(*node) + "; it is one of " + joined(names));
  for (const Kind& kind : table_->kinds)
    if (kind.name == *text) kind_ = &kind;
  if (kind_ == nullptr)
    io::refuse(node->at, item_ + ": there is no kind " + in_quotes(*text) + did_you_mean(*text, names) +
                             "; it is one of " + joined(names));
}

void Reader::check_keys(const Map& map) const {
  const std::vector<std::string_view> known = keys_of(*table_, kind_);
  for (const Entry& entry : map) {
    if (find_field(entry.key) != nullptr || (entry.key == "kind" && known.front() == "kind")) continue;
    const std::string hint = did_you_mean(entry.key, known);
    const std::string of = kind_ == nullptr ? "" : " of the kind " + in_quotes(kind_->name);
    io::refuse(entry.at, item_ + ": there is no key " + in_quotes(entry.key) + (hint.empty() ? of : hint) +
                             (hint.empty() ? "; known are " + joined(known) : ""));
  }
  for (const std::string_view key : known) {
    if (key == "kind" && find_field(key) == nullptr) continue;
    const Field& wish = field(key);
    if (wish.required && io::find(map, key) == nullptr)
      refuse(in_quotes(key) + " is missing: " + wanted(wish) + "; " + std::string(wish.doc));
  }
}

const Field* Reader::find_field(std::string_view key) const {
  for (const Field& field : table_->fields)
    if (field.key == key) return &field;
  if (kind_ != nullptr)
    for (const Field& field : kind_->fields)
      if (field.key == key) return &field;
  return nullptr;
}

const Field& Reader::field(std::string_view key) const {
  if (const Field* found = find_field(key)) return *found;
  throw std::logic_error("the field table of '" + std::string(table_->name) + "' has no key '" + std::string(key) +
                         "'");
}

const Node* Reader::value_of(const Field& field) const { return io::find(*map_, field.key); }

const Node* Reader::read(const Field& field) {
  read_.emplace(field.key);
  return value_of(field);
}

TextPlace Reader::place(std::string_view key) const {
  const Node* node = value_of(field(key));
  return node == nullptr ? at_ : node->at;
}

void Reader::refuse(const std::string& message) const { io::refuse(at_, item_ + ": " + message); }
void Reader::refuse(std::string_view key, const std::string& message) const {
  io::refuse(place(key), item_ + ": " + message);
}

void Reader::refuse_type(const Field& field, const Node& node) const {
  io::refuse(node.at, item_ + ": " + std::string(field.key) + " is " + described(node) + "; it takes " + wanted(field));
}

void Reader::finish() const {
  for (const Entry& entry : *map_)
    if (entry.key != "kind" && !read_.contains(entry.key))
      io::refuse(entry.at, item_ + ": " + in_quotes(entry.key) + " has no effect here; remove it");
}

double Reader::number_of(const Field& field, const Node& node) const {
  double value = 0.0;
  if (const auto* number = std::get_if<double>(&node.value))
    value = *number;
  else if (const auto* whole = std::get_if<std::int64_t>(&node.value))
    value = static_cast<double>(*whole);
  else if (const auto* boolean = std::get_if<bool>(&node.value); boolean != nullptr && field.is_switch())
    value = *boolean ? 1.0 : 0.0;
  else if (const auto* text = std::get_if<std::string>(&node.value))
    value = constants_->evaluate(node.at, *text, item_ + ": " + std::string(field.key));
  else
    refuse_type(field, node);

  const bool whole = field.type == Type::integer || field.type == Type::integers;
  const std::string is = item_ + ": " + std::string(field.key) + " is " + with_unit(value, field.unit);
  if (!std::isfinite(value)) io::refuse(node.at, is + "; it must be a finite number");
  if (whole && (value != std::floor(value) || std::holds_alternative<double>(node.value)))
    io::refuse(node.at, is + "; it takes a whole number, without a decimal point");
  if (whole && std::abs(value) > 2e9) io::refuse(node.at, is + "; that is too large");
  if (!in_range(field.range, value)) io::refuse(node.at, is + "; allowed is " + detail::format_range(field.range));
  return value;
}

FormulaText Reader::formula_of(const Node& node) const {
  if (const auto* text = std::get_if<std::string>(&node.value)) return {*text, node.at};
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) return {std::to_string(*whole), node.at};
  return {to_text(std::get<double>(node.value)), node.at};
}

}  // namespace esc::io
