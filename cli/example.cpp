#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

int example_command(const Arguments& arguments) {
  const std::string& name = arguments.operands()[0];
  std::vector<std::string_view> names;
  for (const ExampleScene& example : example_scenes()) {
    if (example.name == name)
      return run_scene(arguments, io::parse_scene(example.text, name + ".toml", overrides_of(arguments)));
    names.push_back(example.name);
  }
  throw UsageError("there is no example '" + name + "'" + suggestion(name, names) + " (escapement list examples)");
}

}  // namespace esc::cli
