// `reproduce`: the tables and figures of the papers, computed again. See docs/papers_acary.md.
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "papers/acary/acary.hpp"
#include "papers/reproduce/command.hpp"

int main(int argc, char** argv) {
  const std::array<esc::papers::Paper, 1> papers{esc::papers::acary::paper()};
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return esc::papers::reproduce(papers, arguments, std::cout, std::cerr);
}
