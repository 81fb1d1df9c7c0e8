// A ball between two walls that close in at constant speed: gaps g(t, q). With e = 1, (1 - t_n)(u_n - 1) is the same
// after every impact n (times in s, walls at +-(1 - t) m).
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct MovingWalls {
  double mass = 1.0;  // kg
  double e = 1.0;
  double velocity = 3.0;  // m/s
  double closing = 1.0;   // m/s, of each wall

  Model model() const;
  double exact_impact_time(int n) const;  // n = 0, 1, ...

  struct Motion {
    double x, v;
  };
  Motion exact(double t) const;  // e = 1, closing = 1, velocity > 0, t < 1
};

}  // namespace esc::examples
