#include "papers/acary/bar.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const BarCase bar{.h = 2e-6};
  const Run run = bar_run({"position-theta"}, bar);
  const BarFigures f = measure(run, bar);
  report.claim("penetration, m", "the constraint is perfectly satisfied", never_penetrates(run));
  report.claim("contact time", "3.8545e-4 s", has_duration(f));
  report.claim("velocity in contact", "oscillates between two values at each step", velocity_alternates(run, bar));
  report.claim("contact force, mean", "oscillates around 1271.472 N", has_plateau(f));
  report.claim("its standard deviation / r", "oscillates", near_absolute(f.force_sd, .0065, 1e-3));
  report.claim("velocity after release, mean", "around -v0 = 0.1 m/s", is_released(f));
  report.claim("its standard deviation / v0", "oscillates", near_absolute(f.after_sd, .100, 1e-3));
  report.claim("all figures", "independent code",
               agrees_with(f, {1.00004, .0065, 1.007, 1.012, 0.0, .117, .9885, .100, .99487}));
  add_motion(report, run, "fig-11");
}

}  // namespace

Reproduction fig_11() {
  return {
      "fig-11", "elastic bar, trapezoidal rule with a position-level constraint, N = 1000, h = 2e-6 s",
      "The position constraint holds perfectly, but the contact velocity oscillates between two values at each step, "
      "and so does the contact force around 1271.472 N.",
      reproduce};
}

}  // namespace esc::papers::acary
