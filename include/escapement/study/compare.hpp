// Schemes and steps against the exact solution or a refined run of the same model: what accuracy costs on the user's
// own problem.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc::study {

struct ComparedScheme {
  std::string name;
  std::vector<OptionText> options;
};

// q and v of a motion at time t, into spans of nq and nv values.
using MotionAt = std::function<void(double t, std::span<double> q, std::span<double> v)>;

struct ExactSolution {
  std::string name;  // of what, for people
  MotionAt at;       // starts at the initial state of the system; after the impact at an impact time
};

struct CompareOptions {
  std::vector<ComparedScheme> schemes;
  std::vector<double> steps;                // s
  double until = 1.0;                       // s
  ComparedScheme reference;                 // run with the smallest step divided by `refine`, unless there is ...
  int refine = 16;                          //
  std::optional<ExactSolution> exact = {};  // ... this
  double target = 1e-2;                     // WorkPoint::q_relative wanted
};

// One scheme at one step. Errors over the accepted times of the run; l1 is the mean over time, uniform the largest. The
// error of a state is that of its worst coordinate, differences of rotations as angles (rad). q_l1, q_uniform and v_l1
// compare numbers of different units as they are; q_relative takes each error as part of UnitMotion::scale of its unit,
// and `worst` names the coordinate where that was largest.
struct WorkPoint {
  std::string scheme;
  double step = 0.0;
  bool ok = false, certified = false;
  std::string message;  // why it failed
  double q_l1 = 0.0, q_uniform = 0.0, v_l1 = 0.0, q_relative = 0.0;
  std::string worst;
  double newton = 0.0;  // iterations, summed over the run
  double seconds = 0.0;
  double penetration = 0.0;   // m, of limits of angles rad
  double energy_error = 0.0;  // J, against the reference at the end
};

// A scheme that does not take the model, and why.
struct Refusal {
  std::string scheme, reason;
};

struct UnitMotion {
  std::string unit;    // "m", "rad"; empty: generalised coordinates, whose units are not known
  double range = 0.0;  // largest distance of a coordinate of this unit from its start, in the reference
  double scale = 0.0;  // what errors are parts of: range, of angles at least 0.01 rad, of all others at least 1e-9
};

struct Comparison {
  std::vector<WorkPoint> points;  // by scheme, then by step, as given
  std::vector<Refusal> refusals;
  std::vector<UnitMotion> motions;
  std::string reference;  // what it was, for people
  int best = -1;          // index of the recommended point, -1: every run failed
  std::string reason;     // why this one: error, time, penetration, certificate
};

// Throws ModelError if the reference run fails, OptionError for options that mean nothing or an exact solution that
// does not start at the initial state.
[[nodiscard]] Comparison compare(const System& system, const CompareOptions& options);

}  // namespace esc::study
