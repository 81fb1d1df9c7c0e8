// A bead on a straight wire that turns about the vertical at a constant rate: r'' = rate^2 r.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct BeadOnWire {
  double radius = 0.01;     // m, of the bead
  double density = 7800.0;  // kg/m^3
  double rate = 3.0;        // rad/s, of the wire
  double distance = 0.1;    // m, r at the start
  double velocity = -0.1;   // m/s, r' at the start
  double g = 9.81;          // m/s^2, along -z

  Model model() const;
  double exact_distance(double t) const;
  double exact_velocity(double t) const;
};

}  // namespace esc::examples
