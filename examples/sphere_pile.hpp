// Balls fall into an open box of five half-spaces. They start on a grid, each one a little beside its place.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct SpherePile {
  int balls = 200;
  int across = 5;           // balls along each side of a layer
  double radius = 0.02;     // m
  double spacing = 0.045;   // m, of the grid
  double jitter = 0.002;    // m, at most, along each axis; the balls must not overlap
  double density = 1000.0;  // kg/m^3
  double e = 0.0, mu = 0.4;
  double g = 9.81;  // m/s^2, along -z

  Model model() const;
  double half_width() const { return 0.5 * across * spacing; }  // m, of the box
};

}  // namespace esc::examples
