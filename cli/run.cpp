#include "cli/commands.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

int run_command(const Arguments& arguments) {
  const bool scene = !arguments.operands().empty();
  if (arguments.has("--resume")) {
    if (scene) throw UsageError("--resume takes the scene from the results file: give no SCENE");
    return resume(arguments);
  }
  if (!scene) throw UsageError("run needs a SCENE, or --resume FILE");
  return run_scene(arguments, io::read_scene(arguments.operands()[0], overrides_of(arguments)));
}

}  // namespace esc::cli
