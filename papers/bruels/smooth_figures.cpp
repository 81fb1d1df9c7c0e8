#include "papers/bruels/ball.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

namespace {

constexpr double last = 6.0;  // s

void keep_three(Report& report, const std::string& figure) {
  keep(report, ball_run(smooth(), ball_step, last), figure + "-smooth");
  keep(report, ball_run(modified_lcp(), ball_step, last), figure + "-modified");
  Table exact = exact_ball(ball_step, last);
  exact.name = figure + "-exact";
  report.tables.push_back(std::move(exact));
}

void draw(Report& report, const std::string& figure, const std::string& column, const Axis& y, const Axis& zoom) {
  keep_three(report, figure);
  const std::vector<Curve> all{{figure + "-exact", "t", column, "exact"},
                               {figure + "-smooth", "t", column, "smooth index-3"},
                               {figure + "-modified", "t", column, "modified LCP"}};
  Plot plot{figure, 2};
  plot.add(column, {.label = "time [s]", .range = Interval{0.0, 5.0}}, y, all);
  plot.add("zoom", {.label = "time [s]", .range = Interval{3.4, 4.4}}, zoom, {all[0], all[2]});
  report.plots.push_back(plot);
}

void gap(Report& report) {
  const Run third = ball_run(smooth(), ball_step, 5.0), modified = ball_run(modified_lcp(), ball_step, last);
  report.claim("smooth index-3: largest energy / energy at the start", "increases at the impacts",
               at_least(largest(third, "energy.total") / third.data["energy.total"].front(), 2.0));
  report.claim("smooth index-3: largest energy, J", "independent code: 95.2",
               near(largest(third, "energy.total"), 95.2, 1e-2));
  report.claim("smooth index-3: least gap, m", "constraints at position level", stays_above(third));
  const double coarse = largest_error(modified, 3.0),
               fine = largest_error(ball_run(modified_lcp(), 0.1 * ball_step, 3.0), 3.0);
  report.claim("modified LCP: largest error until 3 s, h = 1.8e-4 against 1.8e-3 s",
               "behaves well until the accumulation: O(h)", within(fine / coarse, 0.03, 0.3));
  report.claim("modified LCP: least gap, m", "constraints at position level", stays_above(modified));
  draw(report, "fig-2", "q", {.label = "q [m]"}, {.label = "q [m]"});
}

void velocity(Report& report) {
  const Run modified = ball_run(modified_lcp(), ball_step, last);
  report.claim("modified LCP: late |v|, m/s", "oscillates between active and inactive (independent code: up to 0.090)",
               within(late_speed(modified, 4.5), 0.03, 0.1));
  report.claim("alpha-ggl: late |v|, m/s", "comes to rest", at_most(late_speed(ball_run(alpha_ggl()), 4.5), 1e-12));
  draw(report, "fig-3", "v", {.label = "v [m/s]"}, {.label = "v [m/s]", .range = Interval{-0.3, 0.3}});
}

}  // namespace

Reproduction fig_2() {
  return {"fig-2", "bouncing ball: gap distance with the smooth scheme and with the modified LCP, h = 1.8e-3 s",
          "The smooth scheme increases the energy at the impacts: it is not consistent. The modified LCP behaves well "
          "until the "
          "accumulation; then the constraint oscillates between active and inactive states.",
          gap};
}

Reproduction fig_3() {
  return {"fig-3", "bouncing ball: velocity with the smooth scheme and with the modified LCP, h = 1.8e-3 s",
          "After the accumulation the constraint at velocity level oscillates with the modified LCP.", velocity};
}

}  // namespace esc::papers::bruels
