// Section 5.2: a block that falls onto three feet, of which the middle one is shorter.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

struct Feet {
  double shorter = 1e-3;  // m, by which the middle foot ends above the line of the other two
  double h = 1e-2;        // s
  std::array<double, 3> pose{0.0, 0.752541, -4.9e-3}, velocity{0.0, -0.985, 2.03};
};

Feet flat_landing();  // nearly flat: the law needs impulses of two feet, and leaves open which

// The step that lands the block.
struct Landing {
  bool solved = false;                // else what follows says nothing of the end of the step
  std::vector<std::string> violated;  // feet below the floor after the free motion: the set I
  std::vector<std::string> pushed;    // feet with P > 0: the set I_c
  double all = 0.0;                   // m, the least |g| over the feet of I that any position has
  double held = 0.0;                  // m, the same over those of I_c
  double least_gap = 0.0;             // m, at the end of the step
};
Landing land(const SchemeChoice& scheme, const Feet& feet);

// No position has g = 0 at all feet of I: the nearest one misses by this part of `shorter` at least.
Judgement all_is_infeasible(const Landing& landing, const Feet& feet);
// The step ends without penetration (1e-12 m), and g = 0 can be had at the feet that push.
Judgement pushed_is_feasible(const Landing& landing);
// The combined scheme refuses the step, the direct one ends it without penetration.
Judgement only_direct_lands(const Landing& combined, const Landing& direct);

}  // namespace esc::papers::acary
