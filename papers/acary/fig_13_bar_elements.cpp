#include <limits>

#include "papers/acary/bar.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

void reproduce(Report& report) {
  constexpr int elements[] = {1000, 100, 10};
  constexpr BarFigures reference[] = {{1.00000, .0002, 1.002, 1.012, .942, 0.0, .9918, .093, .99480},
                                      {1.000, .0006, 1.080, 1.007, .942, 0.0, .993, not_given, .99406},
                                      {1.033, .189, 2.826, .976, .942, 0.0, .966, not_given, .97067}};
  double peak[3];
  Plot plot{"fig-13"};
  for (int i = 0; i < 3; ++i) {
    const BarCase bar{.elements = elements[i]};
    Run run = bar_run({"moreau-jean"}, bar);
    const BarFigures f = measure(run, bar);
    peak[i] = f.peak;
    const std::string n = "N = " + std::to_string(elements[i]);
    report.claim("all figures, " + n, "independent code", agrees_with(f, reference[i]));
    run.data.name = "fig-13-" + std::to_string(elements[i]);
    plot.add(n, {.label = "time [ms]", .range = Interval{0.0, 2.0}, .scale = 1e3}, {.label = "r [N]"},
             {{run.data.name, "t", "force"}});
    report.tables.push_back(run.data);
  }
  report.claim(
      "peak / r for N = 1000, 100, 10", "increases as the elements become fewer",
      {text(peak[0], 4) + ", " + text(peak[1], 4) + ", " + text(peak[2], 4), peak[0] < peak[1] && peak[1] < peak[2]});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_13() {
  return {"fig-13", "elastic bar, Moreau-Jean: contact force for N = 1000, 100, 10, h = 2e-6 s",
          "A peak appears in the contact force when the bar reaches the wall; it increases as the number of elements "
          "decreases.",
          reproduce};
}

}  // namespace esc::papers::acary
