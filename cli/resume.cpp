#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

io::Scene scene_of(const io::ResultsReader& results) {
  const io::RunInfo& info = results.info();
  if (info.scene_text.empty()) throw UsageError(results.path() + " has no scene in it: its run was not made from one");
  std::vector<io::Override> overrides;
  for (const io::Parameter& parameter : info.parameters) overrides.push_back({parameter.name, parameter.text});
  io::Scene scene = io::parse_scene(info.scene_text, info.scene + ".toml", overrides);
  scene.scheme = info.scheme;
  scene.scheme_options = info.scheme_options;
  scene.run = info.run;
  return scene;
}

int resume(const Arguments& arguments) {
  const std::string path = arguments.text("--resume");
  for (const char* option : {"--scheme", "--step", "--option", "-p", "--csv", "--out", "--frames"})
    if (arguments.has(option))
      throw UsageError(std::string(option) + " cannot be changed by --resume: the run goes on as it began");
  std::optional<io::ResultsReader> results(path);
  io::Scene scene = scene_of(*results);
  if (results->checkpoint_count() == 0) throw UsageError(path + " has no checkpoint yet: start the run again");
  io::Checkpoint from = results->checkpoint(results->checkpoint_count() - 1);
  results.reset();

  scene.run.until = arguments.number("--until", scene.run.until);
  const System system = io::compile_scene(scene);
  const auto scheme = make_scheme(scene.scheme, system, scene.scheme_options);
  State x = from.state;
  const Continuation continued = from.continued;
  scene.run.continued = &continued;
  io::ResultsWriter writer(system, path, scene.run.until, from);
  Watched watched(arguments, x.t, scene.run);
  const RunReport report = io::record_run(*scheme, x, scene.run, writer);
  return report_run(arguments, {*scheme, scene.run, x, report, watched.end()});
}

}  // namespace esc::cli
