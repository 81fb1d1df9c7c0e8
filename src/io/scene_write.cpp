// The tree as TOML text.
#include <algorithm>
#include <cmath>

#include "src/io/scene_document.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

std::string toml_text(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7F)
      result += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
    else
      result += c;
  }
  return result + "\"";
}

std::string key_of(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? key : toml_text(key);
}

// A float stays one: it has a point, an exponent, or is nan or inf.
std::string number_of(double value) {
  const std::string text = to_text(value);
  return std::isfinite(value) && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string value_of(const Node& node) {
  struct {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return number_of(value); }
    std::string operator()(const std::string& value) const { return toml_text(value); }
    std::string operator()(const List& list) const {
      std::string result = "[";
      for (const Node& entry : list) result += (result.size() > 1 ? ", " : "") + value_of(entry);
      return result + "]";
    }
    std::string operator()(const Map& map) const {
      std::string result = "{";
      for (const Entry& entry : map)
        result += (result.size() > 1 ? ", " : " ") + key_of(entry.key) + " = " + value_of(entry.value);
      return result + " }";
    }
  } write;
  return std::visit(write, node.value);
}

std::string lines_of(const Map& map) {
  std::string result;
  for (const Entry& entry : map) result += key_of(entry.key) + " = " + value_of(entry.value) + "\n";
  return result;
}

bool holds_tables(const Node& node) {
  const List* list = std::get_if<List>(&node.value);
  return list != nullptr && !list->empty() &&
         std::all_of(list->begin(), list->end(), [](const Node& n) { return std::holds_alternative<Map>(n.value); });
}

}  // namespace

std::string to_toml(const Map& root) {
  std::string plain, tables;
  for (const Entry& entry : root) {
    if (const Map* map = std::get_if<Map>(&entry.value.value))
      tables += "\n[" + key_of(entry.key) + "]\n" + lines_of(*map);
    else if (holds_tables(entry.value))
      for (const Node& item : std::get<List>(entry.value.value))
        tables += "\n[[" + key_of(entry.key) + "]]\n" + lines_of(std::get<Map>(item.value));
    else
      plain += key_of(entry.key) + " = " + value_of(entry.value) + "\n";
  }
  return plain + tables;
}

}  // namespace esc::io
