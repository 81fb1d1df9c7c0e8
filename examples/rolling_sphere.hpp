// A ball thrown on a floor: it slips, friction slows and turns it, and then it rolls. The slip keeps its direction and
// shrinks by (1 + m R^2 / J) mu g = 7/2 mu g.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct RollingSphere {
  double radius = 0.1;                              // m
  double density = 1000.0;                          // kg/m^3
  std::array<double, 3> velocity{2.0, 0.0, 0.0};    // m/s
  std::array<double, 3> angular_velocity{0, 0, 0};  // rad/s
  double clearance = 1e-3;                          // m, below the ball at the start
  double e = 0.0, mu = 0.3;
  double g = 9.81;  // m/s^2, along -z

  Model model() const;
  std::array<double, 3> slip() const;              // m/s, of the lowest point at the start
  double rolling_time() const;                     // s, when it begins to roll if it starts on the floor
  std::array<double, 3> rolling_velocity() const;  // m/s, then
};

}  // namespace esc::examples
