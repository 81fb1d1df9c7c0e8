#include "papers/bruels/block.hpp"

#include <algorithm>
#include <cmath>

#include "examples/rocking_block.hpp"

namespace esc::papers::bruels {

using examples::RockingBlock;

namespace {

constexpr RockingBlock block{.velocity = {0.0, 0.0, 0.0}};

// Side: 1 for corner A, -1 for B, as in (53).
double gap_of(const State& x, double side) {
  return x.q[1] - 0.5 * block.thickness * std::cos(x.q[2]) + side * 0.5 * block.length * std::sin(x.q[2]);
}

}  // namespace

Run block_run(const SchemeChoice& scheme, double h, int every) {
  return run(block.model(), scheme, {.step = h, .until = 2.0, .every = every},
             [](const System& system, Recorder& recorder) {
               const ContactKey a = system.contact_key("floor", RockingBlock::corner_a);
               const ContactKey b = system.contact_key("floor", RockingBlock::corner_b);
               recorder.add({"y", "m", [](const State& x) { return x.q[1]; }});
               recorder.add({"theta", "rad", [](const State& x) { return x.q[2]; }});
               recorder.add({"g_A", "m", [](const State& x) { return gap_of(x, 1.0); }});
               recorder.add({"g_B", "m", [](const State& x) { return gap_of(x, -1.0); }});
               recorder.add(normal_velocity_column(system, "U_A", a));
               recorder.add(normal_velocity_column(system, "U_B", b));
               recorder.add(impulse_column("P_A", a));
               recorder.add(impulse_column("P_B", b));
               recorder.add_energy();
             });
}

double deepest(const Run& run) { return std::max(0.0, -std::min(smallest(run, "g_A"), smallest(run, "g_B"))); }

double late_speed(const Run& run) {
  const auto t = run.data["t"], a = run.data["U_A"], b = run.data["U_B"];
  double speed = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] >= 1.5 - 1e-9) speed = std::max({speed, std::abs(a[k]), std::abs(b[k])});
  return speed;
}

double block_loss_in_flight(const Run& run) {
  const auto energy = run.data["energy.total"];
  return (energy[0] - energy[15]) / 15.0;
}

Judgement block_energies(const Run& run) {
  double worst = 0.0;
  for (const auto& [t, energy] : {std::pair{0.25, 8.959284}, {0.4, 8.016178}, {0.6, 7.517197}, {0.8, 7.357500}})
    worst = std::max(worst, std::abs(at(run, "energy.total", t) / energy - 1.0));
  return {"differ by at most " + text(worst, 2) + " (relative)", worst <= 1e-6};
}

Judgement block_impulses(const Run& run) {
  constexpr Impulse wanted[] = {{0.19, 1.8928617919, "P_B"},
                                {0.30, 1.8255759077, "P_A"},
                                {0.48, 1.0082880482, "P_B"},
                                {0.53, 0.8168124254, "P_A"},
                                {0.62, 0.5039340620, "P_B"}};
  return has_impulses(run, wanted, 1e-8);
}

Judgement block_rests(const Run& run) {
  const double y = run.data["y"].back(), energy = run.data["energy.total"].back();
  const double a = run.data["P_A"].back() / block_step, b = run.data["P_B"].back() / block_step;
  return {"y = " + text(y, 8) + ", E = " + text(energy, 8) + ", forces " + text(a, 6) + " and " + text(b, 6),
          std::abs(y - 0.75) <= 1e-10 && std::abs(energy - 7.3575) <= 1e-9 &&
              std::max(std::abs(a - 4.905), std::abs(b - 4.905)) <= 1e-6};
}

Judgement keeps_more_energy(const Run& one, const Run& other) {
  const auto a = one.data["energy.total"], b = other.data["energy.total"];
  double least = 1e9, most = 0.0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    least = std::min(least, a[k] - b[k]);
    most = std::max(most, a[k] - b[k]);
  }
  return {"by " + text(least, 2) + " to " + text(most, 3) + " J", least >= -1e-9 && most > 0.0};
}

Judgement nearer_in_energy(const Run& one, const Run& other, const Run& reference) {
  const auto a = one.data["energy.total"], b = other.data["energy.total"], exact = reference.data["energy.total"];
  double near = 0.0, far = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    near += std::abs(a[k] - exact[k]) / static_cast<double>(exact.size());
    far += std::abs(b[k] - exact[k]) / static_cast<double>(exact.size());
  }
  return {"mean distance from the reference " + text(near, 3) + " against " + text(far, 3) + " J", near < 0.5 * far};
}

}  // namespace esc::papers::bruels
