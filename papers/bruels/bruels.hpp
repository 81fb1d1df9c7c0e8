// The figures and statements of bruels (the nonsmooth generalized-alpha scheme).
#pragma once

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers::bruels {

Paper paper();

}  // namespace esc::papers::bruels
