#include "src/schemes/parts/friction_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <escapement/error.hpp>

namespace esc {

FrictionShape::FrictionShape(FrictionCone cone, int directions) {
  if (directions % 2 != 0)
    throw OptionError("friction_directions", std::to_string(directions) +
                                                 " is odd: friction would differ forwards and backwards; use an even "
                                                 "number");
  if (cone == FrictionCone::round) return;
  for (int i = 0; i < directions; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / directions;
    d_.push_back(std::cos(angle));
    d_.push_back(std::sin(angle));
  }
}

// The side between d_i and d_{i+1} is the line T . m = |m|^2 through its middle m.
double FrictionShape::size(const double* T) const {
  if (round()) return std::hypot(T[0], T[1]);
  double largest = 0.0;
  for (std::size_t i = 0; i < d_.size(); i += 2) {
    const std::size_t next = (i + 2) % d_.size();
    const double m[2] = {0.5 * (d_[i] + d_[next]), 0.5 * (d_[i + 1] + d_[next + 1])};
    largest = std::max(largest, (T[0] * m[0] + T[1] * m[1]) / (m[0] * m[0] + m[1] * m[1]));
  }
  return largest;
}

double FrictionShape::misdirection(double mu, const double* P, const double* U, double slow) const {
  const double slip = std::hypot(U[1], U[2]);
  if (!(slip > slow)) return 0.0;
  if (round()) return std::hypot(P[1] + mu * P[0] * U[1] / slip, P[2] + mu * P[0] * U[2] / slip);
  double most = 0.0;
  for (std::size_t i = 0; i < d_.size(); i += 2) most = std::max(most, -(d_[i] * U[1] + d_[i + 1] * U[2]));
  return std::max(0.0, (mu * P[0] * most + P[1] * U[1] + P[2] * U[2]) / slip);
}

}  // namespace esc
