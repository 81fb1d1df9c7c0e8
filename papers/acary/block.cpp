#include "papers/acary/block.hpp"

#include <algorithm>
#include <cmath>

#include "examples/rocking_block.hpp"

namespace esc::papers::acary {

using examples::RockingBlock;

Run block_run(const SchemeChoice& scheme) {
  return run(RockingBlock{}.model(), scheme, {.step = 1e-2, .until = 2.0},
             [](const System& system, Recorder& recorder) {
               const ContactKey a = system.contact_key("floor", RockingBlock::corner_a);
               const ContactKey b = system.contact_key("floor", RockingBlock::corner_b);
               recorder.add({"y", "m", [](const State& x) { return x.q[1]; }});
               recorder.add({"theta", "rad", [](const State& x) { return x.q[2]; }});
               recorder.add({"vy", "m/s", [](const State& x) { return x.v[1]; }});
               recorder.add({"omega", "rad/s", [](const State& x) { return x.v[2]; }});
               recorder.add(smallest_gap_column(system));
               recorder.add(normal_velocity_column(system, "U_A", a));
               recorder.add(normal_velocity_column(system, "U_B", b));
               recorder.add(force_column("force_A", a));
               recorder.add(force_column("force_B", b));
               recorder.add(tau_column("tau_A", a));
               recorder.add(tau_column("tau_B", b));
               recorder.add_energy();
             });
}

double late_speed(const Run& run) {
  const auto t = run.data["t"], a = run.data["U_A"], b = run.data["U_B"];
  double speed = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] >= 1.5 - 1e-9) speed = std::max({speed, std::abs(a[k]), std::abs(b[k])});
  return speed;
}

double energy_at(const Run& run, double time) {
  const auto t = run.data["t"], energy = run.data["energy.total"];
  std::size_t best = 0;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (std::abs(t[k] - time) < std::abs(t[best] - time)) best = k;
  return energy[best];
}

double deepest(const Run& run) {
  const auto gap = run.data["gap"];
  return *std::min_element(gap.begin(), gap.end());
}

Judgement block_rests(const Run& run) {
  const double y = run.data["y"].back(), theta = run.data["theta"].back(), energy = run.data["energy.total"].back();
  const double force = run.data["force_A"].back() + run.data["force_B"].back(), speed = late_speed(run);
  const bool holds = std::abs(y - 0.75) <= 1e-12 && std::abs(theta) <= 1e-12 && std::abs(energy - 7.3575) <= 1e-10 &&
                     std::abs(force - 9.81) <= 1e-8 && speed <= 1e-12;
  return {
      "y = " + text(y, 8) + ", E = " + text(energy, 8) + ", force " + text(force, 8) + ", late |U| " + text(speed, 2),
      holds};
}

Judgement block_chatters(const Run& run) { return within(late_speed(run), 0.05, 0.2); }

Judgement dissipates_more(const Run& first, const Run& second) {
  const auto a = first.data["energy.total"], b = second.data["energy.total"];
  double worst = -1.0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, a[k] - b[k]);
  return {"largest excess " + text(worst, 2) + " J", a.size() == b.size() && worst <= 1e-9};
}

}  // namespace esc::papers::acary
