// Pictures, drawn by gnuplot where it is installed.
#pragma once

#include <string>

namespace esc::cli {

void require_gnuplot();                   // throws UsageError that says how to get it
void gnuplot(const std::string& script);  // throws UsageError if gnuplot fails

}  // namespace esc::cli
