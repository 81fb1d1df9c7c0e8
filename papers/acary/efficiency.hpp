// The counts of Table 3.
#pragma once

#include <escapement/simulate.hpp>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

struct Efficiency {
  double violation = 0.0;                      // largest penetration, m
  Statistics newton, projections, index_sets;  // per step
};

// The slider-crank of section 6.4.1 until 0.2 s.
Efficiency efficiency(const SchemeChoice& scheme, double h);

// Section 4.3.1: averages of Newton iterations and of index sets within 5 %.
Judgement changes_slightly(const Efficiency& decoupled, const Efficiency& coupled);

// What the text says of Table 3, of counts with the same options.
Judgement projection_improves_newton(const Efficiency& without, const Efficiency& with);  // fewer on average
Judgement projects_less(const Efficiency& combined, const Efficiency& direct);            // on average

}  // namespace esc::papers::acary
