// The impacting elastic bar, acary section 6.2 and Table 1 (section and initial gap as in docs/errata.md).
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct ElasticBar {
  double young = 210e9;                   // Pa
  double density = 7800.0;                // kg/m^3
  double length = 1.0;                    // m
  double section = 3.141592653589793e-4;  // m^2
  double velocity = 0.1;                  // m/s, towards the wall
  double gap = 5.0911688245431424e-5;     // m, 3.6e-5 sqrt 2
  double e = 0.0;
  int elements = 1000;

  double wave_speed() const;      // m/s, sqrt(E / rho)
  double contact_time() const;    // s, 2 L / c0
  double contact_force() const;   // N, E S v0 / c0
  static int tip() { return 0; }  // the coordinate that touches: the first node, whatever the elements
  Model model() const;

  // Exact motion of the bar itself, the limit of many elements and small steps, with e = 0: the impact sends a wave
  // through it at the wave speed, behind which it stands still; back from the free end comes one behind which it
  // moves away. s: distance of a section from the end that touches, 0..length (m).
  struct Motion {
    double u, v;  // m, displacement towards the wall; m/s
  };
  Motion exact(double s, double t) const;
  double exact_force(double t) const;               // N, of the wall on the bar
  double impact() const { return gap / velocity; }  // s
};

}  // namespace esc::examples
