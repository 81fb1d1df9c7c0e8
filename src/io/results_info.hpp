// What a results file says about its run, its model and its scheme: written once at the start, read at the opening.
#pragma once

#include "src/io/results_hdf5.hpp"

namespace esc::io {

struct Header {
  RunInfo info;
  Names names;
  std::vector<Promise> promises;  // of the kinds of steps
};

Names names_of(const System& system);
void write_header(File& file, const Header& header);
Header read_header(const File& file);  // throws for another program, another kind of file, a newer version
void write_totals(File& file, const RunReport& report);
RunReport read_totals(const File& file);

}  // namespace esc::io
