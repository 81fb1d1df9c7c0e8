#include <cstdio>
#include <string>

#include <escapement/schemes/registry.hpp>
#include <escapement/solvers/cone_solver.hpp>

#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"

namespace esc::cli {

namespace {

void line(std::string name, std::string_view what) {
  name.resize(std::max<std::size_t>(name.size() + 2, 26), ' ');
  std::printf("%s%.*s\n", name.c_str(), static_cast<int>(what.size()), what.data());
}

// The line `title = "..."` of a scene.
std::string_view title(std::string_view text) {
  constexpr std::string_view key = "\ntitle = \"";
  const auto begin = text.find(key);
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin + key.size());
  return text.substr(0, text.find('"'));
}

}  // namespace

int list_command(const Arguments& arguments) {
  const std::string& what = arguments.operands()[0];
  if (what == "schemes") {
    for (const SchemeEntry& entry : schemes()) line(std::string(entry.name), entry.what);
  } else if (what == "solvers") {
    for (const std::string_view name : cone_solver_names) line(std::string(name), "");
  } else if (what == "examples") {
    for (const ExampleScene& example : example_scenes()) line(std::string(example.name), title(example.text));
  } else {
    throw UsageError("escapement list takes schemes, solvers or examples, not '" + what + "'");
  }
  return 0;
}

}  // namespace esc::cli
