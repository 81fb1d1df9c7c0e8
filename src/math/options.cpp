#include <escapement/options.hpp>

#include <cmath>

#include "src/math/spelling.hpp"
#include "src/math/text.hpp"

namespace esc::detail {

namespace {

std::string path(std::string_view owner, std::string_view name) { return std::string(owner) + "." + std::string(name); }

}  // namespace

void check_number(std::string_view owner, std::string_view name, double value, const Range& range) {
  const bool above = range.low_excluded ? value > range.low : value >= range.low;
  if (above && value <= range.high && std::isfinite(value)) return;
  throw OptionError(path(owner, name), "the value is " + to_text(value) + "; allowed is " + format_range(range));
}

void check_choice(std::string_view owner, std::string_view name, int value, std::span<const std::string_view> names) {
  if (value >= 0 && value < static_cast<int>(names.size())) return;
  throw OptionError(path(owner, name), "the value is number " + std::to_string(value) + "; allowed is " + join(names));
}

double parse_number(std::string_view owner, std::string_view name, std::string_view text, bool integer) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  if (!whole || (integer && value != std::floor(value)))
    throw OptionError(path(owner, name), "'" + std::string(text) + "' is not " + (integer ? "an integer" : "a number"));
  return value;
}

int parse_choice(std::string_view owner, std::string_view name, std::string_view text,
                 std::span<const std::string_view> names) {
  for (int i = 0; i < static_cast<int>(names.size()); ++i)
    if (names[i] == text) return i;
  throw OptionError(path(owner, name),
                    "'" + std::string(text) + "' is unknown; allowed is " + join(names) + suggestion(text, names));
}

std::string format_number(double value) { return to_text(value); }

std::string format_range(const Range& range) {
  const bool bounded = std::isfinite(range.high);
  if (!std::isfinite(range.low) && !bounded) return "any finite number";
  if (!bounded) return (range.low_excluded ? "> " : ">= ") + to_text(range.low);
  return (range.low_excluded ? "(" : "[") + to_text(range.low) + ", " + to_text(range.high) + "]";
}

std::string join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : " | ") + std::string(name);
  return text;
}

void unknown_option(std::string_view owner, std::string_view name, const std::string& known) {
  throw OptionError(path(owner, name), "there is no such option; known are " + known);
}

}  // namespace esc::detail
