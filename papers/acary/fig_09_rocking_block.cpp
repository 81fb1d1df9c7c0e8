#include <array>
#include <cmath>

#include "papers/acary/block.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

// Of an independent code: energies to 1e-6 and the others to 1e-3, relative; 0 is not compared.
struct Reference {
  std::array<double, 4> energy;  // at 0.25, 0.6, 1 and 2 s
  double deepest, late_speed;
};

Judgement agrees_with(const Run& run, const Reference& reference) {
  constexpr std::array<double, 4> times{0.25, 0.6, 1.0, 2.0};
  double energy = 0.0, other = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (reference.energy[i] != 0.0)
      energy = std::max(energy, std::abs(energy_at(run, times[i]) / reference.energy[i] - 1.0));
  if (reference.deepest != 0.0) other = std::abs(deepest(run) / reference.deepest - 1.0);
  if (reference.late_speed != 0.0) other = std::max(other, std::abs(late_speed(run) / reference.late_speed - 1.0));
  return {"E differs by " + text(energy, 2) + ", gap and |U| by " + text(other, 2) + " (relative)",
          energy <= 1e-6 && other <= 1e-3};
}

Judgement first_impulses(const Run& run) {
  struct Impulse {
    double t;
    const char* corner;
    double value;  // N s
  };
  constexpr std::array<Impulse, 5> wanted{{{.18, "force_B", 1.9604552312},
                                           {.32, "force_A", 1.7888420053},
                                           {.45, "force_B", .8905086511},
                                           {.55, "force_A", .7810704173},
                                           {.55, "force_B", .3041496849}}};
  const double h = 1e-2;
  double worst = 0.0;
  for (const Impulse& impulse : wanted)
    worst = std::max(worst, std::abs(run.data[impulse.corner][std::lround(impulse.t / h)] * h - impulse.value));
  return {"differ by at most " + text(worst, 2) + " N s", worst <= 1e-8};
}

void add_panels(Report& report, Plot& plot, const std::array<const Run*, 2>& runs) {
  const std::array<std::string, 2> tables{"fig-9-direct", "fig-9-combined"}, titles{"direct, ", "combined, "};
  const Axis time{.label = "time [s]", .range = Interval{0.0, 2.0}};
  for (int i = 0; i < 2; ++i) {
    report.tables.push_back(runs[i]->data);
    report.tables.back().name = tables[i];
    plot.add(titles[i] + "position", time, {.label = "y [m], theta [rad]"},
             {{tables[i], "t", "y", "y"}, {tables[i], "t", "theta", "theta"}});
  }
  for (int i = 0; i < 2; ++i)
    plot.add(titles[i] + "velocity", time, {.label = "[m/s], [rad/s]"},
             {{tables[i], "t", "vy", "y'"}, {tables[i], "t", "omega", "theta'"}});
  for (int i = 0; i < 2; ++i) plot.add(titles[i] + "energy", time, {.label = "energy [J]"}, energy_curves(tables[i]));
}

void reproduce(Report& report) {
  const Run combined = block_run({"combined-projection"}), moreau_jean = block_run({"moreau-jean"});
  const Run direct = block_run({"direct-projected", {{"activation_tol", "1e-8"}}});
  const Run direct_1 = block_run({"direct-projected", {{"gamma", "1"}}});
  const Run direct_2 = block_run({"direct-projected", {{"gamma", "2"}}});
  const Run direct_free = block_run({"direct-projected", {{"forecast", "free"}}});
  report.claim("direct projected: late |U|, m/s (c)", "spurious oscillations", block_chatters(direct));
  report.claim("direct projected, gamma = 1: late |U|, m/s", "spurious oscillations", block_chatters(direct_1));
  report.claim("direct projected, gamma = 2: late |U|, m/s", "spurious oscillations", block_chatters(direct_2));
  report.claim("combined (d)", "reaches its equilibrium", block_rests(combined));
  report.claim("direct projected: deepest gap, m", "0", at_least(deepest(direct), -1e-12));
  report.claim("combined: deepest gap, m", "0", at_least(deepest(combined), -1e-12));
  report.claim("combined against direct (e, f)", "dissipates more energy", dissipates_more(combined, direct));
  report.claim("combined against direct, gamma = 1", "dissipates more energy", dissipates_more(combined, direct_1));

  report.claim("direct projected", "independent code",
               agrees_with(direct, {{8.959852, 7.905251, 7.363978, 7.364551}, 0.0, 1.861e-1}));
  report.claim("direct projected, gamma = 1", "independent code",
               agrees_with(direct_1, {{8.968730, 7.468492, 7.358726, 7.358724}, 0.0, 6.037e-2}));
  report.claim("direct projected, gamma = 2", "independent code",
               agrees_with(direct_2, {{0, 0, 0, 7.359639}, 0.0, 6.540e-2}));
  report.claim("direct projected, forecast (62)", "independent code",
               agrees_with(direct_free, {{0, 0, 0, 7.358761}, 0.0, 0.0}));
  report.claim("combined", "independent code",
               agrees_with(combined, {{8.891455, 7.413182, 7.357500, 7.357500}, 0.0, 0.0}));
  report.claim("combined: first impulses", "independent code", first_impulses(combined));
  report.claim("Moreau-Jean", "independent code",
               agrees_with(moreau_jean, {{8.870271, 7.439292, 7.337092, 7.337092}, -1.077e-2, 0.0}));

  Plot plot{"fig-9", 2};
  add_panels(report, plot, {&direct, &combined});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_9() {
  return {
      "fig-9", "rocking block: direct projected and combined scheme, h = 1e-2 s",
      "With the direct scheme spurious oscillations remain when the block reaches its equilibrium (c); the combined "
      "scheme suppresses them (d) and dissipates more energy (e, f).",
      reproduce};
}

}  // namespace esc::papers::acary
