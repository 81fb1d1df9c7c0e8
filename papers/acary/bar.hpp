// Runs of the impacting elastic bar of section 6.2, Figs 11 to 18, and what is asked of them.
#pragma once

#include "examples/elastic_bar.hpp"
#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

struct BarCase {
  int elements = 1000;
  double h = 2e-6;  // s
  double e = 0.0;
};

examples::ElasticBar bar_of(const BarCase& bar);

// Columns t, q and v of the tip away from the wall (as drawn in the paper: q = 0 at the wall, v0 < 0), force, energies.
// Until 1.5e-3 s. With t1 = gap / v0 and T = 2 L / c0 the exact contact is [t1, t1 + T].
Run bar_run(const SchemeChoice& scheme, const BarCase& bar);

// In units of r = E S v0 / c0, T and v0.
struct BarFigures {
  double force = 0.0, force_sd = 0.0;  // over [t1 + .1 T, t1 + .9 T]
  double peak = 0.0;                   // largest force
  double duration = 0.0;               // from the first to the last step with an impulse, both counted
  double violation = 0.0;              // largest penetration / (h v0)
  double speed = 0.0;                  // largest |v| in contact, first step left out
  double after = 0.0, after_sd = 0.0;  // velocity over [t1 + 1.15 T, t1 + 2 T]
  double energy = 0.0;                 // end / start
};
BarFigures measure(const Run& run, const BarCase& bar);

// The figures of an independent implementation, absolute to 1e-3 and the energy to 1e-5; NaN: not given.
Judgement agrees_with(const BarFigures& figures, const BarFigures& reference);

// The constant force r, the contact time T and the release at v0 of the exact solution, for fine meshes.
Judgement has_plateau(const BarFigures& figures);                   // 1271.472 N to 0.1 %
Judgement has_duration(const BarFigures& figures);                  // 3.8545e-4 s to 1.5 %
Judgement is_released(const BarFigures& figures);                   // 0.1 m/s to 1.5 %
Judgement velocity_is_steady(const BarFigures& figures);            // |v| < 1e-14 m/s in contact
Judgement velocity_alternates(const Run& run, const BarCase& bar);  // its sign changes at nearly every step in contact
Judgement never_penetrates(const Run& run);                         // 1e-15 m
// From the third step of the contact to its end there is a force in every step, and the tip does not move (1e-9 v0).
Judgement has_no_rebound(const Run& run, const BarCase& bar);

// Lines and plot of the three panels q, v and r over time in ms; the data under this name.
void add_motion(Report& report, Run run, const std::string& name);

}  // namespace esc::papers::acary
