// A spinning wheel on an arm whose other end rests on a stand, a spherical joint: it does not fall but walks around the
// stand. With the arm level, steady precession at torque / (J spin) is an exact motion.
#pragma once

#include <escapement/model.hpp>

namespace esc::examples {

struct Gyroscope {
  double arm = 0.2;           // m, from the stand to the middle of the wheel
  double arm_radius = 0.005;  // m
  double radius = 0.1;        // m, of the wheel
  double thickness = 0.02;    // m
  double density = 2000.0;    // kg/m^3, of both
  double spin = 300.0;        // rad/s, of the wheel about the arm
  double precession = 0.0;    // rad/s, about the vertical at the start
  double g = 9.81;            // m/s^2, along -z

  Model model() const;
  double steady_precession() const;  // rad/s
};

}  // namespace esc::examples
