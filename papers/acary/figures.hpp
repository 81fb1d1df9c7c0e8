// One function per table, figure or statement, each in a file of its own.
#pragma once

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers::acary {

Reproduction fig_2();
Reproduction fig_3();
Reproduction fig_4();
Reproduction fig_5();
Reproduction fig_6();
Reproduction fig_7();
Reproduction fig_8();
Reproduction fig_9();
Reproduction fig_11();
Reproduction fig_12();
Reproduction fig_13();
Reproduction fig_14();
Reproduction fig_15();
Reproduction fig_16();
Reproduction fig_17();
Reproduction fig_18();
Reproduction fig_20();
Reproduction fig_23();
Reproduction fig_24();
Reproduction fig_25();
Reproduction fig_26();
Reproduction proposition_2();
Reproduction section_33();
Reproduction section_431();
Reproduction section_44();
Reproduction section_52();
Reproduction table_3();
Reproduction remark_4();
Reproduction section_641();
Reproduction section_642();

}  // namespace esc::papers::acary
