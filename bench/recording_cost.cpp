// What it costs to record a run: a pile of 1000 balls with and without a results file; one line of JSON.
//   recording_cost FILE.h5 [STEPS [RUNS]]      the least time of RUNS runs, in turn without and with the file
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <escapement/io/results.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "bench/step_timer.hpp"
#include "examples/sphere_pile.hpp"

namespace {

using namespace esc;

// Wall time is what a user waits for; processor time counts both threads, and does not suffer from a busy machine.
struct Times {
  double wall = 1e300, processor = 1e300;
  void keep_least(const Times& other) {
    wall = std::min(wall, other.wall);
    processor = std::min(processor, other.processor);
  }
};

Times now() {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
          bench::cpu_seconds()};
}

io::RunInfo info_of(const Scheme& scheme, const SimulateOptions& options) {
  io::RunInfo info;
  info.scheme = std::string(scheme.name());
  info.run = options;
  info.every = io::recording_interval(options, 0.0, 2000);
  return info;
}

Times run(const System& system, const State& start, const SimulateOptions& options, const char* file) {
  MoreauJean scheme(system);
  State x = start;
  const Times begin = now();
  if (file) {
    io::ResultsWriter writer(scheme, info_of(scheme, options), file, {.overwrite = io::Overwrite::allow});
    static_cast<void>(io::record_run(scheme, x, options, writer));
  } else {
    static_cast<void>(simulate(scheme, x, options));
  }
  const Times end = now();
  return {end.wall - begin.wall, end.processor - begin.processor};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
  const int runs = argc > 3 ? std::atoi(argv[3]) : 1;
  const System system = compile(examples::SpherePile{.balls = 1000, .across = 10}.model());
  State settled = system.initial_state();
  MoreauJean scheme(system);
  static_cast<void>(simulate(scheme, settled, {.step = 2e-3, .until = 0.2, .certify = false}));

  const SimulateOptions options{.step = 2e-3, .until = settled.t + 2e-3 * steps};
  Times plain, recorded;
  for (int i = 0; i < runs; ++i) {
    plain.keep_least(run(system, settled, options, nullptr));
    recorded.keep_least(run(system, settled, options, argv[1]));
  }
  std::printf(
      "{\"program\": \"recording_cost\", \"balls\": 1000, \"steps\": %d, \"seconds\": %.4g, \"recorded_seconds\": "
      "%.4g, "
      "\"cost\": %.3g, \"processor_cost\": %.3g, \"megabytes\": %.4g}\n",
      steps, plain.wall, recorded.wall, recorded.wall / plain.wall - 1.0, recorded.processor / plain.processor - 1.0,
      1e-6 * static_cast<double>(std::filesystem::file_size(argv[1])));
  return 0;
}
