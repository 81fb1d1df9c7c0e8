// The five basic problems of the multibody benchmark library: time and errors of schemes and steps, beside the
// published times; one row of a Markdown table each.
//   multibody_benchmark [--only PROBLEM] [--step SECONDS] [SCHEME[,OPTION=VALUE]...]...
// combined-projection if no scheme is named; 1e-3, 1e-4 and 1e-5 of the duration if no step is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "bench/scheme_runs.hpp"
#include "bench/step_timer.hpp"
#include "examples/benchmark_problems.hpp"

namespace {

using namespace esc;
using bench::Choice;
using examples::BenchmarkProblem;

struct Row {
  double seconds = 0.0;   // of processor time, least of three runs
  double position = 0.0;  // largest error of what is observed, at a hundred times
  double energy = 0.0;    // largest that came or went, over the largest kinetic energy of the reference
  std::string failure;
};

Row measure(const BenchmarkProblem& it, const Choice& choice, double h) {
  const System system = compile(it.model());
  const auto scheme = make_scheme(choice.scheme, system, choice.options);
  const examples::Reference reference = it.reference();
  State x = system.initial_state();
  const double start = bench::energy(system, x), angle = it.observed(system, x)[0];
  Row row;
  double kinetic = 0.0;
  for (int k = 1; k <= 100; ++k) {
    const RunReport report = simulate(*scheme, x, {.step = h, .until = it.until * k / 100.0, .certify = false});
    if (!report.ok()) {
      row.failure = std::string(to_string(report.last.status)) + " at " + std::to_string(x.t) + " s";
      return row;
    }
    const std::vector<double> seen = it.observed(system, x), wanted = reference.at(x.t);
    for (std::size_t i = 0; i < seen.size(); ++i) row.position = std::max(row.position, std::abs(seen[i] - wanted[i]));
    row.energy = std::max(row.energy, std::abs(bench::energy(system, x) - start - it.torque * (seen[0] - angle)));
    kinetic = std::max(kinetic, reference.kinetic());
  }
  row.energy /= kinetic;
  row.seconds = bench::seconds_of(system, choice, h, it.until);
  for (int again = 0; again < 2 && row.seconds < 2.0; ++again)
    row.seconds = std::min(row.seconds, bench::seconds_of(system, choice, h, it.until));
  return row;
}

void print(const BenchmarkProblem& it, const Choice& choice, double h) {
  std::printf("| %.*s | %s | %g | ", static_cast<int>(it.name.size()), it.name.data(), choice.text.c_str(), h);
  const Row row = measure(it, choice, h);
  if (!row.failure.empty()) {
    std::printf("%s | | | |\n", row.failure.c_str());
    return;
  }
  std::printf("%.3g | ", row.seconds);
  if (it.conserves)
    std::printf("%.2g | ", row.energy);
  else
    std::printf("dampers | ");
  std::printf("%.2g | ", row.position);
  if (it.published > 0.0)
    std::printf("%.3g |\n", it.published);
  else
    std::printf("none |\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<Choice> choices;
    std::string only;
    double step = 0.0;  // s; 0: parts of the duration
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (i + 1 < argc && word == "--only")
        only = argv[++i];
      else if (i + 1 < argc && word == "--step")
        step = std::stod(argv[++i]);
      else
        choices.push_back(bench::choice_of(word));
    }
    if (choices.empty()) choices.push_back(bench::choice_of("combined-projection"));
    std::printf("| problem | scheme | step [s] | time [s] | energy error | position error | OpenSim [s] |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
    for (const BenchmarkProblem& it : examples::benchmark_problems()) {
      if (it.name.find(only) == std::string_view::npos) continue;
      const auto steps =
          step > 0.0 ? std::vector{step} : std::vector{1e-3 * it.until, 1e-4 * it.until, 1e-5 * it.until};
      for (const Choice& choice : choices)
        for (const double h : steps) print(it, choice, h);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "multibody_benchmark: %s\n", error.what());
    return 2;
  }
}
