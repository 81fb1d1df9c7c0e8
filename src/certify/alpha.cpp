// The nonsmooth generalized-alpha method: bruels (29), (30).
#include <algorithm>
#include <cmath>

#include "src/certify/checks.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {}  // namespace

void certify(const AlphaEquations&, const StepStates&, Checks& check) { check.foreign(); }

}  // namespace esc
