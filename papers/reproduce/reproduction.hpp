// A table, figure or statement of a paper, and the paper's list of them.
#pragma once

#include <string_view>
#include <vector>

#include "papers/reproduce/report.hpp"

namespace esc::papers {

struct Reproduction {
  std::string_view name;   // fig-4, table-3
  std::string_view title;  // what is computed
  std::string_view says;   // what the paper says about it, one or two sentences of ours
  void (*run)(Report& report);
  bool slow = false;  // more than 2 s
};

struct Paper {
  std::string_view name;  // as in docs/notation.md
  std::string_view title;
  std::vector<Reproduction> items;
};

}  // namespace esc::papers
