// Proposition 2: errors of one step from the exact state across an impact.
#pragma once

#include <vector>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

enum class Impact { ball, oscillator };  // Examples 1 and 2, at their first impact

// For each h the largest over 16 phases of the impact in the step.
struct LocalErrors {
  std::vector<double> h, q, v;
  double jump = 0.0;  // of the velocity at the impact, m/s
};

// `steps_before`: 0, the step crosses the impact; else it ends so many steps before.
LocalErrors local_errors(const SchemeChoice& scheme, Impact impact, int steps_before = 0);

Judgement position_error_is_of_first_order(const LocalErrors& errors);  // order 1 +- .1
Judgement velocity_error_is_bounded(const LocalErrors& errors);         // by the jump, and 5 % of it
Judgement velocity_error_stays(const LocalErrors& errors);              // order 0 +- .1, half the jump at least

}  // namespace esc::papers::acary
