#include <cmath>
#include <stdexcept>
#include <vector>

#include "examples/slider_crank.hpp"
#include "papers/acary/efficiency.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

Efficiency efficiency(const SchemeChoice& choice, double h) {
  const System system = compile(examples::SliderCrank{}.model());
  const std::unique_ptr<Scheme> scheme = make_scheme(choice.name, system, choice.settings);
  State x = system.initial_state();
  scheme->start(x);
  Efficiency row;
  ContactSet set;
  const auto steps = std::lround(0.2 / h);
  for (long k = 0; k < steps; ++k) {
    const StepReport report = scheme->step(x, h);
    if (!report.ok()) throw std::runtime_error(choice.name + ": " + std::string(to_string(report.status)));
    row.newton.add(report.iterations);
    row.projections.add(report.projections);
    row.index_sets.add(report.index_sets);
    system.detect(x.t, x.q, 0.0, set);
    for (const Contact& contact : set.contacts) row.violation = std::max(row.violation, -contact.gap);
  }
  return row;
}

Judgement projection_improves_newton(const Efficiency& without, const Efficiency& with) {
  return {text(with.newton.mean(), 4) + " with, " + text(without.newton.mean(), 4) + " without",
          with.newton.mean() < 0.95 * without.newton.mean()};
}

Judgement projects_less(const Efficiency& combined, const Efficiency& direct) {
  return {text(combined.projections.mean(), 4) + " combined, " + text(direct.projections.mean(), 4) + " direct",
          combined.projections.mean() < direct.projections.mean()};
}

