#include "papers/acary/ball.hpp"

#include <algorithm>
#include <cmath>

#include "examples/linear_oscillator.hpp"

namespace esc::papers::acary {

using examples::BouncingBall;
using examples::LinearOscillator;

Run ball_run(const SchemeChoice& scheme, const BallCase& ball) {
  const BouncingBall model{.force = -BallCase::force, .e = ball.e, .velocity = ball.velocity};
  return run(model.model(), scheme, {.step = ball.h, .until = ball.until},
             [](const System& system, Recorder& recorder) {
               const ContactKey floor = system.contact_key("floor");
               recorder.add({"q", "m", [](const State& x) { return x.q[0]; }});
               recorder.add({"v", "m/s", [](const State& x) { return x.v[0]; }});
               recorder.add(force_column("force", floor));
               recorder.add(tau_column("tau", floor));
               recorder.add_energy();
             });
}

Cycle direct_cycle(const BallCase& ball, double gamma, double theta) {
  const double e = ball.e, f = BallCase::force, h = ball.h;
  if (gamma == 0.0) {
    // Down freely, projected to q = 0; the impact; up and back in flight for a step.
    const double w = h * f / (1.0 - e * e);
    const std::vector<double> v{-w, e * w, -e * e * w};
    const double q1 = std::max(0.0, h * (theta * v[1] + (1.0 - theta) * v[0]));
    const double q2 = std::max(0.0, q1 + h * (theta * v[2] + (1.0 - theta) * v[1]));
    return {v, {0.0, q1, q2}, {0.0, (w + e * w) / h + f, 0.0}};
  }
  const double w = h * f / (1.0 + e);
  const std::vector<double> v{-w, e * w};
  return {v, {0.0, std::max(0.0, h * (theta * v[1] + (1.0 - theta) * v[0]))}, {0.0, (w + e * w) / h + f}};
}

namespace {

// The largest distance of the late rows from the cycle that begins `shift` rows later, in units of the tolerances.
double distance(const Run& run, const Cycle& cycle, const BallCase& ball, std::size_t shift) {
  const auto t = run.data["t"], q = run.data["q"], v = run.data["v"], force = run.data["force"];
  const double small = 1e-6 * ball.h * BallCase::force;
  double worst = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < t.back() - 1.0) continue;
    const std::size_t i = (k + shift) % cycle.v.size();
    worst = std::max({worst, std::abs(v[k] - cycle.v[i]) / small, std::abs(q[k] - cycle.q[i]) / small,
                      std::abs(force[k] - cycle.force[i]) / 1e-6});
  }
  return worst;
}

}  // namespace

Judgement chatters(const Run& run, const Cycle& cycle, const BallCase& ball) {
  const auto v = run.data["v"], force = run.data["force"];
  double best = distance(run, cycle, ball, 0);
  for (std::size_t shift = 1; shift < cycle.v.size(); ++shift) best = std::min(best, distance(run, cycle, ball, shift));
  std::string here = "v =";
  double sum = 0.0;
  for (std::size_t k = v.size() - cycle.v.size(); k < v.size(); ++k) {
    here += ' ' + text(v[k], 5);
    sum += force[k];
  }
  here += ", mean force " + text(sum / static_cast<double>(cycle.v.size()), 4);
  return {here, best <= 1.0};
}

Judgement comes_to_rest(const Run& run, double from, double speed) {
  const auto t = run.data["t"], q = run.data["q"], v = run.data["v"], force = run.data["force"];
  double fastest = 0.0, low = q.back(), high = q.back(), unbalanced = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < from) continue;
    fastest = std::max(fastest, std::abs(v[k]));
    low = std::min(low, q[k]);
    high = std::max(high, q[k]);
    unbalanced = std::max(unbalanced, std::abs(force[k] - BallCase::force));
  }
  return {"|v| <= " + text(fastest, 2) + ", q = " + text(q.back(), 3) + ", force " + text(force.back(), 6),
          t.back() > from && fastest <= speed && unbalanced <= 1e-4 && high - low <= speed * (t.back() - from)};
}

double largest(const Run& run, std::string_view column) {
  double magnitude = 0.0;
  for (const double value : run.data[column]) magnitude = std::max(magnitude, std::abs(value));
  return magnitude;
}

EnergySteps energy_steps(const Run& run) {
  const auto energy = run.data["energy.total"], tau = run.data["tau"];
  EnergySteps steps{.start = energy.front(), .end = energy.back(), .highest = energy.front()};
  for (std::size_t k = 1; k < energy.size(); ++k) {
    const double gain = energy[k] - energy[k - 1];
    steps.highest = std::max(steps.highest, energy[k]);
    steps.increases += gain > 1e-12;
    if (gain <= steps.largest_increase) continue;
    steps.largest_increase = gain;
    steps.projected = tau[k] > 0.0;
  }
  return steps;
}

Judgement never_gains(const EnergySteps& energy) {
  return {"largest increase of a step " + text(energy.largest_increase, 2) + " J", energy.largest_increase <= 1e-14};
}

Judgement projection_gains(const EnergySteps& energy) {
  return {std::to_string(energy.increases) + " steps gain, up to " + text(energy.largest_increase, 7) + " J in a " +
              (energy.projected ? "projected" : "free") + " one",
          energy.largest_increase > 1e-2 && energy.projected};
}

namespace {

// max |e_k|, h sum |e_k|, sqrt(h sum e_k^2).
class Norms {
 public:
  void add(double error) {
    inf = std::max(inf, std::abs(error));
    sum_ += std::abs(error);
    squares_ += error * error;
  }
  double l1(double h) const { return h * sum_; }
  double l2(double h) const { return std::sqrt(h * squares_); }
  double inf = 0.0;

 private:
  double sum_ = 0.0, squares_ = 0.0;
};

template <class Example>
Errors errors(const Example& example, const SchemeChoice& scheme, const Grid& grid) {
  const Run done = run(example.model(), scheme, grid, [](const System&, Recorder& recorder) {
    recorder.add({"q", "m", [](const State& x) { return x.q[0]; }});
    recorder.add({"v", "m/s", [](const State& x) { return x.v[0]; }});
  });
  const auto t = done.data["t"], q = done.data["q"], v = done.data["v"];
  const bool centred = scheme.name == "schatzman-paoli";
  Norms eq, ev;
  for (std::size_t k = 1; k < t.size(); ++k) {
    eq.add(q[k] - example.exact(t[k]).q);
    ev.add(v[k] - example.exact(t[centred ? k - 1 : k]).v);
  }
  const double h = grid.step;
  return {{eq.inf, eq.l1(h), eq.l2(h), ev.l1(h), ev.l2(h), ev.inf}};
}

}  // namespace

Errors ball_errors(const SchemeChoice& scheme, const BallCase& ball) {
  const BouncingBall model{.force = -BallCase::force, .e = ball.e, .velocity = ball.velocity};
  return errors(model, scheme, {.step = ball.h, .until = ball.until, .certify = false});
}

Errors oscillator_errors(const SchemeChoice& scheme, double h, double until) {
  return errors(LinearOscillator{}, scheme, {.step = h, .until = until, .certify = false});
}

}  // namespace esc::papers::acary
