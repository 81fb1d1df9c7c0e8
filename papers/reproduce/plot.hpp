// The figures of a reproduction: panels with curves over named columns of its tables.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "papers/reproduce/table.hpp"
#include "src/study/figure.hpp"

namespace esc::papers {

using study::Axis;
using study::Interval;
using study::Style;

struct Curve {
  std::string table, x, y;
  std::string title = {};
  Style style = Style::lines;
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

struct Plot {
  std::string name;  // of the files NAME.gp and NAME.svg
  int across = 1;    // panels side by side
  std::vector<Panel> panels = {};

  void add(std::string title, Axis x, Axis y, std::vector<Curve> curves) {
    panels.push_back({std::move(title), std::move(x), std::move(y), std::move(curves)});
  }
};

// Its curves are columns of the files TABLE.csv. Throws std::out_of_range if there is no such table or column.
study::Figure figure_of(const Plot& plot, const std::vector<Table>& tables);

}  // namespace esc::papers
