// A chain of equal rods along x, tied by spherical joints, its first rod to ground at the origin; released at rest
// under gravity along -z. The same numbers for ours and the peers (C++17).
#pragma once

namespace bench {

struct ChainScene {
  int bodies = 10;
  double length = 0.1;    // m, of a rod
  double width = 0.02;    // m, square section
  double mass = 0.1;      // kg, of a rod
  double gravity = 9.81;  // m/s^2
  double h = 1e-3;        // s
  int steps = 500;

  double axial_inertia() const { return mass * width * width / 6.0; }                       // kg m^2, about x
  double cross_inertia() const { return mass * (length * length + width * width) / 12.0; }  // about y and z
  double centre(int rod) const { return (rod + 0.5) * length; }                             // m, x at the start
};

}  // namespace bench
