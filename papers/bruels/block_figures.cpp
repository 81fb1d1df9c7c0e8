#include "papers/bruels/block.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

namespace {

const Axis time_axis{.label = "time [s]", .range = Interval{0.0, 2.0}};
const Axis early{.label = "time [s]", .range = Interval{0.1, 0.9}};
constexpr double fine_step = 2e-4;  // s, of the reference solution
constexpr int fine_every = 50;      // its rows are those of the runs at block_step

// Columns of the reference, Moreau-Jean and the proposed scheme.
void draw(Report& report, const std::string& figure, std::initializer_list<const char*> columns, const Axis& y,
          const Axis& zoom) {
  keep(report, block_run(alpha_ggl(), fine_step, fine_every), figure + "-reference");
  keep(report, block_run(moreau()), figure + "-moreau");
  keep(report, block_run(alpha_ggl()), figure + "-alpha-ggl");
  Plot plot{figure, 2};
  for (const char* column : columns) {
    std::vector<Curve> all;
    for (const char* name : {"reference", "moreau", "alpha-ggl"})
      all.push_back({figure + "-" + name, "t", column, name});
    plot.add(column, time_axis, y, all);
    plot.add(std::string(column) + ", zoom", early, zoom, all);
  }
  report.plots.push_back(plot);
}

void height(Report& report) {
  report.claim("alpha-ggl: at rest", "by hand: y = 0.75, E = 7.3575, forces 4.905 each",
               block_rests(block_run(alpha_ggl())));
  draw(report, "fig-20", {"y"}, {.label = "y [m]"}, {.label = "y [m]"});
}

void gaps(Report& report) {
  report.claim("alpha-ggl: penetration, m", "satisfied", at_most(deepest(block_run(alpha_ggl())), 1e-12));
  report.claim("Moreau, q* = q_n: penetration, m", "only by alpha-ggl",
               at_least(deepest(block_run(moreau("0"))), 1e-3));
  report.claim("Moreau, q* = q_n + h v_n: penetration, m", "only by alpha-ggl",
               at_least(deepest(block_run(moreau())), 1e-8));
  draw(report, "fig-21", {"g_A", "g_B"}, {.label = "[m]"}, {.label = "[m]", .range = Interval{-5e-3, 5e-2}});
}

void rates(Report& report) {
  const Run alpha = block_run(alpha_ggl());
  report.claim("alpha-ggl: corner velocities from 1.5 s on, m/s", "satisfied at velocity level",
               at_most(late_speed(alpha), 1e-12));
  draw(report, "fig-22", {"U_A", "U_B"}, {.label = "[m/s]"}, {.label = "[m/s]"});
}

void energy(Report& report) {
  const Run alpha = block_run(alpha_ggl()), theta = block_run(moreau()),
            fine = block_run(alpha_ggl(), fine_step, fine_every);
  report.claim("alpha-ggl: energies", "independent code", block_energies(alpha));
  double apart = 0.0;
  for (const auto& [t, value] : {std::pair{0.25, 8.957176}, {0.4, 8.023258}, {0.6, 7.526923}, {0.8, 7.357500}})
    apart = std::max(apart, std::abs(at(fine, "energy.total", t) / value - 1.0));
  report.claim("the same at h = 2e-4 s", "independent code",
               {"differ by at most " + text(apart, 2) + " (relative)", apart <= 1e-6});
  report.claim("alpha-ggl: largest rise in a step, J", "independent code: below 1e-14",
               at_most(largest_rise(alpha), 1e-12));
  const double lost = (5.0 / 9.0 - 0.5) * block_step * block_step * 9.81 * 9.81;
  report.claim("alpha-ggl: loss in flight, J per step", "less dissipation",
               at_most(std::abs(block_loss_in_flight(alpha)), 1e-14));
  report.claim("Moreau: loss in flight, J per step", "more (by hand: " + text(lost) + ")",
               near(block_loss_in_flight(theta), lost, 1e-6));
  report.deviation(
      "alpha-ggl: energy above that of Moreau", "less dissipation", keeps_more_energy(alpha, theta),
      nearer_in_energy(alpha, theta, fine),
      "So in flight. What an impact takes depends on where in its step it falls, and the first ones take less "
      "from Moreau-Jean than from the reference; alpha-ggl is nearer to the latter.");
  draw(report, "fig-23", {"energy.total"}, {.label = "energy [J]"}, {.label = "energy [J]"});
}

void impulses(Report& report) {
  report.claim("alpha-ggl: first five impulses", "independent code", block_impulses(block_run(alpha_ggl())));
  draw(report, "fig-24", {"P_A"}, {.label = "Lambda [N s]"}, {.label = "Lambda [N s]", .range = Interval{0.0, 0.2}});
}

}  // namespace

Reproduction fig_20() {
  return {"fig-20", "rocking block: vertical position, h = 1e-2 s, reference 2e-4 s",
          "Moreau-Jean and the nonsmooth generalized-alpha scheme provide a satisfactory response.", height};
}
Reproduction fig_21() {
  return {"fig-21", "rocking block: gaps of the corners",
          "The generalized-alpha scheme satisfies them at position level.", gaps};
}
Reproduction fig_22() {
  return {"fig-22", "rocking block: velocities of the corners", "The constraints are satisfied at velocity level.",
          rates};
}
Reproduction fig_23() {
  return {"fig-23", "rocking block: energy", "Less numerical dissipation than with the Moreau scheme.", energy};
}
Reproduction fig_24() {
  return {"fig-24", "rocking block: impulse of corner A", "Impulses at the impacts, then the weight.", impulses};
}

}  // namespace esc::papers::bruels
