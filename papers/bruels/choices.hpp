// The schemes that the paper compares, with the spectral radius 0.8 unless another one is given.
#pragma once

#include <string>

#include "papers/reproduce/runs.hpp"

namespace esc::papers::bruels {

// "Nonsmooth-alpha GGL".
inline SchemeChoice alpha_ggl(const std::string& rho_inf = "0.8") { return {"alpha-ggl", {{"rho_inf", rho_inf}}}; }

// "Moreau", (50), with theta = 1 / (1 + 0.8): all examples of the paper have a constant mass, and then it is
// Moreau-Jean with F at both ends of the step. look_ahead says what the paper does not: q* = q_n + look_ahead h v_n.
inline SchemeChoice moreau(const std::string& look_ahead = "1") {
  return {"moreau-jean",
          {{"rho_inf", "0.8"}, {"quadrature", "endpoints"}, {"forecast", "predicted"}, {"gamma", look_ahead}}};
}

// "Smooth-alpha index-3", (51), (52).
inline SchemeChoice smooth() { return {"alpha-index3", {{"rho_inf", "0.8"}}}; }

// "Nonsmooth-alpha, modified LCP", (25) with (27) in place of (28).
inline SchemeChoice modified_lcp() { return {"alpha-ggl", {{"rho_inf", "0.8"}, {"gap_law", "mu"}}}; }

}  // namespace esc::papers::bruels
