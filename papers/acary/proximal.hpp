// Section 3.3: both schemes as projections (24), (25), of four masses above floors q >= 0, tied by springs.
#pragma once

#include <vector>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// argmin (x - y)^T M (x - y) / 2 over x_i >= 0 for i in `bounded`; M by rows. Tries every set of bounds that hold with
// equality, and takes the one whose x and multipliers have the right signs.
std::vector<double> prox(const std::vector<double>& M, const std::vector<double>& y, const std::vector<bool>& bounded);

// Of a run of `steps` steps: the largest distance of v_{k+1} + e v_k from (24), or of q_{k+1} + e q_{k-1} from (25).
struct Projections {
  double velocities = 0.0;   // m/s, (24)
  double positions = 0.0;    // m, (25)
  double newton = 0.0;       // m/s, (26): |U_{k+1} + e U_k| where P > 0
  double penetration = 0.0;  // m
  int most_at_once = 0;      // contacts with an impulse in one step
};
Projections projections(const SchemeChoice& scheme, double e);

Judgement is_prox_of_velocities(const Projections& p);  // 1e-10 m/s, with at least two contacts at once
Judgement is_prox_of_positions(const Projections& p);   // 1e-12 m, likewise
Judgement keeps_impact_law(const Projections& p);       // (26), 1e-10 m/s
Judgement breaks_impact_law(const Projections& p);      // by more than 0.1 m/s

// Schatzman-Paoli on the ball: the first impact, h = 1e-3 / sqrt 2.
struct Rebound {
  std::vector<double> ratio;  // v_k / v- in the steps of the impact and after, as long as they differ
};
Rebound rebound(const SchemeChoice& scheme);
Judgement law_holds_after_several_steps(const Rebound& rebound, double e);  // two or three; then -e to 1 %

// The oscillator with e = 0: from its impact on it is at the stop, to 1e-12 m.
Judgement stays_at_the_stop(const SchemeChoice& scheme);

}  // namespace esc::papers::acary
