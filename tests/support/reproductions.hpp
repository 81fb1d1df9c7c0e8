// What every reproduction of a paper is held to: no verdict fails, and the page that the program has printed has its
// lines.
#pragma once

#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "papers/reproduce/command.hpp"
#include "tests/support/repository.hpp"

namespace esc::papers {

inline void PrintTo(const Reproduction& item, std::ostream* out) { *out << item.name; }

}  // namespace esc::papers

namespace esc::testing {

inline std::vector<papers::Reproduction> items(const papers::Paper& paper, bool slow) {
  std::vector<papers::Reproduction> chosen;
  for (const papers::Reproduction& item : paper.items)
    if (item.slow == slow) chosen.push_back(item);
  return chosen;
}

inline std::string item_name(const ::testing::TestParamInfo<papers::Reproduction>& info) {
  std::string name(info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// The page was printed by the program: it has every line, with this verdict.
inline void expect_on_page(const papers::Line& line, const std::string& page) {
  papers::Report one;
  one.lines.push_back({line.quantity, line.paper, "HERE", line.verdict, {}});
  std::ostringstream out;
  papers::print_markdown(one, out);
  const std::string row = out.str().substr(out.str().rfind("\n", out.str().size() - 2) + 1);
  const std::size_t middle = row.find("HERE"), found = page.find(row.substr(0, middle));
  ASSERT_NE(found, std::string::npos) << row;
  const std::string there = page.substr(found, page.find('\n', found) + 1 - found);
  EXPECT_TRUE(there.ends_with(row.substr(middle + 4))) << there;
}

// Every curve is two columns that its table has, and every axis says what it shows.
inline void expect_curves(const papers::Plot& plot, const std::vector<papers::Table>& tables) {
  const study::Figure figure = figure_of(plot, tables);
  EXPECT_FALSE(figure.panels.empty()) << plot.name;
  for (const study::Panel& panel : figure.panels) {
    EXPECT_FALSE(panel.curves.empty()) << plot.name;
    EXPECT_FALSE(panel.x.label.empty() || panel.y.label.empty()) << plot.name << ": " << panel.title;
  }
}

inline void expect_no_failure(const papers::Reproduction& item, std::string_view page_name) {
  const std::string text = page(page_name);
  papers::Report report;
  item.run(report);
  EXPECT_FALSE(report.lines.empty());
  for (const papers::Line& line : report.lines) {
    expect_on_page(line, text);
    EXPECT_NE(line.verdict, papers::Verdict::fails) << line.quantity << ": " << line.here << ", paper " << line.paper;
    EXPECT_FALSE(line.here.empty()) << line.quantity;
    EXPECT_FALSE(line.paper.empty()) << line.quantity;
  }
  for (const papers::Plot& plot : report.plots) expect_curves(plot, report.tables);
}

}  // namespace esc::testing
