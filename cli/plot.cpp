#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/output_files.hpp"
#include "cli/print.hpp"
#include "cli/results_file.hpp"
#include "src/io/joint_columns.hpp"
#include "src/io/velocity_time.hpp"
#include "src/math/printable.hpp"
#include "src/math/spelling.hpp"
#include "src/study/gnuplot.hpp"

namespace esc::cli {

namespace {

constexpr std::array<std::string_view, 8> panel_names{"positions", "velocities", "joints",  "gaps",
                                                      "forces",    "impulses",   "impacts", "energy"};

constexpr OptionRow rows[] = {
    {"--out", "FILE", "picture to write, .svg or .png; default: the results' name with .svg"},
    {"--only", "NAME,...", "only coordinates and joints whose names begin with one of these"},
    {"--panels", "NAME,...", "only these of positions, velocities, joints, gaps, forces, impulses, impacts, energy"},
    {"--force", "", "overwrite files that exist"},
    {"--json", "", "print one JSON object and nothing else"},
};

constexpr std::size_t most_curves = 12;  // of one panel; a bar of a thousand nodes is not readable
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// A panel of the picture, and the name by which --panels chooses it.
struct NamedPanel {
  std::string name;
  study::Panel panel;
};

// What the file has. Curves share its columns.
struct Tables {
  const io::ResultsReader& results;
  std::shared_ptr<const io::FrameTable> frames;
  study::Axis time;

  study::Column column(const std::vector<double>& of_frames, std::size_t first = 0, std::size_t stride = 1) const {
    return {std::shared_ptr<const std::vector<double>>(frames, &of_frames), first, stride};
  }
  const std::vector<io::NamedUnit>& pairs() const { return results.names().pairs; }
  std::size_t drawn_pairs() const { return std::min(pairs().size(), most_curves); }
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names = parts_of(list);
  std::erase(names, "");
  return names;
}

// One panel for each unit: metres and radians have no axis in common. That of generalised coordinates is not known.
struct Columns {
  std::string name, label;
  const std::vector<io::NamedUnit>& names;
  std::shared_ptr<const std::vector<double>> values;  // of all names, frame by frame
  std::vector<bool> hidden = {};                      // by name; empty: none is
};
std::vector<NamedPanel> columns(const Tables& tables, const Columns& list, const std::vector<std::string>& only) {
  const auto& [name, label, names, values, hidden] = list;
  std::vector<NamedPanel> panels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!hidden.empty() && hidden[i]) continue;
    const std::string& title = names[i].name;
    const std::string unit = names[i].unit == "1/s" ? "" : names[i].unit;
    const auto begins = [&](const std::string& prefix) { return title.starts_with(prefix); };
    if (!only.empty() && std::ranges::none_of(only, begins)) continue;
    auto found = std::ranges::find(panels, unit, [](const NamedPanel& entry) { return entry.panel.y.unit; });
    if (found == panels.end())
      found = panels.insert(found, {name, {"", tables.time, {.label = label, .unit = unit}, {}}});
    if (found->panel.curves.size() == most_curves) continue;
    const study::Column t = tables.column(tables.frames->t), column{values, i, names.size()};
    found->panel.curves.push_back({title, study::Points{t, column}});
  }
  return panels;
}

// Two panels with a curve for each contact pair: the limits of angles, whose gaps are in rad, have a unit of their own.
struct PairPanels {
  std::string name, label, unit, angular_unit;
  study::Style style = study::Style::lines;
};
std::vector<NamedPanel> by_pair(const Tables& tables, const PairPanels& kind, std::vector<study::Points> points) {
  const auto empty = [&](const std::string& unit) {
    return NamedPanel{kind.name, {"", tables.time, {.label = kind.label, .unit = unit}, {}}};
  };
  std::vector<NamedPanel> panels{empty(kind.unit), empty(kind.angular_unit)};
  for (std::size_t pair = 0; pair < points.size(); ++pair) {
    const auto& [name, unit] = tables.pairs()[pair];
    panels[unit == "rad" ? 1 : 0].panel.curves.push_back({name, std::move(points[pair]), kind.style});
  }
  return panels;
}

// The same value for each pair and frame, to begin with.
std::vector<std::vector<double>> for_frames(const Tables& tables, double value) {
  return std::vector(tables.drawn_pairs(), std::vector(tables.frames->t.size(), value));
}

std::vector<study::Points> over_frames(const Tables& tables, std::vector<std::vector<double>> values) {
  std::vector<study::Points> points;
  for (std::vector<double>& column : values)
    points.push_back({tables.column(tables.frames->t), study::Column::of(std::move(column))});
  return points;
}

void lower(double& gap, double found) {
  if (!(gap <= found)) gap = found;
}

