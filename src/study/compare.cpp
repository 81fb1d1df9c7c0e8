#include <escapement/study/compare.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "src/math/text.hpp"
#include "src/model/gap_unit.hpp"

namespace esc::study {

namespace {

// Smaller motions are no measure of an error: what slides or stands turns by round-off.
double least_motion(const std::string& unit) { return unit == "rad" ? 0.01 : 1e-9; }

// A run kept at every accepted time, read in between along the shortest way.
class Trajectory {
 public:
  explicit Trajectory(const System& system) : system_(system) {}

  void add(const State& x) {
    t_.push_back(x.t);
    q_.insert(q_.end(), x.q.begin(), x.q.end());
    v_.insert(v_.end(), x.v.begin(), x.v.end());
  }

  void at(double t, std::span<double> q, std::span<double> v) const {
    const auto after = std::lower_bound(t_.begin(), t_.end(), t);
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(after - t_.begin()), t_.size() - 1);
    const std::size_t j = i == 0 ? 0 : i - 1;
    const double s = t_[i] > t_[j] ? std::clamp((t - t_[j]) / (t_[i] - t_[j]), 0.0, 1.0) : 1.0;
    system_.interpolate(row(q_, q.size(), j), row(q_, q.size(), i), s, q);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = (1.0 - s) * v_[j * v.size() + k] + s * v_[i * v.size() + k];
  }

 private:
  static std::span<const double> row(const std::vector<double>& values, std::size_t width, std::size_t i) {
    return std::span(values).subspan(i * width, width);
  }

  const System& system_;
  std::vector<double> t_, q_, v_;
};

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

// What a position error along velocity i is measured in: "m" of "m/s"; nothing where the unit is not known.
std::string unit_of(const System& system, int i) {
  const std::string& rate = system.velocities()[i].unit;
  const std::string unit = rate.substr(0, rate.find('/'));
  return unit == "1" ? "" : unit;
}

// What moves along velocity i: a coordinate; of a body in space "body.x" for vx, "body.rotation" for wx.
std::string coordinate_of(const System& system, int i) {
  const std::string& name = system.velocities()[i].name;
  for (const CoordinateName& coordinate : system.coordinates())
    if (coordinate.name == name) return name;
  const auto dot = name.rfind('.');
  return name.substr(0, dot + 1) + (name[dot + 1] == 'w' ? "rotation" : name.substr(dot + 2));
}

class Comparer {
 public:
  Comparer(const System& system, const CompareOptions& options)
      : system_(system),
        options_(options),
        smallest_(*std::min_element(options.steps.begin(), options.steps.end())),
        trajectory_(system),
        q_(system.nq()),
        v_(system.nv()),
        xi_(system.nv()),
        scale_(system.nv()) {}

  Comparison run() {
    if (options_.exact)
      take_exact();
    else
      run_reference();
    measure_motions();
    for (const ComparedScheme& scheme : options_.schemes) measure(scheme);
    recommend();
    return std::move(result_);
  }

 private:
  struct Worst {
    int index = 0;
    double error = 0.0;  // scaled
  };

  void take_exact();
  void run_reference();
  void measure_motions();
  void measure(const ComparedScheme& entry);
  WorkPoint measure(Scheme& scheme, double step);
  double reference_energy(const State& x);
  double seconds_of(Scheme& scheme, double step) const;
  SimulateOptions run_with(double step) const;
  void recommend();

