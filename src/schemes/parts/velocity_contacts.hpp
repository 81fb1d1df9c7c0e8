// The active contacts of a step whose law holds at velocity level: G, U and P by their rows, and the problem
//   u = W P + b,   0 <= U_N + e U_N,k _|_ P_N >= 0 and Coulomb's law,   acary (18d) and (57).
#pragma once

#include <vector>

#include <escapement/scheme.hpp>

#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

class VelocityContacts {
 public:
  VelocityContacts(const System& system, const ImpulseOptions& options, Executor& executor)
      : system_(system), impulses_(system, options, executor) {}

  ContactSet set;              // I: change it and lay it out, then adopt()
  std::vector<double> U_k, P;  // by rows

  void adopt(const State& x);  // G and U_k at x, P of the last step as the first guess, the islands
  // P, and v^{n+1} = v + K^-1 G^T P with the present G and factors. False: not solved.
  [[nodiscard]] bool solve(ThetaStep& motion, StepReport& report);
  void note(const ThetaStep& motion);  // U of the present v and G, for moved()
  // How far U is from what the problem was solved for, after G was evaluated again.
  double moved(const ThetaStep& motion) const;
  // Whether friction opposes the slip of the present v and G: slow slip turns with the frames, and further iterations
  // direct it. True, too, where the last one has not halved what is lacking: round-off stops them.
  bool directed(const ThetaStep& motion, double tol, double law_tol);
  void add_impulses(std::vector<double>& f) const;  // f += G^T P
  bool finite() const;                              // whether what the solver was given is
  // Records, events and counts of the step.
  void write(State& x, const ContactRecords::Closing& closing, StepReport& report);
  ContactRecords& records() { return records_; }
  void poison();

 private:
  const System& system_;
  ContactImpulses impulses_;
  ContactRecords records_;
  std::vector<double> U_, b_;
  bool in_space_ = false;  // whether a contact of the set has friction in space
  double lacking_ = 0.0;   // N s, of the last directed()
};

}  // namespace esc