// The smallest gap of each pair. The file has those of active contacts; the scene in it tells the others.
std::vector<study::Points> gaps(const Tables& tables, const io::ContactTable& contacts) {
  std::vector<std::vector<double>> smallest = for_frames(tables, none);
  if (tables.results.info().scene_text.empty() || tables.pairs().size() > most_curves) {
    for (std::size_t i = 0; i < contacts.frame.size(); ++i)
      if (contacts.pair[i] < smallest.size())
        lower(smallest[contacts.pair[i]][static_cast<std::size_t>(contacts.frame[i])], contacts.gap[i]);
    return over_frames(tables, std::move(smallest));
  }
  const System system = system_of(tables.results, scene_of(tables.results));
  const auto nq = static_cast<std::size_t>(system.nq());
  ContactSet found;
  for (std::size_t frame = 0; frame < tables.frames->t.size(); ++frame) {
    system.detect(tables.frames->t[frame], std::span(tables.frames->q).subspan(frame * nq, nq), any_gap, found);
    for (const Contact& contact : found.contacts) lower(smallest[contact.key.pair][frame], contact.gap);
  }
  return over_frames(tables, std::move(smallest));
}

// Normal forces of contacts that persist. At an impact impulse / h is no force: the curve is open there.
std::vector<study::Points> forces(const Tables& tables, const io::ContactTable& contacts) {
  std::vector<std::vector<double>> sums = for_frames(tables, 0.0);
  for (std::size_t i = 0; i < contacts.frame.size(); ++i)
    if (contacts.pair[i] < sums.size())
      sums[contacts.pair[i]][static_cast<std::size_t>(contacts.frame[i])] +=
          contacts.impact[i] == 0 ? contacts.force[3 * i] : none;
  return over_frames(tables, std::move(sums));
}

// Every impact of the run, also of steps between frames: a column of the events, as numbers above zero.
std::vector<study::Points> impacts(const Tables& tables, const io::EventTable& events,
                                   const std::vector<double>& column) {
  std::vector<std::pair<std::vector<double>, std::vector<double>>> found(tables.drawn_pairs());
  for (std::size_t i = 0; i < events.t.size(); ++i)
    if (events.pair[i] < found.size() && column[i] != 0.0) {
      found[events.pair[i]].first.push_back(events.t[i]);
      found[events.pair[i]].second.push_back(std::abs(column[i]));
    }
  std::vector<study::Points> points;
  for (auto& [t, y] : found) points.push_back({study::Column::of(std::move(t)), study::Column::of(std::move(y))});
  return points;
}

NamedPanel energy(const Tables& tables) {
  const study::Column t = tables.column(tables.frames->t);
  std::vector<double> total = tables.frames->kinetic;
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += tables.frames->potential[i];
  return {"energy",
          {"",
           tables.time,
           {.label = "energy", .unit = "J"},
           {{"kinetic", study::Points{t, tables.column(tables.frames->kinetic)}},
            {"potential", study::Points{t, tables.column(tables.frames->potential)}},
            {"total", study::Points{t, study::Column::of(std::move(total))}}}}};
}

// Every beginning that --only gives fits a coordinate, a velocity or a joint.
void require_fitting(const io::Names& names, const std::vector<std::string>& only) {
  std::vector<std::string_view> known;  // whole names and their items
  for (const auto* list : {&names.coordinates, &names.velocities})
    for (const io::NamedUnit& entry : *list) {
      const std::string_view name = entry.name;
      known.push_back(name);
      known.push_back(name.substr(0, name.rfind('.')));
    }
  for (const std::string& joint : names.joints) known.push_back(joint);
  for (const std::string& beginning : only)
    if (std::ranges::none_of(known, [&](std::string_view name) { return name.starts_with(beginning); }))
      throw UsageError("--only: no coordinate or joint begins with '" + beginning + "'" + suggestion(beginning, known));
}

std::vector<std::string> chosen_panels(const Arguments& arguments) {
  std::vector<std::string> chosen = names_in(arguments.text("--panels"));
  for (const std::string& name : chosen)
    if (std::ranges::find(panel_names, name) == panel_names.end())
      throw UsageError("--panels: there is no panel '" + name + "'" + suggestion(name, panel_names));
  if (chosen.empty()) chosen.assign(panel_names.begin(), panel_names.end());
  return chosen;
}

// Angles and slides of joints, which bodies in space have no coordinates for.
std::vector<NamedPanel> joints(const Tables& tables, const std::vector<std::string>& only) {
  if (tables.results.names().joints.empty() || tables.results.info().scene_text.empty()) return {};
  const System system = system_of(tables.results, scene_of(tables.results));
  const std::vector<io::JointColumn> columns_of_joints = io::joint_columns(system);
  if (columns_of_joints.empty()) return {};
  std::vector<io::NamedUnit> names;
  for (const io::JointColumn& column : columns_of_joints) names.push_back(column.position);
  std::vector<double> values = io::joint_values(system, columns_of_joints, *tables.frames).position;
  return columns(tables, {"joints", "joints", names, std::make_shared<const std::vector<double>>(std::move(values))},
                 only);
}

