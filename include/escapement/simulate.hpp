// simulate: the driver. It owns the grid t0 + k h of recorded times, the certificate of each step and the audit. A step
// may end before the next time of the grid; the scheme then goes on with what is left.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <escapement/certify.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>

namespace esc {

class Recorder;
struct Continuation;
struct Progress;

struct SimulateOptions {
  double step = 1e-3;  // s
  double until = 1.0;  // s; the last grid time is the last t0 + k step <= until (+ 1e-9 step)
  bool certify = true;
  bool time_stages = false;                           // whether the report says where the time of the steps goes
  std::function<bool(const State&)> keep_going = {};  // asked after every step; false stops the run
  std::function<void(const Progress&)> observe = {};  // sees every accepted step, before keep_going is asked
  const Continuation* continued = nullptr;            // goes on on the grid of a run that stopped
};

template <>
struct Fields<SimulateOptions> {
  using O = SimulateOptions;
  static constexpr std::string_view owner = "simulation";
  static constexpr auto table =
      std::tuple{number("step", &O::step, "s", positive_range, "time step h; the grid is t0 + k h"),
                 number("until", &O::until, "s", Range{}, "end of the run"),
                 number("certify", &O::certify, "1", Range{0.0, 1.0}, "1: certify every step")};
};

// Of the grid that begins at t0: how many steps end by `until`; 0 or less: not even one.
[[nodiscard]] ESC_API double steps_until_end(const SimulateOptions& options, double t0);

// Throws ModelError if nobody can wait for that end: more than 1e12 steps. simulate() asks it where keep_going cannot
// stop the run.
ESC_API void require_end(const SimulateOptions& options, double t0);

enum class RunStatus : std::uint8_t { done, stopped, failed };
inline constexpr std::array<std::string_view, 3> run_status_names{"done", "stopped", "failed"};

struct ESC_API Statistics {
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0.0; }
  void add(double value);
  double sum = 0.0;
  double max = 0.0;
  std::int64_t count = 0;
};

// The energy of a run judged: docs/certificate.md#the-energy-of-a-run. E is kinetic and potential energy together.
struct ESC_API EnergyJudgement {
  double bound = 1.0;  // part of the energy in motion that a run may gain or lose by itself; by the order of the scheme
  double gained = 0.0;  // J, largest rise of E - given since any earlier state
  double gained_t = 0.0;
  double lost = 0.0;  // J, largest fall of E - given - taken since any earlier state
  double lost_t = 0.0;
  double worst = 0.0;    // J, largest change of E in one step that nothing explains
  double worst_t = 0.0;  // s, end of that step
  double kinetic = 0.0;  // J, largest
  double given = 0.0;    // J, largest size of the sum of Audit::given
  double lowest = 0.0;   // J, of E - given so far, from the start on
  double highest = 0.0;  // J, of E - given - taken so far

  void see(const Audit& step, const Audit& total, double t);  // total: with this step
  double in_motion(const Audit& total) const { return kinetic + given - total.taken; }
  double part(const Audit& total) const;  // of the energy in motion that the run has gained or lost by itself
  bool ok(const Audit& total) const { return part(total) <= bound; }  // false for NaN
  bool notable(const Audit& total) const { return !(part(total) <= 0.1 * bound); }
};

struct RunReport {
  RunStatus status = RunStatus::done;
  StepReport last;            // of the step that failed, or of the last one; its events and times are not kept
  std::string message;        // on failure: at which t, why, what to try
  std::int64_t steps = 0;     // accepted
  std::int64_t failures = 0;  // rejected
  std::int64_t impacts = 0;
  double max_penetration = 0.0;   // m, over accepted states and every pair; needs certify
  double max_joint_drift = 0.0;   // m or rad, over accepted states and every joint; needs certify
  Statistics newton, solver;      // iterations per step
  double worst_residual = 0.0;    // of the contact solver
  StageTimes times{};             // s, of the accepted steps by Stage; 0 unless asked for
  std::int64_t coarse_steps = 0;  // with islands solved to large_island_tol only
  Energy initial, final;
  double max_energy = 0.0;
  Audit total;  // works summed; before and after are the run's ends
  EnergyJudgement energy;
  std::int64_t certified_steps = 0;  // steps whose certificate holds; none without certify
  std::int64_t failed_certificates = 0;
  Check worst_check = Check::momentum;
  Finding worst_finding;                  // of that check
  double worst_ratio = 0.0;               // largest value / allowed
  double first_failed_certificate = 0.0;  // t, if any failed

  bool ok() const { return status == RunStatus::done; }  // reached its end
  // ... every step has a certificate that holds, and no energy comes or goes that nothing explains
  bool certified() const { return ok() && certified_steps == steps && energy.ok(total); }
};

