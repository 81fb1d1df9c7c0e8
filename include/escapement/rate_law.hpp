// The law of contact at velocity level as data: which velocities the complementarity of a step is about.
#pragma once

namespace esc {

// u_N = U_N + (normal + restitution e) U_N,k and u_T = U_T + tangent U_T,k, with the velocities U at the end of the
// step, U_k at its beginning and e of the contact: 0 <= u_N _|_ P_N >= 0, and Coulomb's law for P_T against u_T.
//   Newton's impact law          {1, 0, 0}
//   mean velocities, potra (6.6)-(6.7)  {0, 1, 1}
//   compression                  {0, 0, 0}
struct RateLaw {
  double restitution = 1.0;  // times e
  double normal = 0.0;       // added weights of U_k
  double tangent = 0.0;
  bool operator==(const RateLaw&) const = default;
};

}  // namespace esc
