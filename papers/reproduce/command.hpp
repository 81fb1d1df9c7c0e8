// The command `reproduce`: lists, runs and prints the reproductions of some papers.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers {

// Arguments without the program's name:
//   --list                                   what there is
//   PAPER (NAME... | all) [--out DIR]        a table of verdicts each, with data and plot in DIR/PAPER (results)
//   PAPER (NAME... | all) --markdown         the tables as Markdown, no files
// Returns 0 if nothing fails, 1 if a verdict or a run does, 2 for arguments that mean nothing.
int reproduce(std::span<const Paper> papers, std::span<const std::string> arguments, std::ostream& out,
              std::ostream& messages);

// What words name: a paper first, then its items, "all" for every one.
struct Selection {
  const Paper* paper = nullptr;
  std::vector<const Reproduction*> items;
};
void take_name(Selection& selection, std::span<const Paper> papers, const std::string& word);  // std::invalid_argument

Report run(const Reproduction& item);  // an exception is a line that fails

// Writes tables, gnuplot scripts and, where there is a gnuplot, pictures. Returns what to tell: names, or why not.
std::string write_files(const Report& report, const std::string& folder);

}  // namespace esc::papers
