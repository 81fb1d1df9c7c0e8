#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <utility>

#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/gnuplot.hpp"
#include "cli/json.hpp"
#include "cli/output_files.hpp"
#include "cli/results_file.hpp"
#include "papers/reproduce/plot.hpp"
#include "src/math/spelling.hpp"

namespace esc::cli {

namespace {

constexpr std::array<std::string_view, 7> panel_names{"positions", "velocities", "gaps",  "forces",
                                                      "impulses",  "impacts",    "energy"};

constexpr OptionRow rows[] = {
    {"--out", "FILE", "picture to write, .svg or .png; default: the results' name with .svg"},
    {"--only", "NAME,...", "only coordinates whose names begin so"},
    {"--panels", "NAME,...", "only these of positions, velocities, gaps, forces, impulses, impacts, energy"},
    {"--force", "", "overwrite files that exist"},
    {"--json", "", "print one JSON object and nothing else"},
};

constexpr std::size_t most_curves = 12;  // of one panel; a bar of a thousand nodes is not readable
constexpr const char* lines = "lines";
constexpr const char* blows = "impulses linewidth 2";
constexpr double round_off = 1e-9;  // in the units of the panels
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::string name;
  std::vector<double> values;  // one for each time of its panel; NaN leaves the curve open
};

struct Panel {
  std::string name, title, unit;  // no unit: that of generalised coordinates is not known
  std::vector<double> t;
  std::vector<Curve> curves;
  std::string style = lines;
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names = parts_of(list);
  std::erase(names, "");
  return names;
}

// One panel for each unit: metres and radians have no axis in common.
std::vector<Panel> columns(const std::string& name, const std::vector<io::NamedUnit>& names,
                           const std::vector<double>& values, const std::vector<double>& t,
                           const std::vector<std::string>& only) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& column = names[i].name;
    const std::string unit = names[i].unit == "1/s" ? "" : names[i].unit;
    const auto begins = [&](const std::string& prefix) { return column.starts_with(prefix); };
    if (!only.empty() && std::ranges::none_of(only, begins)) continue;
    auto panel = std::ranges::find(panels, unit, &Panel::unit);
    if (panel == panels.end()) panel = panels.insert(panel, {name, name, unit, t, {}});
    if (panel->curves.size() == most_curves) continue;
    Curve curve{column, {}};
    for (std::size_t row = i; row < values.size(); row += names.size()) curve.values.push_back(values[row]);
    panel->curves.push_back(std::move(curve));
  }
  return panels;
}

// Fills a panel without curves with one for each contact pair.
Panel by_pair(const io::ResultsReader& results, Panel panel, double value) {
  for (const io::NamedUnit& pair : results.names().pairs) {
    if (panel.curves.size() == most_curves) break;
    panel.curves.push_back({pair.name, std::vector<double>(panel.t.size(), value)});
  }
  return panel;
}

// The limits of angles, whose gaps are in rad, get a panel of their own with this unit.
void add_by_unit(const io::ResultsReader& results, Panel panel, const char* angular_unit, std::vector<Panel>& panels) {
  Panel angular{panel.name, panel.title, angular_unit, panel.t, {}, panel.style};
  std::vector<Curve> curves = std::exchange(panel.curves, {});
  for (std::size_t pair = 0; pair < curves.size(); ++pair)
    (results.names().pairs[pair].unit == "rad" ? angular : panel).curves.push_back(std::move(curves[pair]));
  panels.push_back(std::move(panel));
  panels.push_back(std::move(angular));
}

void lower(double& gap, double found) {
  if (!(gap <= found)) gap = found;
}

// The smallest gap of each pair. The file has those of active contacts; the scene in it tells the others.
Panel gaps(const io::ResultsReader& results, const io::FrameTable& frames, const io::ContactTable& contacts) {
  Panel panel = by_pair(results, {"gaps", "gaps", "m", frames.t, {}}, none);
  if (results.info().scene_text.empty() || results.names().pairs.size() > most_curves) {
    for (std::size_t i = 0; i < contacts.frame.size(); ++i)
      if (contacts.pair[i] < panel.curves.size())
        lower(panel.curves[contacts.pair[i]].values[static_cast<std::size_t>(contacts.frame[i])], contacts.gap[i]);
    return panel;
  }
  const System system = system_of(results, scene_of(results));
  const auto nq = static_cast<std::size_t>(system.nq());
  ContactSet found;
  for (std::size_t frame = 0; frame < frames.t.size(); ++frame) {
    system.detect(frames.t[frame], std::span(frames.q).subspan(frame * nq, nq), everything, found);
    for (const Contact& contact : found.contacts) lower(panel.curves[contact.key.pair].values[frame], contact.gap);
  }
  return panel;
}

// Normal forces of contacts that persist. At an impact impulse / h is no force: the curve is open there.
Panel forces(const io::ResultsReader& results, const io::FrameTable& frames, const io::ContactTable& contacts) {
  Panel panel = by_pair(results, {"forces", "normal forces", "N", frames.t, {}}, 0.0);
  for (std::size_t i = 0; i < contacts.frame.size(); ++i)
    if (contacts.pair[i] < panel.curves.size())
      panel.curves[contacts.pair[i]].values[static_cast<std::size_t>(contacts.frame[i])] +=
          contacts.impact[i] == 1 ? none : contacts.force[3 * i];
  return panel;
}

