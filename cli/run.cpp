#include "cli/commands.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

int run_command(const Arguments& arguments) {
  return run_scene(arguments, io::read_scene(arguments.operands()[0], overrides_of(arguments)));
}

}  // namespace esc::cli
