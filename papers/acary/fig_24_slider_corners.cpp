#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  Plot plot{"fig-24"};
  const Axis x{.label = "crank revolutions", .range = Interval{0.0, 2.0}};
  for (const double h : {1e-4, 1e-5, 1e-6}) {
    const Run run = crank_run({"moreau-jean"}, {.step = h, .until = 0.2, .certify = h > 5e-6});
    const std::string at = ", h = " + text(h);
    report.claim("corners 1 and 2, 3 and 4 apart, / c" + at, "identical", corners_move_alike(run));
    report.claim("violation, m" + at, "proportional to the time step", violates_in_proportion(run, h));
    if (h == 1e-4)
      report.claim("violation, m" + at, "independent code: 1.0510e-4", near(violation(run), 1.0510e-4, 1e-3));
    report.tables.push_back(thinned(run.data, "corner_1", 2000));
    report.tables.back().name = "fig-24-" + text(h);
    plot.add("h = " + text(h) + " s", x, {.label = "y / c", .range = Interval{-1.2, 1.8}},
             {{report.tables.back().name, "revolutions", "corner_1", "corner 1"},
              {report.tables.back().name, "revolutions", "corner_3", "corner 3"}});
  }
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_24() {
  return {"fig-24", "dimensionless motion of the slider's corners, Moreau-Jean, h = 1e-4 to 1e-6 s",
          "The motions of the four corners are identical. The violation of the constraints is proportional to the time "
          "step.",
          reproduce, true};
}

}  // namespace esc::papers::acary