// Every impact of the run, also of steps between frames: a column of the events, as numbers above zero.
Panel impacts(const io::ResultsReader& results, const io::EventTable& events, Panel panel,
              const std::vector<double>& column) {
  panel = by_pair(results, std::move(panel), none);
  for (std::size_t i = 0; i < events.t.size(); ++i)
    if (events.pair[i] < panel.curves.size() && column[i] != 0.0)
      panel.curves[events.pair[i]].values[i] = std::abs(column[i]);
  return panel;
}

Panel energy(const io::FrameTable& frames) {
  Panel panel{"energy",
              "energy",
              "J",
              frames.t,
              {{"kinetic", frames.kinetic}, {"potential", frames.potential}, {"total", frames.kinetic}}};
  for (std::size_t i = 0; i < frames.t.size(); ++i) panel.curves[2].values[i] += frames.potential[i];
  return panel;
}

// gnuplot takes no infinity, and nothing near the largest number: curves are open there, and one of nothing else is
// none.
void leave_open(Panel& panel) {
  const auto drawable = [](double value) { return std::abs(value) < 1e300; };
  for (Curve& curve : panel.curves)
    for (double& value : curve.values)
      if (!drawable(value)) value = none;
  std::erase_if(panel.curves, [&](const Curve& curve) { return std::ranges::none_of(curve.values, drawable); });
}

// Every beginning that --only gives fits a coordinate or a velocity.
void require_fitting(const io::Names& names, const std::vector<std::string>& only) {
  std::vector<std::string_view> known;  // whole names and their items
  for (const auto* list : {&names.coordinates, &names.velocities})
    for (const io::NamedUnit& entry : *list) {
      const std::string_view name = entry.name;
      known.push_back(name);
      known.push_back(name.substr(0, name.rfind('.')));
    }
  for (const std::string& beginning : only)
    if (std::ranges::none_of(known, [&](std::string_view name) { return name.starts_with(beginning); }))
      throw UsageError("--only: no coordinate begins with '" + beginning + "'" + suggestion(beginning, known));
}

std::vector<Panel> panels_of(const io::ResultsReader& results, const Arguments& arguments) {
  const std::vector<std::string> chosen = names_in(arguments.text("--panels"));
  for (const std::string& name : chosen)
    if (std::ranges::find(panel_names, name) == panel_names.end())
      throw UsageError("--panels: there is no panel '" + name + "'" + suggestion(name, panel_names));
  const io::FrameTable frames = results.frames(0, results.frame_count());
  const std::vector<std::string> only = names_in(arguments.text("--only"));
  require_fitting(results.names(), only);
  std::vector<Panel> panels = columns("positions", results.names().coordinates, frames.q, frames.t, only);
  std::ranges::move(columns("velocities", results.names().velocities, frames.v, frames.t, only),
                    std::back_inserter(panels));
  if (!results.names().pairs.empty()) {
    const io::ContactTable contacts = results.contacts(0, results.contact_count());
    add_by_unit(results, gaps(results, frames, contacts), "rad", panels);
    add_by_unit(results, forces(results, frames, contacts), "N m", panels);
    const io::EventTable events = results.events(0, results.event_count());
    const Panel impulses{"impulses", "impact impulses", "N s", events.t, {}, blows};
    const Panel speeds{"impacts", "impact speed", "m/s", events.t, {}, blows};
    add_by_unit(results, impacts(results, events, impulses, events.normal_impulse), "N m s", panels);
    add_by_unit(results, impacts(results, events, speeds, events.normal_velocity), "rad/s", panels);
  }
  panels.push_back(energy(frames));
  if (!chosen.empty())
    std::erase_if(panels, [&](const Panel& panel) { return std::ranges::find(chosen, panel.name) == chosen.end(); });
  for (Panel& panel : panels) leave_open(panel);
  std::erase_if(panels, [](const Panel& panel) { return panel.curves.empty(); });
  if (panels.empty())
    throw UsageError(results.path() + ": nothing is left to draw: --only and --panels leave out everything");
  return panels;
}

// Rows of a curve: all but those that the line between rows before and after them passes by less than `tolerance`, so
// that a picture has the size of what can be seen.
std::vector<std::size_t> visible(const std::vector<double>& t, const std::vector<double>& y, double tolerance) {
  std::vector<std::size_t> kept{0};
  double low = -everything, high = everything;  // slopes of lines from the last row kept that pass by all rows since
  for (std::size_t row = 1; row < t.size(); ++row) {
    double slope = (y[row] - y[kept.back()]) / (t[row] - t[kept.back()]);
    if (!(slope >= low && slope <= high)) {
      if (kept.back() != row - 1) kept.push_back(row - 1);
      slope = (y[row] - y[row - 1]) / (t[row] - t[row - 1]);
      low = -everything;
      high = everything;
      if (!std::isfinite(slope)) {
        kept.push_back(row);
        continue;
      }
    }
    const double opening = tolerance / (t[row] - t[kept.back()]);
    low = std::max(low, slope - opening);
    high = std::min(high, slope + opening);
  }
  if (kept.back() != t.size() - 1) kept.push_back(t.size() - 1);
  return kept;
}

