#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <escapement/schemes/registry.hpp>
#include <escapement/solvers/cone_solver.hpp>

#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"
#include "cli/json.hpp"
#include "cli/print.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {{"--json", "", "print one JSON object and nothing else"}};

struct Entry {
  std::string_view name, what;
};

// The line `title = "..."` of a scene.
std::string_view title(std::string_view text) {
  constexpr std::string_view key = "\ntitle = \"";
  const auto begin = text.find(key);
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin + key.size());
  return text.substr(0, text.find('"'));
}

// Of a scheme with its default options.
void add_traits(const SchemeTraits& traits, Json& json) {
  json.value("order", traits.order).value("friction", traits.friction).value("locates_events", traits.locates_events);
  json.value("restitution", traits.restitution).value("impacts", traits.impacts);
  json.value("changes_step", traits.changes_step).value("singular_mass", traits.singular_mass);
}

}  // namespace

const std::span<const OptionRow> list_options = rows;

int list_command(const Arguments& arguments) {
  const std::string& what = arguments.operands()[0];
  std::vector<Entry> entries;
  if (what == "schemes") {
    for (const SchemeEntry& entry : schemes()) entries.push_back({entry.name, entry.what});
  } else if (what == "solvers") {
    for (std::size_t i = 0; i < cone_solver_names.size(); ++i)
      entries.push_back({cone_solver_names[i], cone_solver_descriptions[i]});
  } else if (what == "examples") {
    for (const ExampleScene& example : example_scenes()) entries.push_back({example.name, title(example.text)});
  } else {
    throw UsageError("list takes schemes, solvers or examples, not '" + what + "'");
  }
  if (arguments.has("--json")) {
    Json json;
    json.object().array(what);
    for (const Entry& entry : entries) {
      json.object().value("name", entry.name).value("what", entry.what);
      if (what == "schemes") add_traits(scheme_traits(entry.name), json);
      json.end();
    }
    print(stdout, "%s\n", json.end().end().text().c_str());
    return 0;
  }
  for (const Entry& entry : entries) {
    std::string name(entry.name);
    name.resize(std::max<std::size_t>(name.size() + 2, 26), ' ');
    print(stdout, "%s%.*s\n", name.c_str(), static_cast<int>(entry.what.size()), entry.what.data());
  }
  return 0;
}

}  // namespace esc::cli
