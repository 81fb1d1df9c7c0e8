#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  Plot plot{"fig-25"};
  for (const char* scheme : {"moreau-jean", "direct-projected", "combined-projection"}) {
    Run run = crank_run({scheme}, {.step = 1e-4, .until = 0.2});
    const std::string name = scheme;
    if (name == "moreau-jean")
      report.claim(name + ": violation, m", "large, at the kinks (independent code: 1.0510e-4)",
                   near(violation(run), 1.0510e-4, 1e-3));
    else
      report.claim(name + ": violation, m", "no more violations", at_most(violation(run), 1e-10));
    report.claim(name + ": crank revolutions in 0.2 s", "2.8781 in the limit", reaches_revolutions(run, 5e-3));
    report.claim(name + ": tilt of the slider, rad", "a pure translation", is_pure_translation(run));
    run.data.name = "fig-25-" + name;
    plot.add(name, {.label = "x [m]"}, {.label = "y [mm]", .range = Interval{-1.2, 1.2}, .scale = 1e3},
             {{run.data.name, "x", "y"}});
    report.tables.push_back(std::move(run.data));
  }
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_25() {
  return {"fig-25", "portrait of the slider (y over x) for three schemes, h = 1e-4 s",
          "Moreau-Jean violates the constraints visibly where the corners hit the guide; the projected schemes do not.",
          reproduce};
}

}  // namespace esc::papers::acary
