// Cost of a step of Escapement on the models of the peer programs; one line of JSON.
//   escapement_steps MODEL [RUNS]      RUNS = 0: one pass, for instruction counts by callgrind on one_step()
// MODEL-combined, MODEL-alpha, MODEL-monolithic: with combined projection, alpha-ggl in its sequential form or
// alpha-ggl-monolithic instead of Moreau-Jean.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <escapement/certify.hpp>
#include <escapement/schemes/alpha_ggl.hpp>
#include <escapement/schemes/alpha_ggl_monolithic.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "bench/step_timer.hpp"
#include "examples/bouncing_ball.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/formula_models.hpp"
#include "examples/free_body.hpp"
#include "examples/slider_crank.hpp"

namespace {

using namespace esc;

struct Case {
  Model model;
  double h;
  int steps;
  int skip;  // steps before the clock starts
  bool certified = false;
  MoreauJeanOptions options = {};
};

// Bodies side by side that share nothing.
Model free_bodies(int count) {
  const examples::FreeBody one;
  Model model;
  for (int i = 0; i < count; ++i)
    model.add_rigid_body("body" + std::to_string(i),
                         {.mass = one.mass, .inertia = one.inertia, .angular_velocity = one.angular_velocity});
  return model;
}

Case find_case(const std::string& name) {
  const double ball_step = 1e-3 / std::sqrt(2.0);
  if (name == "ball") return {examples::BouncingBall{}.model(), ball_step, 5656, 0};
  if (name == "ball-certified") return {examples::BouncingBall{}.model(), ball_step, 5656, 0, true};
  examples::BouncingBall balls;
  balls.count = 1000;
  if (name == "balls-1000") return {balls.model(), ball_step, 5656, 0};
  using Equations = examples::SliderCrank::Equations;
  if (name == "slider-crank") return {examples::SliderCrank{}.model(), 1e-5, 20000, 0};
  if (name == "slider-crank-extrapolated")
    return {examples::SliderCrank{}.model(), 1e-5, 20000, 0, false, {.first_iterate = FirstIterate::extrapolated}};
  if (name == "slider-crank-energies") return {examples::SliderCrank{}.model(Equations::from_energies), 1e-5, 20000, 0};
  if (name == "slider-crank-formulas") return {examples::formula_model(examples::SliderCrank{}), 1e-5, 20000, 0};
  if (name == "bar-free") return {examples::ElasticBar{}.model(), 2e-6, 240, 0};
  if (name == "bar-contact") return {examples::ElasticBar{}.model(), 2e-6, 180, 260};
  // bruels 10.3 at Courant number 1.2, in flight.
  for (const int elements : {100, 1000, 10000})
    if (name == "bar-" + std::to_string(elements))
      return {examples::ElasticBar{.young = 900.0,
                                   .density = 1.0,
                                   .length = 10.0,
                                   .section = 1.0,
                                   .velocity = 10.0,
                                   .gap = 5.005,
                                   .elements = elements}
                  .model(),
              0.4 / elements, 100, 0};
  if (name == "free-bodies-1") return {free_bodies(1), 1e-3, 10000, 0};
  if (name == "free-bodies-10000") return {free_bodies(10000), 1e-3, 200, 0};
  std::fprintf(stderr, "unknown model '%s'; the models are in bench/escapement_steps.cpp\n", name.c_str());
  std::exit(2);
}

template <class S>
[[gnu::noinline]] bool one_step(S& scheme, State& x, double h) {
  return scheme.step(x, h).ok();
}

// The state before is copied outside: that is the driver's work.
struct Certified {
  Certifier certifier;
  Promise promise;
  State before;
};
template <class S>
[[gnu::noinline]] bool one_step(S& scheme, Certified& certified, State& x, double h) {
  return scheme.step(x, h).ok() && certified.certifier.certify(certified.before, x, certified.promise).ok();
}

template <class S>
int measure(const std::string& name, const Case& it, const typename S::Options& options, int runs) {
  const System system = compile(it.model);
  S scheme(system, options);
  Certified certified{Certifier(system), scheme.promise(), {}};
  bool ok = true;
  const auto start = [&] {
    State x = system.initial_state();
    scheme.start(x);
    for (int k = 0; k < it.skip; ++k) ok = scheme.step(x, it.h).ok() && ok;
    return x;
  };
  const auto advance = [&](State& x) {
    if (it.certified) certified.before = x;
    ok = (it.certified ? one_step(scheme, certified, x, it.h) : one_step(scheme, x, it.h)) && ok;
  };
  const int block = it.steps < 1000 ? 10 : 100;
  const double seconds = bench::seconds_per_step(runs, {it.steps / block, block, 0}, start, advance);
  if (runs == 0) {
    State x = start();
    for (int k = 0; k < it.steps; ++k) advance(x);
  }
  std::printf(
      "{\"program\": \"escapement\", \"model\": \"%s\", \"steps\": %d, \"us_per_step\": %.4f, "
      "\"instructions_per_step\": null, \"all_steps_ok\": %d}\n",
      name.c_str(), it.steps, 1e6 * seconds, ok ? 1 : 0);
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const int runs = argc > 2 ? std::atoi(argv[2]) : 5;
  if (const auto suffix = name.find("-combined"); suffix != std::string::npos)
    return measure<CombinedProjection>(name, find_case(name.substr(0, suffix)), {}, runs);
  if (const auto suffix = name.find("-alpha"); suffix != std::string::npos)
    return measure<AlphaGgl>(name, find_case(name.substr(0, suffix)), {.form = AlphaForm::sequential}, runs);
  if (const auto suffix = name.find("-monolithic"); suffix != std::string::npos)
    return measure<AlphaGglMonolithic>(name, find_case(name.substr(0, suffix)), {}, runs);
  const Case it = find_case(name);
  return measure<MoreauJean>(name, it, it.options, runs);
}
