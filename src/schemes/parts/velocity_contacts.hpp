// The active contacts of a step whose law holds at velocity level, acary (18d) and (57):
//   0 <= u_N _|_ P_N >= 0 and Coulomb's law for the velocities u of a RateLaw.
#pragma once

#include <vector>

#include <escapement/rate_law.hpp>

#include "src/schemes/parts/law_rows.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

struct VelocityOptions {
  ImpulseOptions impulses;
  RateLaw law = {};  // Newton's
};

// The options of a scheme at velocity level: it promises the direction of friction.
template <class Options>
VelocityOptions velocity_options(const Options& o) {
  ImpulseOptions impulses = impulse_options(o);
  impulses.slow = slip_of(o.law_tol);
  impulses.friction_tol = friction_of(o.tol);
  return {impulses};
}

class VelocityContacts : public LawRows {
 public:
  VelocityContacts(const System& system, const VelocityOptions& options, Workspace workspace)
      : LawRows(system, options.impulses, workspace),
        law_(options.law),
        shape_(options.impulses.friction_cone, options.impulses.friction_directions),
        U_(workspace.scratch.vector()) {}

  void adopt(const State& x);  // LawRows::adopt, and a new step for directed()
  // b of a contact's rows: the law at the velocities v.
  void rates(const Contact& contact, const std::vector<double>& v, double* b) const;
  // P, and v^{n+1} = v + K^-1 G^T P with the present G and factors. False: not solved.
  [[nodiscard]] bool solve(ThetaStep& motion, StepReport& report);
  void note(const ThetaStep& motion);  // U of the present v and G, for moved()
  // How far U is from what the problem was solved for, after G was evaluated again.
  double moved(const ThetaStep& motion) const;
  // Whether friction opposes the slip of the present v and G: slow slip turns with the frames, and further iterations
  // direct it. True, too, where the last one has not halved what is lacking: round-off stops them.
  bool directed(const ThetaStep& motion, double tol, double law_tol);

 private:
  RateLaw law_;
  FrictionShape shape_;
  std::vector<double>& U_;
  bool in_space_ = false;  // whether a contact of the set has friction in space
  double lacking_ = 0.0;   // N s, of the last directed()
};

}  // namespace esc
