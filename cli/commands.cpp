#include "cli/commands.hpp"

#include <array>

#include "cli/arguments.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

std::span<const CommandRow> commands() {
  static const auto list = std::to_array<CommandRow>({
      {"run", "SCENE", "runs a scene and says what happened", "escapement run scenes/bouncing-ball.toml --csv ball.csv",
       run_options, run_command, 1, 1},
      {"example", "NAME", "runs an example; the same options as run", "escapement example bouncing-ball -p e=0.8",
       run_options, example_command, 1, 1},
      {"list", "schemes|solvers|examples", "lists what there is", "escapement list schemes", {}, list_command, 1, 1},
      {"check", "SCENE", "looks a scene over without running it", "escapement check scenes/slider-crank.toml",
       check_options, check_command, 1, 1},
  });
  return list;
}

}  // namespace esc::cli
