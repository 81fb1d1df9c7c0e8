// Which contacts a step treats as active at velocity level, acary section 4.4.
#pragma once

#include <vector>

#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

// (61): { a | g_k + gamma h U_k <= tol }.
struct PositionForecast {
  double h = 0.0, gamma = 0.0, tol = 0.0;
};
void find_closing(const System& system, const State& x, const PositionForecast& rule, ContactSet& set);

// (62): { a | g_k + h (theta U_free + (1 - theta) U_k) <= tol }, v_free being the velocity without contact.
struct FreeForecast {
  double h = 0.0, theta = 0.5, tol = 0.0;
  const std::vector<double>& v_free;
};
void find_closing(const System& system, const State& x, const FreeForecast& rule, ContactSet& set);

}  // namespace esc
