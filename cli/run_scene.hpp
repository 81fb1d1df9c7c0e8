// A scene as the command line changes it, run and reported.
#pragma once

#include <string>

#include <escapement/io/scene.hpp>
#include <escapement/simulate.hpp>

#include "cli/arguments.hpp"

namespace esc::cli {

// The options of run and example.
extern const std::span<const OptionRow> run_options;

std::vector<io::Override> overrides_of(const Arguments& arguments);
// --scheme, --step, --until, --option, --frames on top of what the scene says.
void apply(const Arguments& arguments, io::Scene& scene);
// Runs, prints the summary or JSON, writes what was asked for. Returns the exit code.
int run_scene(const Arguments& arguments, io::Scene scene);

}  // namespace esc::cli
