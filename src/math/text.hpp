// Numbers as text and back, without locale: shortest digits that read back exactly.
#pragma once

#include <charconv>
#include <string>

namespace esc {

inline std::string to_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

// Six significant digits, for people.
inline std::string short_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr;
  return {buffer, end};
}

}  // namespace esc
