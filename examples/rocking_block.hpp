// The rocking block, acary Example 3 and section 5.3: a rectangle above a floor, two strongly coupled corners.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct RockingBlock {
  double length = 1.0;     // m, L, along the floor
  double thickness = 1.5;  // m, l, upright
  double mass = 1.0;       // kg
  double g = 9.81;         // m/s^2
  double e = 0.5, mu = 0.0;
  std::array<double, 3> pose{0.0, 1.0, 0.2};
  std::array<double, 3> velocity{0.0, 0.0, 0.2};

  // Features of the contact "floor".
  static constexpr unsigned corner_a = 1;  // lower right: y - l/2 cos + L/2 sin
  static constexpr unsigned corner_b = 0;  // lower left:  y - l/2 cos - L/2 sin

  double inertia() const { return mass / 12.0 * (thickness * thickness + length * length); }
  Model model() const;
};

}  // namespace esc::examples
