#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const Run printed = crank_run({"moreau-jean"}, {.step = 2e-6, .until = 0.2, .certify = false});
  const Run captioned = crank_run({"moreau-jean"}, {.step = 1e-6, .until = 0.2, .certify = false});
  report.claim("crank revolutions in 0.2 s, h = 2e-6 (text)", "independent code: 2.878043",
               near_absolute(revolutions(printed), 2.878043, 1e-5));
  report.claim("crank revolutions in 0.2 s, h = 1e-6 (caption)", "independent code: 2.878071",
               near_absolute(revolutions(captioned), 2.878071, 1e-5));
  report.claim("the same, limit of small steps", "2.8781(1)", reaches_revolutions(captioned, 1e-4));
  report.claim("tilt of the slider, rad", "a pure translation", is_pure_translation(captioned));
  report.claim("energy", "corroborates the earlier results: only dissipation", energy_never_exceeds_start(captioned));
  report.claim("violation, h = 1e-6, m", "proportional to the time step", violates_in_proportion(captioned, 1e-6));

  report.tables.push_back(thinned(printed.data, "U_1", 2000));
  report.tables.back().name = "fig-23";
  const Axis x{.label = "crank revolutions", .range = Interval{0.0, 2.0}};
  Plot plot{"fig-23", 2};
  plot.add("crank", x, {.label = "angular velocity [rad/s]"}, {{"fig-23", "revolutions", "crank_rate"}});
  plot.add("connecting rod", x, {.label = "angular velocity [rad/s]"}, {{"fig-23", "revolutions", "rod_rate"}});
  plot.add("slider along the guide", x, {.label = "velocity [m/s]"}, {{"fig-23", "revolutions", "vx"}});
  plot.add("slider across the guide", x, {.label = "y / c", .range = Interval{-1.1, 1.1}},
           {{"fig-23", "revolutions", "corner_1"}});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_23() {
  return {"fig-23", "slider-crank with clearance in the guide, Moreau-Jean",
          "The motion over two revolutions agrees with the earlier study of the mechanism; the slider moves by pure "
          "translation.",
          reproduce, true};
}

}  // namespace esc::papers::acary
