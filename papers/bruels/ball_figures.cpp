#include <cmath>
#include <numbers>

#include "examples/statistics.hpp"
#include "papers/bruels/ball.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

namespace {

const Axis time_axis{.label = "time [s]", .range = Interval{0.0, 5.0}};
const Axis late{.label = "time [s]", .range = Interval{2.8, 4.2}};

// The curves of the exact motion, of Moreau-Jean and of the proposed scheme.
void keep_three(Report& report, const std::string& figure, const Run& theta, const Run& alpha) {
  Table exact = exact_ball(ball_step, 5.0);
  exact.name = figure + "-exact";
  report.tables.push_back(std::move(exact));
  keep(report, theta, figure + "-moreau");
  keep(report, alpha, figure + "-alpha-ggl");
}

void gap(Report& report) {
  const Run alpha = ball_run(alpha_ggl()), theta = ball_run(moreau());
  report.claim("alpha-ggl: least gap, m", "no penetration", stays_above(alpha));
  report.claim("alpha-ggl: rests from, s", "3.602", rests_at_the_accumulation(alpha));
  report.claim("alpha-ggl: rests from, s", "independent code: 3.5604",
               near_absolute(rest_from(alpha), 3.5604, 1.01 * ball_step));
  for (const auto& [look_ahead, text_of, wanted] :
       {std::tuple{"0", "q_n", -5.01e-3}, {"0.5", "q_n + h v_n / 2", -1.43e-3}, {"1", "q_n + h v_n", -1.56e-5}})
    report.claim(std::string("Moreau, q* = ") + text_of + ": least gap, m", "independent code: " + text(wanted),
                 near(smallest(ball_run(moreau(look_ahead)), "q"), wanted, 1e-2));
  constexpr double steps[] = {4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3};  // s, times sqrt 2
  constexpr double wanted[] = {3.3374e-2, 1.4430e-2, 7.1284e-3, 3.2550e-3, 7.5476e-4};
  std::vector<double> h, alpha_error, theta_error;
  double apart = 0.0;
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    h.push_back(steps[i] / std::numbers::sqrt2);
    const double until = h[i] * std::floor(5.0 / h[i]);
    alpha_error.push_back(largest_error(ball_run(alpha_ggl(), h[i], until)));
    theta_error.push_back(largest_error(ball_run(moreau(), h[i], until)));
    apart = std::max(apart, std::abs(alpha_error[i] / wanted[i] - 1.0));
  }
  report.claim("alpha-ggl: |e_q| at five steps", "independent code",
               {"differ by at most " + text(apart, 2) + " (relative)", apart <= 1e-3});
  report.claim("alpha-ggl: order of q", "1", near(examples::slope(h, alpha_error), 1.0, 0.35));
  report.claim("Moreau: order of q", "1", near(examples::slope(h, theta_error), 1.0, 0.35));
  report.tables.push_back(
      {"fig-4-errors", {{"h", "s", h}, {"alpha_ggl", "m", alpha_error}, {"moreau", "m", theta_error}}});
  keep_three(report, "fig-4", theta, alpha);
  Plot plot{"fig-4", 2};
  const auto all =
      curves("t", "q", {{"fig-4-exact", "exact"}, {"fig-4-moreau", "Moreau"}, {"fig-4-alpha-ggl", "alpha-ggl"}});
  plot.add("gap distance", time_axis, {.label = "q [m]"}, all);
  plot.add("zoom", late, {.label = "q [m]", .range = Interval{-2e-3, 2e-2}}, all);
  plot.add("largest error", {.label = "h [s]", .logarithmic = true}, {.label = "|e_q| [m]", .logarithmic = true},
           {{"fig-4-errors", "h", "alpha_ggl", "alpha-ggl", Style::linespoints},
            {"fig-4-errors", "h", "moreau", "Moreau", Style::linespoints}});
  report.plots.push_back(plot);
}

void velocity_and_energy(Report& report) {
  const Run alpha = ball_run(alpha_ggl()), theta = ball_run(moreau());
  const double h = ball_step, lost = (5.0 / 9.0 - 0.5) * h * h * 100.0;  // (theta - 1/2) h^2 a_g^2 m
  report.claim("alpha-ggl: largest rise of the energy, J", "decays monotonically (Property 3)",
               at_most(largest_rise(alpha), 1e-14));
  report.claim("alpha-ggl: loss in flight, J per step", "strictly constant",
               at_most(std::abs(loss_in_flight(alpha)), 1e-14));
  report.claim("Moreau: loss in flight, J per step", "slowly decreasing (by hand: " + text(lost) + ")",
               near(loss_in_flight(theta), lost, 1e-6));
  report.claim("Moreau: largest rise of the energy, J", "a staircase", at_most(largest_rise(theta), 1e-14));
  report.claim("alpha-ggl: late |v|, m/s", "0 after the accumulation", at_most(late_speed(alpha, 4.0), 1e-12));
  report.claim("Moreau: late |v|, m/s", "0 after the accumulation", at_most(late_speed(theta, 4.0), 1e-8));
  keep_three(report, "fig-5", theta, alpha);
  Plot plot{"fig-5", 2};
  plot.add("velocity", time_axis, {.label = "v [m/s]"},
           curves("t", "v", {{"fig-5-exact", "exact"}, {"fig-5-moreau", "Moreau"}, {"fig-5-alpha-ggl", "alpha-ggl"}}));
  plot.add("energy", time_axis, {.label = "energy [J]"},
           curves("t", "energy.total", {{"fig-5-moreau", "Moreau"}, {"fig-5-alpha-ggl", "alpha-ggl"}}));
  report.plots.push_back(plot);
}

