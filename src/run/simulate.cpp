#include <escapement/simulate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <escapement/recorder.hpp>

#include "src/math/text.hpp"
#include "src/math/worst.hpp"
#include "src/run/energy_judgement.hpp"

namespace esc {

double steps_until_end(const SimulateOptions& options, double t0) {
  return std::floor((options.until - t0) / options.step + 1e-9);
}

Continuation beginning(const System& system, const State& x) {
  std::vector<double> scratch(static_cast<std::size_t>(system.scratch_size()));
  Continuation so_far;
  so_far.start = x.t;
  RunReport& report = so_far.report;
  report.initial = report.final = system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()});
  report.max_energy = report.initial.kinetic + report.initial.potential;
  report.total.before = report.initial;
  return so_far;
}

namespace {

std::string stuck_at(const System& system, const Culprits& culprits) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "It is stuck at " : ", ") + name; };
  for (int i = 0; i < culprits.contact_count; ++i) add("contact " + system.contact_name(culprits.contacts[i]));
  for (int i = 0; i < culprits.joint_count; ++i)
    add("joint " + std::string(system.joint_names()[static_cast<std::size_t>(culprits.joints[i])]));
  return text.empty() ? text : text + ". ";
}

class Driver {
 public:
  Driver(Scheme& scheme, State& x, const SimulateOptions& options, Recorder* recorder)
      : scheme_(scheme), x_(x), options_(options), recorder_(recorder), certifier_(scheme.system()) {
    so_far_ = options.continued ? *options.continued : beginning(scheme.system(), x);
    report_.status = RunStatus::done;
    report_.energy.bound = energy_bound(scheme.traits(), scheme.system());
    scheme.time_stages(options.time_stages);
  }

  RunReport run();

 private:
  bool advance_to_grid(double t1);
  bool accept(const StepReport& report, bool on_grid);
  void measure(const Certificate& certificate, const Promise& promise);
  Energy energy();
  void fail(const StepReport& report);

  Scheme& scheme_;
  State& x_;
  const SimulateOptions& options_;
  Recorder* recorder_;
  Certifier certifier_;
  Certificate certificate_;
  State before_;
  Continuation so_far_;
  RunReport& report_ = so_far_.report;
  std::vector<double> scratch_;
};

RunReport Driver::run() {
  if (!scheme_.started(x_)) scheme_.start(x_);
  scratch_.resize(scheme_.system().scratch_size());
  if (recorder_ && !options_.continued) recorder_->record(x_);

  const double t0 = so_far_.start;
  const double h = options_.step;
  const double last = steps_until_end(options_, t0);
  for (double k = static_cast<double>(so_far_.grid) + 1.0; k <= last; k += 1.0)
    if (!advance_to_grid(t0 + k * h)) break;

  report_.final = report_.total.after = energy();
  report_.last.events = {};
  report_.last.times = nullptr;
  return report_;
}

// From one time of the grid to the next. A step may end early, and impacts take no time.
bool Driver::advance_to_grid(double t1) {
  constexpr int most_impacts = 1000;  // at one time: more than any chain of bodies that hit each other in turn
  double left = options_.step;
  for (int impacts = 0;;) {
    before_ = x_;
    StepReport step = scheme_.step(x_, left);
    report_.failures += step.rejected;
    impacts = step.advanced > 0.0 ? 0 : impacts + 1;
    const bool idle = step.ok() && (impacts > most_impacts || (impacts > 0 && step.kind == StepKind::motion));
    if (idle) {
      x_ = before_;
      step.status = StepStatus::no_progress;
    }
    if (!step.ok()) {
      ++report_.failures;
      fail(step);
      return false;
    }
    left -= step.advanced;
    const bool arrived = left <= 1e-12 * options_.step;
    if (arrived) {
      x_.t = t1;
      ++so_far_.grid;
    }
    if (!accept(step, arrived)) return false;
    if (arrived) return true;
  }
}

bool Driver::accept(const StepReport& step, bool on_grid) {
  ++report_.steps;
  report_.last = step;
  report_.newton.add(step.iterations);
  report_.solver.add(step.solver_iterations);
  raise(report_.worst_residual, step.solver_residual);
  for (std::size_t i = 0; step.times && i < report_.times.size(); ++i) report_.times[i] += (*step.times)[i];
  report_.coarse_steps += step.coarse_islands > 0;
  report_.impacts += count_impacts(step.events);
  if (options_.certify) {
    certificate_ = certifier_.certify(before_, x_, *step.promise);
    measure(certificate_, *step.promise);
  } else {
    const Energy now = energy();
    raise(report_.max_energy, now.kinetic + now.potential);
  }
  if (recorder_) recorder_->record(x_);
  if (options_.observe)
    options_.observe({before_, x_, step, options_.certify ? &certificate_ : nullptr, so_far_, on_grid});
  if (!options_.keep_going || options_.keep_going(x_)) return true;
  report_.status = RunStatus::stopped;
  return false;
}

