#include "papers/acary/bar.hpp"
#include "examples/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace esc::papers::acary {

using examples::ElasticBar;
using examples::Sample;

ElasticBar bar_of(const BarCase& bar) { return {.e = bar.e, .elements = bar.elements}; }

Run bar_run(const SchemeChoice& scheme, const BarCase& bar) {
  const ElasticBar model = bar_of(bar);
  return run(model.model(), scheme, {.step = bar.h, .until = 1.5e-3}, [&](const System& system, Recorder& recorder) {
    const int tip = model.tip();
    recorder.add({"q", "m", [tip, gap = model.gap](const State& x) { return gap - x.q[tip]; }});
    recorder.add({"v", "m/s", [tip](const State& x) { return -x.v[tip]; }});
    recorder.add(force_column("force", system.contact_key("wall")));
    recorder.add_energy();
  });
}

BarFigures measure(const Run& run, const BarCase& bar) {
  const ElasticBar model = bar_of(bar);
  const double t1 = model.gap / model.velocity, T = model.contact_time(), v0 = model.velocity;
  const auto t = run.data["t"], q = run.data["q"], v = run.data["v"], force = run.data["force"];
  BarFigures f;
  Sample plateau, after;
  double first = 0.0, last = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (force[k] > 0.0) {
      if (first == 0.0)
        first = t[k];
      else
        f.speed = std::max(f.speed, std::abs(v[k]) / v0);
      last = t[k];
    }
    if (t[k] >= t1 + 0.1 * T && t[k] <= t1 + 0.9 * T) plateau.add(force[k] / model.contact_force());
    if (t[k] >= t1 + 1.15 * T && t[k] <= t1 + 2.0 * T) after.add(v[k] / v0);
    f.peak = std::max(f.peak, force[k] / model.contact_force());
    f.violation = std::max(f.violation, -q[k] / (bar.h * v0));
  }
  f.force = plateau.mean();
  f.force_sd = plateau.deviation();
  f.duration = (last - first + bar.h) / T;
  f.after = after.mean();
  f.after_sd = after.deviation();
  f.energy = (run.report.final.kinetic + run.report.final.potential) / run.report.initial.kinetic;
  return f;
}

Judgement agrees_with(const BarFigures& f, const BarFigures& r) {
  const std::array<double, 8> here{f.force, f.force_sd, f.peak, f.duration, f.violation, f.speed, f.after, f.after_sd};
  const std::array<double, 8> wanted{r.force,     r.force_sd, r.peak,  r.duration,
                                     r.violation, r.speed,    r.after, r.after_sd};
  double worst = 0.0;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (!std::isnan(wanted[i])) worst = std::max(worst, std::abs(here[i] - wanted[i]));
  const double energy = std::abs(f.energy - r.energy);
  return {"differs by at most " + text(worst, 2) + ", energy by " + text(energy, 2), worst <= 1e-3 && energy <= 1e-5};
}

Judgement has_plateau(const BarFigures& f) { return near(f.force * ElasticBar{}.contact_force(), 1271.472, 1e-3); }

Judgement has_duration(const BarFigures& f) { return near(f.duration * ElasticBar{}.contact_time(), 3.8545e-4, 0.015); }
Judgement is_released(const BarFigures& f) { return near(f.after * ElasticBar{}.velocity, 0.1, 0.015); }
Judgement velocity_is_steady(const BarFigures& f) { return at_most(f.speed * ElasticBar{}.velocity, 1e-14); }

Judgement velocity_alternates(const Run& run, const BarCase& bar) {
  const auto v = run.data["v"], force = run.data["force"];
  int steps = 0, changes = 0;
  double largest = 0.0;
  for (std::size_t k = 2; k < v.size(); ++k) {
    if (force[k] <= 0.0 || force[k - 1] <= 0.0) continue;
    ++steps;
    changes += v[k] * v[k - 1] < -1e-20;
    largest = std::max(largest, std::abs(v[k]));
  }
  return {"sign changes at " + std::to_string(changes) + " of " + std::to_string(steps) + " steps, |v| up to " +
              text(largest / bar_of(bar).velocity, 3) + " v0",
          steps > 0 && changes >= 0.95 * steps && largest > 0.1 * bar_of(bar).velocity};
}

Judgement never_penetrates(const Run& run) {
  const auto q = run.data["q"];
  return at_most(std::max(0.0, -*std::min_element(q.begin(), q.end())), 1e-15);
}

Judgement has_no_rebound(const Run& run, const BarCase& bar) {
  const auto v = run.data["v"], force = run.data["force"];
  const auto carries = [](double f) { return f > 0.0; };
  const auto first = std::find_if(force.begin(), force.end(), carries) - force.begin();
  const auto end = std::find_if(force.rbegin(), force.rend(), carries).base() - force.begin();
  int without = 0;
  double fastest = 0.0;
  for (auto k = first + 2; k < end; ++k) {
    without += !carries(force[k]);
    fastest = std::max(fastest, std::abs(v[k]) / bar_of(bar).velocity);
  }
  return {
      std::to_string(without) + " of " + std::to_string(end - first) + " steps, |v| up to " + text(fastest, 2) + " v0",
      end - first > 10 && without == 0 && fastest <= 1e-9};
}

void add_motion(Report& report, Run run, const std::string& name) {
  run.data.name = name;
  const Axis time{.label = "time [ms]", .scale = 1e3};
  Plot plot{name};
  plot.add("position of the tip", time, {.label = "q [m]"}, {{name, "t", "q"}});
  plot.add("velocity of the tip", time, {.label = "v [m/s]"}, {{name, "t", "v"}});
  plot.add("contact force", time, {.label = "r [N]"}, {{name, "t", "force"}});
  report.tables.push_back(thinned(run.data, "force", 4000));
  report.plots.push_back(plot);
}

}  // namespace esc::papers::acary
