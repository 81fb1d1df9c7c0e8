#include <limits>

#include "papers/acary/bar.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

void reproduce(Report& report) {
  constexpr double steps[] = {2e-5, 2e-6, 2e-7, 2e-8};
  double peak[4];
  Plot plot{"fig-14", 2};
  for (int i = 0; i < 4; ++i) {
    const BarCase bar{.elements = 100, .h = steps[i]};
    Run run = bar_run({"moreau-jean"}, bar);
    const BarFigures f = measure(run, bar);
    peak[i] = f.peak;
    const std::string h = "h = " + text(steps[i]) + " s";
    if (steps[i] == 2e-6)
      report.claim("all figures, " + h, "independent code",
                   agrees_with(f, {1.000, .0006, 1.080, 1.007, .942, 0.0, .993, not_given, .99406}));
    if (steps[i] == 2e-7)
      report.claim("all figures, " + h, "independent code",
                   agrees_with(f, {1.0013, .063, 2.826, .994, .916, 0.0, .993, .162, .99707}));
    run.data.name = "fig-14-" + text(steps[i]);
    plot.add(h, {.label = "time [ms]", .range = Interval{0.0, 2.0}, .scale = 1e3}, {.label = "r [N]"},
             {{run.data.name, "t", "force"}});
    report.tables.push_back(thinned(run.data, "force", 2000));
  }
  report.claim("peak / r for h = 2e-5, 2e-6, 2e-7, 2e-8", "increases as the time step decreases",
               {text(peak[0], 4) + ", " + text(peak[1], 4) + ", " + text(peak[2], 4) + ", " + text(peak[3], 4),
                peak[0] < peak[1] && peak[1] < peak[2] && peak[2] < peak[3]});
  report.claim("peak x h: the impulse of the impact, N s", "finite: in the limit the force is infinite",
               near(peak[3] * steps[3], peak[2] * steps[2], 0.2));
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_14() {
  return {"fig-14", "elastic bar, Moreau-Jean: contact force for h = 2e-5 to 2e-8 s, N = 100",
          "The peak of the contact force increases as the time step decreases, for a constant number of elements: the "
          "impact of a system of finite freedom. The impulse is the right unknown.",
          reproduce};
}

}  // namespace esc::papers::acary
