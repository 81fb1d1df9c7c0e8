#include "cli/run_scene.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include <escapement/formula.hpp>
#include <escapement/io/export.hpp>

#include "cli/json.hpp"
#include "cli/output_files.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "cli/tolerances.hpp"
#include "src/io/velocity_time.hpp"
#include "src/math/text.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--scheme", "NAME", "another scheme than the scene's (escapement list schemes)"},
    {"--step", "H", "time step in s: a number, or a formula of the scene's parameters"},
    {"--until", "T", "end of the run in s, likewise"},
    {"--option", "NAME=VALUE", "an option of the scheme", true},
    {"-p", "NAME=VALUE", "a parameter of the scene: a number or a formula", true},
    {"--out", "FILE", "write results as HDF5 (docs/results.md)"},
    {"--csv", "FILE", "write the frames as CSV, as escapement export --csv does"},
    {"--resume", "FILE", "continue the run of a results file, bit for bit as if it had not stopped; run only"},
    {"--frames", "N", "keep at most N states, at least start and end; 0 keeps every step"},
    {"--times", "", "say where the time of the steps goes; the looks at the clock take a little themselves"},
    {"--json", "", "print one JSON object and nothing else"},
    {"--force", "", "overwrite files that exist"},
    {"--quiet", "", "no progress line and no summary"},
};

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

std::string_view name_of(RunStatus status) {
  return status == RunStatus::done ? "done" : status == RunStatus::stopped ? "stopped" : "failed";
}

bool velocities_are_behind(const Scheme& scheme) { return io::velocities_are_behind({&scheme.promise(), 1}); }

void add_works(const RunReport& report, bool certified, Json& json) {
  Audit total = report.total;
  total.after = report.final;
  const auto computed = [&](double value) { return certified ? value : std::nan(""); };
  json.object("work");
  for (std::size_t i = 0; i < work_lines.size(); ++i) json.value(work_lines[i].name, computed(total.works[i]));
  json.value("unaccounted", computed(total.balance_error())).end();
}

void add_failed_step(const StepReport& step, Json& json) {
  json.object("failed_step").value("status", to_string(step.status));
  for_each_field(step, [&](auto value, const FieldRow& row) { json.value(row.name, value); });
  json.end();
}

// Generalized-alpha goes on after an impact with the accelerations of before, unless it restarts.
std::string swinging_reactions(const Finished& run) {
  const auto is_alpha = [](const Promise* promise) {
    return std::holds_alternative<AlphaEquations>(promise->equations);
  };
  const auto restarts = [](const OptionText& option) {
    return option.name.ends_with("after_impact") && option.value == "restart";
  };
  if (run.report.impacts == 0 || run.scheme.system().joint_rows() == 0 ||
      !std::ranges::any_of(run.scheme.promises(), is_alpha) || std::ranges::any_of(run.scheme_options, restarts))
    return "";
  return "those of joints swing for some steps after an impact, at any step, and their peaks are no forces; with "
         "after_impact = restart they do not (docs/schemes/alpha_ggl.md#reactions-after-an-impact)";
}

std::string as_json(const Finished& run) {
  const auto& [scheme, scheme_options, options, x, report, largest, seconds] = run;
  const System& system = scheme.system();
  Json json;
  json.object().value("status", name_of(report.status)).value("scheme", scheme.name()).value("step", options.step);
  json.value("steps", static_cast<long long>(report.steps));
  json.value("rejected", static_cast<long long>(report.failures)).value("t", x.t);
  json.object("q");
  for (int i = 0; i < system.nq(); ++i) json.value(system.coordinates()[i].name, x.q[i]);
  json.end().value("t_of_v", velocities_are_behind(scheme) ? x.t - x.h : x.t).object("v");
  for (int i = 0; i < system.nv(); ++i) json.value(system.velocities()[i].name, x.v[i]);
  json.end().value("impacts", static_cast<long long>(report.impacts));
  const auto computed = [certify = options.certify](double value) {
    return certify ? value : std::nan("");
  };  // null in JSON
  json.value("max_penetration", computed(report.max_penetration));
  json.value("max_joint_drift", computed(report.max_joint_drift));
  json.object("energy").value("initial", total(report.initial)).value("final", total(report.final));
  json.value("max", report.max_energy).value("balance_error", computed(report.total.balance_error()));
  json.value("gained", computed(report.energy.gained)).value("lost", computed(report.energy.lost));
  json.value("in_motion", computed(report.energy.in_motion(report.total)));
  json.value("part", computed(report.energy.part(report.total))).value("allowed", computed(report.energy.bound));
  json.value("worst_step", computed(report.energy.worst)).value("worst_step_t", computed(report.energy.worst_t)).end();
  add_works(report, options.certify, json);
  if (largest) largest->add_to(json);
  json.object("newton").value("mean", report.newton.mean()).value("max", report.newton.max).end();
  json.object("solver").value("mean", report.solver.mean()).value("max", report.solver.max);
  json.value("worst_residual", report.worst_residual).end();
  if (options.time_stages) {
    json.object("stage_seconds");
    for (std::size_t i = 0; i < stage_lines.size(); ++i) json.value(stage_lines[i].name, report.times[i]);
    json.end();
  }
  json.object("certificate");
  if (options.certify)
    json.value("ok", report.certified()).value("failed_steps", static_cast<long long>(report.failed_certificates));
  else
    json.value("ok", computed(0.0)).value("failed_steps", computed(0.0));
  if (options.certify) json.value("worst", to_string(report.worst_check));
  json.end();
  add_loose(loose_tolerances(scheme, scheme_options), json);
  if (report.status == RunStatus::failed && !report.last.ok()) add_failed_step(report.last, json);
  json.array("warnings");
  for (const std::string& warning : warnings(scheme, report)) json.value("", warning);
  if (const std::string swing = swinging_reactions(run); !swing.empty()) json.value("", "reactions: " + swing);
  json.end();
  if (!report.message.empty()) json.value("message", report.message);
  json.value("wall_seconds", seconds).end();
  return json.text();
}

