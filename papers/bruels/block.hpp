// Runs of the rocking block of section 10.4, Figs 20 to 24, and what is asked of them.
#pragma once

#include "papers/bruels/measures.hpp"

namespace esc::papers::bruels {

inline constexpr double block_step = 1e-2;  // s

// Columns t, y, theta, g_A, g_B, U_A, U_B, P_A, P_B and energies; until 2 s, kept every `every` steps.
Run block_run(const SchemeChoice& scheme, double h = block_step, int every = 1);

double deepest(const Run& run);               // m, largest penetration of a corner
double late_speed(const Run& run);            // m/s, largest |U| of a corner from 1.5 s on
double block_loss_in_flight(const Run& run);  // J per step, before the first impact
Judgement block_energies(const Run& run);     // of an independent code at 0.25, 0.4, 0.6, 0.8 s, to 1e-6
Judgement block_impulses(const Run& run);     // of an independent code, the first five, to 1e-8
Judgement block_rests(const Run& run);        // y = 0.75 (1e-10), E = 7.3575 (1e-9), 4.905 N each (1e-6)
Judgement keeps_more_energy(const Run& one, const Run& other);  // at every step, 1e-9 J
// Mean distance of the energies from a reference with the same rows: the first is nearer.
Judgement nearer_in_energy(const Run& one, const Run& other, const Run& reference);

}  // namespace esc::papers::bruels
