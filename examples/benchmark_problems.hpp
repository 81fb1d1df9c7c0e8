// The five basic problems of the multibody benchmark library, with what the library compares and a reference for it:
// docs/benchmark_problems.md. bench/multibody_benchmark.cpp runs them, the tests hold them to the reference.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <escapement/model.hpp>
#include <escapement/system.hpp>

namespace esc::examples {

// What the reference says at a time; times must not fall.
struct Reference {
  std::function<std::vector<double>(double t)> at;  // what is observed
  std::function<double()> kinetic;                  // J, at the last time asked for
};

struct BenchmarkProblem {
  std::string_view name;  // in the library
  std::string_view what;  // is observed
  Model (*model)();
  double until;      // s
  double published;  // s, of processor time: OpenSim 3.2 on an Intel Core i5-4570 (docs/benchmark_problems.md); 0: none
  std::vector<double> (*observed)(const System& system, const State& x);  // m, or rad
  Reference (*reference)();
  bool conserves = true;  // false: dampers take energy
  double torque = 0.0;    // N m, on the first of what is observed
};

std::span<const BenchmarkProblem> benchmark_problems();

}  // namespace esc::examples