std::vector<std::size_t> finite(const std::vector<double>& y) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < y.size(); ++row)
    if (std::isfinite(y[row])) kept.push_back(row);
  return kept;
}

struct Range {
  double least = everything, most = -everything;
};

// Of all curves, but not less than can be told from round-off; blows stand on zero.
Range range_of(const Panel& panel) {
  Range range;
  if (panel.style == blows) range = {0.0, 0.0};
  for (const Curve& curve : panel.curves)
    for (const double value : curve.values)
      if (std::isfinite(value)) range = {std::min(range.least, value), std::max(range.most, value)};
  if (range.most - range.least < 2.0 * round_off) range = {range.least - round_off, range.most + round_off};
  return range;
}

std::string plot_of(const Panel& panel) {
  std::string data, plots;
  const auto [least, most] = range_of(panel);
  const double tolerance = 2e-3 * (most - least);
  char range[80];
  std::snprintf(range, sizeof range, "set yrange [%s:*]\n", panel.style == blows ? "0" : "*");
  if (most - least < 4.0 * round_off) std::snprintf(range, sizeof range, "set yrange [%.9g:%.9g]\n", least, most);
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const auto& [name, values] = panel.curves[i];
    const std::string block = "$curve" + std::to_string(i);
    data += block + " << END\n";
    for (const std::size_t row : panel.style == lines ? visible(panel.t, values, tolerance) : finite(values)) {
      char digits[64];
      std::snprintf(digits, sizeof digits, "%.9g %.9g\n", panel.t[row], values[row]);
      data += digits;
    }
    data += "END\n";
    plots += (i > 0 ? ", " : "plot ") + block + " with " + panel.style + " title " + papers::gnuplot_quoted(name) +
             " noenhanced";
  }
  const std::string label = panel.unit.empty() ? panel.title : panel.title + " [" + panel.unit + "]";
  return data + range + "set ylabel " + papers::gnuplot_quoted(label) + " noenhanced\n" + plots + "\n";
}

// The margins are the same for all panels, so that equal times stand above each other.
std::string layout(const std::vector<Panel>& panels, double from, double until) {
  std::size_t widest = 0;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves) widest = std::max(widest, curve.name.size());
  char range[80];
  std::snprintf(range, sizeof range, "set xrange [%.9g:%.9g]\n", from, until);
  return "set colorsequence podo\nset grid\nset key outside right top samplen 2\nset lmargin 11\nset rmargin " +
         std::to_string(widest + 7) +
         "\nset tics nomirror scale 0\nset border 3\nset format x ''\nset format y '%g'\n" + range;
}

std::string as_json(const std::vector<Panel>& panels, long long frames, const std::string& out) {
  Json json;
  json.object().value("file", out).value("frames", frames).array("panels");
  for (const Panel& panel : panels) {
    json.object().value("name", panel.name).value("title", panel.title).value("unit", panel.unit).array("curves");
    for (const Curve& curve : panel.curves) json.value("", curve.name);
    json.end().end();
  }
  return json.end().end().text();
}

}  // namespace

const std::span<const OptionRow> plot_options = rows;

int plot_command(const Arguments& arguments) {
  const std::filesystem::path source = arguments.operands()[0];
  const std::string out = arguments.text("--out", source.stem().string() + ".svg");
  const bool png = out.ends_with(".png");
  if (!png && !out.ends_with(".svg")) throw UsageError("--out is the name of a .svg or .png file, not '" + out + "'");
  require_writable(arguments, std::array<OutputFile, 1>{{{"--out", out}}}, {source.string()});
  require_gnuplot(out);
  const io::ResultsReader results(source.string());
  if (results.frame_count() < 2) throw UsageError(source.string() + " has fewer than two frames: nothing to draw");
  const std::vector<Panel> panels = panels_of(results, arguments);
  const double from = results.frames(0, 1).t[0], until = results.frames(results.frame_count() - 1, 1).t[0];

  std::string script = std::string("set terminal ") + (png ? "pngcairo" : "svg") + " size 800," +
                       std::to_string(160 * panels.size() + 40) + " font ',11' background rgb 'white'\nset output " +
                       papers::gnuplot_quoted(out) + "\n" + layout(panels, from, until);
  script += "set multiplot layout " + std::to_string(panels.size()) + ",1\n";
  for (std::size_t i = 0; i < panels.size(); ++i)
    script += (i + 1 == panels.size() ? "set xlabel 't [s]'\nset format x\n" : "") + plot_of(panels[i]);
  gnuplot(script + "unset multiplot\n", out);
  if (arguments.has("--json"))
    std::printf("%s\n", as_json(panels, static_cast<long long>(results.frame_count()), out).c_str());
  else
    std::fprintf(stderr, "%s\n", out.c_str());
  return 0;
}

}  // namespace esc::cli
