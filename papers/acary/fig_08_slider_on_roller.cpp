#include <algorithm>
#include <cmath>

#include "examples/slider_on_roller.hpp"
#include "papers/acary/figures.hpp"
#include "papers/acary/roller.hpp"

namespace esc::papers::acary {

Run roller_run(const SchemeChoice& scheme, double h) {
  return run(examples::SliderOnRoller{}.model(), scheme, {.step = h, .until = 4.0},
             [](const System& system, Recorder& recorder) {
               recorder.add({"y", "m", [](const State& x) { return x.q[0]; }});
               recorder.add({"phi", "rad", [](const State& x) { return x.q[1]; }});
               recorder.add({"vy", "m/s", [](const State& x) { return x.v[0]; }});
               recorder.add({"omega", "rad/s", [](const State& x) { return x.v[1]; }});
               recorder.add(force_column("force", system.contact_key("contact")));
             });
}

Judgement roller_rests(const Run& run) {
  const auto t = run.data["t"], vy = run.data["vy"], omega = run.data["omega"], force = run.data["force"];
  double fastest = 0.0, unbalanced = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < 3.0) continue;
    fastest = std::max({fastest, std::abs(vy[k]), std::abs(omega[k])});
    unbalanced = std::max(unbalanced, std::abs(force[k] - 9.81));
  }
  return {"|y'|, |phi'| <= " + text(fastest, 2) + ", force " + text(force.back(), 7),
          fastest <= 1e-9 && unbalanced <= 1e-6};
}

Judgement roller_slips(const Run& run, const RollerCycle& cycle) {
  const auto t = run.data["t"], vy = run.data["vy"], phi = run.data["phi"];
  const auto from = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), 3.0) - t.begin());
  double fastest = 0.0;
  for (std::size_t k = from; k < t.size(); ++k) fastest = std::max(fastest, std::abs(vy[k]));
  const double rate = (phi.back() - phi[from]) / (t.back() - t[from]);
  return {"|y'| up to " + text(fastest, 5) + " m/s, slips " + text(rate, 4) + " rad/s",
          near(fastest, cycle.speed, 1e-3).holds && near(std::abs(rate), cycle.rate, 0.02).holds};
}

namespace {

void reproduce(Report& report) {
  struct Case {
    double h;
    const char* gamma;
    RollerCycle cycle;
  };
  for (const Case& c : {Case{1e-2, "0", {1.308e-1, 0.1457}}, Case{1e-3, "0", {1.308e-2, 0.0147}},
                        Case{1e-2, "1", {0.0654, 0.0728}}, Case{1e-3, "1", {0.00654, 0.00735}}})
    report.claim("direct projected, gamma = " + std::string(c.gamma) + ", h = " + text(c.h),
                 "never stops to bounce, the roller slips",
                 roller_slips(roller_run({"direct-projected", {{"gamma", c.gamma}}}, c.h), c.cycle));
  for (const double h : {1e-2, 1e-3}) {
    report.claim("Moreau-Jean, h = " + text(h), "equilibrium", roller_rests(roller_run({"moreau-jean"}, h)));
    report.claim("direct projected, forecast (62), h = " + text(h), "no statement",
                 roller_rests(roller_run({"direct-projected", {{"forecast", "free"}}}, h)));
    const Run combined = roller_run({"combined-projection"}, h);
    report.claim("combined, h = " + text(h), "equilibrium (section 5)", roller_rests(combined));
    report.claim("combined, h = " + text(h) + ": |y| at the end, m", "0",
                 at_most(std::abs(combined.data["y"].back()), 1e-12));
  }
  Plot plot{"fig-8"};
  std::vector<Curve> curves;
  for (const char* scheme : {"moreau-jean", "direct-projected", "combined-projection"}) {
    Run run = roller_run({scheme}, 1e-2);
    run.data.name = "fig-8-" + std::string(scheme);
    curves.push_back({run.data.name, "t", "phi", scheme});
    report.tables.push_back(std::move(run.data));
  }
  plot.add("angle of the roller, h = 1e-2 s", {.label = "time [s]"}, {.label = "phi [rad]"}, curves);
  report.plots.push_back(plot);
}

}  // namespace

Reproduction fig_8() {
  return {
      "fig-8", "slider on a roller under a torque below the friction limit",
      "A static equilibrium must be reached, and Moreau-Jean reaches it. With the direct projected scheme the slider "
      "never stops bouncing and the roller slips each time (no data are given).",
      reproduce};
}

}  // namespace esc::papers::acary
