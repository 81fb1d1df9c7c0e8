// Numerical damping of an oscillator, section 11.
#pragma once

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::bruels {

// 1 - |eigenvalue| of the step for omega h, the loss of amplitude, from a run of the undamped oscillator: where one
// pair of eigenvalues remains, q_k q_{k+2} - q_{k+1}^2 falls by |eigenvalue|^2 in every step.
double loss_per_step(const SchemeChoice& scheme, double omega_h);

}  // namespace esc::papers::bruels
