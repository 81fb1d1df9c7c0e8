#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"
#include "papers/bruels/pendulum.hpp"

namespace esc::papers::bruels {

namespace {

const Axis time_axis{.label = "time [s]", .range = Interval{0.0, 6.0}};
const Axis late{.label = "time [s]", .range = Interval{4.0, 6.0}};

// The same column of Moreau-Jean, of the proposed scheme and of the latter at a tenth of the step.
void draw(Report& report, const std::string& figure, const std::string& column, const Axis& y, const Axis& zoom) {
  keep(report, pendulum_run(moreau()), figure + "-moreau");
  keep(report, pendulum_run(alpha_ggl()), figure + "-alpha-ggl");
  const std::string theta = figure + "-moreau", alpha = figure + "-alpha-ggl";
  const std::vector<Curve> both{{theta, "t", column, "Moreau"}, {alpha, "t", column, "alpha-ggl"}};
  Plot plot{figure, 2};
  plot.add(column, time_axis, y, both);
  plot.add("zoom", late, zoom, both);
  report.plots.push_back(plot);
}

void gap(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl());
  report.claim("alpha-ggl: least gap, m", "exactly satisfied", at_least(smallest(alpha, "gap"), -1e-12));
  for (const auto& [look_ahead, place, wanted] : {std::tuple{"0", "q_n", -2.6e-3}, {"1", "q_n + h v_n", -2.2e-6}})
    report.claim(std::string("Moreau, q* = ") + place + ": least gap, m", "independent code: " + text(wanted),
                 near(smallest(pendulum_run(moreau(look_ahead)), "gap"), wanted, 0.03));
  report.claim("alpha-ggl: at rest", "x = -y = sqrt(2)/2; 10 and -10 N", pendulum_rests(alpha));
  draw(report, "fig-8", "gap", {.label = "gap [m]"}, {.label = "gap [m]", .range = Interval{-2e-3, 2e-2}});
}

void velocity_and_energy(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), theta = pendulum_run(moreau());
  report.claim("alpha-ggl: energy at the end, J", "by hand: -7.0710678",
               near(alpha.data["energy.total"].back(), -7.0710678, 1e-7));
  report.claim("alpha-ggl: largest rise of the energy in a step, J", "independent code: 1.1e-4",
               within(largest_rise(alpha), 5e-5, 1.5e-4));
  report.claim("Moreau: height at the end, m", "independent code: -0.70638",
               near(theta.data["y"].back(), -0.70638, 1e-5));
  keep(report, theta, "fig-9-moreau");
  keep(report, alpha, "fig-9-alpha-ggl");
  Plot plot{"fig-9", 2};
  plot.add("velocity along x", time_axis, {.label = "v [m/s]"},
           curves("t", "vx", {{"fig-9-moreau", "Moreau"}, {"fig-9-alpha-ggl", "alpha-ggl"}}));
  plot.add("energy", time_axis, {.label = "energy [J]"},
           curves("t", "energy.total", {{"fig-9-moreau", "Moreau"}, {"fig-9-alpha-ggl", "alpha-ggl"}}));
  report.plots.push_back(plot);
}

void impulses(Report& report) {
  constexpr Impulse coarse[] = {{0.487, 11.74022}, {1.282, 9.36909}, {1.950, 7.46280}};
  constexpr Impulse fine[] = {{0.4862, 11.73525}, {1.2813, 9.38572}, {1.9512, 7.50551}};
  const Run alpha = pendulum_run(alpha_ggl()), reference = pendulum_run(alpha_ggl(), 1e-4, 6.0);
  report.claim("alpha-ggl: first three impulses", "independent code", has_impulses(alpha, coarse, 1e-5));
  report.claim("the same at h = 1e-4 s", "independent code", has_impulses(reference, fine, 1e-5));
  report.claim("the first at h = 1e-4 s, N s", "by hand: 11.734666", near(at(reference, "P", 0.4862), 11.734666, 1e-3));
  report.claim("Lambda at rest, h = 1e-3 and 1e-4 s: ratio", "10",
               near(alpha.data["P"].back() / reference.data["P"].back(), 10.0, 1e-6));
  report.claim("Moreau: Lambda / h at the end, N", "independent code: 10.013",
               near(pendulum_run(moreau()).data["P"].back() / pendulum_step, 10.013, 1e-3));
  draw(report, "fig-10", "P", {.label = "Lambda [N s]"}, {.label = "Lambda [N s]", .range = Interval{0.0, 4e-2}});
}

void corrections(Report& report) {
  const Run alpha = pendulum_run(alpha_ggl()), reference = pendulum_run(alpha_ggl(), 1e-4, 6.0);
  report.claim("alpha-ggl: least nu, kg m", "only positive", at_least(smallest(alpha, "nu"), 0.0));
  report.claim("largest nu, h = 1e-4 against 1e-3 s", "smaller for the reference",
               within(largest(reference, "nu") / largest(alpha, "nu"), 0.01, 0.3));
  draw(report, "fig-11", "nu", {.label = "nu [kg m]"}, {.label = "nu [kg m]", .range = Interval{0.0, 1e-4}});
}

}  // namespace

Reproduction fig_8() {
  return {"fig-8", "bouncing pendulum: gap distance, h = 1e-3 s",
          "Both schemes represent the accumulation; the gap is exactly satisfied by the nonsmooth generalized-alpha "
          "scheme, "
          "not by Moreau-Jean.",
          gap};
}
Reproduction fig_9() {
  return {"fig-9", "bouncing pendulum: velocity and energy, h = 1e-3 s",
          "Jumps in velocity, energy that falls in steps.", velocity_and_energy};
}
Reproduction fig_10() {
  return {"fig-10", "bouncing pendulum: impulse of the wall, h = 1e-3 and 1e-4 s",
          "Impulses and, once the contact is closed, a force Lambda / h: there Lambda is ten times smaller for the "
          "reference, which has a ten times smaller step.",
          impulses};
}
Reproduction fig_11() {
  return {"fig-11", "bouncing pendulum: multiplier nu of the gap", "nu is smaller for the smaller step.", corrections};
}

}  // namespace esc::papers::bruels
