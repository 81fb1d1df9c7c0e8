// What describes a force between two frames or along a coordinate of a joint: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace esc {

enum class ForceKind : std::uint8_t { applied, damping };  // which line of the energy audit its work goes to
enum class Tangents : std::uint8_t { implicit, none };     // none: explicit, ties no blocks together

struct ForceOptions {
  ForceKind kind = ForceKind::applied;
  Tangents tangents = Tangents::implicit;
};

// Spring and damper along the line between two points. The line has no direction where the points meet: the force is
// NaN there, and the step fails. A bushing holds two points together.
struct Spring {
  double stiffness = 0.0;  // N/m, >= 0
  double damping = 0.0;    // N s/m, >= 0
  double length = 0.0;     // m, without tension, >= 0
  Tangents tangents = Tangents::implicit;
};

// Spring and damper on a coordinate of a joint.
struct JointSpring {
  double stiffness = 0.0;  // N m/rad or N/m, >= 0
  double damping = 0.0;    // N m s/rad or N s/m, >= 0
  double rest = 0.0;       // rad or m; an angle is measured in (-pi, pi] from here
  Tangents tangents = Tangents::implicit;
};

// Stiffness and damping between two frames A and B, on x = (displacement of B's origin in the axes of A, m; rotation
// vector of B relative to A in the axes of A, rad): V = x^T K x / 2, and the damping takes the power x'^T D x'.
// Both matrices are row-major, symmetric and positive semidefinite. The rotation stays below pi.
struct Bushing {
  std::array<double, 36> stiffness{};  // N/m, N/rad, N m/rad
  std::array<double, 36> damping{};    // the same times s
  Tangents tangents = Tangents::implicit;
};

// A force (N) and a moment (N m), x y z each, in the axes of the world, that are functions of time and of the inputs u
// of the System.
struct GivenWrench {
  std::function<std::array<double, 6>(double t, const double* u)> wrench;
};

// A bushing whose six directions do not act on each other.
inline Bushing diagonal_bushing(const std::array<double, 6>& stiffness, const std::array<double, 6>& damping = {}) {
  Bushing bushing;
  for (int i = 0; i < 6; ++i) {
    bushing.stiffness[7 * i] = stiffness[i];
    bushing.damping[7 * i] = damping[i];
  }
  return bushing;
}

}  // namespace esc
