// Lagrange's equations M(t,q) v' = F(t,q,v) from a kinetic energy T(t,q,v) and a potential V(t,q):
//   M = T_vv,   F = -V_q + T_q - T_vq v - T_vt + Q,   K = -dF/dq,   C = -dF/dv,
// with Q(t,q,v) the forces that have no potential. Recorded once from generic code, differentiated on the tape.
#pragma once

#include <vector>

#include <escapement/ad/expr.hpp>
#include <escapement/ad/program.hpp>
#include <escapement/export.hpp>

namespace esc::ad {

// The unknowns, and the energies written in them. u are further inputs (motors, control); T must not contain them.
struct ESC_API LagrangeRecording {
  explicit LagrangeRecording(int coordinates, int inputs = 0);

  Tape tape;
  Expr t;
  std::vector<Expr> q, v, u;
  Expr kinetic, potential;
  std::vector<Expr> force;  // Q, zero at first
};

// All programs read t, q[n], v[n], u[...], and the tangent then sq and sv. Matrices are full and by rows.
struct LagrangePrograms {
  int n = 0;
  Program mass;      // M
  Program force;     // F
  Program dynamics;  // M, then F
  Program tangent;   // sq*K + sv*C
  Program energy;    // T, V, and the power of what is in neither: forces without potential, an explicit t

  bool constant_mass = false;  // M is a constant matrix
  bool linear = false;         // and so are K and C: F is affine in q and v
};

// Throws std::invalid_argument if T is not quadratic in v, or contains u, or V contains v.
ESC_API LagrangePrograms lagrange(LagrangeRecording& recording);

// Whether T has terms that are linear in v, as in a frame that moves. Their change asks for accelerations, and the
// power above does not have it.
[[nodiscard]] ESC_API bool linear_in_rates(const LagrangeRecording& recording);

// kinetic(t, q, v) and potential(t, q): generic in the scalar, q and v are pointers to it.
template <class Kinetic, class Potential>
LagrangePrograms lagrange(int n, const Kinetic& kinetic, const Potential& potential) {
  LagrangeRecording r(n);
  const Expr *q = r.q.data(), *v = r.v.data();
  r.kinetic = kinetic(r.t, q, v);
  r.potential = potential(r.t, q);
  return lagrange(r);
}

// force(t, q, v, Q) writes the n generalized forces Q, which are zero at first.
template <class Kinetic, class Potential, class Force>
LagrangePrograms lagrange(int n, const Kinetic& kinetic, const Potential& potential, const Force& force) {
  LagrangeRecording r(n);
  const Expr *q = r.q.data(), *v = r.v.data();
  r.kinetic = kinetic(r.t, q, v);
  r.potential = potential(r.t, q);
  force(r.t, q, v, r.force.data());
  return lagrange(r);
}

}  // namespace esc::ad
