// The command line, described once: from the same tables come parsing, --help and completion.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace esc::cli {

// Bad input: exit code 2. what() says what is wrong and what was expected.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The run failed: exit code 1.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OptionRow {
  std::string_view name;   // "--step"
  std::string_view value;  // "H"; empty: a switch
  std::string_view doc;
  bool repeated = false;
};

// "key=value" in two.
struct KeyValue {
  std::string key, value;
};

struct CommandRow {
  std::string_view name;
  std::string_view operands;  // "SCENE"
  std::string_view what;      // one sentence
  std::string_view example;   // a command that works
  std::span<const OptionRow> options;
  int (*run)(const class Arguments& arguments);
  int least = 0, most = 0;  // how many operands
};

class Arguments {
 public:
  // Throws UsageError.
  Arguments(const CommandRow& command, std::span<const std::string> words);

  const std::vector<std::string>& operands() const { return operands_; }
  bool has(std::string_view option) const;
  std::string text(std::string_view option, std::string_view fallback = "") const;  // the last one given
  double number(std::string_view option, double fallback) const;                    // throws UsageError
  int whole_number(std::string_view option, int fallback, int least) const;         // throws UsageError
  // Of "1,2,3", each finite and positive; throws UsageError.
  std::vector<double> positive_numbers(std::string_view option) const;
  // Of an option that may be repeated, each "name=value"; throws UsageError if a name is given twice.
  std::vector<KeyValue> pairs(std::string_view option) const;

 private:
  struct Given {
    std::string_view option;
    std::string value;
  };
  std::vector<std::string> operands_;
  std::vector<Given> given_;
};

// "a,b,c" in its parts.
std::vector<std::string> parts_of(const std::string& text);

std::string help(const CommandRow& command);
std::span<const CommandRow> commands();

}  // namespace esc::cli
