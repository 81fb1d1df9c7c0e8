#include "papers/acary/crank.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

struct Solved {
  const char* tolerance;
  Run run;
};

// Gauss-Seidel as in the paper; a loose tolerance leaves the certificate of the contact law open.
Solved solved(const char* tolerance) {
  const SchemeChoice scheme{"moreau-jean", {{"solver", "nsgs"}, {"solver_tol", tolerance}}};
  return {tolerance, crank_run(scheme, {.step = 1e-4, .until = 0.2, .certify = false})};
}

void reproduce(Report& report) {
  const Solved tight = solved("1e-12");
  report.claim("tolerance 1e-12: tilt of the slider, rad", "a pure translation", is_pure_translation(tight.run));
  report.claim("tolerance 1e-12: violation, m", "of the order of h", violates_in_proportion(tight.run, 1e-4));
  Plot plot{"section-6.4.1", 2};
  std::vector<Curve> tilt, gap;
  for (const Solved& loose : {solved("1e-6"), solved("1e-3"), tight}) {
    const std::string label = "tolerance " + std::string(loose.tolerance), name = "section-6.4.1-" + label.substr(10);
    if (loose.tolerance != tight.tolerance)
      report.claim(label + ": tilt of the slider, rad", "the symmetry may be lost, the angle drifts",
                   loses_symmetry(loose.run, tight.run));
    report.tables.push_back(loose.run.data);
    report.tables.back().name = name;
    tilt.push_back({name, "revolutions", "tilt", label});
    gap.push_back({name, "revolutions", "gap", label});
    if (loose.tolerance == std::string("1e-3"))
      report.claim(label + ": violation / that of 1e-12", "larger drifts in the constraints",
                   within(violation(loose.run) / violation(tight.run), 1.5, 3.0));
  }
  const Axis x{.label = "crank revolutions"};
  plot.add("tilt of the slider", x, {.label = "tilt [rad]"}, tilt);
  plot.add("smallest gap of its corners", x, {.label = "gap [mm]", .scale = 1e3}, gap);
  report.plots.push_back(plot);
}

}  // namespace

Reproduction section_641() {
  return {"section-6.4.1", "slider-crank, Gauss-Seidel with tolerances 1e-12, 1e-6 and 1e-3, h = 1e-4 s",
          "The contact problem is solved to 1e-12. With a larger tolerance the symmetry may be lost: the angle of the "
          "slider drifts, and so do the constraints.",
          reproduce};
}

}  // namespace esc::papers::acary
