// A free body with three different moments of inertia that spins about the middle axis: it flips over and back with the
// exact period of Euler's equations (Dzhanibekov's wing nut).
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct FreeBody {
  double mass = 1.0;                                      // kg
  std::array<double, 3> inertia{1.0, 2.0, 3.0};           // kg m^2, ascending
  std::array<double, 3> angular_velocity{0.0, 5.0, 0.1};  // rad/s, body axes

  Model model() const;
  double period() const;  // s, of the angular velocity
};

}  // namespace esc::examples