namespace {

struct Printed {
  const char* scheme;
  double h;
  double violation;                               // m
  double newton, newton_max;                      // per step
  double projections = -1, projections_max = -1;  // -1: not applicable
  double index_sets = -1, index_sets_max = -1;
};

constexpr Printed rows[] = {
    {"moreau-jean", 1e-4, 1.324e-4, 2.95, 4},
    {"moreau-jean", 1e-5, 1.234e-5, 1.99, 3},
    {"moreau-jean", 1e-6, 1.119e-6, 1.96, 2},
    {"direct-projected", 1e-4, 8.099e-11, 1.96, 2, 0.09, 2},
    {"direct-projected", 1e-5, 4.833e-11, 1.01, 2, 0.11, 1},
    {"direct-projected", 1e-6, 9.99e-11, 1.001, 2, 0.04, 1},
    {"combined-projection", 1e-4, 8.410e-11, 2.15, 4, 0.20, 2, 1.18, 2},
    {"combined-projection", 1e-5, 9.940e-11, 1.127, 2, 0.019, 1, 1.127, 2},
    {"combined-projection", 1e-6, 8.650e-11, 1.12, 2, 0.00036, 1, 1.12, 2},
};

std::string pair(double mean, double max) { return text(mean, 4) + "/" + text(max); }
std::string pair(const Statistics& s) { return pair(s.mean(), s.max); }

// Newton iterations of Moreau-Jean follow the tolerance; for 1e-10 they lie in these bounds.
Judgement newton_in_bounds(const Efficiency& here, double h) {
  return {pair(here.newton), within(here.newton.mean(), 1.9, h > 5e-5 ? 3.2 : 2.3).holds && here.newton.max <= 4.0};
}

// The form behind the table: M(q_{k+1}) and the mean of F_k and F_{k+1}; a loop that ends by the residual alone, as
// section 4.3.2 says; the tolerances of Table 2 where no other is given.
SchemeChoice as_in_the_table(const std::string& scheme, const std::string& tol = "1e-10") {
  SchemeChoice choice{scheme, {{"quadrature", "endpoints"}, {"frame_tol", "1"}, {"tol", tol}}};
  if (scheme == "moreau-jean") return choice;
  choice.settings.push_back({"gap_tol", "1e-10"});
  if (scheme == "direct-projected") choice.settings.push_back({"activation_tol", "1e-6"});
  return choice;
}

void add_moreau_jean(Report& report, const std::string& label, const Printed& printed, const Efficiency& here) {
  const double h = printed.h;
  report.deviation(label + ": violation, m", text(printed.violation), near(here.violation, printed.violation, 0.01),
                   {text(here.violation, 5), within(here.violation, 0.8 * h, 1.6 * h).holds},
                   "The largest over the impacts, by their phase in the step: between 0.8 and 1.6 h (1 m/s).");
  report.deviation(label + ": Newton", pair(printed.newton, printed.newton_max),
                   {pair(here.newton),
                    near(here.newton.mean(), printed.newton, 0.01).holds && here.newton.max == printed.newton_max},
                   newton_in_bounds(here, h), "The count follows the tolerance.");
  const Efficiency checked = efficiency({"moreau-jean", {{"quadrature", "endpoints"}}}, h);
  report.show(label + ": Newton, default options", pair(printed.newton, printed.newton_max), pair(checked.newton),
              "By default the loop also waits for the contact velocities (frame_tol), which the paper's does not.");
}

// Counts with the printed tolerance, and with the one that fits the paper's counts.
void add_projected(Report& report, const std::string& label, const Printed& printed, const Efficiency& here) {
  const Efficiency loose = efficiency(as_in_the_table(printed.scheme, "1e-6"), printed.h);
  const auto both = [](const Statistics& a, const Statistics& b) { return pair(a) + "; tol 1e-6: " + pair(b); };
  const std::string reason = "The second count is with a Newton tolerance picked because it fits; Table 2 says 1e-10.";
  report.claim(label + ": violation, m", text(printed.violation), at_most(here.violation, 1e-10));
  report.show(label + ": Newton", pair(printed.newton, printed.newton_max), both(here.newton, loose.newton), reason);
  report.show(label + ": projections", pair(printed.projections, printed.projections_max),
              both(here.projections, loose.projections), reason);
  if (printed.index_sets > 0)
    report.claim(label + ": index sets", pair(printed.index_sets, printed.index_sets_max),
                 {pair(here.index_sets), within(here.index_sets.mean(), 1.1, 1.2).holds && here.index_sets.max <= 2});
}

// What the text concludes from the table, with one tolerance for all of its lines.
void add_conclusions(Report& report, const std::vector<Efficiency>& found) {
  constexpr int steps = 3;  // rows per scheme
  for (int i = 0; i < steps; ++i) {
    const Efficiency &without = found[i], &direct = found[steps + i], &combined = found[2 * steps + i];
    const std::string label = text(rows[i].h) + ": ";
    report.deviation(
        label + "Newton with and without projection (direct)", "improved by the projection",
        projection_improves_newton(without, direct),
        {projection_improves_newton(without, direct).here,
         std::abs(direct.newton.mean() / without.newton.mean() - 1.0) <= 0.05},
        "With one tolerance for both the projection changes the count by less than 5 %; the printed counts "
        "are those of a looser one.");
    if (i == 0) continue;  // the text speaks of the two smaller steps
    report.deviation(
        label + "projections, combined and direct", "fewer with the combined scheme", projects_less(combined, direct),
        {projects_less(combined, direct).here, projects_less(direct, combined).holds},
        "The combined scheme corrects about every step with a closed contact. The direct one, active from 1e-6 m on "
        "(activation_tol), corrects little beside the impacts.");
  }
}

void reproduce(Report& report) {
  Table table{
      "table-3",
      {{"h", "s", {}}, {"violation", "m", {}}, {"newton", "1", {}}, {"projections", "1", {}}, {"index_sets", "1", {}}}};
  std::vector<Efficiency> found;
  for (const Printed& printed : rows) {
    const SchemeChoice scheme = as_in_the_table(printed.scheme);
    const Efficiency here = found.emplace_back(efficiency(scheme, printed.h));
    const std::string label = scheme.name + " " + text(printed.h);
    if (scheme.name == "moreau-jean")
      add_moreau_jean(report, label, printed, here);
    else
      add_projected(report, label, printed, here);
    const double values[] = {printed.h, here.violation, here.newton.mean(), here.projections.mean(),
                             here.index_sets.mean()};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(values[i]);
  }
  add_conclusions(report, found);
  report.claim("as in (18), with M and F at q_{k+theta}: moreau-jean 1e-4, violation, m", "independent code: 1.0510e-4",
               near(efficiency({"moreau-jean"}, 1e-4).violation, 1.0510e-4, 1e-3));
  for (const char* scheme : {"direct-projected", "combined-projection"})
    report.claim("the same, " + std::string(scheme) + " 1e-4, violation, m", "below 1e-10",
                 at_most(efficiency({scheme}, 1e-4).violation, 1e-10));
  report.remarks.push_back(
      "The table was not computed with M and F at q_{k+theta} as in (18), but with M(q_{k+1}) and the mean of F_k and\n"
      "F_{k+1}: the lines of the table use that form (quadrature = endpoints), which gains energy. With the Newton\n"
      "tolerance of Table 2 the projected schemes take about one iteration more than printed; 1e-6 comes near.");
  report.tables.push_back(table);
}

}  // namespace

Reproduction table_3() {
  return {
      "table-3", "violation and iterations of three schemes on the slider-crank, T = 0.2 s",
      "Moreau-Jean violates the constraints by about h (1 m/s); the projected schemes by less than 1e-10 m, with few "
      "projections and few index sets.",
      reproduce, true};
}

}  // namespace esc::papers::acary
