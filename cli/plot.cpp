#include <cstdio>
#include <filesystem>

#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/gnuplot.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--out", "FILE", "picture to write, .svg or .png; default: the results' name with .svg"},
    {"--only", "NAME,...", "only coordinates whose names begin so"},
    {"--force", "", "overwrite files that exist"},
};

constexpr std::size_t most_curves = 12;  // of one panel; a bar of a thousand nodes is not readable

struct Curve {
  std::string name;
  std::vector<double> values;  // one for each frame, or none
};

struct Panel {
  std::string title, unit;
  std::vector<Curve> curves;
};

bool wanted(const std::string& name, const std::string& only) {
  if (only.empty()) return true;
  for (std::size_t begin = 0; begin <= only.size();) {
    const auto end = std::min(only.find(',', begin), only.size());
    if (end > begin && name.starts_with(only.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

Panel columns(std::string title, const std::vector<io::NamedUnit>& names, const std::vector<double>& values,
              const std::string& only) {
  Panel panel{std::move(title), names.empty() ? "" : names[0].unit, {}};
  for (std::size_t i = 0; i < names.size() && panel.curves.size() < most_curves; ++i) {
    if (!wanted(names[i].name, only)) continue;
    Curve curve{names[i].name, {}};
    for (std::size_t row = i; row < values.size(); row += names.size()) curve.values.push_back(values[row]);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

// Gap, normal velocity and normal force by contact pair; the smallest or largest of its features at a frame.
std::vector<Panel> contact_panels(const io::ResultsReader& results, std::size_t frames) {
  const io::ContactTable contacts = results.contacts(0, results.contact_count());
  const double none = std::numeric_limits<double>::quiet_NaN();
  Panel gaps{"gaps", "m", {}}, forces{"normal forces", "N", {}};
  const auto& pairs = results.names().pairs;
  for (std::size_t pair = 0; pair < pairs.size() && pair < most_curves; ++pair) {
    gaps.curves.push_back({pairs[pair], std::vector<double>(frames, none)});
    forces.curves.push_back({pairs[pair], std::vector<double>(frames, 0.0)});
  }
  for (std::size_t i = 0; i < contacts.frame.size(); ++i) {
    if (contacts.pair[i] >= gaps.curves.size()) continue;
    const auto frame = static_cast<std::size_t>(contacts.frame[i]);
    double& gap = gaps.curves[contacts.pair[i]].values[frame];
    if (!(gap <= contacts.gap[i])) gap = contacts.gap[i];
    forces.curves[contacts.pair[i]].values[frame] += contacts.force[3 * i];
  }
  return {gaps, forces};
}

std::string block_of(const Panel& panel, const std::vector<double>& t, std::size_t number) {
  std::string text = "$panel" + std::to_string(number) + " << END\n";
  char digits[32];
  for (std::size_t row = 0; row < t.size(); ++row) {
    std::snprintf(digits, sizeof digits, "%.9g", t[row]);
    text += digits;
    for (const Curve& curve : panel.curves) {
      std::snprintf(digits, sizeof digits, " %.9g", curve.values[row]);
      text += digits;
    }
    text += "\n";
  }
  return text + "END\n";
}

std::string plot_of(const Panel& panel, std::size_t number) {
  std::string text = "set ylabel '" + panel.title + (panel.unit.empty() ? "" : " [" + panel.unit + "]") + "'\nplot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    text += (i > 0 ? ", " : "") + std::string("$panel") + std::to_string(number) + " using 1:" + std::to_string(i + 2) +
            " with lines title '" + panel.curves[i].name + "' noenhanced";
  return text + "\n";
}

}  // namespace

const std::span<const OptionRow> plot_options = rows;

int plot_command(const Arguments& arguments) {
  const std::filesystem::path source = arguments.operands()[0];
  const std::string out = arguments.text("--out", source.stem().string() + ".svg");
  const bool png = out.ends_with(".png");
  if (!png && !out.ends_with(".svg")) throw UsageError("--out is the name of a .svg or .png file, not '" + out + "'");
  refuse_overwriting(arguments, out);
  require_gnuplot(out);
  const io::ResultsReader results(source.string());
  if (results.frame_count() < 2) throw UsageError(source.string() + " has fewer than two frames: nothing to draw");
  const io::FrameTable frames = results.frames(0, results.frame_count());
  const std::string only = arguments.text("--only");
  std::vector<Panel> panels{columns("positions", results.names().coordinates, frames.q, only),
                            columns("velocities", results.names().velocities, frames.v, only)};
  if (results.contact_count() > 0)
    for (Panel& panel : contact_panels(results, frames.t.size())) panels.push_back(std::move(panel));
  Panel energy{
      "energy", "J", {{"kinetic", frames.kinetic}, {"potential", frames.potential}, {"total", frames.kinetic}}};
  for (std::size_t i = 0; i < frames.t.size(); ++i) energy.curves[2].values[i] += frames.potential[i];
  panels.push_back(std::move(energy));
  std::erase_if(panels, [](const Panel& panel) { return panel.curves.empty(); });

  std::string script = std::string("set terminal ") + (png ? "pngcairo" : "svg") + " size 800," +
                       std::to_string(240 * panels.size()) + " background rgb 'white'\nset output '" + out +
                       "'\nset grid\nset key outside right\nset xlabel 't [s]'\nset xrange [" +
                       std::to_string(frames.t.front()) + ":" + std::to_string(frames.t.back()) + "]\n";
  for (std::size_t i = 0; i < panels.size(); ++i) script += block_of(panels[i], frames.t, i);
  script += "set multiplot layout " + std::to_string(panels.size()) + ",1\n";
  for (std::size_t i = 0; i < panels.size(); ++i) script += plot_of(panels[i], i);
  gnuplot(script + "unset multiplot\n");
  std::fprintf(stderr, "%s\n", out.c_str());
  return 0;
}

}  // namespace esc::cli
