// The time that a scheme needs to keep the energy to 1e-4: steps are shortened until the run does; one row of a
// Markdown table each.
//   work_precision SCHEME[,OPTION=VALUE]...
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "bench/scheme_runs.hpp"
#include "examples/chain.hpp"
#include "examples/four_bar.hpp"

namespace {

using namespace esc;
using bench::Choice;

constexpr double wanted = 1e-4;  // largest energy that came or went, over the largest kinetic energy

struct Problem {
  const char* name;
  Model model;
  double until;  // s
};

double kinetic_energy(const System& system, const State& x) {
  std::vector<double> scratch(system.scratch_size());
  return system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}).kinetic;
}

// At a hundred times; infinite if a step fails.
double energy_error(const System& system, const Choice& choice, double h, double until) {
  const auto scheme = make_scheme(choice.scheme, system, choice.options);
  State x = system.initial_state();
  const double start = bench::energy(system, x);
  double kinetic = kinetic_energy(system, x), error = 0.0;
  for (int k = 1; k <= 100; ++k) {
    if (!simulate(*scheme, x, {.step = h, .until = until * k / 100.0, .certify = false}).ok()) return INFINITY;
    error = std::max(error, std::abs(bench::energy(system, x) - start));
    kinetic = std::max(kinetic, kinetic_energy(system, x));
  }
  return error / kinetic;
}

void print(const Problem& it, const Choice& choice) {
  constexpr int most_steps = 10'000'000;
  const System system = compile(it.model);
  for (double parts = 100.0; parts < most_steps; parts *= std::sqrt(2.0)) {
    const double h = it.until / std::round(parts), error = energy_error(system, choice, h, it.until);
    if (!(error <= wanted)) continue;
    double seconds = bench::seconds_of(system, choice, h, it.until);
    for (int again = 0; again < 9 && seconds < 0.5; ++again)
      seconds = std::min(seconds, bench::seconds_of(system, choice, h, it.until));
    std::printf("| %s | %s | %.3g | %.2g | %.3g |\n", it.name, choice.text.c_str(), h, error, seconds);
    std::fflush(stdout);
    return;
  }
  std::printf("| %s | %s | | not with %d steps | |\n", it.name, choice.text.c_str(), most_steps);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::printf("| problem | scheme | step [s] | energy error | time [s] |\n|---|---|---|---|---|\n");
    for (const Problem& it : {Problem{"four-bar-space", examples::FourBar{}.spatial_model(), 0.6},
                              Problem{"chain", examples::Chain{}.model(), 0.4}})
      for (int i = 1; i < argc; ++i) print(it, bench::choice_of(argv[i]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "work_precision: %s\n", error.what());
    return 2;
  }
}
