#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"
#include "papers/bruels/pendulum.hpp"

namespace esc::papers::bruels {

namespace {

const Axis time_axis{.label = "time [s]", .range = Interval{0.0, 6.0}};

void drifts(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), theta = pendulum_run(moreau()), lazy = pendulum_run(moreau("0"));
  report.claim("alpha-ggl: largest |g| of the joint, m", "satisfied exactly", at_most(drift(alpha), 1e-12));
  report.claim("Moreau, q* = q_n: largest |g|, m", "drift (independent code: 4.63e-4)",
               near(drift(lazy), 4.63e-4, 0.02));
  report.claim("Moreau, q* = q_n + h v_n: largest |g|, m", "drift (independent code: 4.62e-4)",
               near(drift(theta), 4.62e-4, 0.02));
  keep(report, theta, "fig-12-moreau");
  keep(report, alpha, "fig-12-alpha-ggl");
  Plot plot{"fig-12"};
  plot.add("first joint row", time_axis, {.label = "g1 [m]"},
           curves("t", "g1", {{"fig-12-moreau", "Moreau"}, {"fig-12-alpha-ggl", "alpha-ggl"}}));
  report.plots.push_back(plot);
}

// Lambda1 in steps in which the wall pushes, and in the others.
std::pair<double, double> largest_impulses(const Run& run) {
  const auto P = run.data["P"], Lambda = run.data["Lambda1"];
  double pushed = 0.0, free = 0.0;
  for (std::size_t k = 1; k < P.size(); ++k) {
    double& largest = P[k] > 0.0 ? pushed : free;
    largest = std::max(largest, std::abs(Lambda[k]));
  }
  return {pushed, free};
}

void multipliers(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), theta = pendulum_run(moreau());
  const auto [pushed, free] = largest_impulses(alpha);
  report.claim("alpha-ggl: Lambda1 while the wall does not push, N s",
               "0 (up to " + text(pushed, 3) + " while it does)", at_most(free, 1e-9));
  report.claim("Moreau: Lambda1 while the wall does not push, N s", "has a continuous component",
               at_least(largest_impulses(theta).second, 1e-3));
  report.claim("impulses of the joint at three impacts, Moreau against alpha-ggl", "match quite well",
               at_most(impulses_apart(alpha, theta), 0.02));
  keep(report, theta, "fig-13-moreau");
  keep(report, alpha, "fig-13-alpha-ggl");
  Plot plot{"fig-13", 2};
  plot.add("Lambda1, alpha-ggl", time_axis, {.label = "[N s]"}, curves("t", "Lambda1", {{"fig-13-alpha-ggl", ""}}));
  plot.add("Lambda1, Moreau", time_axis, {.label = "[N s]"}, curves("t", "Lambda1", {{"fig-13-moreau", ""}}));
  plot.add("lambda1, alpha-ggl", time_axis, {.label = "[N]"}, curves("t", "lambda1", {{"fig-13-alpha-ggl", ""}}));
  plot.add("zoom on Lambda1, Moreau", time_axis, {.label = "[N s]", .range = Interval{-3e-2, 3e-2}},
           curves("t", "Lambda1", {{"fig-13-moreau", ""}}));
  report.plots.push_back(plot);
}

