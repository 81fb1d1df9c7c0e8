// The pile of bench/pile_scene.hpp with Escapement's Moreau-Jean scheme; one line of JSON.
//   escapement_pile end|begin|exact [RUNS]      RUNS = 0: one pass, for callgrind on one_step()
// end: the scheme's defaults with large_island_tol = 1e-4; begin: the same with frame = begin, first_iterate =
// extrapolated; exact: the defaults, every island to solver_tol.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <escapement/schemes/moreau_jean.hpp>

#include "bench/pile_scene.hpp"

namespace {

using namespace esc;

MoreauJeanOptions find_options(const std::string& frame) {
  if (frame == "exact") return {};
  if (frame == "end") return {.large_island_tol = 1e-4};
  if (frame == "begin")
    return {.frame = FrameAt::begin, .first_iterate = FirstIterate::extrapolated, .large_island_tol = 1e-4};
  std::fprintf(stderr, "unknown frame '%s': end, begin or exact\n", frame.c_str());
  std::exit(2);
}

// Callgrind counts inside this function only.
[[gnu::noinline]] StepReport one_step(MoreauJean& scheme, State& x, double h) { return scheme.step(x, h); }

void read_balls(const State& x, bench::PileRuler& ruler) {
  const double *q = x.q.data(), *v = x.v.data();
  for (auto& ball : ruler.balls) {
    std::copy_n(q, 3, ball.centre.begin());
    std::copy_n(v, 3, ball.velocity.begin());
    std::copy_n(v + 3, 3, ball.spin.begin());
    q += 7;
    v += 6;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::PileScene scene;
  const std::string frame = argc > 1 ? argv[1] : "end";
  const int runs = argc > 2 ? std::atoi(argv[2]) : 1;

  const System system = compile(scene.pile.model());
  MoreauJean scheme(system, find_options(frame));
  StepReport report;
  double steps = 0.0, iterations = 0.0, sweeps = 0.0;
  const auto start = [&] {
    State x = system.initial_state();
    scheme.start(x);
    return x;
  };
  const auto step = [&](State& x) {
    report = one_step(scheme, x, scene.h);
    steps += 1.0;
    iterations += report.iterations;
    sweeps += report.solver_iterations;
    return report.ok();
  };
  const auto result = bench::run_pile(scene, runs, start, step, read_balls);
  if (!report.ok())
    std::fprintf(stderr, "step %d: %s, solver residual %.2g\n", result.failed_step,
                 std::string(to_string(report.status)).c_str(), report.solver_residual);
  std::printf(
      "{\"program\": \"escapement_pile\", \"model\": \"frame=%s\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"us_per_settled_step\": %.5g, \"contacts\": %d, "
      "\"iterations_per_step\": %.4g, \"sweeps_per_step\": %.4g, \"worst_penetration\": %.4g, "
      "\"end_penetration\": %.4g, \"end_kinetic_energy\": %.3g, \"all_steps_ok\": %d}\n",
      frame.c_str(), scene.steps, 1e6 * result.whole, 1e6 * result.settled, report.active, iterations / steps,
      sweeps / steps, result.worst, result.penetration, result.kinetic, report.ok() ? 1 : 0);
  return report.ok() ? 0 : 1;
}