// The entries of quaternions mean nothing to who looks at them; the joints' panel has angles.
std::vector<bool> quaternions(const io::ResultsReader& results) {
  std::vector<bool> hidden(results.names().coordinates.size(), false);
  for (const io::BodyInfo& body : results.info().drawing.bodies)
    if (body.kind == BodyKind::rigid)
      for (int i = 3; i < 7; ++i) hidden[static_cast<std::size_t>(body.q0 + i)] = true;
  return hidden;
}

std::vector<NamedPanel> panels_of(const Tables& tables, const Arguments& arguments) {
  const std::vector<std::string> chosen = chosen_panels(arguments), only = names_in(arguments.text("--only"));
  const auto [results, frames, time] = tables;
  const io::Names& names = results.names();
  require_fitting(names, only);
  std::vector<NamedPanel> panels;
  const auto wanted = [&](std::string_view name) { return std::ranges::find(chosen, name) != chosen.end(); };
  const auto add = [&](std::vector<NamedPanel> more) { std::ranges::move(more, std::back_inserter(panels)); };
  const auto shared = [&](const std::vector<double>& column) { return tables.column(column).list; };
  if (wanted("positions"))
    add(columns(tables, {"positions", "positions", names.coordinates, shared(frames->q), quaternions(results)}, only));
  if (wanted("velocities"))
    add(columns(
        tables,
        {"velocities", io::velocities_are_behind(results.promises()) ? "velocities, a step behind" : "velocities",
         names.velocities, shared(frames->v)},
        only));
  if (wanted("joints")) add(joints(tables, only));
  if (!names.pairs.empty() && (wanted("gaps") || wanted("forces"))) {
    const io::ContactTable contacts = results.contacts(0, results.contact_count());
    if (wanted("gaps")) add(by_pair(tables, {"gaps", "gaps", "m", "rad"}, gaps(tables, contacts)));
    if (wanted("forces")) add(by_pair(tables, {"forces", "normal forces", "N", "N m"}, forces(tables, contacts)));
  }
  if (!names.pairs.empty() && (wanted("impulses") || wanted("impacts"))) {
    const io::EventTable events = results.events(0, results.event_count());
    const PairPanels impulses{"impulses", "impact impulses", "N s", "N m s", study::Style::impulses};
    const PairPanels speeds{"impacts", "impact speed", "m/s", "rad/s", study::Style::impulses};
    if (wanted("impulses")) add(by_pair(tables, impulses, impacts(tables, events, events.normal_impulse)));
    if (wanted("impacts")) add(by_pair(tables, speeds, impacts(tables, events, events.normal_velocity)));
  }
  if (wanted("energy")) panels.push_back(energy(tables));
  return panels;
}

std::string as_json(const std::vector<NamedPanel>& panels, long long frames, const std::string& out) {
  Json json;
  json.object().value("file", out).value("frames", frames).array("panels");
  for (const auto& [name, panel] : panels) {
    json.object().value("name", name).value("title", panel.y.label).value("unit", panel.y.unit).array("curves");
    for (const study::Curve& curve : panel.curves) json.value("", curve.title);
    json.end().end();
  }
  return json.end().end().text();
}

}  // namespace

const std::span<const OptionRow> plot_options = rows;

int plot_command(const Arguments& arguments) {
  const std::filesystem::path source = arguments.operands()[0];
  const std::string out = arguments.text("--out", source.stem().string() + ".svg");
  if (!study::picture_of(out)) throw UsageError("--out is the name of a .svg or .png file, not '" + out + "'");
  require_writable(arguments, std::array<OutputFile, 1>{{{"--out", out}}}, {source.string()});
  study::require_gnuplot();
  const io::ResultsReader results(source.string());
  if (results.frame_count() < 2) throw UsageError(source.string() + " has fewer than two frames: nothing to draw");
  const auto frames = std::make_shared<const io::FrameTable>(results.frames(0, results.frame_count()));
  const double margin = 0.01 * (frames->t.back() - frames->t.front());  // no bar hides on the frame
  const study::Interval run{frames->t.front() - margin, frames->t.back() + margin};
  const Tables tables{results, frames, {.label = "t", .unit = "s", .range = run}};

  std::vector<NamedPanel> panels = panels_of(tables, arguments);
  for (auto& [name, panel] : panels) study::erase_undrawable(panel);
  std::erase_if(panels, [](const NamedPanel& entry) { return entry.panel.curves.empty(); });
  if (panels.empty())
    throw UsageError(source.string() + ": nothing is left to draw: --only and --panels omit everything");
  study::Figure figure{.width = 800, .height = 160, .layout = study::Layout::stacked};
  for (const auto& [name, panel] : panels) figure.panels.push_back(panel);
  study::draw(figure, out);
  if (arguments.has("--json"))
    print(stdout, "%s\n", as_json(panels, static_cast<long long>(results.frame_count()), out).c_str());
  else
    print(stderr, "%s\n", printable(out).c_str());
  return 0;
}

}  // namespace esc::cli
