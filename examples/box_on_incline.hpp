// A box on a plane that falls off in any direction: it sticks while tan(slope) < mu, and slides down with
// g (sin slope - mu cos slope) otherwise.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct BoxOnIncline {
  Box box{0.10, 0.15, 0.05};  // m, half sizes
  double density = 1000.0;    // kg/m^3
  double slope = 0.3;         // rad
  double direction = 0.0;     // rad, of steepest descent, about the vertical from x
  double heading = 0.0;       // rad, of the box about the normal of the plane, from the direction of descent
  double speed = 0.0;         // m/s, down the plane at the start
  double clearance = 1e-3;    // m, below the box at the start
  double e = 0.0, mu = 0.5;
  double g = 9.81;                          // m/s^2
  std::array<double, 4> scene{1, 0, 0, 0};  // turns everything, gravity too

  Model model() const;
  std::array<double, 3> start() const;    // m, where the centre of the box is
  std::array<double, 3> descent() const;  // unit vector down the plane
};

}  // namespace esc::examples
