#include <escapement/study/compare.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "src/math/text.hpp"

namespace esc::study {

namespace {

// A run kept at every grid time, read in between by the straight line.
class Trajectory {
 public:
  explicit Trajectory(int width) : width_(width) {}

  void add(const State& x) {
    t_.push_back(x.t);
    values_.insert(values_.end(), x.q.begin(), x.q.end());
    values_.insert(values_.end(), x.v.begin(), x.v.end());
  }

  // q, then v, at a time of the run.
  void at(double t, std::vector<double>& out) const {
    const auto after = std::lower_bound(t_.begin(), t_.end(), t);
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(after - t_.begin()), t_.size() - 1);
    const std::size_t j = i == 0 ? 0 : i - 1;
    const double s = t_[i] > t_[j] ? std::clamp((t - t_[j]) / (t_[i] - t_[j]), 0.0, 1.0) : 1.0;
    out.resize(width_);
    for (int k = 0; k < width_; ++k) out[k] = (1.0 - s) * values_[j * width_ + k] + s * values_[i * width_ + k];
  }

  // Largest difference between two values of one of the first n columns.
  double range(int n) const {
    double widest = 0.0;
    for (int k = 0; k < n; ++k) {
      double low = values_[k], high = values_[k];
      for (std::size_t i = 0; i < t_.size(); ++i) {
        low = std::min(low, values_[i * width_ + k]);
        high = std::max(high, values_[i * width_ + k]);
      }
      widest = std::max(widest, high - low);
    }
    return widest;
  }

 private:
  int width_;
  std::vector<double> t_, values_;
};

double total(const Energy& energy) { return energy.kinetic + energy.potential; }

class Comparer {
 public:
  Comparer(const System& system, const CompareOptions& options)
      : system_(system), options_(options), reference_(system.nq() + system.nv()) {}

  Comparison run() {
    run_reference();
    for (const ComparedScheme& scheme : options_.schemes)
      for (const double step : options_.steps) result_.points.push_back(measure(scheme, step));
    recommend();
    return std::move(result_);
  }

 private:
  void run_reference();
  WorkPoint measure(const ComparedScheme& scheme, double step);
  void recommend();
  std::string describe(const WorkPoint& point) const;

  const System& system_;
  const CompareOptions& options_;
  Trajectory reference_;
  double reference_energy_ = 0.0;
  Comparison result_;
};

void Comparer::run_reference() {
  const double step = *std::min_element(options_.steps.begin(), options_.steps.end()) / options_.refine;
  const auto scheme = make_scheme(options_.reference.name, system_, options_.reference.options);
  State x = system_.initial_state();
  reference_.add(x);
  SimulateOptions run{.step = step, .until = options_.until, .certify = false};
  run.keep_going = [&](const State& now) {
    reference_.add(now);
    return true;
  };
  const RunReport report = simulate(*scheme, x, run);
  if (!report.ok()) throw ModelError("reference", "the refined run failed: " + report.message);
  reference_energy_ = total(report.final);
  result_.range = reference_.range(system_.nq());
  result_.reference = options_.reference.name + " with a step of " + short_text(step) + " s";
}

WorkPoint Comparer::measure(const ComparedScheme& entry, double step) {
  WorkPoint point;
  point.scheme = entry.name;
  point.step = step;
  try {
    const auto scheme = make_scheme(entry.name, system_, entry.options);
    const int nq = system_.nq(), nv = system_.nv();
    std::vector<double> exact;
    double q_sum = 0.0, v_sum = 0.0;
    SimulateOptions run{.step = step, .until = options_.until};
    run.keep_going = [&](const State& x) {
      reference_.at(x.t, exact);
      double q_error = 0.0, v_error = 0.0;
      for (int i = 0; i < nq; ++i) q_error = std::max(q_error, std::abs(x.q[i] - exact[i]));
      for (int i = 0; i < nv; ++i) v_error = std::max(v_error, std::abs(x.v[i] - exact[nq + i]));
      q_sum += q_error;
      v_sum += v_error;
      point.q_uniform = std::max(point.q_uniform, q_error);
      return true;
    };
    State x = system_.initial_state();
    const RunReport report = simulate(*scheme, x, run);
    point.ok = report.ok();
    point.certified = report.certified();
    point.message = report.message;
    const auto steps = static_cast<double>(std::max<std::int64_t>(report.steps, 1));
    point.q_l1 = q_sum / steps;
    point.v_l1 = v_sum / steps;
    point.evaluations = report.newton.sum;
    point.penetration = report.max_penetration;
    point.energy_error = std::abs(total(report.final) - reference_energy_);

    // The time of a plain run: no certificate, nobody watching; the least of three.
    point.seconds = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3 && point.ok; ++k) {
      State y = system_.initial_state();
      const auto start = std::chrono::steady_clock::now();
      static_cast<void>(simulate(*scheme, y, {.step = step, .until = options_.until, .certify = false}));
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      point.seconds = std::min(point.seconds, spent.count());
    }
  } catch (const std::exception& error) {  // a scheme that refuses the model: said, not hidden
    point.message = error.what();
  }
  return point;
}

std::string Comparer::describe(const WorkPoint& point) const {
  return point.scheme + " with a step of " + short_text(point.step) + " s";
}

// The fastest run that reaches the wanted accuracy and holds its certificate; else the most accurate one.
void Comparer::recommend() {
  const double wanted = options_.target * result_.range;
  int fastest = -1, closest = -1;
  for (int i = 0; i < static_cast<int>(result_.points.size()); ++i) {
    const WorkPoint& point = result_.points[i];
    if (!point.ok) continue;
    if (closest < 0 || point.q_l1 < result_.points[closest].q_l1) closest = i;
    if (!point.certified || !(point.q_l1 <= wanted)) continue;
    if (fastest < 0 || point.seconds < result_.points[fastest].seconds) fastest = i;
  }
  result_.best = fastest >= 0 ? fastest : closest;
  if (result_.best < 0) {
    result_.reason = "every run failed; try smaller steps";
    return;
  }
  const WorkPoint& best = result_.points[result_.best];
  const std::string error = short_text(best.q_l1) + " (mean position error; wanted " + short_text(wanted) + ")";
  result_.reason = fastest >= 0
                       ? describe(best) + ": the fastest of those that reach it, " + error + ", in " +
                             short_text(best.seconds) + " s, penetration " + short_text(best.penetration) + " m"
                       : describe(best) + ": none reaches the wanted error; this one comes closest, " + error;
}

}  // namespace

Comparison compare(const System& system, const CompareOptions& options) {
  if (options.schemes.empty()) throw OptionError("schemes", "name at least one scheme");
  if (options.steps.empty()) throw OptionError("steps", "give at least one step");
  for (const double step : options.steps)
    if (!(step > 0.0) || !std::isfinite(step))
      throw OptionError("steps", "a step of " + short_text(step) + " s is not possible; steps are positive");
  if (options.refine < 2) throw OptionError("refine", "the reference needs a step at least twice as small");
  return Comparer(system, options).run();
}

}  // namespace esc::study
