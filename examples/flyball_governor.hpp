// The stiff flyball governor: two rods with balls on hinges at the top of a spinning shaft, held by stiff springs with
// dampers to a block that slides on the shaft: problem A05 of the multibody benchmark library
// (docs/benchmark_problems.md). A rod and its ball are one body.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct FlyballGovernor {
  double density = 3000.0;            // kg/m^3, of shaft, rods and slider
  double length = 1.0, width = 0.01;  // m, of shaft and rods, of square section
  double side = 0.1;                  // m, of the cube that slides; the hinges are as far apart as its sides
  double ball = 5.0;                  // kg, a point mass at the end of each rod
  double stiffness = 8e5;             // N/m
  double damping = 4e4;               // N s/m
  double rest = 0.5;                  // m, length of the springs without tension
  double height = 0.5;                // m, of the slider's centre at the start
  double angle = 0.5235987755982988;  // rad, pi/6: of the rods below the horizontal at the start
  double spin = 6.283185307179586;    // rad/s, 2 pi: of everything about the shaft at the start
  double g = 9.81;                    // m/s^2, along -z

  double rod_mass() const { return density * length * width * width; }         // kg, without the ball
  double offset() const { return 0.5 * length * ball / (rod_mass() + ball); }  // m, of the centre of rod and ball
  // kg m^2, of rod and ball about their centre: along the rod, and across it.
  std::array<double, 2> moments() const;
  Model model() const;
};

}  // namespace esc::examples
