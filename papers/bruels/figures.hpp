// One function per figure or statement; those of one example stand in one file.
#pragma once

#include "papers/reproduce/reproduction.hpp"

namespace esc::papers::bruels {

// smooth_figures.cpp
Reproduction fig_2();
Reproduction fig_3();
// ball_figures.cpp
Reproduction fig_4();
Reproduction fig_5();
Reproduction fig_6();
Reproduction fig_7();
Reproduction section_72();
// pendulum_figures.cpp
Reproduction fig_8();
Reproduction fig_9();
Reproduction fig_10();
Reproduction fig_11();
// joint_figures.cpp
Reproduction fig_12();
Reproduction fig_13();
Reproduction fig_14();
Reproduction fig_15();
Reproduction fig_16();
// bar_figures.cpp
Reproduction fig_17();
Reproduction fig_18();
Reproduction fig_19();
// block_figures.cpp
Reproduction fig_20();
Reproduction fig_21();
Reproduction fig_22();
Reproduction fig_23();
Reproduction fig_24();
// iterations.cpp
Reproduction section_8();
// damping.cpp
Reproduction section_11();

}  // namespace esc::papers::bruels
