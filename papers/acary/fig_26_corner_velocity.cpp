#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  Plot plot{"fig-26", 2};
  const Axis velocity{.label = "U_1 [m/s]"};
  for (const char* scheme : {"moreau-jean", "direct-projected", "combined-projection"}) {
    Run run = crank_run({scheme}, {.step = 1e-4, .until = 0.02});
    const std::string name = scheme;
    const CornerVelocity v = corner_velocity(run);
    if (name == "direct-projected")
      report.claim(name + ", revolutions 0.15 to 0.25", "oscillatory artifacts", oscillates(v));
    else
      report.claim(name + ", revolutions 0.15 to 0.25", "smooth", is_smooth(v));
    run.data.name = "fig-26-" + name;
    plot.add(name, {.label = "crank revolutions", .range = Interval{0.0, 0.25}}, velocity,
             {{run.data.name, "revolutions", "U_1"}});
    plot.add(name, {.label = "crank revolutions", .range = Interval{0.15, 0.25}},
             {.label = "U_1 [m/s]", .range = Interval{-0.06, 0.06}}, {{run.data.name, "revolutions", "U_1"}});
    report.tables.push_back(std::move(run.data));
  }
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_26() {
  return {
      "fig-26", "relative velocity of corner 1 over the crank revolution for three schemes, h = 1e-4 s",
      "With Moreau-Jean and with the combined scheme the velocity settles smoothly; with the direct projected scheme "
      "it oscillates while the contact should be closed.",
      reproduce};
}

}  // namespace esc::papers::acary
