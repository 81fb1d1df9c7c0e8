// A slider falls on a roller that a torque below the friction limit tries to turn, acary Fig. 8. The paper gives no
// data.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct SliderOnRoller {
  double mass = 1.0;      // kg, slider, moves vertically
  double radius = 0.1;    // m, roller
  double inertia = 0.01;  // kg m^2, roller
  double g = 9.81;        // m/s^2
  double e = 0.5, mu = 0.3;
  double height = 0.05;       // m, initial gap
  double torque_ratio = 0.5;  // of mu m g R; below 1 the roller must come to rest

  double torque() const { return torque_ratio * mu * mass * g * radius; }
  Model model() const;
};

}  // namespace esc::examples
