// A figure as data, and the one writer of gnuplot scripts: plot, compare and reproduce describe, this draws.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace esc::study {

// Every stride-th number of a list, from `first` on. Curves share lists: a column of a table is not copied.
struct Column {
  std::shared_ptr<const std::vector<double>> list;
  std::size_t first = 0, stride = 1;

  static Column of(std::vector<double> values) {
    return {std::make_shared<const std::vector<double>>(std::move(values))};
  }
  std::size_t size() const { return !list || list->size() <= first ? 0 : (list->size() - first - 1) / stride + 1; }
  double operator[](std::size_t row) const { return (*list)[first + stride * row]; }
};

struct Points {
  Column x, y;
};

// Columns, the first is 1, of a CSV file with a header, which gnuplot reads.
struct FileColumns {
  std::string file;
  int x, y;
};

enum class Style { lines, points, linespoints, impulses };  // impulses: bars that stand on zero

struct Curve {
  std::string title;  // empty: not in the key
  std::variant<Points, FileColumns> data;
  Style style = Style::lines;
};

struct Interval {
  double low, high;
};

struct Axis {
  std::string label;
  std::string unit = {};               // stands behind the label in brackets
  std::optional<Interval> range = {};  // none: that of the curves
  bool logarithmic = false;
  double scale = 1.0;  // of file columns: what is drawn is this times the column, 1e3 for ms of s
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

enum class Layout {
  tiles,    // each panel with both axes, its key below
  stacked,  // above each other over one axis, which the last one shows; keys on the right
};

struct Figure {
  int width = 520, height = 300;  // px, of a panel
  int across = 1;                 // panels side by side
  Layout layout = Layout::tiles;
  std::vector<Panel> panels = {};
};

enum class Picture { svg, png };

// Infinity, NaN, numbers near the largest one and, on a logarithmic axis, those that are not positive cannot be drawn:
// a line is open there. A curve of nothing else is erased.
void erase_undrawable(Panel& panel);
Figure drawable(Figure figure);  // without such curves, and without panels that have no curve

using Sink = std::function<void(std::string_view text)>;

// `output` is the file that the script makes; empty: its standard output. Points of a line that nobody can see are
// omitted: those that a line between others passes by less than 0.2 % of the height. Titles, labels and units may hold
// anything: they stand in numbered blocks, which gnuplot shows and never executes.
void write_script(const Figure& figure, Picture picture, const std::string& output, const Sink& sink);

}  // namespace esc::study
