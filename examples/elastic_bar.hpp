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

  double wave_speed() const;            // m/s, sqrt(E / rho)
  double contact_time() const;          // s, 2 L / c0
  double contact_force() const;         // N, E S v0 / c0
  int tip() const { return elements; }  // the coordinate that touches: the last node
  Model model() const;
};

}  // namespace esc::examples
