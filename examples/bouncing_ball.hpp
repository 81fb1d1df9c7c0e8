// The bouncing ball, acary Example 1: m dv = f dt + dP, 0 <= q _|_ P >= 0, Newton restitution e.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct BouncingBall {
  double mass = 1.0;    // kg
  double force = -2.0;  // N; Ballard's example
  double e = 0.5;
  double height = 1.0;     // m
  double velocity = -0.3;  // m/s; a start at rest puts impacts exactly on grid times
  int count = 1;           // balls side by side, each above its own floor

  Model model() const;

  // Exact motion of one ball for force < 0 and 0 < e < 1, impacts included; v after the impact at an impact time.
  struct Motion {
    double q, v;
  };
  Motion exact(double t) const;
  double first_impact() const;
  double rest_from() const;  // end of the infinite sequence of impacts
};

}  // namespace esc::examples
