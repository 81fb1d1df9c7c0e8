#include "papers/acary/bar.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const BarCase bar{.elements = 100, .h = 2e-6, .e = 0.95};
  const Run run = bar_run({"moreau-jean"}, bar);
  const BarFigures f = measure(run, bar);
  report.claim("largest speed in contact / v0", "the contact velocity oscillates", near_absolute(f.speed, .9025, 1e-3));
  report.claim("all figures", "independent code",
               agrees_with(f, {1.0007, .055, 1.495, 1.007, .467, .9025, .993, .096, .99711}));
  add_motion(report, run, "fig-15");
}

}  // namespace

Reproduction fig_15() {
  return {"fig-15", "elastic bar, Moreau-Jean with e = 0.95, N = 100, h = 2e-6 s",
          "With a coefficient of restitution the contact velocity oscillates: in the limit of fine meshes this is not "
          "the elastic bar.",
          reproduce};
}

}  // namespace esc::papers::acary
