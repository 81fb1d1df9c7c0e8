// Candidates of a local problem, compared by how far they break their own mode's inequalities.
#pragma once

#include <algorithm>
#include <cmath>

namespace esc::cone {

// Relative violation below which a candidate is a solution: rounding in ill-conditioned 3x3 blocks, measured.
constexpr double local_tol = 1e-9;

template <int N>
struct Candidate {
  double violation = 1.0;
  double p[N] = {};

  // Keeps the better one; true when there is nothing left to improve.
  bool offer(double v, const double* x) {
    if (v < violation && std::isfinite(x[0])) {
      violation = v;
      std::copy(x, x + N, p);
    }
    return violation <= 0.0;
  }
};

}  // namespace esc::cone
