// A chain of capsules hung from ground by spherical joints; it starts straight at an angle below the horizontal and
// turns about its own line, so that it leaves the plane.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct Chain {
  int links = 10;
  double length = 0.1;    // m, of a link, from joint to joint
  double radius = 0.01;   // m
  double density = 1000;  // kg/m^3
  double slope = 0.3;     // rad, below the horizontal at the start
  double spin = 2.0;      // rad/s, of the straight chain about the vertical at the start
  double g = 9.81;        // m/s^2, along -z

  Model model() const;
};

}  // namespace esc::examples
