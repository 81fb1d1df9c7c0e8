#include <cmath>
#include <numbers>

#include "papers/acary/ball.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

// max |tau| against max |v| h and h, over 80 steps between 40e-3 and 1.8e-3, divided by sqrt 2.
struct Ratios {
  std::vector<double> h, tau;
  double to_speed = 0.0;  // largest max |tau| / (h max |v|)
  double to_h = 0.0;      // largest max |tau| / h, m/s
};

Ratios ratios(const SchemeChoice& scheme) {
  Ratios all;
  for (int level = 0; level < 5; ++level)
    for (int i = 0; i < 16; ++i) {
      const double h = std::ldexp(40e-3, -level) / std::numbers::sqrt2 / (1.0 + 0.37 * i / 16.0);
      const Run run = ball_run(scheme, {.h = h, .until = 4.0});
      all.h.push_back(h);
      all.tau.push_back(largest(run, "tau"));
      all.to_speed = std::max(all.to_speed, all.tau.back() / (h * largest(run, "v")));
      all.to_h = std::max(all.to_h, all.tau.back() / h);
    }
  return all;
}

void reproduce(Report& report) {
  const Ratios direct = ratios({"direct-projected"}), combined = ratios({"combined-projection"});
  report.claim("direct projected: max |tau| / (h max |v|), 80 steps", "O(h)", at_most(direct.to_speed, 1.05));
  report.claim("direct projected: max |tau| / h, m/s", "O(h)", at_most(direct.to_h, 2.1));
  report.claim("combined: max |tau| / (h max |v|), 80 steps", "O(h)", at_most(combined.to_speed, 1.05));
  report.claim("combined: max |tau| / h, m/s", "O(h)", at_most(combined.to_h, 1.5));
  report.tables.push_back(
      {"fig-3", {{"h", "s", direct.h}, {"direct", "m", direct.tau}, {"combined", "m", combined.tau}}});
  Plot plot{"fig-3"};
  plot.add("largest multiplier of the projection", {.label = "h [s]", .logarithmic = true},
           {.label = "max |tau| [m]", .logarithmic = true},
           {{"fig-3", "h", "direct", "direct projected (28)", Style::points},
            {"fig-3", "h", "combined", "combined (65)", Style::points}});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_3() {
  return {"fig-3", "magnitude of the multiplier tau of the projection, ball",
          "The discrete multiplier tau is of order O(h) (Proposition 1).", reproduce};
}

}  // namespace esc::papers::acary
