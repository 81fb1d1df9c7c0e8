// A figure as data: panels with curves over columns of tables, drawn by gnuplot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "papers/reproduce/table.hpp"

namespace esc::papers {

struct Curve {
  std::string table, x, y;
  std::string title = {};
  std::string style = "lines";  // gnuplot's: lines, points, linespoints, steps, impulses
};

struct Interval {
  double low, high;
};

struct Axis {
  std::string label;
  std::optional<Interval> range = {};
  bool logarithmic = false;
  double scale = 1.0;  // what is drawn is this times the column: 1e3 for ms of s
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

// A text in gnuplot's single quotes, where a quote is written twice.
std::string gnuplot_quoted(const std::string& text);

// The script reads TABLE.csv beside itself.
std::string gnuplot_script(const Plot& plot, const std::vector<Table>& tables);

bool gnuplot_present();

// Runs gnuplot on folder/NAME.gp; false if that fails.
bool draw(const std::filesystem::path& folder, const Plot& plot);

}  // namespace esc::papers
