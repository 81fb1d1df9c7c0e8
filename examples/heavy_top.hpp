// The heavy top of the Lie group papers (bruels and the references there): a disc on an arm of length 1 m, held at its
// tip by a spherical joint to ground. Its spin about the axis of symmetry, y of the body, never changes.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct HeavyTop {
  double mass = 15.0;                                            // kg
  std::array<double, 3> inertia{0.234375, 0.46875, 0.234375};    // kg m^2, about the centre of mass
  double arm = 1.0;                                              // m, from the joint to the centre of mass, along y
  std::array<double, 3> angular_velocity{0.0, 150.0, -4.61538};  // rad/s, body axes
  double g = 9.81;                                               // m/s^2, along -z

  Model model() const;
};

}  // namespace esc::examples
