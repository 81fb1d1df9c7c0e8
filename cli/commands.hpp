// The commands, one file each.
#pragma once

#include "cli/arguments.hpp"

namespace esc::cli {

int run_command(const Arguments& arguments);
int example_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
extern const std::span<const OptionRow> check_options;

}  // namespace esc::cli
