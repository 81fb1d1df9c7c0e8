#include "cli/commands.hpp"

#include <array>

#include "cli/run_scene.hpp"

namespace esc::cli {

std::span<const CommandRow> commands() {
  static const auto list = std::to_array<CommandRow>({
      {"run", "SCENE", "runs a scene and reports what happened",
       "escapement run scenes/bouncing-ball.toml --csv ball.csv", run_options, run_command, 0, 1},
      {"example", "NAME", "runs an example; the same options as run", "escapement example bouncing-ball -p e=0.8",
       run_options, example_command, 1, 1},
      {"list", "schemes|solvers|examples", "lists the names that other commands take", "escapement list schemes",
       list_options, list_command, 1, 1},
      {"check", "SCENE|EXAMPLE", "examines a scene without running it", "escapement check scenes/slider-crank.toml",
       check_options, check_command, 1, 1},
      {"compare", "SCENE|EXAMPLE", "compares the cost and accuracy of schemes and steps on your own model",
       "escapement compare scenes/bouncing-ball.toml --steps 1e-2,5e-3,2e-3", compare_options, compare_command, 1, 1},
      {"verify", "RESULTS", "certifies recorded steps again from states and scene alone", "escapement verify ball.h5",
       verify_options, verify_command, 1, 1},
      {"export", "RESULTS", "writes results as CSV or for ParaView", "escapement export ball.h5 --csv ball.csv",
       export_options, export_command, 1, 1},
      {"plot", "RESULTS", "draws results as SVG or PNG (needs gnuplot)", "escapement plot ball.h5 --out ball.svg",
       plot_options, plot_command, 1, 1},
      {"reproduce", "[PAPER [ITEM...]]", "computes the papers' figures and tables: printed value, value here, verdict",
       "escapement reproduce acary fig-4", reproduce_options, reproduce_command, 0, 100},
      {"completion",
       "bash",
       "prints the completion for a shell",
       "source <(escapement completion bash)",
       {},
       completion_command,
       1,
       1},
  });
  return list;
}

}  // namespace esc::cli
