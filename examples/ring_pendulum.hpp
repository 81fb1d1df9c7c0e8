// A rod hangs with its upper end inside a turning ring, acary section 6.3. The length of the rod is not given in the
// paper; here the rod is uniform, L = sqrt(12 I / m).
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct RingPendulum {
  double rod_mass = 5.0, rod_inertia = 1.0;  // kg, kg m^2
  double ring_inertia = 0.8;                 // kg m^2
  double ring_radius = 1.0;                  // m
  double gap = 1e-2;                         // m, initial, below the rod's upper end
  double ring_rate = 10.0;                   // rad/s
  double g = 9.81;                           // m/s^2
  double e = 0.0, mu = 0.3;

  double rod_length() const;
  Model model() const;
};

}  // namespace esc::examples
