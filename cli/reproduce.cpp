#include <array>
#include <iostream>

#include "cli/commands.hpp"
#include "papers/acary/acary.hpp"
#include "papers/reproduce/command.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--out", "FOLDER", "where data and pictures go (default: results)"},
    {"--markdown", "", "the tables as Markdown, no files"},
};

}  // namespace

const std::span<const OptionRow> reproduce_options = rows;

int reproduce_command(const Arguments& arguments) {
  const std::array<papers::Paper, 1> papers{papers::acary::paper()};
  std::vector<std::string> words = arguments.operands();
  if (words.empty()) words.push_back("--list");
  if (words.size() == 1 && words[0] != "--list") words.push_back("all");
  if (arguments.has("--out")) words.insert(words.end(), {"--out", arguments.text("--out")});
  if (arguments.has("--markdown")) words.push_back("--markdown");
  return papers::reproduce(papers, words, std::cout, std::cerr);
}

}  // namespace esc::cli