// Where results go: to --out, to a file of their own that lives as long as this if only --csv is asked for, or nowhere.
class ResultsPath {
 public:
  explicit ResultsPath(const Arguments& arguments) : path_(arguments.text("--out")) {
    if (!path_.empty() || !arguments.has("--csv")) return;
    path_ = (std::filesystem::temp_directory_path() / ("escapement-" + std::to_string(getpid()) + ".h5")).string();
    passing_ = true;
  }
  ~ResultsPath() {
    std::error_code ignored;
    if (passing_) std::filesystem::remove(path_, ignored);
  }
  ResultsPath(const ResultsPath&) = delete;

  bool empty() const { return path_.empty(); }
  const std::string& path() const { return path_; }
  io::FileOptions options(const Arguments& arguments) const {
    return {passing_ || arguments.has("--force") ? io::Overwrite::allow : io::Overwrite::refuse};
  }

 private:
  std::string path_;
  bool passing_ = false;
};

void write_csv(const std::string& results, const std::string& csv, const System& system) try {
  io::export_csv(io::ResultsReader(results), io::CsvTable::frames, csv, {io::Overwrite::allow, &system});
} catch (const io::ResultsError& error) {
  throw RunError(error.what());
}

io::RunInfo info_of(const io::Scene& scene, const System& system) {
  return {.scene = scene.name,
          .scene_text = scene.text,
          .parameters = scene.parameters,
          .scheme = scene.scheme,
          .scheme_options = option_values(scene.scheme, scene.scheme_options),
          .run = scene.run,
          .program = io::program_version(),
          .git = io::git_version(),
          .every = io::recording_interval(scene.run, system.initial_state().t, scene.frames),
          .drawing = io::drawing_of(scene.model, system)};
}

// The message goes to standard error, not into the summary.
RunReport without_message(RunReport report) {
  report.message.clear();
  return report;
}

}  // namespace

Watched::Watched(const Arguments& arguments, const Scheme& scheme, double from, SimulateOptions& run) {
  run.time_stages = arguments.has("--times");
  if (!arguments.has("--json") && !arguments.has("--quiet")) line_.emplace(from, run.until);
  if (arguments.has("--json")) {
    largest_.emplace(scheme);
    run.observe = [this](const Progress& progress) { largest_->see(progress); };
  }
  run.keep_going = [this](const State& now) {
    if (line_) line_->show(now);
    return !Interrupt::interrupted();
  };
}

