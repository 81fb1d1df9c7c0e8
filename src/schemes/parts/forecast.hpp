// Which contacts a step treats as active at velocity level, acary section 4.4.
#pragma once

#include <vector>

#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

// (61): { a | g_k + gamma h U_k <= tol }, evaluated at x.
void forecast_position(const System& system, const State& x, double h, double gamma, double tol, ContactSet& set);
// (62): { a | g_k + h (theta U_free + (1 - theta) U_k) <= tol }, v_free being the velocity without contact.
void forecast_free(const System& system, const State& x, double h, double theta, const std::vector<double>& v_free,
                   double tol, ContactSet& set);

}  // namespace esc
