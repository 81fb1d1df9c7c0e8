// Schemes and steps against a refined run of the same model: what accuracy costs on the user's own problem.
#pragma once

#include <string>
#include <vector>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc::study {

struct ComparedScheme {
  std::string name;
  std::vector<OptionText> options;
};

struct CompareOptions {
  std::vector<ComparedScheme> schemes;
  std::vector<double> steps;  // s
  double until = 1.0;         // s
  ComparedScheme reference;   // run with the smallest step divided by `refine`
  int refine = 16;
  double target = 1e-2;  // position error wanted, as part of the largest motion of a coordinate
};

// One scheme at one step. Errors over the common grid times, in the units of q and v mixed as they are: l1 is the mean
// over time, uniform the largest.
struct WorkPoint {
  std::string scheme;
  double step = 0.0;
  bool ok = false, certified = false;
  std::string message;  // why it failed
  double q_l1 = 0.0, q_uniform = 0.0, v_l1 = 0.0;
  double evaluations = 0.0;  // Newton iterations, summed
  double seconds = 0.0;
  double penetration = 0.0;   // m
  double energy_error = 0.0;  // J, against the reference at the end
};

struct Comparison {
  std::vector<WorkPoint> points;  // by scheme, then by step, as given
  double range = 0.0;             // largest motion of a coordinate in the reference
  std::string reference;          // what it was, for people
  int best = -1;                  // index of the recommended point, -1: every run failed
  std::string reason;
};

// Throws ModelError if the reference run fails.
[[nodiscard]] Comparison compare(const System& system, const CompareOptions& options);

}  // namespace esc::study
