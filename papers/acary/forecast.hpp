// Section 4.4: where the contact is when a forecast has activated it.
#pragma once

#include <vector>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

// Of the bouncing ball until 2.8 s, before it rests. For each h the largest over 8 steps near it.
struct Reactions {
  std::vector<double> h;
  std::vector<double> open;     // m, the largest gap at the end of a step with an impulse; 0 where none is open
  std::vector<double> deepest;  // m, the largest penetration
  double speed = 0.0;           // m/s, largest
  int impulses = 0, impulses_at_open_gaps = 0;
};
Reactions reactions(const SchemeChoice& scheme);

// With the forecast g + gamma h U impulses act at open gaps, which are at most (gamma - (1 - e) / 2) h |U| and of order
// 1 +- .1 in h.
Judgement acts_at_open_gaps(const Reactions& reactions, double gamma);
Judgement never_acts_at_open_gaps(const Reactions& reactions);  // to 1e-12 m
// Penetrations of order 1 +- .1 in h, at most 3/2 h |U|.
Judgement penetrates_in_proportion(const Reactions& reactions);

}  // namespace esc::papers::acary