  const System& system_;
  const CompareOptions& options_;
  const double smallest_;  // step
  Trajectory trajectory_;
  MotionAt reference_;
  std::vector<double> q_, v_, xi_;  // of the reference at a time; difference of positions
  std::vector<double> scale_;       // by velocity: that of its unit
  Comparison result_;
};

void Comparer::take_exact() {
  const State& start = system_.initial_state();
  reference_ = options_.exact->at;
  reference_(start.t, q_, v_);
  system_.difference(start.q, q_, xi_);
  double off = 0.0;
  for (int i = 0; i < system_.nv(); ++i) off = std::max({off, std::abs(xi_[i]), std::abs(start.v[i] - v_[i])});
  if (!(off <= 1e-9))
    throw OptionError("exact", "the exact solution of " + options_.exact->name + " starts " + short_text(off) +
                                   " away from the initial state; it is one of another motion");
  result_.reference = "exact solution of " + options_.exact->name;
}

SimulateOptions Comparer::run_with(double step) const { return {.step = step, .until = options_.until}; }

void Comparer::run_reference() {
  const double step = smallest_ / options_.refine;
  const auto scheme = make_scheme(options_.reference.name, system_, options_.reference.options);
  State x = system_.initial_state();
  trajectory_.add(x);
  SimulateOptions run = run_with(step);
  run.certify = false;
  run.keep_going = [&](const State& now) {
    trajectory_.add(now);
    return true;
  };
  const RunReport report = simulate(*scheme, x, run);
  if (!report.ok()) throw ModelError("reference", "the refined run failed: " + report.message);
  reference_ = [this](double t, std::span<double> q, std::span<double> v) { trajectory_.at(t, q, v); };
  result_.reference = options_.reference.name + " with a step of " + short_text(step) + " s";
}

// At the times of the smallest step.
void Comparer::measure_motions() {
  const State& start = system_.initial_state();
  std::vector<double> range(system_.nv(), 0.0);
  for (long long k = 0; start.t + static_cast<double>(k) * smallest_ <= options_.until; ++k) {
    reference_(start.t + static_cast<double>(k) * smallest_, q_, v_);
    system_.difference(q_, start.q, xi_);
    for (int i = 0; i < system_.nv(); ++i) range[i] = std::max(range[i], std::abs(xi_[i]));
  }
  auto& motions = result_.motions;
  const auto of_unit = [&](int i) -> UnitMotion& {
    const std::string unit = unit_of(system_, i);
    const auto same = std::find_if(motions.begin(), motions.end(), [&](const auto& m) { return m.unit == unit; });
    return same != motions.end() ? *same : motions.emplace_back(UnitMotion{unit});
  };
  for (int i = 0; i < system_.nv(); ++i) of_unit(i).range = std::max(of_unit(i).range, range[i]);
  for (UnitMotion& motion : motions) motion.scale = std::max(motion.range, least_motion(motion.unit));
  for (int i = 0; i < system_.nv(); ++i) scale_[i] = of_unit(i).scale;
}

void Comparer::measure(const ComparedScheme& entry) {
  std::unique_ptr<Scheme> scheme;
  try {
    scheme = make_scheme(entry.name, system_, entry.options);
  } catch (const ModelError& error) {
    result_.refusals.push_back({entry.name, error.what()});
    return;
  }
  for (const double step : options_.steps) result_.points.push_back(measure(*scheme, step));
}

WorkPoint Comparer::measure(Scheme& scheme, double step) {
  WorkPoint point;
  point.scheme = scheme.name();
  point.step = step;
  State x = system_.initial_state();
  Worst worst;
  const double start = x.t;
  double before = x.t;
  SimulateOptions run = run_with(step);
  run.keep_going = [&](const State& now) {
    reference_(now.t, q_, v_);
    system_.difference(now.q, q_, xi_);
    double q_error = 0.0, v_error = 0.0, relative = 0.0;
    for (int i = 0; i < system_.nv(); ++i) {
      const double part = std::abs(xi_[i]) / scale_[i];
      q_error = std::max(q_error, std::abs(xi_[i]));
      v_error = std::max(v_error, std::abs(now.v[i] - v_[i]));
      relative = std::max(relative, part);
      if (part > worst.error) worst = {i, part};
    }
    const double dt = now.t - before;
    before = now.t;
    point.q_l1 += dt * q_error;
    point.v_l1 += dt * v_error;
    point.q_relative += dt * relative;
    point.q_uniform = std::max(point.q_uniform, q_error);
    return true;
  };
  const RunReport report = simulate(scheme, x, run);
  point.ok = report.ok();
  point.certified = report.certified();
  point.message = report.message;
  if (x.t > start)
    for (double* sum : {&point.q_l1, &point.v_l1, &point.q_relative}) *sum /= x.t - start;
  point.worst = coordinate_of(system_, worst.index);
  point.newton = report.newton.sum;
  point.penetration = report.max_penetration;
  point.energy_error = std::abs(total(report.final) - reference_energy(x));
  point.seconds = point.ok ? seconds_of(scheme, step) : 0.0;
  return point;
}

// At the time and with the inputs of x.
double Comparer::reference_energy(const State& x) {
  std::vector<double> scratch(system_.scratch_size());
  reference_(x.t, q_, v_);
  return total(system_.energy({x.t, q_.data(), v_.data(), x.u.data(), scratch.data()}));
}

// Of a plain run: no certificate, nobody watching; the least of three.
double Comparer::seconds_of(Scheme& scheme, double step) const {
  SimulateOptions run = run_with(step);
  run.certify = false;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    State x = system_.initial_state();
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(simulate(scheme, x, run));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    least = std::min(least, spent.count());
  }
  return least;
}

