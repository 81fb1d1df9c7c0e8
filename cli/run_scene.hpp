// A scene as the command line changes it, run and reported.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <escapement/io/results.hpp>
#include <escapement/io/scene.hpp>
#include <escapement/simulate.hpp>

#include "cli/arguments.hpp"
#include "cli/largest.hpp"
#include "cli/progress.hpp"

namespace esc::cli {

// The options of run and example.
extern const std::span<const OptionRow> run_options;

std::vector<io::Override> overrides_of(const Arguments& arguments);
// The file or the example that the first operand names, with -p; a file wins. Throws UsageError if there is neither.
io::Scene open_scene(const Arguments& arguments);
// An option whose value is a number or a formula of the parameters of the scene. Throws UsageError.
double number_of(const Arguments& arguments, std::string_view option, const io::Scene& scene, double fallback);
// --scheme, --step, --until, --option, --frames on top of what the scene says.
void apply(const Arguments& arguments, io::Scene& scene);

// A run without a single step would be done at once, and certified. Throws UsageError, or SceneError where the scene
// says the end.
void require_a_step(const io::Scene& scene, double start);

// Progress line, Ctrl-C, the clock and the largest forces of a run.
class Watched {
 public:
  // Sets run.keep_going and, for --json, run.observe.
  Watched(const Arguments& arguments, const Scheme& scheme, double from, SimulateOptions& run);
  Watched(const Watched&) = delete;
  double end();  // seconds since the start
  const Largest* largest() const { return largest_ ? &*largest_ : nullptr; }

 private:
  Interrupt interrupt_;
  std::optional<ProgressLine> line_;
  std::optional<Largest> largest_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// A run with its results in a file; throws RunError if that cannot be written any more.
RunReport record(Scheme& scheme, State& x, const SimulateOptions& run, io::ResultsWriter& writer);

struct Finished {
  const Scheme& scheme;
  const std::vector<OptionText>& scheme_options;
  const SimulateOptions& options;
  const State& x;
  const RunReport& report;
  const Largest* largest;  // null: not asked for
  double seconds;
};
int report_run(const Arguments& arguments, const Finished& run);  // the summary or JSON; returns the exit code

// Runs, prints the summary or JSON, writes what was asked for. Returns the exit code.
int run_scene(const Arguments& arguments, io::Scene scene);

}  // namespace esc::cli
