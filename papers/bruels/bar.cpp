#include "papers/bruels/bar.hpp"

#include <algorithm>
#include <cmath>

#include "examples/statistics.hpp"

namespace esc::papers::bruels {

Run bar_run(const SchemeChoice& scheme) {
  return run(bar.model(), scheme, {.step = bar_step, .until = 1.5}, [](const System& system, Recorder& recorder) {
    const ContactKey wall = system.contact_key("wall");
    recorder.add({"gap", "m", [](const State& x) { return bar.gap - x.q[examples::ElasticBar::tip()]; }});
    recorder.add({"v", "m/s", [](const State& x) { return -x.v[examples::ElasticBar::tip()]; }});
    recorder.add(impulse_column("P", wall));
    recorder.add(force_column("force", wall));
    recorder.add_energy();
  });
}

Table exact_bar() {
  Table table{"", {{"t", "s", {}}, {"gap", "m", {}}, {"v", "m/s", {}}, {"force", "N", {}}}};
  for (int k = 0; k <= 750; ++k) {
    const double t = k * bar_step;
    const auto [u, v] = bar.exact(0.0, t);
    const double row[] = {t, bar.gap - u, -v, bar.exact_force(t)};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(row[i]);
  }
  return table;
}

BarFigures measure(const Run& run) {
  const auto t = run.data["t"], gap = run.data["gap"], v = run.data["v"], force = run.data["force"];
  BarFigures f;
  double first = 0.0, last = 0.0, since = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    f.deepest = std::max(f.deepest, -gap[k]);
    since = std::max(since, gap[k]);
    if (f.force.empty()) since = 0.0;
    if (force[k] <= 0.0) continue;
    f.bounce = since;
    if (!f.force.empty()) f.speed = std::max(f.speed, std::abs(v[k]));
    if (f.force.empty()) first = t[k];
    last = t[k];
    f.gap = std::max(f.gap, std::abs(gap[k]));
    f.force.push_back(force[k]);
  }
  f.duration = last - first + bar_step;
  examples::Sample middle;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (t[k] >= first + 0.1 * (last - first) && t[k] <= last - 0.1 * (last - first)) middle.add(force[k]);
  f.mean = middle.mean();
  f.deviation = middle.deviation();
  f.energy = run.data["energy.total"].back();
  f.highest = largest(run, "energy.total");
  f.rise = largest_rise(run);
  return f;
}

Judgement first_forces(const BarFigures& f, const std::array<double, 3>& wanted) {
  double worst = f.force.size() < 3 ? 1.0 : 0.0;
  for (std::size_t i = 0; i < 3 && worst < 1.0; ++i) worst = std::max(worst, std::abs(f.force[i] / wanted[i] - 1.0));
  return {"differ by at most " + text(worst, 2) + " (relative)", worst <= 1e-7};
}

}  // namespace esc::papers::bruels
