#include "papers/acary/ring.hpp"

#include <algorithm>
#include <cmath>

#include "examples/ring_pendulum.hpp"

namespace esc::papers::acary {

namespace {

constexpr double thickness = 2e-3;  // m
constexpr double step = 5e-4;       // s

// The rod's end is inside (gap > 0), in the material, or outside, where the distance counts from the outer side.
double distance_to_nearer_side(double gap) {
  if (gap >= 0.0) return gap;
  if (gap <= -thickness) return -gap - thickness;
  return -std::min(-gap, gap + thickness);
}

std::size_t first_impulse(const Run& run) {
  const auto force = run.data["force"];
  return static_cast<std::size_t>(std::find_if(force.begin(), force.end(), [](double f) { return f > 0.0; }) -
                                  force.begin());
}

double gap_at(const Run& run, double t) { return run.data["gap"][std::lround(t / step)]; }

}  // namespace

Run ring_run(const SchemeChoice& scheme, double until) {
  return run(examples::RingPendulum{}.model(), scheme, {.step = step, .until = until},
             [](const System& system, Recorder& recorder) {
               const ContactKey end = system.contact_key("end");
               const Column gap = smallest_gap_column(system);
               recorder.add(gap);
               recorder.add({"cad_gap", "m", [gap](const State& x) { return distance_to_nearer_side(gap.value(x)); }});
               recorder.add(force_column("force", end));
               recorder.add(normal_velocity_column(system, "U", end));
             });
}

Judgement keeps_first_penetration(const Run& run) {
  const auto gap = run.data["gap"];
  const auto [low, high] =
      std::minmax_element(gap.begin() + static_cast<std::ptrdiff_t>(first_impulse(run)), gap.end());
  return {text(*low, 3) + " to " + text(*high, 3), *low >= -3.3e-4 && *high <= -2e-4};
}

Judgement drifts_through_the_ring(const Run& run) {
  const auto t = run.data["t"], gap = run.data["gap"];
  const auto left = std::find_if(gap.begin(), gap.end(), [](double g) { return g <= -thickness; });
  if (left == gap.end()) return {"never -2 mm; at the end " + text(gap.back(), 3), false};
  const double time = t[left - gap.begin()], a = gap_at(run, 0.5), b = gap_at(run, 1.0), c = gap_at(run, 2.0);
  return {text(a, 3) + ", " + text(b, 3) + ", " + text(c, 3) + " m; -2 mm at " + text(time, 4) + " s",
          near(a, -7e-4, 0.05).holds && near(b, -1.5e-3, 0.05).holds && near(c, -3.1e-3, 0.05).holds &&
              near(time, 1.31, 0.05).holds};
}

int steps_without_impulse(const Run& run) {
  const auto force = run.data["force"];
  return static_cast<int>(std::count_if(force.begin() + static_cast<std::ptrdiff_t>(first_impulse(run)), force.end(),
                                        [](double f) { return f <= 0.0; }));
}

Judgement keeps_contact(const Run& run) {
  const auto gap = run.data["gap"];
  const double deepest = *std::min_element(gap.begin(), gap.end());
  const int open = steps_without_impulse(run);
  return {"smallest gap " + text(deepest, 2) + " m, " + std::to_string(open) + " steps without impulse",
          deepest >= -1e-10 && open == 0};
}

}  // namespace esc::papers::acary
