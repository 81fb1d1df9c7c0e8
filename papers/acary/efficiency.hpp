// The counts of Table 3.
#pragma once

#include <escapement/simulate.hpp>

#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

struct Efficiency {
  double violation = 0.0;                      // largest penetration, m
  Statistics newton, projections, index_sets;  // per step
};

// The slider-crank of section 6.4.1 until 0.2 s.
Efficiency efficiency(const SchemeChoice& scheme, double h);

}  // namespace esc::papers::acary
