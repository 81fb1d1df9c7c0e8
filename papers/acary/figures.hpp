// One function per table, figure or statement, each in a file of its own.
#pragma once

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers::acary {

Reproduction fig_12();
Reproduction fig_13();
Reproduction fig_14();
Reproduction fig_15();

}  // namespace esc::papers::acary
