// One semismooth Newton step on the Alart-Curnier form of a whole cone problem.
#pragma once

#include <escapement/cone_problem.hpp>
#include <escapement/solvers/nsgs.hpp>

namespace esc::cone {

// p := p + dp, where with rho = dim / trace W_cc per cone (Alart and Curnier 1991)
//   free: u = 0;   N: p_N = max(0, p_N - rho u_N);   T: p_T = proj(p_T - rho u_T) onto the disc of radius mu max(0,
//   p_N).
// dp is of least norm where W is rank deficient. p enters and leaves in `p`; W is dense, row-major. Not for polyhedral.
void newton_step(const ConeProblem& problem, const double* W, std::vector<double>& p, NewtonScratch& scratch);

}  // namespace esc::cone