double Watched::end() {
  line_.reset();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

const std::span<const OptionRow> run_options = rows;

std::vector<io::Override> overrides_of(const Arguments& arguments) {
  std::vector<io::Override> overrides;
  for (const auto& [key, value] : arguments.pairs("-p")) overrides.push_back({key, value});
  return overrides;
}

double number_of(const Arguments& arguments, std::string_view option, const io::Scene& scene, double fallback) try {
  if (!arguments.has(option)) return fallback;
  const double number = io::evaluate(scene, arguments.text(option));
  if (std::isfinite(number)) return number;
  throw UsageError(std::string(option) + " " + arguments.text(option) + " is not finite");
} catch (const FormulaError& error) {
  throw UsageError(std::string(option) + " expects a number, or a formula of parameters, not '" +
                   arguments.text(option) + "': " + error.message);
}

void apply(const Arguments& arguments, io::Scene& scene) {
  if (arguments.has("--step") || arguments.has("--until")) scene.until_at = {};
  scene.run.step = number_of(arguments, "--step", scene, scene.run.step);
  scene.run.until = number_of(arguments, "--until", scene, scene.run.until);
  scene.frames = arguments.whole_number("--frames", scene.frames, 0);
  if (const std::string name = arguments.text("--scheme"); !name.empty() && name != scene.scheme) {
    if (!scene.scheme_options.empty())
      scene.warnings.push_back("the scene's options of " + scene.scheme + " are not used with --scheme " + name);
    scene.scheme = name;
    scene.scheme_options.clear();
  }
  for (const auto& [key, value] : arguments.pairs("--option")) scene.scheme_options.push_back({key, value});
}

void require_a_step(const io::Scene& scene, double start) {
  validate(scene.run);
  if (steps_until_end(scene.run, start) >= 1.0) return;
  const auto& [item, file, line, column] = scene.until_at;
  const std::string early = "the run would end at " + short_text(scene.run.until) + " s, before its first step of " +
                            short_text(scene.run.step) + " s is over; give ";
  if (!file.empty()) throw io::SceneError(file, line, column, early + "a later end or a smaller step");
  throw UsageError(early + "a later end (--until) or a smaller step (--step)");
}

RunReport record(Scheme& scheme, State& x, const SimulateOptions& run, io::ResultsWriter& writer) try {
  return io::record_run(scheme, x, run, writer);
} catch (const io::ResultsError& error) {
  throw RunError(error.what());
}

int report_run(const Arguments& arguments, const Finished& run) {
  const bool json = arguments.has("--json");
  const bool kept = arguments.has("--out") || arguments.has("--csv") || arguments.has("--resume");
  if (json)
    print(stdout, "%s\n", as_json(run).c_str());
  else if (!arguments.has("--quiet"))
    print(stdout, "%s", summary(run.scheme, run.options, without_message(run.report)).c_str());
  if (!json && !arguments.has("--quiet") && velocities_are_behind(run.scheme))
    print(stdout, "velocities   those of this scheme belong to the beginning of the last step: a step behind\n");
  if (const std::string swing = swinging_reactions(run); !swing.empty() && !json && !arguments.has("--quiet"))
    print(stdout, "reactions    %s\n", swing.c_str());
  if (!json && !arguments.has("--quiet"))
    print(stdout, "%s", said_of(loose_tolerances(run.scheme, run.scheme_options)).c_str());
  if (!json && !arguments.has("--quiet")) print(stdout, "time         %s s\n", short_text(run.seconds).c_str());
  if (!run.report.message.empty() && !json) print(stderr, "%s\n", run.report.message.c_str());
  if (run.report.status == RunStatus::stopped && !json)
    print(stderr, "stopped at t = %g s%s\n", run.x.t, kept ? "; the results so far are kept" : "");
  const bool holds = run.report.failed_certificates == 0;
  const bool trusted = holds && run.report.energy.ok(run.report.total);
  if (!holds && !json)
    print(stderr, "%lld steps do not hold what the scheme promises, the first at t = %g s (docs/certificate.md)\n",
          static_cast<long long>(run.report.failed_certificates), run.report.first_failed_certificate);
  if (holds && !trusted && !json && !std::isfinite(run.report.energy.worst))
    print(stderr, "the energy is not finite at t = %g s (docs/certificate.md)\n", run.report.energy.worst_t);
  else if (holds && !trusted && !json)
    print(stderr, "the scheme has changed the energy by %g %% of what is in motion (docs/certificate.md)\n",
          100.0 * run.report.energy.part(run.report.total));
  return run.report.status == RunStatus::failed || !trusted ? 1 : 0;
}

int run_scene(const Arguments& arguments, io::Scene scene) {
  apply(arguments, scene);
  const std::string csv = arguments.text("--csv");
  require_writable(arguments, std::array<OutputFile, 2>{{{"--csv", csv}, {"--out", arguments.text("--out")}}},
                   scene.files);
  const System system = io::compile_scene(scene);
  const auto scheme = io::make_scheme(scene, system);
  State x = system.initial_state();
  for (const std::string& warning : scene.warnings) print(stderr, "note: %s\n", warning.c_str());
  if (arguments.has("--json") || arguments.has("--quiet"))  // otherwise the summary has them
    for (const std::string& warning : warnings(*scheme, {})) print(stderr, "note: %s\n", warning.c_str());
  require_a_step(scene, x.t);
  require_end(scene.run, x.t);

  const ResultsPath results(arguments);
  std::optional<io::ResultsWriter> writer;
  if (!results.empty()) {
    writer.emplace(*scheme, info_of(scene, system), results.path(), results.options(arguments));
  }
  Watched watched(arguments, *scheme, x.t, scene.run);
  const RunReport report = writer ? record(*scheme, x, scene.run, *writer) : simulate(*scheme, x, scene.run);
  const double seconds = watched.end();
  if (!csv.empty()) write_csv(results.path(), csv, system);
  return report_run(arguments, {*scheme, scene.scheme_options, scene.run, x, report, watched.largest(), seconds});
}

}  // namespace esc::cli
