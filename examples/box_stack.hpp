// Boxes piled one on the other: the upper face of each carries the next one.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct BoxStack {
  int boxes = 10;
  Box box{0.1, 0.1, 0.05};  // m, half sizes
  double density = 1000.0;  // kg/m^3
  double twist = 0.2;       // rad, of each box relative to the one below
  double clearance = 1e-4;  // m, below each box at the start
  double e = 0.0, mu = 0.5;
  double g = 9.81;  // m/s^2, along -z

  Model model() const;
};

}  // namespace esc::examples
