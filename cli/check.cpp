#include <algorithm>
#include <cstdio>

#include <escapement/io/scene.hpp>
#include <escapement/study/check.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/print.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"-p", "NAME=VALUE", "a parameter of the scene: a number or a formula", true},
    {"--json", "", "print one JSON object and nothing else"},
};

}  // namespace

const std::span<const OptionRow> check_options = rows;

int check_command(const Arguments& arguments) {
  const io::Scene scene = open_scene(arguments);
  const System system = io::compile_scene(scene);
  require_a_step(scene, system.initial_state().t);
  const std::vector<study::Finding> found = study::check(scene, system);
  const auto is_warning = [](const study::Finding& d) { return d.severity == study::Severity::warning; };
  const auto warnings = static_cast<long long>(std::count_if(found.begin(), found.end(), is_warning));
  if (arguments.has("--json")) {
    Json json;
    json.object().value("warnings", warnings).array("findings");
    for (const study::Finding& finding : found) {
      json.object().value("severity", is_warning(finding) ? "warning" : "fact").value("topic", finding.topic);
      json.value("item", finding.item).value("text", finding.text).end();
    }
    print(stdout, "%s\n", json.end().end().text().c_str());
    return 0;
  }
  for (const study::Finding& finding : found)
    print(stdout, "%s %-11s %s\n", is_warning(finding) ? "WARN  " : "      ", finding.topic.c_str(),
          finding.text.c_str());
  print(stdout, "%lld warnings\n", warnings);
  return 0;
}

}  // namespace esc::cli
