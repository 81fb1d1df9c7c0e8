// The largest forces and impulses of a run, by contact and joint, for --json.
#pragma once

#include <vector>

#include <escapement/impact_marks.hpp>
#include <escapement/simulate.hpp>

#include "cli/json.hpp"

namespace esc::cli {

class Largest {
 public:
  explicit Largest(const Scheme& scheme);
  // An accepted step. What an impact reaches is no force, but an impulse.
  void see(const Progress& progress);
  void add_to(Json& json) const;  // the arrays contacts and joints

 private:
  // The largest one and its time; none: NaN, which JSON calls null.
  struct Peak {
    double value, t;
    void see(double found, double at);
  };
  struct Peaks {
    Peak force, impulse;
  };
  static Peaks none();
  static void write(const char* name, const Peaks& peaks, Json& json);

  const System& system_;
  ImpactMarks marks_;
  std::vector<Peaks> contacts_;          // by pair
  std::vector<Peaks> joints_, moments_;  // by joint
  std::vector<Reaction> reactions_;
};

}  // namespace esc::cli
