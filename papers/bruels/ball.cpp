#include "papers/bruels/ball.hpp"

#include <algorithm>
#include <cmath>

namespace esc::papers::bruels {

Run ball_run(const SchemeChoice& scheme, double h, double until) {
  return run(ball.model(), scheme, {.step = h, .until = until}, [](const System& system, Recorder& recorder) {
    const ContactKey floor = system.contact_key("floor");
    recorder.add({"q", "m", [](const State& x) { return x.q[0]; }});
    recorder.add({"v", "m/s", [](const State& x) { return x.v[0]; }});
    recorder.add(impulse_column("P", floor));
    recorder.add(tau_column("nu", floor));
    recorder.add(force_column("force", floor));
    recorder.add_energy();
  });
}

Table exact_ball(double h, double until) {
  Table table{"", {{"t", "s", {}}, {"q", "m", {}}, {"v", "m/s", {}}}};
  for (int k = 0; k <= static_cast<int>(std::lround(until / h)); ++k) {
    const auto [q, v] = ball.exact(k * h);
    const double row[] = {k * h, q, v};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(row[i]);
  }
  return table;
}

double late_speed(const Run& run, double from) {
  const auto t = run.data["t"], v = run.data["v"];
  double fastest = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] >= from) fastest = std::max(fastest, std::abs(v[k]));
  return fastest;
}

double rest_from(const Run& run) {
  const auto t = run.data["t"], q = run.data["q"], v = run.data["v"];
  double last = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (std::abs(q[k]) > 1e-8 || std::abs(v[k]) > 1e-8) last = t[k];
  return last;
}

double largest_error(const Run& run, double until) {
  const auto t = run.data["t"], q = run.data["q"];
  double worst = 0.0;
  for (std::size_t k = 0; k < t.size() && t[k] <= until; ++k)
    worst = std::max(worst, std::abs(q[k] - ball.exact(t[k]).q));
  return worst;
}

double loss_in_flight(const Run& run) {
  const auto t = run.data["t"], energy = run.data["energy.total"];
  std::size_t k = 0;
  while (k + 1 < t.size() && t[k + 1] < 0.95 * ball.first_impact()) ++k;
  return (energy[0] - energy[k]) / static_cast<double>(k);
}

Judgement first_impulses(const Run& run) {
  constexpr struct {
    double t, P;
  } wanted[] = {{0.4014, 7.2108},    {1.0422, 5.76576},    {1.5534, 4.588992},
                {1.9602, 3.6512064}, {2.2842, 2.91103488}, {2.5416, 2.304372096}};
  const auto P = run.data["P"];
  double worst = 0.0;
  for (const auto& [t, value] : wanted) {
    const auto k = static_cast<std::size_t>(std::lround(t / ball_step));
    worst = k < P.size() ? std::max(worst, std::abs(P[k] - value)) : value;
  }
  return {"differ by at most " + text(worst, 2) + " N s", worst <= 1e-10};
}

Judgement carries_its_weight(const Run& run) { return near(run.data["force"].back(), 10.0, 1e-9); }

Judgement stays_above(const Run& run) { return at_least(smallest(run, "q"), -1e-15); }

Judgement rests_at_the_accumulation(const Run& run) { return near_absolute(rest_from(run), 3.602, 5e-2); }

Judgement corrections_are_first_order(const Run& run, double h) {
  const auto nu = run.data["nu"], v = run.data["v"];
  double least = 0.0, ratio = 0.0;
  for (std::size_t k = 1; k < nu.size(); ++k) {
    least = std::min(least, nu[k]);
    if (std::abs(v[k - 1]) > 0.1) ratio = std::max(ratio, nu[k] / (h * std::abs(v[k - 1])));
  }
  return {"least " + text(least, 2) + ", largest / (h |v-|) " + text(ratio, 4),
          least >= 0.0 && ratio > 0.0 && ratio <= 1.05};
}

}  // namespace esc::papers::bruels
