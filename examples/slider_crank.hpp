// The slider-crank of acary section 6.4, three ways: in minimal coordinates (crank, rod and slider angles), as planar
// bodies with revolute joints, and as rigid bodies in space with revolute joints. The slider's four corners have a
// clearance c in the guide. Data of Table 2 with the rod's inertia corrected (see docs/errata.md).
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct SliderCrank {
  double l1 = 0.1530, l2 = 0.3060;               // m, crank and rod
  double a = 0.0500, b = 0.0250;                 // m, half length and half height of the slider
  double c = 0.0010;                             // m, clearance on each side
  double m1 = 0.0380, m2 = 0.0380, m3 = 0.0760;  // kg
  double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;  // kg m^2
  double Jx = 1e-5;                              // kg m^2, of each body along its rod axis; in space only
  double g = 9.81;                               // m/s^2, along -y
  double e = 0.4, mu = 0.01;
  std::array<double, 3> angles{0.0, 0.0, 0.0};     // rad
  std::array<double, 3> rates{150.0, -75.0, 0.0};  // rad/s

  enum class Equations { hand_written, from_energies };
  Model model(Equations equations = Equations::hand_written) const;
  Model planar_model() const;
  // The slider's Table 2 moments (Jx > Jy + Jz) are those of no solid: System::warnings() says so.
  Model spatial_model() const;
};

}  // namespace esc::examples