void Driver::measure(const Certificate& certificate, const Promise& promise) {
  const Audit& work = certificate.audit;
  raise(report_.max_penetration, certificate[Check::penetration].value);
  raise(report_.max_joint_drift, certificate[Check::joint_position].value);
  raise(report_.max_energy, work.after.kinetic + work.after.potential);
  for (std::size_t i = 0; i < work.works.size(); ++i) report_.total.works[i] += work.works[i];
  add_energy(report_, work, x_, promise);
  const Check worst = certificate.worst();
  const Finding& finding = certificate[worst];
  const double ratio = finding.ok() ? (finding.allowed > 0.0 ? finding.value / finding.allowed : 0.0)
                                    : std::max(finding.value / finding.allowed, 1.0);
  if (is_worse(ratio, report_.worst_ratio)) {
    report_.worst_ratio = ratio;
    report_.worst_check = worst;
    report_.worst_finding = finding;
  }
  if (certificate.ok()) {
    ++report_.certified_steps;
    return;
  }
  if (report_.failed_certificates++ == 0) report_.first_failed_certificate = x_.t;
}

Energy Driver::energy() {
  return scheme_.system().energy({x_.t, x_.q.data(), x_.v.data(), x_.u.data(), scratch_.data()});
}

void Driver::fail(const StepReport& step) {
  report_.status = RunStatus::failed;
  report_.last = step;
  const std::string whose = step.block < 0 ? ""
                                           : ", the mass matrix of '" + scheme_.system().block_name(step.block) +
                                                 "' is not positive definite";
  report_.message = "the step from t = " + to_text(x_.t) + " s failed: " + std::string(to_string(step.status)) + whose +
                    " (Newton iterations " + std::to_string(step.iterations) + ", residual " +
                    short_text(step.residual) + " N s, velocities moved by " + short_text(step.frame_change) +
                    " m/s, positions off by " + short_text(step.gap_residual) + " m or rad, contact solver residual " +
                    short_text(step.solver_residual) + "). " + stuck_at(scheme_.system(), step.stuck_at) +
                    std::string(advice(step.status));
}

}  // namespace

void Statistics::add(double value) {
  sum += value;
  max = std::max(max, value);
  ++count;
}

namespace {

void require_state(const System& system, const State& x) {
  system.require(x);
  const auto require_finite = [](const char* what, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        throw ModelError("state", std::string(what) + "[" + std::to_string(i) + "] is " + to_text(values[i]) +
                                      "; it must be finite");
  };
  require_finite("q", x.q);
  require_finite("v", x.v);
  require_finite("u", x.u);
}

// The times of the grid t0 + k h must differ.
void require_grid(const SimulateOptions& options, double t0) {
  constexpr double spacing = 16.0 * std::numeric_limits<double>::epsilon();
  if (steps_until_end(options, t0) >= 1.0 && options.step < spacing * std::abs(t0))
    throw ModelError("simulation", "a step of " + short_text(options.step) + " s is lost in the digits of the time " +
                                       short_text(t0) + " s; start the clock nearer to 0, or take a longer step");
}

}  // namespace

void require_end(const SimulateOptions& options, double t0) {
  constexpr double most_steps = 1e12;  // at a million steps a second eleven days
  const double steps = steps_until_end(options, t0);
  if (steps > most_steps)
    throw ModelError("simulation", "the run has " + short_text(steps) + " steps of " + short_text(options.step) +
                                       " s; at most 1e12 are taken: check the units of step and until (s)");
}

RunReport simulate(Scheme& scheme, State& x, const SimulateOptions& options, Recorder* recorder) {
  validate(options);
  require_state(scheme.system(), x);
  const double t0 = options.continued ? options.continued->start : x.t;
  require_grid(options, t0);
  if (!options.keep_going) require_end(options, t0);
  scheme.require_histories(x);
  if (recorder && &recorder->system() != &scheme.system())
    throw ModelError("recorder", "it was made for another system than the scheme; make it with scheme.system()");
  return Driver(scheme, x, options, recorder).run();
}

}  // namespace esc
