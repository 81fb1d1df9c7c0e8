#include <cstdio>

#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/print.hpp"
#include "cli/results_file.hpp"
#include "cli/run_scene.hpp"
#include "src/math/printable.hpp"

namespace esc::cli {

int resume(const Arguments& arguments) {
  const std::string path = arguments.text("--resume");
  for (const char* option : {"--scheme", "--step", "--option", "-p", "--csv", "--out", "--frames"})
    if (arguments.has(option))
      throw UsageError(std::string(option) + " cannot be changed by --resume: the run continues as it began");
  std::optional<io::ResultsReader> results(path);
  io::Scene scene = scene_of(*results);
  if (results->checkpoint_count() == 0) throw UsageError(path + " has no checkpoint yet: start the run again");
  io::Checkpoint from = results->checkpoint(results->checkpoint_count() - 1);
  const System system = system_of(*results, scene);
  const auto scheme = scheme_of(*results, system);
  require_sound_checkpoint(*results, *scheme);
  scene.run.until = number_of(arguments, "--until", scene, scene.run.until);
  State x = from.state;
  const Continuation continued = from.continued;
  require_end(scene.run, continued.start);
  if (steps_until_end(scene.run, continued.start) == static_cast<double>(continued.grid) && results->finished()) {
    if (arguments.has("--json"))
      report_run(arguments, {*scheme, scene.scheme_options, scene.run, x, results->totals(), nullptr, 0.0});
    else
      print(stderr, "%s: its run has reached t = %g s, and nothing is left to do; --until gives a later end\n",
            printable(path).c_str(), x.t);
    return 0;
  }
  results.reset();

  scene.run.continued = &continued;
  io::ResultsWriter writer(system, path, scene.run.until, from);
  Watched watched(arguments, *scheme, x.t, scene.run);
  const RunReport report = record(*scheme, x, scene.run, writer);
  return report_run(arguments, {*scheme, scene.scheme_options, scene.run, x, report, watched.largest(), watched.end()});
}

}  // namespace esc::cli
