#include "src/study/figure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "src/math/printable.hpp"

namespace esc::study {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double axis_round_off = 1e-9;  // in the unit of the axis: less is not drawn larger
constexpr double seen = 2e-3;            // part of the height of a panel

std::string digits(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 9).ptr};
}

bool has_place(double value, const Axis& axis) {
  return std::abs(value) < 1e300 && !(axis.logarithmic && value <= 0.0);  // gnuplot takes nothing near the largest
}

const char* name_of(Style style) {
  switch (style) {
    case Style::lines:
      return "lines";
    case Style::points:
      return "points";
    case Style::linespoints:
      return "linespoints";
    case Style::impulses:
      return "impulses linewidth 2";
  }
  return "lines";
}

// One line of a label that is not endless. A line of a block is never a command; the first character keeps it from
// being the one that ends the block.
std::string label_line(std::string_view text) {
  constexpr std::size_t most = 200;
  return ":" + printable(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

// The points of a curve as they are drawn.
class Drawn {
 public:
  Drawn(const Panel& panel, const Points& points) : panel_(panel), points_(points) {}

  std::size_t size() const { return std::min(points_.x.size(), points_.y.size()); }
  bool has(std::size_t row) const { return has_place(points_.x[row], panel_.x) && has_place(points_.y[row], panel_.y); }
  double x(std::size_t row) const { return points_.x[row]; }
  double y(std::size_t row) const { return has(row) ? points_.y[row] : std::numeric_limits<double>::quiet_NaN(); }
  bool any() const {
    for (std::size_t row = 0; row < size(); ++row)
      if (has(row)) return true;
    return false;
  }

 private:
  const Panel& panel_;
  const Points& points_;
};

bool has_points(const Panel& panel, const Curve& curve) {
  const auto* points = std::get_if<Points>(&curve.data);
  return points == nullptr || Drawn(panel, *points).any();
}

// Calls keep(row) for all rows but those that the line between rows before and after them passes by less than the
// tolerance, so that a picture has the size of what can be seen.
template <class Keep>
void each_visible(const Drawn& curve, double tolerance, const Keep& keep) {
  std::size_t last = 0;
  keep(last);
  double low = -infinity, high = infinity;  // slopes of lines from the last row kept that pass by all rows since
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (curve.y(b) - curve.y(a)) / (curve.x(b) - curve.x(a));
  };
  const auto kept = [&](std::size_t row) { keep(last = row); };
  for (std::size_t row = 1; row < curve.size(); ++row) {
    double now = slope(last, row);
    if (!(now >= low && now <= high)) {
      if (last != row - 1) kept(row - 1);
      now = slope(row - 1, row);
      low = -infinity;
      high = infinity;
      if (!std::isfinite(now)) {
        kept(row);
        continue;
      }
    }
    const double opening = tolerance / (curve.x(row) - curve.x(last));
    low = std::max(low, now - opening);
    high = std::min(high, now + opening);
  }
  if (last + 1 < curve.size()) kept(curve.size() - 1);
}

bool stands_on_zero(const Panel& panel) {
  return std::ranges::any_of(panel.curves, [](const Curve& curve) { return curve.style == Style::impulses; });
}

// Of all curves, but not less than can be told from round-off. Curves in files are not looked at.
Interval height_of(const Panel& panel) {
  Interval range{infinity, -infinity};
  if (stands_on_zero(panel)) range = {0.0, 0.0};
  for (const Curve& curve : panel.curves)
    if (const auto* points = std::get_if<Points>(&curve.data)) {
      const Drawn drawn(panel, *points);
      for (std::size_t row = 0; row < drawn.size(); ++row)
        if (drawn.has(row)) range = {std::min(range.low, drawn.y(row)), std::max(range.high, drawn.y(row))};
    }
  if (range.low > range.high) return {-infinity, infinity};  // no number
  if (range.high - range.low < 2.0 * axis_round_off) range = {range.low - axis_round_off, range.high + axis_round_off};
  return range;
}

// Of the names of files, which are our own: in single quotes gnuplot takes every character as it is.
std::string quoted(std::string_view name) {
  std::string out = "'";
  for (const char c : printable(name)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

class Writer {
 public:
  Writer(const Figure& figure, const Sink& sink) : figure_(figure), sink_(sink) {}

  void write(Picture picture, const std::string& output) {
    const int count = static_cast<int>(figure_.panels.size()), across = std::max(1, std::min(figure_.across, count));
    const int down = (count + across - 1) / across;
    line("set terminal ", picture == Picture::png ? "pngcairo" : "svg", " size ", figure_.width * across, ",",
         figure_.height * down + (stacked() ? axis_height : 0), " noenhanced font ',11' background rgb 'white'");
    if (!output.empty()) line("set output ", quoted(output));
    line("set datafile separator ','");
    line("set grid");
    line("set offsets graph 0, graph 0, graph 0.05, graph 0.05");  // no line hides on the frame
    if (stacked())
      look_of_stack();
    else
      line("set key outside bottom center horizontal");
    line("set multiplot layout ", down, ",", across);
    for (const Panel& panel : figure_.panels) write_panel(panel, &panel == &figure_.panels.back());
    line("unset multiplot");
  }

 private:
  static constexpr int axis_height = 40;  // px, below a stack

  bool stacked() const { return figure_.layout == Layout::stacked; }

  template <class... Part>
  void line(const Part&... parts) {
    text_.clear();
    (append(parts), ...);
    text_ += '\n';
    sink_(text_);
  }
  void append(int value) { text_ += std::to_string(value); }
  void append(std::size_t value) { text_ += std::to_string(value); }
  void append(double value) { text_ += digits(value); }
  void append(std::string_view value) { text_ += value; }

  // Writes a text, which may come from anywhere, as a numbered block. Returns what stands for it in commands: no text
  // is ever part of gnuplot's language.
  std::string label(std::string_view text) {
    if (text.empty()) return "''";
    const std::string name = "$label" + std::to_string(labels_++);
    line(name, " << END");
    line(label_line(text));
    line("END");
    return name + "[1][2:*]";
  }

  // The margins are the same for all panels, so that equal places on the axis stand above each other.
  void look_of_stack() {
    constexpr std::size_t most = 60;
    std::size_t widest = 0;
    for (const Panel& panel : figure_.panels)
      for (const Curve& curve : panel.curves) widest = std::max(widest, std::min(curve.title.size(), most));
    line("set colorsequence podo");
    line("set key outside right top samplen 2");
    line("set lmargin 11");
    line("set rmargin ", widest + 7);
    line("set tics nomirror scale 0");
    line("set border 3");
  }

  void write_axis(char name, const Axis& axis, bool shown) {
    const std::string text = axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]";
    const std::string_view one(&name, 1);
    const std::string said = label(shown ? text : "");
    line("set ", one, "label ", said);
    line(axis.logarithmic ? "set" : "unset", " logscale ", one);
    line("set format ", one, shown ? " '%g'" : " ''");
    if (axis.range) line("set ", one, "range [", axis.range->low, ":", axis.range->high, "]");
  }

  void write_panel(const Panel& panel, bool last) {
    const Interval height = height_of(panel);
    line("");
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
      if (const auto* points = std::get_if<Points>(&panel.curves[i].data)) {
        line("$curve", i, " << END");
        write_points(panel, panel.curves[i].style, *points, seen * (height.high - height.low));
        line("END");
      }
    const std::string title = label(panel.title);
    line(panel.title.empty() ? "unset title" : "set title " + title);
    if (!panel.x.range) line("set xrange [*:*]");
    write_axis('x', panel.x, last || !stacked());
    if (!panel.y.range && !panel.y.logarithmic && height.high - height.low < 4.0 * axis_round_off)
      line("set yrange [", height.low, ":", height.high, "]");
    else if (!panel.y.range)
      line("set yrange [", stands_on_zero(panel) ? "0" : "*", ":*]");
    write_axis('y', panel.y, true);
    std::vector<std::string> titles;
    for (const Curve& curve : panel.curves) titles.push_back(label(curve.title));
    for (std::size_t i = 0; i < panel.curves.size(); ++i) write_curve(panel, i, titles[i]);
  }

  // The first of these lines is the command; a backslash at the end goes on in the next.
  void write_curve(const Panel& panel, std::size_t i, const std::string& label) {
    const auto& [title, data, style] = panel.curves[i];
    std::string source = "$curve" + std::to_string(i) + " using 1:2";
    if (const auto* columns = std::get_if<FileColumns>(&data))
      source = quoted(columns->file) + " skip 1 using (" + digits(panel.x.scale) + "*$" + std::to_string(columns->x) +
               "):(" + digits(panel.y.scale) + "*$" + std::to_string(columns->y) + ")";
    line(i == 0 ? "plot " : "     ", source, " with ", name_of(style), title.empty() ? " notitle" : " title " + label,
         i + 1 < panel.curves.size() ? ", \\" : "");
  }

  void write_points(const Panel& panel, Style style, const Points& points, double tolerance) {
    const Drawn drawn(panel, points);
    const auto write = [&](std::size_t row) { line(drawn.x(row), ",", drawn.y(row)); };
    if (style == Style::lines && !panel.y.logarithmic) {
      each_visible(drawn, tolerance, write);
      return;
    }
    for (std::size_t row = 0; row < drawn.size(); ++row)
      if (drawn.has(row) || style == Style::lines) write(row);
  }

  const Figure& figure_;
  const Sink& sink_;
  std::string text_;
  int labels_ = 0;  // so far
};

}  // namespace

void erase_undrawable(Panel& panel) {
  std::erase_if(panel.curves, [&](const Curve& curve) { return !has_points(panel, curve); });
}

Figure drawable(Figure figure) {
  for (Panel& panel : figure.panels) erase_undrawable(panel);
  std::erase_if(figure.panels, [](const Panel& panel) { return panel.curves.empty(); });
  return figure;
}

void write_script(const Figure& figure, Picture picture, const std::string& output, const Sink& sink) {
  Writer(drawable(figure), sink).write(picture, output);
}

}  // namespace esc::study
