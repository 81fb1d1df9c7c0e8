#include "papers/bruels/iterations.hpp"

#include "papers/bruels/ball.hpp"
#include "papers/bruels/bar.hpp"
#include "papers/bruels/block.hpp"
#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"
#include "papers/bruels/pendulum.hpp"

namespace esc::papers::bruels {

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const char* form : {"sequential", "coupled", "automatic"}) {
    all.push_back({form, alpha_ggl()});
    all.back().scheme.settings.push_back({"form", form});
  }
  all.push_back({"monolithic", {"alpha-ggl-monolithic"}});
  return all;
}

Iterations iterations(const SchemeChoice& scheme) {
  return {ball_run(scheme).report.newton, pendulum_run(scheme).report.newton, bar_run(scheme).report.newton,
          block_run(scheme).report.newton};
}

namespace {

std::string pair(const Statistics& s) { return text(s.mean(), 3) + "/" + text(s.max); }

void reproduce(Report& report) {
  const char* reason = "The paper has no counts. They follow the tolerances, 1e-10 N s and 1e-12 m here.";
  Table table{"section-8",
              {{"ball", "1", {}}, {"pendulum", "1", {}}, {"bar", "1", {}}, {"block", "1", {}}, {"block_max", "1", {}}}};
  for (const auto& [name, scheme] : forms()) {
    const Iterations n = iterations(scheme);
    report.claim(name + ": ball", "by hand: one, F is constant",
                 {pair(n.ball), n.ball.mean() == 1.0 && n.ball.max == 1.0});
    report.show(name + ": pendulum", "fast and robust convergence", pair(n.pendulum), reason);
    report.show(name + ": bar", "fast and robust convergence", pair(n.bar), reason);
    report.show(name + ": block", "independent code: 1.14/3 with G^p, 1.20/7 without", pair(n.block), reason);
    const double row[] = {n.ball.mean(), n.pendulum.mean(), n.bar.mean(), n.block.mean(), n.block.max};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(row[i]);
  }
  const Iterations one = iterations(forms()[0].scheme), two = iterations(forms()[1].scheme);
  report.claim("bar: largest count, coupled against sequential", "coupled where sequential is slow",
               at_most(two.bar.max / one.bar.max, 1.0));
  report.tables.push_back(table);
}

}  // namespace

Reproduction section_8() {
  return {"section-8",
          "Newton iterations per step, mean/largest, of the forms of alpha-ggl and of alpha-ggl-monolithic on the four "
          "examples",
          "Fast and robust convergence of the semismooth Newton method; the sequential solution converges too in many "
          "practical situations.",
          reproduce};
}

}  // namespace esc::papers::bruels
