// Bodies in general position, and masses on coordinates.
#pragma once

#include <array>
#include <cmath>
#include <memory>

#include <escapement/models/lagrangian.hpp>
#include <escapement/system.hpp>

namespace esc::testing {

inline std::array<double, 4> turn(std::array<double, 3> axis, double by) {
  const double size = std::hypot(axis[0], axis[1], axis[2]), s = std::sin(0.5 * by) / size;
  return {std::cos(0.5 * by), s * axis[0], s * axis[1], s * axis[2]};
}

inline RigidBody box(double x, double by) {
  return {.mass = 1.0 + x,
          .inertia = {0.5, 0.7, 0.9},
          .position = {x, -0.2, 0.5 * x},
          .rotation = turn({1.0, x - 2.0, -1.0}, by)};
}

// A joint of this kind where both frames are now at one place in the world.
inline JointId joint_at(Model& model, const char* name, const JointType& type, BlockId a, BlockId b) {
  const std::array<double, 3> place{0.4, 0.3, -0.2};
  const auto axes = turn({1, 0.5, 0.2}, 0.9);
  return model.add_joint(name, type, model.frame_at(a, place, axes), model.frame_at(b, place, axes));
}

// Unit masses, of which the second has a weight.
template <int N>
std::unique_ptr<BlockLeaf> masses_with_weight(double weight) {
  return lagrangian<N>(
      [](double, const double*, MatrixView M) {
        for (int i = 0; i < N; ++i)
          for (int j = 0; j < N; ++j) M(i, j) = i == j ? 1.0 : 0.0;
      },
      [weight](const auto&, const auto*, const auto*, auto* F) {
        for (int i = 0; i < N; ++i) F[i] = i == 1 ? -weight : 0.0;
      });
}

}  // namespace esc::testing
