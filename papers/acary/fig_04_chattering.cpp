#include <numbers>

#include "papers/acary/ball.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

std::string cycle_text(const Cycle& cycle) {
  std::string out = "v =";
  for (const double v : cycle.v) out += ' ' + text(v, 5);
  return out + ", mean force 2";
}

void add_case(Report& report, const std::string& gamma, const std::string& theta, const BallCase& ball) {
  const Cycle cycle = direct_cycle(ball, std::stod(gamma), std::stod(theta));
  const Run run = ball_run({"direct-projected", {{"gamma", gamma}, {"theta", theta}}}, ball);
  report.claim("gamma = " + gamma + ", theta = " + theta + ", h = " + text(ball.h, 4) + ", v0 = " + text(ball.velocity),
               "chatters for ever (by hand: " + cycle_text(cycle) + ")", chatters(run, cycle, ball));
}

void add_panels(Report& report, Plot& plot, const std::string& gamma) {
  Run run = ball_run({"direct-projected", {{"gamma", gamma}}}, {.h = 5e-2, .until = 8.0, .velocity = 0.0});
  run.data.name = "fig-4-gamma-" + gamma;
  const Axis time{.label = "time [s]", .range = Interval{0.0, 5.0}};
  plot.add("position, gamma = " + gamma, time, {.label = "q [m]"}, {{run.data.name, "t", "q"}});
  plot.add("velocity, gamma = " + gamma, time, {.label = "v [m/s]"}, {{run.data.name, "t", "v"}});
  report.tables.push_back(std::move(run.data));
}

void reproduce(Report& report) {
  const BallCase printed{.h = 5e-2, .until = 8.0, .velocity = 0.0};
  const BallCase without_ties{.h = 5e-2 / std::numbers::sqrt2, .until = 8.0};
  Plot plot{"fig-4", 2};
  for (const char* gamma : {"0", "1", "2"}) {
    for (const char* theta : {"0.5", "1"}) {
      add_case(report, gamma, theta, printed);
      add_case(report, gamma, theta, without_ties);
    }
    add_panels(report, plot, gamma);
  }
  report.claim("combined scheme, the same start", "no chattering (section 5)",
               comes_to_rest(ball_run({"combined-projection"}, printed), 6.0, 1e-10));
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_4() {
  return {"fig-4", "chattering of the direct projected scheme with the explicit forecast (61), ball, h = 5e-2 s",
          "After the accumulation of impacts the ball does not come to rest, whatever gamma: the projection brings the "
          "energy that the impact dissipates, and the force does not converge to the weight.",
          reproduce};
}

}  // namespace esc::papers::acary
