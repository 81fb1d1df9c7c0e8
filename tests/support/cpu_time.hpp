// How long something keeps the processor busy: other programs on the machine do not count.
#pragma once

#include <ctime>

namespace esc::testing {

template <class Work>
double cpu_seconds(Work work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace esc::testing
