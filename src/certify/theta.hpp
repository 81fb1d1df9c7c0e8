// A step of the theta-methods as theta.cpp and theta_projection.cpp see it. Of the scratch of Checks, v_theta is
// (1 - theta) v_k + theta v_{k+1} and q_free is retract(q_k, h v_theta).
#pragma once

#include "src/certify/checks.hpp"

namespace esc {

struct ThetaView {
  const ThetaEquations& equations;
  const StepStates& x;
  Checks& check;
  double h;
  double t_theta;
};

// The law of the positions, and whether any tau or tau_b is not zero.
bool check_projection(const ThetaView& step);

// q_free moved by the multipliers of the records, and what an inexact metric may leave of that.
struct Corrected {
  const std::vector<double>& q;
  double slack;
};
Corrected corrected_position(const ThetaView& step);

}  // namespace esc
