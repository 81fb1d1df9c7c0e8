// The tippe top: a ball whose centre of mass lies below its centre, spun fast on a rough floor, turns upside down.
// With the centre of the ball a above the centre of mass, r = a e_3 - R n leads from there to the floor, and Jellett's
// L . r stays the same whatever the friction is.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct TippeTop {
  double radius = 0.02;           // m, R
  double offset = 0.002;          // m, a
  double mass = 0.02;             // kg
  double across = 131.0 / 350.0;  // J_1 = J_2 over m R^2, about the centre of mass
  double along = 2.0 / 5.0;       // J_3 over m R^2
  double tilt = 0.5;              // rad, of the axis at the start
  double spin = 200.0;            // rad/s, about the vertical, with the centre of the ball at rest
  double clearance = 1e-5;        // m, below the ball at the start
  double mu = 0.4;
  double g = 9.81;  // m/s^2, along -z

  Model model() const;
  std::array<double, 3> inertia() const;  // kg m^2
};

}  // namespace esc::examples
