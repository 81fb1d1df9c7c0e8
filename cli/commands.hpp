// The commands, one file each.
#pragma once

#include "cli/arguments.hpp"

namespace esc::cli {

int run_command(const Arguments& arguments);
int example_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int verify_command(const Arguments& arguments);
int export_command(const Arguments& arguments);
int plot_command(const Arguments& arguments);
int reproduce_command(const Arguments& arguments);
int completion_command(const Arguments& arguments);
extern const std::span<const OptionRow> list_options, check_options, compare_options, verify_options, export_options,
    plot_options, reproduce_options;

int resume(const Arguments& arguments);  // run --resume

}  // namespace esc::cli
