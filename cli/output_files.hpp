// The files that a command writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace esc::cli {

struct OutputFile {
  std::string_view option;  // "--csv"
  std::string path;         // empty: not asked for
};

// To be called before anything is computed or written. Throws UsageError if a file cannot be written, exists and there
// is no --force, or is one of `inputs` or another output, whatever its name: --force overwrites none of those.
void require_writable(const Arguments& arguments, std::span<const OutputFile> outputs,
                      const std::vector<std::string>& inputs);

}  // namespace esc::cli
