// Andrews' squeezer: seven planar bodies, a spring and a drive, in hundredths of a second: problem A03 of the multibody
// benchmark library. Data, letters and frames are those of the IVP test set (docs/benchmark_problems.md). Link k is the
// body K_k there. Pivots O, A, B and the end C of the spring are on the ground; three pins meet at E.
#pragma once

#include <array>

#include <escapement/model.hpp>

namespace esc::examples {

struct AndrewsSqueezer {
  std::array<double, 7> mass{0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};            // kg
  std::array<double, 7> inertia{2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};  // kg m^2
  double xa = -0.06934, ya = -0.00227;                                                                  // m
  double xb = -0.03635, yb = 0.03273;
  double xc = 0.014, yc = 0.072;
  double rr = 0.007, ra = 0.00092;  // m, link 1 from O to F; distance of its centre of mass
  double d = 0.028, da = 0.0115;    // link 2 from F to E
  double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;  // link 3 from B to E, the spring at D
  double e = 0.02, ea = 0.01421;                                         // link 4 from G to E
  double zt = 0.04, ta = 0.02308, tb = 0.00916;                          // link 5 from A to G
  double zf = 0.02, fa = 0.01421;                                        // link 6 from H to E
  double u = 0.04, ua = 0.01228, ub = 0.00449;                           // link 7 from A to H
  double c0 = 4530.0, l0 = 0.07785;                                      // N/m, m, of the spring
  double torque = 0.033;                                                 // N m, on link 1
  double beta = -0.0617138900142764;                                     // rad, of link 1 at the start

  // Angles of the links' axes x at the start, all links at rest.
  std::array<double, 7> start() const;
  Model model() const;
};

}  // namespace esc::examples
