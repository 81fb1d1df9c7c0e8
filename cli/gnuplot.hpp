// Pictures, drawn by gnuplot where it is installed.
#pragma once

#include <string>

namespace esc::cli {

// Throws UsageError that says how to get it, or why there can be no picture of this name.
void require_gnuplot(const std::string& picture);
void gnuplot(const std::string& script, const std::string& picture);  // throws UsageError if gnuplot fails

}  // namespace esc::cli
