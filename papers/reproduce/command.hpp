// Runs and prints the reproductions of some papers.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers {

void print_list(std::span<const Paper> papers, std::ostream& out);

struct Selection {
  const Paper* paper = nullptr;
  std::vector<const Reproduction*> items;
};
// A paper, then its items; no item: all of them. Throws std::invalid_argument.
Selection select(std::span<const Paper> papers, std::span<const std::string> words);

struct Output {
  std::string folder = "results";  // data and pictures go to folder/PAPER
  bool markdown = false;           // the tables as Markdown, no files
  bool overwrite = false;
};
// A table of verdicts for each item. Whether none fails; throws std::runtime_error if files cannot be written.
bool reproduce(const Selection& selection, const Output& output, std::ostream& out);

// Before anything is computed: throws std::runtime_error if a file of the selected items stands in the folder already.
// Files of an item are called after it, "fig-4.svg" or "fig-4-gamma-1.csv".
void require_new_files(const Selection& selection, const std::string& folder);

Report run(const Reproduction& item);  // an exception is a line that fails

// Writes tables, gnuplot scripts and, where there is a gnuplot, pictures. Returns their names. Throws
// std::runtime_error, also for a file that exists and must not be overwritten; then nothing is written.
std::string write_files(const Report& report, const std::string& folder, bool overwrite);

}  // namespace esc::papers
