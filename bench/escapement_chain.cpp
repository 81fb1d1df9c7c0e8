// The chain of bench/chain_scene.hpp with Moreau-Jean or alpha-ggl; one line of JSON.
//   escapement_chain BODIES VARIANT [RUNS]      RUNS = 0: one pass, for instruction counts by callgrind on one_step()
// VARIANT: default, or one with another option: extrapolated (first_iterate), begin or theta (frame); or alpha,
// alpha-ggl in its sequential form.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <escapement/schemes/alpha_ggl.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "bench/chain_scene.hpp"
#include "bench/step_timer.hpp"

namespace {

using namespace esc;

Model make_chain(const bench::ChainScene& scene) {
  Model model;
  model.set_gravity({0.0, 0.0, -scene.gravity});
  Frame end;  // of the rod before; ground at first
  for (int i = 0; i < scene.bodies; ++i) {
    const std::string number = std::to_string(i);
    const BlockId rod = model.add_rigid_body(
        "rod" + number, {.mass = scene.mass,
                         .inertia = {scene.axial_inertia(), scene.cross_inertia(), scene.cross_inertia()},
                         .position = {scene.centre(i), 0.0, 0.0}});
    model.add_joint("ball" + number, Spherical{}, end, Frame{rod, {-0.5 * scene.length, 0.0, 0.0}});
    end = Frame{rod, {0.5 * scene.length, 0.0, 0.0}};
  }
  return model;
}

MoreauJeanOptions find_options(const std::string& variant) {
  if (variant == "default") return {};
  if (variant == "extrapolated") return {.first_iterate = FirstIterate::extrapolated};
  if (variant == "begin") return {.frame = FrameAt::begin};
  if (variant == "theta") return {.frame = FrameAt::theta};
  std::fprintf(stderr, "unknown variant '%s': default, extrapolated, begin, theta or alpha\n", variant.c_str());
  std::exit(2);
}

// Callgrind counts inside this function only.
template <class S>
[[gnu::noinline]] StepReport one_step(S& scheme, State& x, double h) {
  return scheme.step(x, h);
}

struct Physics {
  bool ok = true;
  double iterations = 0.0;  // a step
  double tip_z = 0.0;       // m, centre of the last rod
  double drift = 0.0;       // m, worst joint residual at the end
  double energy = 0.0;      // J, of an exact zero, over the kinetic energy
};

template <class S>
Physics physics(const System& system, S& scheme, const bench::ChainScene& scene) {
  Physics result;
  State x = system.initial_state();
  scheme.start(x);
  std::vector<double> scratch(static_cast<size_t>(system.scratch_size()));
  const auto point = [&] { return Point{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}; };
  const Energy before = system.energy(point());
  for (int k = 0; k < scene.steps; ++k) {
    const StepReport report = one_step(scheme, x, scene.h);
    result.ok = result.ok && report.ok();
    result.iterations += report.iterations / static_cast<double>(scene.steps);
  }

  const Energy after = system.energy(point());
  result.energy = (after.kinetic + after.potential - before.kinetic - before.potential) / after.kinetic;
  result.tip_z = x.q[system.coordinate("rod" + std::to_string(scene.bodies - 1) + ".z")];
  JointSet joints;
  system.evaluate(point(), joints);
  for (const double g : joints.g) result.drift = std::max(result.drift, std::abs(g));
  return result;
}

template <class S>
int measure(const bench::ChainScene& scene, const std::string& variant, const typename S::Options& options, int runs) {
  const System system = compile(make_chain(scene));
  S scheme(system, options);
  const Physics result = physics(system, scheme, scene);
  bool ok = result.ok;
  const auto start = [&] {
    State x = system.initial_state();
    scheme.start(x);
    return x;
  };
  const int block = 10;
  const double seconds = bench::seconds_per_step(runs, {scene.steps / block, block, 0}, start,
                                                 [&](State& x) { ok = one_step(scheme, x, scene.h).ok() && ok; });
  std::printf(
      "{\"program\": \"escapement_chain\", \"model\": \"bodies=%d %s\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"bodies\": %d, \"iterations_per_step\": %.4g, \"tip_z\": %.8g, "
      "\"joint_drift\": %.3g, \"energy_error\": %.3g, \"all_steps_ok\": %d}\n",
      scene.bodies, variant.c_str(), scene.steps, 1e6 * seconds, scene.bodies, result.iterations, result.tip_z,
      result.drift, result.energy, ok ? 1 : 0);
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  bench::ChainScene scene;
  scene.bodies = argc > 1 ? std::atoi(argv[1]) : scene.bodies;
  const std::string variant = argc > 2 ? argv[2] : "default";
  const int runs = argc > 3 ? std::atoi(argv[3]) : 5;
  if (variant == "alpha") return measure<AlphaGgl>(scene, variant, {.form = AlphaForm::sequential}, runs);
  return measure<MoreauJean>(scene, variant, find_options(variant), runs);
}
