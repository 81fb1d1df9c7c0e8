// For schemes that promise gaps: refuses a step in which bodies went through each other between its two states.
#pragma once

#include <span>
#include <vector>

#include <escapement/scratch.hpp>
#include <escapement/state.hpp>
#include <escapement/step.hpp>
#include <escapement/system.hpp>

namespace esc {

class PassageGuard {
  Scratch& memory_;

 public:
  // tol is that of the promise, m.
  PassageGuard(const System& system, double tol, Scratch& scratch);

  // A step from x to (t + h, q) with the displacement h ((1 - theta) v0 + theta v1), then `shift`.
  struct Motion {
    const State& x;
    double h;
    const std::vector<double>& q;
    std::span<const double> v0, v1;
    double theta;
    std::span<const double> shift = {};
  };
  // The contacts that the step has treated as active, and their impulses by rows.
  struct Active {
    const ContactSet& set;
    const std::vector<double>& P;
  };
  // True: the step has missed a contact, and the report says so and which.
  [[nodiscard]] bool missed(const Motion& motion, const Active& active, StepReport& report) {
    return possible_ && look(motion, active, report);
  }

 private:
  bool look(const Motion& motion, const Active& active, StepReport& report);

  const System& system_;
  double tol_;
  bool possible_;  // some motion can pass something
  ContactSet &near_ = memory_.contacts(), &sampled_ = memory_.contacts();
  std::vector<double>&way_ = memory_.vector(), &dv_ = memory_.vector(), &path_ = memory_.vector(),
  &gaps_ = memory_.vector(), &samples_ = memory_.vector();
};

}  // namespace esc
