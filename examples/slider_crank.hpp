// The slider-crank of acary section 6.4.1 in minimal coordinates: crank, rod and slider angles; the slider's four
// corners have a clearance c in the guide. Data of Table 2 with the rod's inertia corrected (see docs/errata.md).
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
  double g = 9.81;                               // m/s^2, along -y
  double e = 0.4, mu = 0.01;
  std::array<double, 3> angles{0.0, 0.0, 0.0};     // rad
  std::array<double, 3> rates{150.0, -75.0, 0.0};  // rad/s

  enum class Equations { hand_written, from_energies };
  Model model(Equations equations = Equations::hand_written) const;
};

}  // namespace esc::examples
