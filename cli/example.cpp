#include <filesystem>

#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"
#include "cli/run_scene.hpp"
#include "src/math/spelling.hpp"

namespace esc::cli {

namespace {

const ExampleScene* find_example(std::string_view name) {
  for (const ExampleScene& example : example_scenes())
    if (example.name == name) return &example;
  return nullptr;
}

std::string close_to(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ExampleScene& example : example_scenes()) names.push_back(example.name);
  return suggestion(name, names);
}

io::Scene read(const ExampleScene& example, const Arguments& arguments) {
  return io::parse_scene(example.text, std::string(example.name) + ".toml", overrides_of(arguments));
}

}  // namespace

int example_command(const Arguments& arguments) {
  if (arguments.has("--resume")) throw UsageError("--resume belongs to run: escapement run --resume FILE");
  const std::string& name = arguments.operands()[0];
  const ExampleScene* example = find_example(name);
  if (!example) throw UsageError("there is no example '" + name + "'" + close_to(name) + " (escapement list examples)");
  return run_scene(arguments, read(*example, arguments));
}

io::Scene open_scene(const Arguments& arguments) {
  const std::string& name = arguments.operands()[0];
  if (std::filesystem::exists(name)) return io::read_scene(name, overrides_of(arguments));
  if (const ExampleScene* example = find_example(name)) return read(*example, arguments);
  throw UsageError("there is no file and no example '" + name + "'" + close_to(name) + " (escapement list examples)");
}

}  // namespace esc::cli
