#include "papers/acary/bar.hpp"
#include "papers/acary/figures.hpp"
#include "papers/acary/proximal.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  const SchemeChoice moreau_jean{"moreau-jean"}, schatzman_paoli{"schatzman-paoli"};
  for (const double e : {0.0, 0.5}) {
    const std::string label = ", e = " + text(e);
    const Projections velocity = projections(moreau_jean, e), position = projections(schatzman_paoli, e);
    report.claim("Moreau-Jean" + label + ": v_{k+1} + e v_k", "prox onto the tangent cone, (24)",
                 is_prox_of_velocities(velocity));
    report.claim("Moreau-Jean" + label + ": U_{k+1} + e U_k where P > 0", "0, (26)", keeps_impact_law(velocity));
    report.claim("Schatzman-Paoli" + label + ": q_{k+1} + e q_{k-1}", "prox onto q >= 0, (25)",
                 is_prox_of_positions(position));
    report.claim("Schatzman-Paoli" + label + ": U_{k+1} + e U_k where P > 0", "not the impact law",
                 breaks_impact_law(position));
    if (e > 0.0) continue;
    report.claim("Moreau-Jean, e = 0: penetration, m", "a slight violation", at_least(velocity.penetration, 1e-6));
    report.claim("Schatzman-Paoli, e = 0: penetration, m", "no violation", at_most(position.penetration, 1e-12));
  }
  report.claim("Schatzman-Paoli: velocities of the ball from the impact on", "the impact law after several steps",
               law_holds_after_several_steps(rebound(schatzman_paoli), 0.5));

  report.claim("Schatzman-Paoli, oscillator, e = 0: height after the impact, m", "no artificial rebound",
               stays_at_the_stop(schatzman_paoli));
  const BarCase bar{.h = 2e-7};
  const Run run = bar_run(schatzman_paoli, bar);
  const BarFigures figures = measure(run, bar);
  report.claim("Schatzman-Paoli, elastic bar: contact lost in between", "no artificial rebound",
               has_no_rebound(run, bar));
  report.claim("the same: penetration, m", "no violation", never_penetrates(run));
  report.claim("the same: contact force, mean, N", "1271.472", has_plateau(figures));
  report.claim("the same: contact time, s", "3.8545e-4", has_duration(figures));
  add_motion(report, run, "section-3.3");
}

}  // namespace

Reproduction section_33() {
  return {"section-3.3", "both schemes as projections in the metric of the mass; Schatzman-Paoli on the elastic bar",
          "Moreau-Jean projects velocities (24) and keeps the impact law in every step (26), with a slight violation. "
          "Schatzman-Paoli projects positions (25): no violation with e = 0, the impact law only after several steps, "
          "and no artificial rebound where there is flexibility.",
          reproduce};
}

}  // namespace esc::papers::acary
