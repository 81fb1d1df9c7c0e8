#pragma once

#include <escapement/simulate.hpp>

namespace esc {

// What a run of a scheme may gain or lose by itself, as part of the energy in motion: 4^-p for the order p, which is 1
// wherever there are joints or contacts.
double energy_bound(const SchemeTraits& traits, const System& system);

// One more step, which ends at this state and obeys this promise.
void add_energy(RunReport& report, const Audit& step, const State& after, const Promise& promise);

}  // namespace esc
