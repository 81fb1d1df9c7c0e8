#include <algorithm>
#include <cmath>

#include <escapement/io/results.hpp>

namespace esc::io {

std::int64_t recording_interval(const SimulateOptions& options, double start, int frames) {
  const double steps = steps_until_end(options, start);
  const int intervals = std::max(frames, 2) - 1;
  if (frames <= 0 || !(steps > intervals)) return 1;
  return static_cast<std::int64_t>(std::ceil(std::min(steps, 1e15) / intervals));
}

RunReport record_run(Scheme& scheme, State& x, const SimulateOptions& options, ResultsWriter& writer) {
  bool go_on = true, on_grid = false;
  SimulateOptions recorded = options;
  recorded.observe = [&](const Progress& progress) {
    writer.record(progress);
    on_grid = progress.on_grid;
    if (options.observe) options.observe(progress);
  };
  recorded.keep_going = [&](const State& state) {
    if (options.keep_going && go_on) go_on = options.keep_going(state);
    return writer.ok() && (go_on || !on_grid);
  };
  if (!scheme.started(x)) scheme.start(x);  // the first frame has the histories with which the first step begins
  if (!options.continued) writer.start(x);
  const RunReport report = simulate(scheme, x, recorded);
  writer.finish(report);
  return report;
}

std::string program_version() { return ESC_VERSION; }
std::string git_version() { return ESC_GIT; }

}  // namespace esc::io
