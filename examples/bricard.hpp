// Bricard's mechanism: five equal rods and the ground in a ring of six revolute joints, each axis perpendicular to the
// next: problem A04 of the multibody benchmark library (docs/benchmark_problems.md). Joints p1 to p6 start at six
// corners of a cube. It has 30 joint rows of rank 29 on 30 velocities: it moves although the count of rows says that it
// cannot.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct Bricard {
  double length = 1.0;   // m, of a rod
  double section = 0.1;  // m, side of its square section
  double mass = 1.0;     // kg
  double g = 9.81;       // m/s^2, along -y

  Model model() const;
};

}  // namespace esc::examples
