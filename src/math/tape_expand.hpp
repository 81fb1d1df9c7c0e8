// Inertia terms recorded in their natural form (velocities of mass centres) are sums over products of sines and
// cosines in which most terms cancel or join by sin^2 + cos^2 = 1. expand() writes such an expression as a polynomial,
// joins terms, and records the shorter result.
//
// Only what is safe for the numbers is done. Products are multiplied out over sums that contain a sine or cosine; any
// other sum, such as (x - x0) in (x - x0)^3, stays closed. k1 sin^2 + k2 cos^2 becomes k2 + (k1 - k2) sin^2 only if no
// digits cancel by it (k1, k2 of one sign, k1 the larger); terms vanish only if their coefficients cancel up to
// rounding. An expression that grows too large stays as it is.
#pragma once

#include <escapement/ad/expr.hpp>

namespace esc::ad {

Expr expand(const Expr& f);

}  // namespace esc::ad
