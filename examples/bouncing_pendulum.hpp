// The bouncing pendulum, bruels section 10.2: a mass on a rod falls against a wall, x >= wall. It has a joint and a
// contact at once. The rod has a moment of inertia about its end with the mass.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct BouncingPendulum {
  double mass = 1.0, inertia = 0.1;   // kg, kg m^2
  double length = 1.0;                // m, from the pivot at the origin
  double angle = 0.2617993877991494;  // rad, pi/12: of the rod above the horizontal at the start
  double wall = 0.7071067811865476;   // m, sqrt(2)/2
  double e = 0.8;
  double g = 10.0;  // m/s^2, along -y

  Model model() const;
};

}  // namespace esc::examples
