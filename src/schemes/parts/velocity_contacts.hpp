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
  impulses.promised = true;
  impulses.slow = slip_of(o.frame_tol);
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

  void begin_step(const State& x);  // LawRows::begin_step, and a new step for friction_direction_settled()
  // b of a contact's rows: the law at the velocities v.
  void rates(const Contact& contact, const std::vector<double>& v, double* b) const;
  // P, and v^{n+1} = v + S^-1 G^T P with the present G and factors. False: not solved.
  [[nodiscard]] bool solve(ThetaStep& motion, StepReport& report);
  void share(ThetaStep& motion, const Shared& shared) {
    LawRows::share({motion.factor(), motion.joints(), motion.Lambda}, shared,
                   [&](const Contact& c, double* u) { rates(c, motion.v, u); });
  }
  void keep_velocities(const std::vector<double>& v);  // U of these and the present G, for frame_change()
  // How far U is from what the problem was solved for, after G was evaluated again.
  double frame_change(const std::vector<double>& v) const;
  // Whether friction opposes the slip of the present v and G: slow slip turns with the frames, and further iterations
  // direct it. True, too, where several have not halved what is lacking: round-off stops them.
  bool friction_direction_settled(const std::vector<double>& v, double tol, double frame_tol);

 private:
  RateLaw law_;
  FrictionShape shape_;
  std::vector<double>& U_;
  bool in_space_ = false;  // whether a contact of the set has friction in space
  double lacking_ = 0.0;   // N s, the least of this step by friction_direction_settled()
  int idle_ = 0;           // how many calls in a row have not halved it
};

}  // namespace esc
