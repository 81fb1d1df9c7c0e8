// Newton iterations of the forms of the nonsmooth generalized-alpha scheme, section 8.
#pragma once

#include <string>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::bruels {

// A form of the solution of a step, by its name in the lines. A scheme of its own would be one more line.
struct Form {
  std::string name;
  SchemeChoice scheme;
};
std::vector<Form> forms();  // sequential, coupled, automatic, monolithic

// One form on the four examples of section 10: mean and largest number of Newton iterations per step.
struct Iterations {
  Statistics ball, pendulum, bar, block;
};
Iterations iterations(const SchemeChoice& scheme);

}  // namespace esc::papers::bruels
