// Parameters of the generalized-alpha family by the spectral radius at infinite frequency.
#pragma once

#include <escapement/promise.hpp>

namespace esc {

// beta that makes the two eigenvalues of infinite frequency equal.
inline void set_newmark(AlphaEquations& equations, double gamma) {
  equations.gamma = gamma;
  equations.beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
}

// Chung and Hulbert, bruels (31).
inline void set_chung_hulbert(AlphaEquations& equations, double rho) {
  equations.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
  equations.alpha_f = rho / (rho + 1.0);
  set_newmark(equations, 0.5 + equations.alpha_f - equations.alpha_m);
}

// Newmark: that radius is (3/2 - gamma) / (1/2 + gamma).
inline void set_newmark_of(AlphaEquations& equations, double rho) {
  equations.alpha_m = equations.alpha_f = 0.0;
  set_newmark(equations, 0.5 * (3.0 - rho) / (1.0 + rho));
}

// Hilber, Hughes, Taylor: alpha = (1 - rho) / (1 + rho) in [0, 1/3].
inline void set_hht(AlphaEquations& equations, double rho) {
  equations.alpha_m = 0.0;
  equations.alpha_f = (1.0 - rho) / (1.0 + rho);
  set_newmark(equations, 0.5 + equations.alpha_f);
}

}  // namespace esc
