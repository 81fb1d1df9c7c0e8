// Inertia terms recorded in their natural form (velocities of mass centres) are sums over products of sines and
// cosines in which most terms cancel or join by sin^2 + cos^2 = 1. expand() writes such an expression as a polynomial,
// joins terms, and records the shorter result.
//
// Only what is safe for the numbers is done. Products are multiplied out over sums that contain a sine or cosine; any
// other sum, such as (x - x0) in (x - x0)^3, stays closed. k1 sin^2 + k2 cos^2 becomes k2 + (k1 - k2) sin^2 only if no
// digits cancel by it (k1, k2 of one sign, k1 the larger); terms vanish only if their coefficients cancel up to
// rounding. An expression that grows too large stays as it is, and so do all that come after
// the effort is spent: the result is a function of the recording alone.
#pragma once

#include <cstdint>

#include <escapement/ad/expr.hpp>

namespace esc::ad {

constexpr std::int64_t most_effort = 5'000'000;  // factors of terms that are handled: less than a second

// Takes what it costs from the effort that is left; f itself where nothing is.
Expr expand(const Expr& f, std::int64_t& effort);
inline Expr expand(const Expr& f) {
  std::int64_t effort = most_effort;
  return expand(f, effort);
}

}  // namespace esc::ad
