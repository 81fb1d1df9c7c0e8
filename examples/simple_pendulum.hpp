// A point mass on a massless rod, released at rest on the left of its pivot, at the pivot's height: problem A01 of the
// multibody benchmark library (docs/benchmark_problems.md). The rod is a distance joint to the centre of mass of a
// planar body; no moment acts on the body, which does not turn.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct SimplePendulum {
  double mass = 1.0;    // kg
  double length = 1.0;  // m
  double g = 9.81;      // m/s^2

  Model model() const;

  struct Motion {
    double x, y, vx, vy;  // m, m/s
  };
  Motion exact(double t) const;  // by Jacobi's elliptic functions of modulus sin(pi/4)
};

}  // namespace esc::examples
