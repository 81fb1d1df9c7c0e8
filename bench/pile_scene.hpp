// The pile of examples/sphere_pile.hpp: how long it runs; one ruler and one clock for ours and the peers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "bench/step_timer.hpp"
#include "examples/sphere_pile.hpp"

namespace bench {

struct PileScene {
  esc::examples::SpherePile pile;  // its defaults
  double h = 2e-3;                 // s
  int steps = 1000;
  int settled() const { return steps * 7 / 10; }  // steps after which the pile counts as settled
};

// What is measured of a pile, from the motion of its balls alone.
struct PileRuler {
  using Triple = std::array<double, 3>;
  struct Ball {
    Triple centre{}, velocity{}, spin{};  // m, m/s, rad/s
  };
  const esc::examples::SpherePile& pile;
  std::vector<Ball> balls;

  explicit PileRuler(const esc::examples::SpherePile& its_pile)
      : pile(its_pile), balls(static_cast<std::size_t>(its_pile.balls)) {}
  double penetration() const;     // m, worst
  double kinetic_energy() const;  // J
};

inline double PileRuler::penetration() const {
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < balls.size(); ++a) {
    const Triple& c = balls[a].centre;
    const double wall = pile.half_width() - std::max(std::abs(c[0]), std::abs(c[1]));
    gap = std::min({gap, c[2] - pile.radius, wall - pile.radius});
    for (std::size_t b = 0; b < a; ++b) {
      const Triple& d = balls[b].centre;
      gap = std::min(gap, std::hypot(c[0] - d[0], c[1] - d[1], c[2] - d[2]) - 2.0 * pile.radius);
    }
  }
  return std::max(0.0, -gap);
}

inline double PileRuler::kinetic_energy() const {
  const auto square = [](const Triple& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; };
  const double r = pile.radius;
  const double mass = pile.density * 4.0 / 3.0 * std::numbers::pi * r * r * r;
  double sum = 0.0;
  for (const Ball& ball : balls) sum += 0.5 * mass * (square(ball.velocity) + 0.4 * r * r * square(ball.spin));
  return sum;
}

struct PileResult {
  int failed_step = -1;                   // the first; the run stops there
  double whole = 0.0, settled = 0.0;      // s a step, of all steps and of those from PileScene::settled() on
  double worst = 0.0, penetration = 0.0;  // m: over the run, at the end
  double kinetic = 0.0;                   // J, at the end
};

// A step counts with its least time over the runs. make() gives a model, step(model) moves it by one step and says
// whether that went well, read(model, ruler) tells where the balls are; the first run is measured, and one is made at
// least.
template <class Make, class Step, class Read>
PileResult run_pile(const PileScene& scene, int runs, Make make, Step step, Read read) {
  PileResult result;
  PileRuler ruler(scene.pile);
  std::vector<double> least(static_cast<std::size_t>(scene.steps), std::numeric_limits<double>::infinity());
  for (int run = 0; run < std::max(runs, 1); ++run) {
    auto model = make();
    for (int k = 0; k < scene.steps; ++k) {
      const double begin = cpu_seconds();
      const bool ok = step(model);
      least[k] = std::min(least[k], cpu_seconds() - begin);
      if (!ok) return (result.failed_step = k, result);
      if (run > 0) continue;
      read(model, ruler);
      result.penetration = ruler.penetration();
      result.worst = std::max(result.worst, result.penetration);
    }
    if (run == 0) result.kinetic = ruler.kinetic_energy();
  }
  result.whole = std::accumulate(least.begin(), least.end(), 0.0) / scene.steps;
  result.settled = std::accumulate(least.begin() + scene.settled(), least.end(), 0.0) / (scene.steps - scene.settled());
  return result;
}

}  // namespace bench