void swings(Report& report) {
  Plot plot{"fig-14"};
  const Axis zoom{.label = "time [s]", .range = Interval{0.4, 0.6}};
  double before = 1e9;
  for (const auto& [rho, wanted] : {std::pair{"0.8", 42.2}, {"0.4", 2.78}, {"0", 0.048}}) {
    const Run run = pendulum_run(alpha_ggl(rho), pendulum_step, 0.6);
    const double swing = swing_after_impact(run);
    report.claim(std::string("rho_inf = ") + rho + ": second differences, steps 4 to 10 after the impact, N",
                 "falls with rho (independent code: " + text(wanted) + ")",
                 both(near(swing, wanted, 0.01), at_most(swing, before)));
    before = swing;
    const std::string name = std::string("fig-14-rho-") + rho;
    keep(report, run, name);
    plot.add("rho_inf = " + std::string(rho), zoom, {.label = "lambda1 [N]"}, {{name, "t", "lambda1"}});
  }
  const double coarse = swing_later(pendulum_run(alpha_ggl(), 1e-3, 0.6)),
               fine = swing_later(pendulum_run(alpha_ggl(), 5e-4, 0.6));
  report.claim("rho_inf = 0.8: the same 10 to 20 ms after, h = 5e-4 against 1e-3 s", "falls with h: below 1",
               at_most(fine / coarse, 0.5));
  for (const char* rho : {"0", "0.4", "0.8", "1"}) {
    SchemeChoice choice = alpha_ggl(rho);
    choice.settings.push_back({"after_impact", "restart"});
    report.claim(std::string("rho_inf = ") + rho + ", after_impact = restart: the same, N",
                 "not in the paper: below 0.05",
                 at_most(swing_after_impact(pendulum_run(choice, pendulum_step, 0.6)), 0.05));
  }
  report.plots.push_back(plot);
}

void reactions(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), theta = pendulum_run(moreau());
  report.claim("alpha-ggl: error of Lambda1 / h + lambda1 until the impact, N", "by hand: physical pendulum",
               at_most(reaction_error(alpha), 1e-3));
  report.claim("Moreau: the same of Lambda1 / h", "similar results", at_most(reaction_error(theta), 0.1));
  report.claim("alpha-ggl: at rest, N", "by hand: -10", near(alpha.data["reaction1"].back(), -10.0, 1e-7));
  report.claim("Moreau: at rest, N", "similar results", near(theta.data["reaction1"].back(), -10.0, 5e-3));
  keep(report, theta, "fig-15-moreau");
  keep(report, alpha, "fig-15-alpha-ggl");
  Plot plot{"fig-15"};
  plot.add("reaction", time_axis, {.label = "[N]", .range = Interval{-30.0, 30.0}},
           curves("t", "reaction1", {{"fig-15-moreau", "Moreau"}, {"fig-15-alpha-ggl", "alpha-ggl"}}));
  report.plots.push_back(plot);
}

void corrections(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), reference = pendulum_run(alpha_ggl(), 1e-4, 6.0);
  report.claim("largest |nu1|, h = 1e-4 against 1e-3 s", "as Fig. 11: smaller for the smaller step",
               within(largest(reference, "nu1") / largest(alpha, "nu1"), 0.01, 0.3));
  keep(report, alpha, "fig-16-alpha-ggl");
  Plot plot{"fig-16"};
  plot.add("multiplier of the first joint row", time_axis, {.label = "nu1 [kg m]"},
           curves("t", "nu1", {{"fig-16-alpha-ggl", ""}}));
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_12() {
  return {"fig-12", "bouncing pendulum: joint at position level, h = 1e-3 s",
          "Moreau-Jean drifts; the nonsmooth generalized-alpha scheme satisfies the joint exactly.", drifts};
}
Reproduction fig_13() {
  return {
      "fig-13", "bouncing pendulum: multipliers of the joint, h = 1e-3 s",
      "Lambda1 of the nonsmooth generalized-alpha scheme differs from zero only while the contact is active, whereas "
      "lambda1 permanently does. Impulses of Moreau-Jean match them quite well.",
      multipliers};
}
Reproduction fig_14() {
  return {"fig-14", "bouncing pendulum: smooth reaction lambda1 for three spectral radii, h = 1e-3 s",
          "lambda1 oscillates after an impact, less for smaller spectral radii and steps; for rho = 0 not at all.",
          swings};
}
Reproduction fig_15() {
  return {"fig-15", "bouncing pendulum: reaction Lambda1 / h + lambda1 of the joint, h = 1e-3 s",
          "Moreau-Jean and the nonsmooth generalized-alpha scheme lead to similar results.", reactions};
}
Reproduction fig_16() {
  return {"fig-16", "bouncing pendulum: multiplier nu1 of the joint at position level",
          "As Fig. 11: smaller for the smaller step.", corrections};
}

}  // namespace esc::papers::bruels
