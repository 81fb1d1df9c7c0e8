// The linear oscillator above a stop, acary Example 2: m dv + (c v + k q) dt = dP, 0 <= q _|_ P >= 0.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct LinearOscillator {
  double mass = 1.0;                     // kg
  double damping = 0.0;                  // N s/m
  double stiffness = 39.47841760435743;  // N/m, 4 pi^2: period 1 s
  double e = 0.5;
  double position = 1.0;  // m
  double velocity = 0.0;  // m/s

  Model model() const;

  struct Motion {
    double q, v;
  };
  // Impacts included, for position > 0 and stiffness > 0; v after the impact at an impact time. Below critical damping
  // there is an impact in every half period; else one at most, and none if it is released at rest.
  Motion exact(double t) const;
  double first_impact() const;  // s; infinity: never
};

}  // namespace esc::examples
