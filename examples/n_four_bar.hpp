// A row of N square windows of 2 N + 1 equal bars: problem A02 of the multibody benchmark library
// (docs/benchmark_problems.md). Cranks i = 0..N turn about (i, 0) length, coupler i joins the ends of cranks i - 1 and
// i. Whenever the cranks lie on the ground line, N equations depend on the others and the freedom jumps from 1 to N
// + 1.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct NFourBar {
  int loops = 2;        // N >= 1
  double mass = 1.0;    // kg, of each bar
  double length = 1.0;  // m
  double speed = 1.0;   // m/s, of the couplers along x at the start, where the cranks stand upright
  double g = 9.81;      // m/s^2, along -y

  Model model() const;
};

}  // namespace esc::examples
