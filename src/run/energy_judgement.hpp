#pragma once

#include <escapement/simulate.hpp>

namespace esc {

// What a run of this scheme may gain or lose by itself, as part of the energy in motion: 4^-p for the order p, which is
// 1 wherever there are joints or contacts.
double energy_bound(const Scheme& scheme);

}  // namespace esc
