#include "papers/acary/consistency.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

struct Example {
  Impact impact;
  const char* name;
};

void reproduce(Report& report) {
  Plot plot{"proposition-2", 2};
  const Axis h{.label = "h [s]", .logarithmic = true};
  for (const Example& example : {Example{Impact::ball, "ball"}, Example{Impact::oscillator, "oscillator"}}) {
    const std::string name = "proposition-2-" + std::string(example.name);
    Table table{name, {}};
    std::vector<Curve> q, v;
    for (const char* scheme : {"direct-projected", "combined-projection"}) {
      const std::string label = std::string(scheme) + ", " + example.name;
      const LocalErrors errors = local_errors({scheme}, example.impact);
      report.claim(label + ": e_q of one step", "O(h)", position_error_is_of_first_order(errors));
      report.claim(label + ": e_v of one step", "O(1)", velocity_error_is_bounded(errors));
      if (table.columns.empty()) table.columns.push_back({"h", "s", errors.h});
      table.columns.push_back({std::string(scheme) + ".e_q", "m", errors.q});
      table.columns.push_back({std::string(scheme) + ".e_v", "m/s", errors.v});
      q.push_back({name, "h", std::string(scheme) + ".e_q", scheme, Style::linespoints});
      v.push_back({name, "h", std::string(scheme) + ".e_v", scheme, Style::linespoints});
      if (scheme == std::string("direct-projected"))
        report.claim(label + ": e_v is not better than that", "at least O(1)", velocity_error_stays(errors));
    }
    plot.add(std::string(example.name) + ": position", h, {.label = "e_q [m]", .logarithmic = true}, q);
    plot.add(std::string(example.name) + ": velocity", h, {.label = "e_v [m/s]", .logarithmic = true}, v);
    report.tables.push_back(table);
  }
  report.plots.push_back(plot);
}

}  // namespace

Reproduction proposition_2() {
  return {"proposition-2", "one step from the exact state across an impact, 16 phases of the impact in the step",
          "The local error of the projected schemes is O(h) in the coordinates and at least O(1) in the velocities.",
          reproduce};
}

}  // namespace esc::papers::acary
