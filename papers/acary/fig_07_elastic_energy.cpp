#include <cmath>
#include <numbers>

#include "papers/acary/ball.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const BallCase ball{.h = 5e-2 / std::numbers::sqrt2, .until = 10.0, .e = 1.0};
  const EnergySteps direct = energy_steps(ball_run({"direct-projected"}, ball));
  report.claim("direct projected: energy, start and end, J", "increases",
               {text(direct.start) + ", " + text(direct.end, 8), direct.end > direct.start});
  report.claim("energy at the end, J", "independent code: 2.4402565", near_absolute(direct.end, 2.4402565, 1e-6));
  report.claim("steps that gain energy", "independent code: 5", near_absolute(direct.increases, 5, 0));
  const EnergySteps moreau_jean = energy_steps(ball_run({"moreau-jean"}, ball));
  report.claim(
      "Moreau-Jean: change of the energy, J", "conservative system",
      at_most(std::max(moreau_jean.highest - moreau_jean.start, std::abs(moreau_jean.end - moreau_jean.start)), 1e-12));
  const EnergySteps combined = energy_steps(ball_run({"combined-projection"}, ball));
  report.claim("combined: energy over a step", "avoids increasing energy (section 1)", never_gains(combined));
  report.claim("combined: energy at the end, J", "independent code: 1.7216905",
               near_absolute(combined.end, 1.7216905, 1e-6));

  const BallCase printed{.h = 5e-2, .until = 10.0, .velocity = 0.0, .e = 1.0};
  Run run = ball_run({"direct-projected"}, printed);
  report.show("direct projected, h = 5e-2, v0 = 0: energy at the end (start 2), J", "increases",
              text(energy_steps(run).end),
              "Impacts fall exactly on grid times and round-off decides; the lines above have no ties.");
  run.data.name = "fig-7";
  Run tie_free = ball_run({"direct-projected"}, ball);
  tie_free.data.name = "fig-7-no-ties";
  Plot plot{"fig-7", 2};
  for (const auto& [title, table] :
       {std::pair{"h = 5e-2, v0 = 0", "fig-7"}, std::pair{"h = 5e-2 / sqrt 2, v0 = -0.3", "fig-7-no-ties"}})
    plot.add(title, {.label = "time [s]", .range = Interval{0.0, 10.0}}, {.label = "energy [J]"}, energy_curves(table));
  report.tables.push_back(std::move(run.data));
  report.tables.push_back(std::move(tie_free.data));
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_7() {
  return {"fig-7", "energy of the ball with the direct projected scheme, e = 1, h = 5e-2 s",
          "The continuous system is conservative; the total energy of the scheme increases.", reproduce};
}

}  // namespace esc::papers::acary
