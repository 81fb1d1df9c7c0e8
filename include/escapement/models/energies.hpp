// Lagrangian coordinates from energies: M = T_vv, F = -V_q + T_q - T_vq v - T_vt + Q, all tangents exact. The lambdas
// are generic in their scalar, recorded once and compiled to a tape; branches are written with where().
//
//   model.add_coordinates("pendulum", {"phi"}, from_energies(1,
//       [](const auto& t, const auto* q, const auto* v) { return 0.5 * v[0] * v[0]; },
//       [](const auto& t, const auto* q) { using std::cos; return -9.81 * cos(q[0]); }), {0.1}, {0.0});
#pragma once

#include <memory>

#include <escapement/ad/lagrange.hpp>
#include <escapement/model.hpp>

namespace esc {

ESC_API std::unique_ptr<BlockLeaf> from_programs(ad::LagrangePrograms programs);

template <class Kinetic, class Potential>
std::unique_ptr<BlockLeaf> from_energies(int n, const Kinetic& kinetic, const Potential& potential) {
  return from_programs(ad::lagrange(n, kinetic, potential));
}

// force(t, q, v, Q): generalised forces that have no potential; their work is audited as applied.
template <class Kinetic, class Potential, class Force>
std::unique_ptr<BlockLeaf> from_energies(int n, const Kinetic& kinetic, const Potential& potential,
                                         const Force& force) {
  return from_programs(ad::lagrange(n, kinetic, potential, force));
}

}  // namespace esc
