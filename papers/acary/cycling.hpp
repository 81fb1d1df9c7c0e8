// Remark 4: what becomes of a set of active contacts that follows the implicit position.
#pragma once

#include <vector>

#include <escapement/system.hpp>

namespace esc::papers::acary {

enum class Following {
  iterates,   // (63): I = { g(q_k + h v_theta^n) <= 0 } anew in every Newton iteration
  solutions,  // (64): I = { g(q_k + h v_theta) <= 0 } anew after every solution
  growing,    // (66): I = I u { g <= 0 } after every solution
};

using ActiveSet = std::vector<ContactKey>;

struct Settling {
  bool settled = false;
  std::vector<ActiveSet> sets;    // in the order in which they were tried, the empty one first
  std::vector<double> least_gap;  // after each of them, of all contacts, m
};

// Searches the active set of one step of Moreau-Jean (theta = 1/2) from x, without projection, and gives up after
// `most` sets. For frictionless systems with a diagonal constant mass and constant forces.
Settling settle(const System& system, const State& x, double h, Following rule, int most = 50);

}  // namespace esc::papers::acary
