#include "papers/bruels/pendulum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "examples/bouncing_pendulum.hpp"

namespace esc::papers::bruels {

using examples::BouncingPendulum;

namespace {

// lambda~ of the first joint row, where the scheme has it: the history of the generalized-alpha method.
double smooth_reaction(const State& x) {
  const History* history = find_history(x, "alpha-ggl");
  return history == nullptr ? 0.0 : history->values[2 * x.v.size()];
}

}  // namespace

Run pendulum_run(const SchemeChoice& scheme, double h, double until) {
  const BouncingPendulum data;
  return run(data.model(), scheme, {.step = h, .until = until}, [&](const System& system, Recorder& recorder) {
    const ContactKey wall = system.contact_key("wall");
    recorder.add({"x", "m", [](const State& x) { return x.q[0]; }});
    recorder.add({"y", "m", [](const State& x) { return x.q[1]; }});
    recorder.add({"theta", "rad", [](const State& x) { return x.q[2]; }});
    recorder.add({"vx", "m/s", [](const State& x) { return x.v[0]; }});
    recorder.add({"gap", "m", [wall = data.wall](const State& x) { return x.q[0] - wall; }});
    recorder.add(impulse_column("P", wall));
    recorder.add(tau_column("nu", wall));
    recorder.add({"g1", "m", [l = data.length](const State& x) { return x.q[0] - l * std::cos(x.q[2]); }});
    recorder.add({"g2", "m", [l = data.length](const State& x) { return x.q[1] - l * std::sin(x.q[2]); }});
    recorder.add({"Lambda1", "N s", [](const State& x) { return x.joint_impulse[0] - x.h * smooth_reaction(x); }});
    recorder.add({"lambda1", "N", smooth_reaction});
    recorder.add({"reaction1", "N", [](const State& x) { return x.h > 0.0 ? x.joint_impulse[0] / x.h : 0.0; }});
    recorder.add({"nu1", "kg m", [](const State& x) { return x.joint_tau.empty() ? 0.0 : x.joint_tau[0]; }});
    recorder.add_energy();
  });
}

double drift(const Run& run) { return std::max(largest(run, "g1"), largest(run, "g2")); }

// theta'^2 = 2 m g l (sin a - sin theta) / (m l^2 + J), theta'' = -m g l cos theta / (m l^2 + J), and m x'' is what the
// joint gives along x.
double reaction_error(const Run& run) {
  const BouncingPendulum data;
  const double J = data.inertia + data.mass * data.length * data.length;
  const double c = data.mass * data.g * data.length / J;
  const auto t = run.data["t"], theta = run.data["theta"], found = run.data["reaction1"];
  double worst = 0.0;
  for (std::size_t k = 2; t[k] < 0.48; ++k) {
    const double square = 2.0 * c * (std::sin(data.angle) - std::sin(theta[k]));
    const double x_dd = data.length * (c * std::cos(theta[k]) * std::sin(theta[k]) - square * std::cos(theta[k]));
    worst = std::max(worst, std::abs(found[k] - data.mass * x_dd));
  }
  return worst;
}

namespace {

// Over steps first..last after the first impact.
double swing(const Run& run, long first, long last) {
  const auto P = run.data["P"], lambda = run.data["lambda1"];
  const auto hit = std::find_if(P.begin(), P.end(), [](double p) { return p > 0.0; }) - P.begin();
  double largest = 0.0;
  for (long k = hit + first; k <= hit + last; ++k)
    largest = std::max(largest, std::abs(lambda[k + 1] - 2.0 * lambda[k] + lambda[k - 1]));
  return largest;
}

}  // namespace

double swing_after_impact(const Run& run) { return swing(run, 4, 10); }

double swing_later(const Run& run) {
  const auto t = run.data["t"];
  const double h = t[1] - t[0];
  return swing(run, std::lround(1e-2 / h), std::lround(2e-2 / h));
}

Judgement pendulum_rests(const Run& run) {
  const double x = run.data["x"].back(), y = run.data["y"].back(), reaction = run.data["reaction1"].back();
  const auto t = run.data["t"];
  const double force = run.data["P"].back() / (t[1] - t[0]), corner = 0.5 * std::numbers::sqrt2;
  return {"x = " + text(x, 8) + ", y = " + text(y, 8) + ", forces " + text(force, 8) + " and " + text(reaction, 8),
          std::max({std::abs(x - corner), std::abs(y + corner), std::abs(force - 10.0), std::abs(reaction + 10.0)}) <=
              1e-6};
}

namespace {

std::vector<double> blows(const Run& run, std::string_view column) {
  const auto P = run.data["P"], values = run.data[column];
  std::vector<double> found;
  for (std::size_t k = 1; k < P.size() && found.size() < 3; ++k)
    if (P[k] > 7.0) found.push_back(values[k]);
  return found;
}

}  // namespace

double impulses_apart(const Run& a, const Run& b) {
  const std::vector<double> one = blows(a, "Lambda1"), two = blows(b, "Lambda1");
  double worst = one.size() == two.size() ? 0.0 : 1.0;
  for (std::size_t i = 0; i < std::min(one.size(), two.size()); ++i)
    worst = std::max(worst, std::abs(two[i] / one[i] - 1.0));
  return worst;
}

}  // namespace esc::papers::bruels
