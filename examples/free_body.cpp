#include "examples/free_body.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace esc::examples {

namespace {

// K of modulus k: pi / 2 over the arithmetic-geometric mean of 1 and sqrt(1 - k^2).
double complete_elliptic(double k_squared) {
  double a = 1.0, b = std::sqrt(1.0 - k_squared);
  while (std::abs(a - b) > 1e-15 * a) a = std::exchange(b, std::sqrt(a * b)) / 2.0 + a / 2.0;
  return 0.5 * std::numbers::pi / a;
}

}  // namespace

Model FreeBody::model() const {
  Model model;
  model.add_rigid_body("body", {.mass = mass, .inertia = inertia, .angular_velocity = angular_velocity});
  return model;
}

// Landau and Lifshitz, Mechanics, section 37: with 2 E and M^2, and axes 1 and 3 exchanged where M^2 < 2 E J2.
double FreeBody::period() const {
  auto [J1, J2, J3] = inertia;
  double twice_energy = 0.0, momentum_squared = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double part = inertia[i] * angular_velocity[i] * angular_velocity[i];
    twice_energy += part;
    momentum_squared += inertia[i] * part;
  }
  if (momentum_squared < twice_energy * J2) std::swap(J1, J3);
  const double slow = (J3 - J2) * (momentum_squared - twice_energy * J1);
  const double k_squared = (J2 - J1) * (twice_energy * J3 - momentum_squared) / slow;
  return 4.0 * complete_elliptic(k_squared) * std::sqrt(J1 * J2 * J3 / slow);
}

}  // namespace esc::examples
