// The rows of a contact law: the active contacts of a step with G, U_k and P, and the one problem that they pose in
// every Newton iteration,
//   u = W P + b,   W = G S^-1 G^T,   [v; Lambda] <- [v; Lambda] + S^-1 G^T P.
// The scheme says by b what the law is about: velocities, gaps, or displacements between the two.
#pragma once

#include <vector>

#include <escapement/scheme.hpp>

#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"

namespace esc {

class LawRows {
  Scratch& memory_;

 public:
  LawRows(const System& system, const ImpulseOptions& options, Workspace workspace)
      : memory_(workspace.scratch),
        system_(system),
        impulses_(system, options, workspace),
        records_(FrictionShape(options.friction_cone, options.friction_directions)) {}

  ContactSet& set = memory_.contacts();  // I: change it and lay it out, then begin_step() or couple()
  std::vector<double>&U_k = memory_.vector(), &P = memory_.vector();  // by rows

  void begin_step(const State& x);  // G and U_k at x, then couple()
  void couple(const State& x);      // P of the last step as the first guess, in the present frames, and the islands

  struct Unknowns {
    std::vector<double>& v;
    std::vector<double>& Lambda;
  };
  // rule(contact, b) writes b of a contact's rows for the present unknowns. False: not solved, and they are untouched.
  template <class Rule>
  [[nodiscard]] bool solve(const SystemFactor& factor, Unknowns to, StepReport& report, Rule rule) {
    memory_.clock.enter(Stage::contact);
    impulses_.assemble(factor);
    for (const Contact& contact : set.contacts) rule(contact, b_.data() + contact.first_row);
    return solve(to, report);
  }
  bool finite() const;                              // whether what the solver was given is
  void add_impulses(std::vector<double>& f) const;  // f += G^T P
  double largest_term() const;                      // of G^T P
  // Contacts that are redundant share their load, once P is found. law(contact, u) writes what the law is about, at the
  // solution; slower rows than `still` do not move, and gaps up to `closed` may take up a load. The balance of momentum
  // may change by `defect`, N s: where factors of an earlier iterate give other joint impulses, the loads stay as
  // found.
  struct Shared {
    double still = 0.0, closed = 0.0, defect = 0.0;
  };
  struct Carried {
    const SystemFactor& factor;
    const JointSet& joints;
    std::vector<double>& Lambda;
  };
  template <class Law>
  void share(const Carried& by, const Shared& shared, Law law) {
    if (set.size() < 2) return;
    memory_.clock.enter(Stage::contact);
    for (const Contact& contact : set.contacts) law(contact, b_.data() + contact.first_row);
    P_found_ = P;
    Lambda_found_ = by.Lambda;
    if (!impulses_.share(by.factor, {b_, shared.still, shared.closed, P, by.Lambda})) return;
    if (!(change_of_momentum(by) <= shared.defect)) unshare(by.Lambda);
  }
  // P and Lambda as they were before the last share() with several contacts.
  void unshare(std::vector<double>& Lambda) {
    P = P_found_;
    Lambda = Lambda_found_;
  }
  const std::vector<double>& found() const { return P_found_; }
  // The end of a step: records, events and counts.
  void write(State& x, const ContactRecords::Closing& closing, StepReport& report);
  ContactRecords& records() { return records_; }

 private:
  bool solve(Unknowns to, StepReport& report);
  double change_of_momentum(const Carried& by);  // by the last share(): |G^T dP + Gb^T dLambda|, largest of a block

  const System& system_;
  ContactImpulses impulses_;
  ContactRecords records_;
  std::vector<double>&b_ = memory_.vector(), &P_found_ = memory_.vector(), &Lambda_found_ = memory_.vector(),
  &defect_ = memory_.vector();
};

}  // namespace esc
