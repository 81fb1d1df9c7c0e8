// The tables, figures and statements of acary (INRIA RR-8029) that need no CAD model.
#pragma once

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers::acary {

Paper paper();

}  // namespace esc::papers::acary
