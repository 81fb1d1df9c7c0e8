// Processor time of a step, for ours and the peers' programs alike (C++17, because Siconos's headers need it).
#pragma once

#include <ctime>
#include <limits>
#include <numeric>
#include <vector>

namespace bench {

// Processor time, not wall time: the machine may be shared.
inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Blocks {
  int count = 0;    // of blocks
  int steps = 100;  // in a block
  int skip = 0;     // blocks at the start that are not counted
};

// Seconds a step: each block of steps counts with its least time over the runs. make() gives a model, step(model) moves
// it by one step; zero runs give zero.
template <class Make, class Step>
double seconds_per_step(int runs, const Blocks& blocks, Make make, Step step) {
  std::vector<double> least(static_cast<size_t>(blocks.count),
                            runs > 0 ? std::numeric_limits<double>::infinity() : 0.0);
  for (int run = 0; run < runs; ++run) {
    auto model = make();
    for (double& time : least) {
      const double begin = cpu_seconds();
      for (int k = 0; k < blocks.steps; ++k) step(model);
      const double spent = cpu_seconds() - begin;
      if (spent < time) time = spent;
    }
  }
  return std::accumulate(least.begin() + blocks.skip, least.end(), 0.0) /
         (static_cast<double>(blocks.count - blocks.skip) * blocks.steps);
}

}  // namespace bench
