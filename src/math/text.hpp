// Numbers as text and back, without locale: shortest digits that read back exactly.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace esc {

inline std::string to_text(double value) {
  if (std::isnan(value)) return "nan";  // which has a sign, and no meaning by it
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

// Six significant digits, for people.
inline std::string short_text(double value) {
  if (std::isnan(value)) return "nan";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr;
  return {buffer, end};
}

// A field of a CSV file, RFC 4180: one with a separator stands in quotes, and quotes in it are doubled.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Its header: "name [unit]".
inline std::string csv_header(const std::string& name, const std::string& unit) {
  return csv_field(unit.empty() ? name : name + " [" + unit + "]");
}

}  // namespace esc
