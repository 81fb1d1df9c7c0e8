#include <cstdio>

#include <escapement/io/scene.hpp>
#include <escapement/study/doctor.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
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
  const auto found = study::diagnose(scene, system);
  if (arguments.has("--json")) {
    Json json;
    json.object().array("findings");
    for (const auto& [severity, topic, text] : found) {
      json.object().value("severity", severity == study::Severity::fact ? "fact" : "warning");
      json.value("topic", topic).value("text", text).end();
    }
    std::printf("%s\n", json.end().end().text().c_str());
    return 0;
  }
  int warnings = 0;
  for (const auto& [severity, topic, text] : found) {
    const bool fact = severity == study::Severity::fact;
    warnings += fact ? 0 : 1;
    std::printf("%s %-11s %s\n", fact ? "      " : "WARN  ", topic.c_str(), text.c_str());
  }
  std::printf("%d warnings\n", warnings);
  return 0;
}

}  // namespace esc::cli
