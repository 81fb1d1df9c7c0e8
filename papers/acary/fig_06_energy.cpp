#include <numbers>

#include "papers/acary/ball.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void add_panel(Report& report, Plot& plot, const SchemeChoice& scheme, const BallCase& ball) {
  const bool ties = ball.velocity == 0.0;
  Run run = ball_run(scheme, ball);
  run.data.name = "fig-6-" + std::to_string(plot.panels.size() + 1);
  const std::string theta = scheme.settings[0].value, forecast = scheme.settings[1].value;
  plot.add("theta = " + theta + (forecast == "free" ? ", (62)" : ", (61)") +
               (ties ? ", h = 5e-2, v0 = 0" : ", h = 5e-2 / sqrt 2, v0 = -0.3"),
           {.label = "time [s]", .range = Interval{0.0, 5.0}}, {.label = "energy [J]", .range = Interval{0.0, 2.5}},
           energy_curves(run.data.name));
  report.tables.push_back(std::move(run.data));
}

void reproduce(Report& report) {
  const BallCase ball{.h = 5e-2 / std::numbers::sqrt2, .until = 10.0};
  const EnergySteps direct = energy_steps(ball_run({"direct-projected"}, ball));
  report.claim("direct projected: energy over a step, J", "increases at projections", projection_gains(direct));
  report.claim("largest increase of a step, J", "independent code: 0.0928301",
               near_absolute(direct.largest_increase, .0928301, 1e-6));
  report.claim("highest energy (start 2.045), J", "independent code: 2.1378301",
               near_absolute(direct.highest, 2.1378301, 1e-6));
  const EnergySteps combined = energy_steps(ball_run({"combined-projection"}, ball));
  report.claim("combined: energy over a step", "no increase (section 1)", never_gains(combined));
  report.claim("combined: energy at the end, J", "0", at_most(combined.end, 1e-12));
  report.show(
      "direct projected, h = 5e-2, v0 = 0: largest increase, J", "read from the figure",
      text(energy_steps(ball_run({"direct-projected"}, {.h = 5e-2, .until = 10.0, .velocity = 0.0})).largest_increase),
      "Impacts fall exactly on grid times and round-off decides; the lines above have no ties.");
  Plot plot{"fig-6", 2};
  for (const char* forecast : {"position", "free"})
    for (const char* theta : {"0.5", "1"})
      for (const BallCase& start : {BallCase{.h = 5e-2, .until = 10.0, .velocity = 0.0}, ball})
        add_panel(report, plot, {"direct-projected", {{"theta", theta}, {"forecast", forecast}}}, start);
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_6() {
  return {
      "fig-6", "energy of the ball with the direct projected scheme, e = 1/2, h = 5e-2 s",
      "Each projection affects the energy balance: the potential energy increases at the instants of the projection.",
      reproduce};
}

}  // namespace esc::papers::acary
