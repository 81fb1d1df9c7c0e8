#include "papers/bruels/bar.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

namespace {

const Axis time_axis{.label = "time [s]", .range = Interval{0.0, 1.5}};

// The column of the exact solution, of Moreau-Jean and of the proposed scheme.
std::vector<Curve> keep_all(Report& report, const std::string& figure, const std::string& column) {
  Table exact = exact_bar();
  exact.name = figure + "-exact";
  report.tables.push_back(std::move(exact));
  keep(report, bar_run(moreau()), figure + "-moreau");
  keep(report, bar_run(alpha_ggl()), figure + "-alpha-ggl");
  keep(report, bar_run(smooth()), figure + "-smooth");
  return {{figure + "-exact", "t", column, "exact"},
          {figure + "-smooth", "t", column, "smooth"},
          {figure + "-moreau", "t", column, "Moreau"},
          {figure + "-alpha-ggl", "t", column, "alpha-ggl"}};
}

void gap(Report& report) {
  const BarFigures alpha = measure(bar_run(alpha_ggl()));
  report.claim("alpha-ggl: gap in contact, m", "closed contact", at_most(alpha.gap, 1e-12));
  report.claim("alpha-ggl: duration of the contact, s", "2/3", near(alpha.duration, 2.0 / 3.0, 0.01));
  for (const auto& [look_ahead, place, wanted] : {std::tuple{"0", "q_n", 2.39e-2}, {"1", "q_n + h v_n", 3.9e-3}})
    report.claim(std::string("Moreau, q* = ") + place + ": penetration, m",
                 "some penetration (independent code: " + text(wanted) + ")",
                 near(measure(bar_run(moreau(look_ahead))).deepest, wanted, 0.02));
  const BarFigures third = measure(bar_run(smooth()));
  report.claim("smooth index-3: penetration, m", "none at the ends of the steps", at_most(third.deepest, 1e-12));
  report.claim("smooth index-3: largest gap between its first and last impulse, m",
               "some oscillations (independent code: 9.8e-3)", near(third.bounce, 9.8e-3, 0.02));
  Plot plot{"fig-17", 2};
  const auto all = keep_all(report, "fig-17", "gap");
  plot.add("gap distance", time_axis, {.label = "gap [m]"}, all);
  plot.add("zoom", {.label = "time [s]", .range = Interval{0.45, 1.25}},
           {.label = "gap [m]", .range = Interval{-1e-2, 2e-2}}, all);
  report.plots.push_back(plot);
}

void velocity_and_energy(Report& report) {
  const BarFigures alpha = measure(bar_run(alpha_ggl())), theta = measure(bar_run(moreau()));
  report.claim("alpha-ggl: |v| in contact, m/s", "satisfied", at_most(alpha.speed, 1e-12));
  report.claim("Moreau: |v| in contact, m/s", "satisfied", at_most(theta.speed, 1e-12));
  report.claim("alpha-ggl: energy at 1.5 s, J", "independent code: 497.5441", near(alpha.energy, 497.5441, 1e-5));
  report.claim("Moreau: energy at 1.5 s, J", "independent code: 476.9237", near(theta.energy, 476.9237, 1e-5));
  report.claim("alpha-ggl: more energy than Moreau after the impact, J", "less dissipation",
               at_least(alpha.energy - theta.energy, 1.0));
  report.claim("alpha-ggl: largest rise of the energy in a step, J", "independent code: 2.1e-5",
               at_most(alpha.rise, 2.1e-5));
  const double damped = measure(bar_run(alpha_ggl("0"))).energy;
  report.claim("alpha-ggl, rho_inf = 0: energy at 1.5 s, J", "independent code: 487.9332",
               near(damped, 487.9332, 1e-5));
  const BarFigures third = measure(bar_run(smooth()));
  report.claim("smooth index-3: largest |v| in contact, m/s", "not satisfied (independent code: 13.6)",
               near(third.speed, 13.6, 0.01));
  report.claim("smooth index-3: largest rise of the energy in a step, J", "not monotonous (independent code: 3.47)",
               near(third.rise, 3.47, 0.01));
  report.claim("smooth index-3: largest energy, J", "not monotonous (independent code: 502.7)",
               near(third.highest, 502.7, 1e-3));
  report.claim("smooth index-3: energy at 1.5 s, J", "independent code: 497.8042", near(third.energy, 497.8042, 1e-5));
  Plot plot{"fig-18", 2};
  plot.add("velocity", time_axis, {.label = "v [m/s]"}, keep_all(report, "fig-18", "v"));
  plot.add("energy", time_axis, {.label = "energy [J]"},
           curves("t", "energy.total",
                  {{"fig-18-smooth", "smooth"}, {"fig-18-moreau", "Moreau"}, {"fig-18-alpha-ggl", "alpha-ggl"}}));
  report.plots.push_back(plot);
}

void forces(Report& report) {
  const BarFigures alpha = measure(bar_run(alpha_ggl())), theta = measure(bar_run(moreau()));
  report.claim("alpha-ggl: first forces", "independent code",
               first_forces(alpha, {215.06297527, 307.99574896, 308.30289762}));
  report.claim("Moreau: first forces", "independent code", first_forces(theta, {181.62079, 275.29888, 314.42030}));
  report.claim("alpha-ggl: mean force, N", "exact: 300", near(alpha.mean, 300.0, 1e-5));
  report.claim("Moreau: mean force, N", "exact: 300", near(theta.mean, 300.0, 1e-5));
  report.claim("alpha-ggl: deviation of the force / 300", "independent code: 1e-4",
               at_most(alpha.deviation / 300.0, 2e-4));
  const BarFigures third = measure(bar_run(smooth()));
  report.claim("smooth index-3: first forces", "independent code",
               first_forces(third, {491.03640, 12.35942, 695.91918}));
  report.claim("smooth index-3: mean force, N", "independent code: 300.2", near(third.mean, 300.2, 1e-3));
  report.claim("smooth index-3: deviation of the force / 300",
               "significant spurious oscillations (independent code: 0.111)",
               near(third.deviation / 300.0, 0.111, 0.02));
  Plot plot{"fig-19", 2};
  const auto all = keep_all(report, "fig-19", "force");
  plot.add("contact force", time_axis, {.label = "Lambda / h [N]"}, all);
  plot.add("zoom", {.label = "time [s]", .range = Interval{0.49, 0.56}}, {.label = "Lambda / h [N]"}, all);
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_17() {
  return {"fig-17", "elastic bar, 200 elements, h = 2e-3 s: gap distance",
          "All represent the closed contact during a finite interval; the smooth scheme oscillates, Moreau-Jean "
          "penetrates a little.",
          gap};
}
Reproduction fig_18() {
  return {"fig-18", "elastic bar: velocity and energy",
          "Both nonsmooth schemes hold the constraint at velocity level, the smooth one does not, and its energy is "
          "not monotonous; the "
          "nonsmooth generalized-alpha scheme dissipates less than Moreau-Jean.",
          velocity_and_energy};
}
Reproduction fig_19() {
  return {"fig-19", "elastic bar: contact force",
          "Significant spurious oscillations with the smooth scheme, stable with both nonsmooth ones.", forces};
}

}  // namespace esc::papers::bruels
