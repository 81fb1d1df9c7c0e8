// A four-bar linkage of three slender rods and the ground: a crank that turns, a coupler, a rocker that swings. In
// the plane, and in space with four parallel revolute joints: 18 velocities, 20 joint rows of rank 17, so that the
// reactions out of the plane are determined by least norm only.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct FourBar {
  double base = 0.40;                                     // m, between the pivots at (0, 0) and (base, 0)
  double crank = 0.10, coupler = 0.35, rocker = 0.25;     // m
  double m_crank = 0.2, m_coupler = 0.7, m_rocker = 0.5;  // kg
  std::array<double, 3> gravity{0.0, -9.81, 0.0};         // m/s^2
  double angle = 0.7;                                     // rad, of the crank at the start
  double rate = 12.0;                                     // rad/s, of the crank at the start

  enum class Drive {
    none,
    motor,  // a velocity motor "drive" on the crank; its input "drive.velocity" starts at 0
  };
  Drive drive = Drive::none;

  Model planar_model() const;
  Model spatial_model() const;
};

}  // namespace esc::examples
