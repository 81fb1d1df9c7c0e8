#include <cmath>

#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

constexpr double until = 0.15;  // s, more than two revolutions

struct Both {
  Run minimal, spatial;
  double apart(const char* column) const { return mean_distance(minimal, spatial, column); }
  double late() const { return revolutions(minimal) - revolutions(spatial); }  // at the end, revolutions
};

Both run_both(const char* scheme, double h) {
  const Grid grid{.step = h, .until = until, .certify = false};
  return {crank_run({scheme}, grid), crank_run({scheme}, grid, Mechanism::spatial)};
}

void add_scheme(Report& report, Plot& plot, const std::string& scheme) {
  const Both coarse = run_both(scheme.c_str(), 2e-5);
  Both fine = run_both(scheme.c_str(), 1e-5);
  report.deviation(scheme + ": over time, crank behind by (revolutions at 0.15 s)", "perfectly corroborates",
                   at_most(std::abs(fine.late()), 1e-3),
                   {text(fine.late(), 4) + ", h = 2e-5: " + text(coarse.late(), 4),
                    within(coarse.late() / fine.late(), 1.7, 2.3).holds},
                   "With joints the schemes are first order: the crank lags in proportion to h, and curves over time "
                   "shift. The lines below compare curves over the crank's revolutions.");
  report.claim(scheme + ": motion across the guide / c, mean difference", "the same curve",
               at_most(fine.apart("corner_1"), 5e-3));
  report.claim(scheme + ": crank, mean difference / 150 rad/s", "the same curve",
               at_most(fine.apart("crank_rate") / 150.0, 5e-3));
  report.claim(scheme + ": rod, mean difference / 75 rad/s", "the same curve",
               at_most(fine.apart("rod_rate") / 75.0, 5e-3));
  report.claim(scheme + ": difference of the crank, h = 2e-5 / 1e-5", "vanishes: first order with joints",
               within(coarse.apart("crank_rate") / fine.apart("crank_rate"), 1.7, 2.3));
  report.claim(scheme + ": tilt of the slider, rad", "a pure translation", is_pure_translation(fine.spatial));

  fine.minimal.data.name = "section-6.4.2-" + scheme + "-minimal";
  fine.spatial.data.name = "section-6.4.2-" + scheme + "-spatial";
  const Axis x{.label = "crank revolutions", .range = Interval{0.0, 2.0}};
  const auto curves = [&](const char* column) {
    return std::vector<Curve>{{fine.minimal.data.name, "revolutions", column, "Lagrangian"},
                              {fine.spatial.data.name, "revolutions", column, "Newton-Euler, ideal joints"}};
  };
  plot.add(scheme + ": crank", x, {.label = "angular velocity [rad/s]"}, curves("crank_rate"));
  plot.add(scheme + ": slider across the guide", x, {.label = "y / c", .range = Interval{-1.1, 1.1}},
           curves("corner_1"));
  report.tables.push_back(thinned(fine.minimal.data, "U_1", 1000));
  report.tables.push_back(thinned(fine.spatial.data, "U_1", 1000));
}

void reproduce(Report& report) {
  Plot plot{"section-6.4.2", 2};
  for (const char* scheme : {"moreau-jean", "combined-projection"}) add_scheme(report, plot, scheme);
  report.plots.push_back(plot);
}

}  // namespace

Reproduction section_642() {
  return {"section-6.4.2", "slider-crank of rigid bodies in space with ideal revolute joints, h = 1e-5 s",
          "With ideal revolute joints the Newton-Euler model gives the curves of the Lagrangian one (Figs 23 and 24).",
          reproduce, true};
}

}  // namespace esc::papers::acary
