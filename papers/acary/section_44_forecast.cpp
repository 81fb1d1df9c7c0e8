#include "papers/acary/figures.hpp"
#include "papers/acary/forecast.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const Reactions now = reactions({"moreau-jean"});
  const Reactions one = reactions({"moreau-jean", {{"gamma", "1"}}});
  const Reactions two = reactions({"moreau-jean", {{"gamma", "2"}}});
  const Reactions combined = reactions({"combined-projection"});
  report.claim("gamma = 0: penetration", "negative violations of order O(h)", penetrates_in_proportion(now));
  report.claim("gamma = 0: impulses", "activated when the position is violated", never_acts_at_open_gaps(now));
  report.claim("gamma = 1: impulses", "even if g_{k+1} > 0, and g_{k+1} = O(h)", acts_at_open_gaps(one, 1.0));
  report.claim("gamma = 2: impulses", "even if g_{k+1} > 0, and g_{k+1} = O(h)", acts_at_open_gaps(two, 2.0));
  report.claim("combined: impulses", "g_{k+1} = 0 if P > 0, (65)", never_acts_at_open_gaps(combined));
  report.tables.push_back(
      {"section-4.4",
       {{"h", "s", now.h}, {"penetration", "m", now.deepest}, {"gap_1", "m", one.open}, {"gap_2", "m", two.open}}});
  Plot plot{"section-4.4"};
  plot.add("where the ball is after a step with an impulse", {.label = "h [s]", .logarithmic = true},
           {.label = "distance [m]", .logarithmic = true},
           {{"section-4.4", "h", "penetration", "gamma = 0: largest penetration", Style::linespoints},
            {"section-4.4", "h", "gap_1", "gamma = 1: largest gap", Style::linespoints},
            {"section-4.4", "h", "gap_2", "gamma = 2: largest gap", Style::linespoints}});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction section_44() {
  return {
      "section-4.4", "explicit forecast (61) with gamma = 0, 1, 2, bouncing ball, 48 steps",
      "With gamma = 0 contacts are activated once they are violated, by O(h). With gamma > 0 a reaction can act even "
      "if g_{k+1} > 0; all that can be said is that g_{k+1} = O(h).",
      reproduce};
}

}  // namespace esc::papers::acary
