#include "cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "src/math/spelling.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow help_row{"--help", "", "this text"};

const OptionRow* find_row(const CommandRow& command, std::string_view name) {
  if (name == help_row.name || name == "-h") return &help_row;
  const auto same = [&](const OptionRow& row) { return row.name == name; };
  const auto row = std::find_if(command.options.begin(), command.options.end(), same);
  return row == command.options.end() ? nullptr : &*row;
}

[[noreturn]] void refuse_option(const CommandRow& command, std::string_view name) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : command.options) names.push_back(row.name);
  throw UsageError(std::string(command.name) + " has no option '" + std::string(name) + "'" + suggestion(name, names) +
                   " (see escapement " + std::string(command.name) + " --help)");
}

std::optional<double> finite_number(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

Arguments::Arguments(const CommandRow& command, std::span<const std::string> words) {
  bool options_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (options_end || word.size() < 2 || word[0] != '-') {
      operands_.push_back(word);
      continue;
    }
    if (word == "--") {
      options_end = true;
      continue;
    }
    const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const OptionRow* row = find_row(command, std::string_view(word).substr(0, equals));
    if (!row) refuse_option(command, std::string_view(word).substr(0, equals));
    std::string value;
    if (row->value.empty()) {
      if (equals != std::string::npos) throw UsageError(std::string(row->name) + " takes no value");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      throw UsageError(std::string(row->name) + " needs a value: " + std::string(row->name) + " " +
                       std::string(row->value));
    }
    if (!row->value.empty() && value.empty())
      throw UsageError(std::string(row->name) + " needs a value that is not empty: " + std::string(row->name) + " " +
                       std::string(row->value));
    if (!row->repeated && has(row->name)) throw UsageError(std::string(row->name) + " is given twice");
    given_.push_back({row->name, std::move(value)});
  }
  if (has("--help")) return;
  const auto count = static_cast<int>(operands_.size());
  if (count < command.least || count > command.most)
    throw UsageError(std::string(command.name) + " takes " +
                     (command.most == 0 ? "no operands" : std::string(command.operands)) + ", not " +
                     std::to_string(count) + " operands (see escapement " + std::string(command.name) + " --help)");
}

bool Arguments::has(std::string_view option) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.option == option; });
}

std::string Arguments::text(std::string_view option, std::string_view fallback) const {
  for (auto given = given_.rbegin(); given != given_.rend(); ++given)
    if (given->option == option) return given->value;
  return std::string(fallback);
}

double Arguments::number(std::string_view option, double fallback) const {
  if (!has(option)) return fallback;
  const std::string value = text(option);
  const std::optional<double> number = finite_number(value);
  if (!number) throw UsageError(std::string(option) + " expects a number, not '" + value + "'");
  return *number;
}

int Arguments::whole_number(std::string_view option, int fallback, int least) const {
  const double value = number(option, fallback);
  if (!(value >= least && value <= 1e9) || value != std::floor(value))
    throw UsageError(std::string(option) + " expects a whole number, " + std::to_string(least) + " or more, not '" +
                     text(option) + "'");
  return static_cast<int>(value);
}

std::vector<double> Arguments::positive_numbers(std::string_view option) const {
  std::vector<double> numbers;
  for (const std::string& part : parts_of(text(option))) {
    const std::optional<double> number = finite_number(part);
    if (!number || !(*number > 0.0))
      throw UsageError(std::string(option) + " expects positive numbers such as 1e-3,5e-4, not '" + part + "'");
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<KeyValue> Arguments::pairs(std::string_view option) const {
  std::vector<KeyValue> pairs;
  for (const Given& given : given_) {
    if (given.option != option) continue;
    const auto equals = given.value.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(std::string(option) + " expects name=value, not '" + given.value + "'");
    const std::string key = given.value.substr(0, equals);
    if (std::ranges::find(pairs, key, &KeyValue::key) != pairs.end())
      throw UsageError(std::string(option) + " gives '" + key + "' twice; give it once");
    pairs.push_back({key, given.value.substr(equals + 1)});
  }
  return pairs;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string help(const CommandRow& command) {
  std::string text = "escapement " + std::string(command.name) +
                     (command.operands.empty() ? "" : " " + std::string(command.operands)) + " [options]\n\n" +
                     std::string(command.what) + "\n\nOptions\n";
  const auto line = [&](const OptionRow& row) {
    std::string left = "  " + std::string(row.name) + (row.value.empty() ? "" : " " + std::string(row.value));
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    text += left + std::string(row.doc) + (row.repeated ? " (may be repeated)" : "") + "\n";
  };
  for (const OptionRow& row : command.options) line(row);
  line(help_row);
  return text + "\nExample\n  " + std::string(command.example) + "\n";
}

}  // namespace esc::cli
