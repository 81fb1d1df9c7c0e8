// How large the momenta are that impulses of contacts add up to: what rounding leaves of their sum grows with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <escapement/contact.hpp>

namespace esc {

// The largest |G_ji P_j|, N s or N m s.
inline double largest_term(const ContactSet& set, std::span<const double> P) {
  double largest = 0.0;
  for (const Contact& contact : set.contacts) {
    const double* G = set.G.data() + contact.first_value;
    for (int row = contact.first_row; row < contact.first_row + contact.row_count; ++row)
      for (const Segment& segment : contact.segments)
        for (int j = 0; j < segment.length; ++j) largest = std::max(largest, std::abs(*G++ * P[row]));
  }
  return largest;
}

}  // namespace esc