void impulses(Report& report) {
  const Run alpha = ball_run(alpha_ggl()), theta = ball_run(moreau());
  report.claim("alpha-ggl: first six impulses", "by hand: (1 + e) |v_n| + h m a_g", first_impulses(alpha));
  report.claim("alpha-ggl: Lambda / h at the end, N", "m a_g = 10", carries_its_weight(alpha));
  report.claim("Moreau: Lambda / h at the end, N", "m a_g = 10", near(theta.data["force"].back(), 10.0, 1e-6));
  const Run printed = ball_run(alpha_ggl(), 2e-3, 0.5);
  report.claim("alpha-ggl, h = 2e-3 s: first impulse, N s", "independent code: 7.22",
               near(largest(printed, "P"), 7.22, 1e-9));
  const Run tie = ball_run(alpha_ggl(), 2e-3, 1.1);
  report.show("alpha-ggl, h = 2e-3 s: second impulse, N s", "no number",
              text(std::max(at(tie, "P", 1.042), at(tie, "P", 1.044))),
              "The impact falls exactly on a grid time, and round-off decides: 5.744 at 1.042 s or 5.78 at 1.044 s.");
  keep(report, theta, "fig-6-moreau");
  keep(report, alpha, "fig-6-alpha-ggl");
  Plot plot{"fig-6", 2};
  const auto both = curves("t", "P", {{"fig-6-moreau", "Moreau"}, {"fig-6-alpha-ggl", "alpha-ggl"}});
  plot.add("impulse of the contact", time_axis, {.label = "Lambda [N s]"}, both);
  plot.add("zoom", time_axis, {.label = "Lambda [N s]", .range = Interval{0.0, 4e-2}}, both);
  report.plots.push_back(plot);
}

void corrections(Report& report) {
  const Run alpha = ball_run(alpha_ggl());
  report.claim("alpha-ggl: nu", "only positive, O(h)", corrections_are_first_order(alpha, ball_step));
  constexpr double steps[] = {4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3};
  constexpr double wanted[] = {5.5600e-3, 5.5600e-3, 2.7225e-3, 1.3056e-3, 5.9766e-4};
  double apart = 0.0;
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    const double h = steps[i] / std::numbers::sqrt2;
    const double nu = largest(ball_run(alpha_ggl(), h, h * std::floor(5.0 / h)), "nu");
    apart = std::max(apart, std::abs(nu / wanted[i] - 1.0));
  }
  report.claim("alpha-ggl: largest nu at five steps", "independent code",
               {"differ by at most " + text(apart, 2) + " (relative)", apart <= 1e-3});
  keep(report, alpha, "fig-7-alpha-ggl");
  Plot plot{"fig-7", 2};
  const auto one = curves("t", "nu", {{"fig-7-alpha-ggl", "alpha-ggl"}});
  plot.add("multiplier of the gap", time_axis, {.label = "nu [kg m]"}, one);
  plot.add("zoom", late, {.label = "nu [kg m]", .range = Interval{0.0, 1e-4}}, one);
  report.plots.push_back(plot);
}

void predictions(Report& report) {
  const auto with = [](const char* prediction) {
    SchemeChoice choice = alpha_ggl();
    choice.settings.push_back({"prediction", prediction});
    return ball_run(choice, ball_step, 6.0);
  };
  const Run tilde = with("tilde"), end = with("end"), start = with("start"), extrapolated = with("extrapolated");
  report.claim("q* = q~: late |v|, m/s", "the choice of the paper", at_most(late_speed(tilde, 4.5), 1e-12));
  report.claim("q* = q_{n+1}: late |v|, m/s", "with a tolerance, as q~", at_most(late_speed(end, 4.5), 1e-12));
  report.claim("q* = q_n: late |v|, m/s", "independent code: 0.05 to 0.09", within(late_speed(start, 4.5), 0.03, 0.1));
  report.claim("q* = q_n + h v_n: late |v|, m/s", "independent code: 0.0100",
               within(late_speed(extrapolated, 4.5), 0.005, 0.02));
}

}  // namespace

Reproduction fig_4() {
  return {
      "fig-4", "bouncing ball: gap distance, h = 1.8e-3 s",
      "Moreau-Jean and the nonsmooth generalized-alpha scheme give a consistent evaluation of the motion and of the "
      "accumulation at 3.602 s; only the latter satisfies the constraint at position level.",
      gap};
}

Reproduction fig_5() {
  return {"fig-5", "bouncing ball: velocity and energy, h = 1.8e-3 s",
          "Both represent jumps in velocity. The energy is a staircase: strictly constant in flight with the nonsmooth "
          "generalized-alpha scheme, slowly decreasing with Moreau-Jean.",
          velocity_and_energy};
}

Reproduction fig_6() {
  return {"fig-6", "bouncing ball: impulse of the contact, h = 1.8e-3 s",
          "Impulses at the impacts, and a continuous contribution once the contact is closed: Lambda tends to m a_g h.",
          impulses};
}

Reproduction fig_7() {
  return {"fig-7", "bouncing ball: multiplier nu of the gap, h = 1.8e-3 s",
          "nu takes positive values only; it is O(h).", corrections};
}

Reproduction section_72() {
  return {"section-7.2", "bouncing ball: where a gap is looked at that makes a contact active",
          "q* = q~ needs no tolerance; q* = q_{n+1} would behave alike with one. Other choices change the behaviour.",
          predictions};
}

}  // namespace esc::papers::bruels