constexpr double as_fast = 1.5;  // times the least time is still among the fastest

std::string percent(double part) { return short_text(100.0 * part) + " %"; }

// Of the runs that reach the wanted accuracy and hold their certificates, those that take about as long as the fastest
// one; of these the most accurate: a difference that is less than the clock is worth must not decide. If none reaches
// it, the most accurate of all.
void Comparer::recommend() {
  const auto reaches = [&](const WorkPoint& p) { return p.ok && p.certified && p.q_relative <= options_.target; };
  const auto reached = std::ranges::count_if(result_.points, reaches);
  double fastest = std::numeric_limits<double>::infinity();
  for (const WorkPoint& point : result_.points)
    if (reaches(point)) fastest = std::min(fastest, point.seconds);
  for (int i = 0; i < static_cast<int>(result_.points.size()); ++i) {
    const WorkPoint& point = result_.points[i];
    if (!point.ok || (reached > 0 && !(reaches(point) && point.seconds <= as_fast * fastest))) continue;
    if (result_.best < 0 || point.q_relative < result_.points[result_.best].q_relative) result_.best = i;
  }
  if (result_.best < 0) {
    result_.reason = result_.points.empty() ? "nothing; every scheme refuses this model"
                                            : "nothing; every run failed: try smaller steps";
    return;
  }
  const WorkPoint& best = result_.points[result_.best];
  const std::string wanted = "the wanted mean position error of " + percent(options_.target) + " of the motion";
  result_.reason =
      best.scheme + " with a step of " + short_text(best.step) + " s: " +
      (reached > 0 ? "of " + std::to_string(reached) + " runs that reach " + wanted +
                         " with a certificate that holds, the most accurate among the fastest"
                   : "no run reaches " + wanted + " with a certificate that holds; this one comes closest") +
      "; error " + percent(best.q_relative) + " (largest in '" + best.worst + "'), time " + short_text(best.seconds) +
      " s, penetration " + short_text(best.penetration) + " " + gap_unit(system_) + ", certificate " +
      (best.certified ? "holds" : "FAILS");
}

}  // namespace

Comparison compare(const System& system, const CompareOptions& options) {
  if (options.schemes.empty()) throw OptionError("schemes", "name at least one scheme");
  if (options.steps.empty()) throw OptionError("steps", "give at least one step");
  for (const double step : options.steps)
    if (!(step > 0.0) || !std::isfinite(step))
      throw OptionError("steps", "a step of " + short_text(step) + " s is not possible; steps are positive");
  if (!(options.until > system.initial_state().t) || !std::isfinite(options.until))
    throw OptionError("until", "the runs would end at " + short_text(options.until) + " s, before they begin");
  for (const double step : options.steps)
    if (steps_until_end({.step = step, .until = options.until}, system.initial_state().t) < 1.0)
      throw OptionError("steps", "the runs would end at " + short_text(options.until) + " s, before a step of " +
                                     short_text(step) + " s is over; give a later end or smaller steps");
  if (options.refine < 2) throw OptionError("refine", "the reference needs a step at least twice as small");
  return Comparer(system, options).run();
}

}  // namespace esc::study