template <>
struct Fields<Statistics> {
  using O = Statistics;
  static constexpr std::string_view owner = "statistics";
  static constexpr auto table = std::tuple{number("sum", &O::sum, "1", Range{}, "over the steps"),
                                           number("max", &O::max, "1", Range{}, "of a step"),
                                           number("count", &O::count, "1", Range{}, "how many steps")};
};

template <>
struct Fields<EnergyJudgement> {
  using O = EnergyJudgement;
  static constexpr std::string_view owner = "energy";
  static constexpr auto table =
      std::tuple{number("bound", &O::bound, "1", Range{}, "part of the energy in motion that may come or go"),
                 number("gained", &O::gained, "J", Range{}, "largest rise that nothing explains"),
                 number("gained_t", &O::gained_t, "s", Range{}, "where it ends"),
                 number("lost", &O::lost, "J", Range{}, "largest fall that nothing explains"),
                 number("lost_t", &O::lost_t, "s", Range{}, "where it ends"),
                 number("worst", &O::worst, "J", Range{}, "largest change in one step that nothing explains"),
                 number("worst_t", &O::worst_t, "s", Range{}, "end of that step"),
                 number("kinetic", &O::kinetic, "J", Range{}, "largest kinetic energy"),
                 number("given", &O::given, "J", Range{}, "largest size of the energy given"),
                 number("lowest", &O::lowest, "J", Range{}, "energy less what was given"),
                 number("highest", &O::highest, "J", Range{}, "energy less what was given and taken")};
};

// The figures of a run: the group totals/ of a results file and its checkpoints.
template <>
struct Fields<RunReport> {
  using O = RunReport;
  static constexpr std::string_view owner = "totals";
  static constexpr auto table = std::tuple{
      choice("status", &O::status, run_status_names, "how the run ended"),
      number("steps", &O::steps, "1", Range{}, "accepted steps"),
      number("failures", &O::failures, "1", Range{}, "rejected steps"),
      number("impacts", &O::impacts, "1", Range{}, "impacts"),
      number("max_penetration", &O::max_penetration, "m", Range{}, "over accepted states and every pair"),
      number("max_joint_drift", &O::max_joint_drift, "m", Range{}, "over accepted states and every joint, m or rad"),
      part("newton_", &O::newton),
      part("solver_", &O::solver),
      number("worst_residual", &O::worst_residual, "1", Range{}, "of the contact solver"),
      number("coarse_steps", &O::coarse_steps, "1", Range{}, "steps with islands solved to large_island_tol only"),
      part("initial_", &O::initial),
      part("final_", &O::final),
      number("max_energy", &O::max_energy, "J", Range{}, "over accepted states"),
      part("", &O::total),
      part("energy_", &O::energy),
      number("certified_steps", &O::certified_steps, "1", Range{}, "steps whose certificate holds"),
      number("failed_certificates", &O::failed_certificates, "1", Range{}, "steps whose certificate does not"),
      choice("worst_check", &O::worst_check, check_names, "the check nearest to its bound, or farthest beyond"),
      part("worst_", &O::worst_finding),
      number("worst_ratio", &O::worst_ratio, "1", Range{}, "its value / allowed"),
      number("first_failed_certificate", &O::first_failed_certificate, "s", Range{}, "time, if any failed"),
  };
};

// What a run that stopped on its grid hands to the one that goes on: the two together are bitwise one run, and so are
// their reports.
struct Continuation {
  double start = 0.0;     // s, t0 of the grid t0 + k h
  std::int64_t grid = 0;  // the last k that was reached
  RunReport report;       // so far; its end figures are those of the last step
};

// Of a run that starts at x.
[[nodiscard]] ESC_API Continuation beginning(const System& system, const State& x);

struct Progress {
  const State& before;  // the accepted step
  const State& after;
  const StepReport& step;
  const Certificate* certificate;  // null without certify
  const Continuation& so_far;
  bool on_grid;  // after.t is t0 + so_far.grid h; false after a step that ended early
};

// Advances x; throws ModelError if x is not a finite state of the scheme's system, if it has a history of this scheme
// of another length, or if the recorder is one of another system. The recorder, if any, sees the
// initial state and every accepted one; of a continued run the accepted ones only.
[[nodiscard]] ESC_API RunReport simulate(Scheme& scheme, State& x, const SimulateOptions& options,
                                         Recorder* recorder = nullptr);

// What a user should know of the system, of what the scheme makes of it, and of the energy of the run.
[[nodiscard]] ESC_API std::vector<std::string> warnings(const Scheme& scheme, const RunReport& report);

// The certificate line and the figures of a run, for people.
ESC_API std::string summary(const Scheme& scheme, const SimulateOptions& options, const RunReport& report);

}  // namespace esc
