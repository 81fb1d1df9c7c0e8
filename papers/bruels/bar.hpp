// Runs of the impacting elastic bar of section 10.3, Figs 17 to 19, and what is asked of them.
#pragma once

#include "examples/elastic_bar.hpp"
#include "papers/bruels/measures.hpp"

namespace esc::papers::bruels {

// S is not in the paper: 1 m^2.
inline constexpr examples::ElasticBar bar{
    .young = 900.0, .density = 1.0, .length = 10.0, .section = 1.0, .velocity = 10.0, .gap = 5.005, .elements = 200};
inline constexpr double bar_step = 2e-3;  // s: Courant number 1.2

// Columns t, gap, v (of the end that touches, away from the wall), P, force, energies; until 1.5 s.
Run bar_run(const SchemeChoice& scheme);
Table exact_bar();  // t, gap, v, force

struct BarFigures {
  std::vector<double> force;                       // N, of the steps with an impulse
  double mean = 0.0, deviation = 0.0;              // N, over the middle 80 % of the contact
  double gap = 0.0, deepest = 0.0;                 // m in contact: largest |gap|, largest penetration of the whole run
  double bounce = 0.0;                             // m, largest gap between the first and the last of them
  double speed = 0.0;                              // m/s in contact, largest |v|, first step left out
  double duration = 0.0;                           // s
  double energy = 0.0, highest = 0.0, rise = 0.0;  // J at the end, largest, largest rise in a step
};
BarFigures measure(const Run& run);
Judgement first_forces(const BarFigures& figures, const std::array<double, 3>& wanted);  // 1e-7, relative

}  // namespace esc::papers::bruels
