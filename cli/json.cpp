#include "cli/json.hpp"

#include <charconv>
#include <cmath>

#include "src/math/printable.hpp"

namespace esc::cli {

std::string quoted(std::string_view text) { return "\"" + json_escaped(text) + "\""; }

void Json::name(std::string_view key) {
  if (!first_) text_ += ", ";
  first_ = false;
  if (!key.empty()) text_ += quoted(key) + ": ";
}

Json& Json::open(std::string_view key, char first, char last) {
  name(key);
  text_ += first;
  closing_.push_back(last);
  first_ = true;
  return *this;
}

Json& Json::end() {
  text_ += closing_.back();
  closing_.pop_back();
  first_ = false;
  return *this;
}

Json& Json::value(std::string_view key, double number) {
  name(key);
  if (!std::isfinite(number)) {  // JSON has no word for it
    text_ += "null";
    return *this;
  }
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  text_.append(digits, error == std::errc{} ? end : digits);
  return *this;
}

Json& Json::value(std::string_view key, long long number) {
  name(key);
  text_ += std::to_string(number);
  return *this;
}

Json& Json::value(std::string_view key, bool truth) {
  name(key);
  text_ += truth ? "true" : "false";
  return *this;
}

Json& Json::value(std::string_view key, std::string_view text) {
  name(key);
  text_ += quoted(text);
  return *this;
}

}  // namespace esc::cli
