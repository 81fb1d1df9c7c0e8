// What contacts and joints add to a smooth motion, bruels (29c)-(29h) with friction:
//   M W = G^T P + Gb^T Lambda,   0 <= U_N + e U_N,n _|_ P_N >= 0 and Coulomb's law where g(q*) <= 0
//   M shift = G_N^T nu_N + G_T^T nu_T + Gb^T nu_b,   0 <= g _|_ nu_N >= 0,   nu_T = h/2 P_T
// The last is (20b) for friction that is constant in the step. Without it what sticks would creep with the smooth
// motion: docs/schemes/alpha_ggl.md#friction. With GapLaw::mu gaps are complementary to h mu = nu_N - h P_N instead.
#pragma once

#include <vector>

#include <escapement/scheme.hpp>

#include "src/schemes/parts/alpha_coupled.hpp"
#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/passage_guard.hpp"
#include "src/schemes/parts/position_problem.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

struct CorrectionOptions {
  VelocityOptions contacts;
  Levels levels = Levels::both;
  Prediction prediction = Prediction::tilde;
  GapLaw gap_law = GapLaw::nu;
  double tol_s = 1e-10, tol_p = 1e-12, tol_v = 1e-11;
  double impact_velocity = 1e-9;
};

class AlphaCorrections {
  Scratch& memory_;

 public:
  AlphaCorrections(const System& system, const CorrectionOptions& options, AlphaStep& motion, Workspace workspace);

  void begin(const State& x);  // no contacts but those that an explicit prediction gives
  // Looks for contacts at the iterate, q~ and q. Those that are closed join the laws; those that carry an impulse and
  // are not closed any more leave that of velocities. True: a set has changed, and G is that of the iterate again.
  bool renew();
  VelocityContacts& contacts() { return contacts_; }   // B is a part of these
  PositionProblem& positions() { return positions_; }  // A of these, which have all of the others
  bool empty() const { return contacts_.set.empty() && positions_.size() == 0; }
  // W, P, Lambda, then shift and nu, linearised at the iterate.
  [[nodiscard]] StepStatus solve(StepReport& report);
  // The same with the answer of v~, in one problem: note() before AlphaStep::solve(), this after it.
  void note() { both_.note(motion_); }
  [[nodiscard]] StepStatus solve_coupled(StepReport& report);
  void evaluate();  // G at the iterate
  void measure(StepReport& report);
  bool settled(const StepReport& report);
  // Events and records to x. False: bodies have gone through each other, or have left the feature that pushes them.
  [[nodiscard]] bool finish(State& x, StepReport& report);
  bool impact() const { return impact_; }  // whether finish() has told one
  void blame(StepReport& report) const;

 private:
  void predict(double t, const std::vector<double>& q);
  void look();
  void start();
  bool solve_positions();
  void halve_reactions();
  bool is_left();
  void share();
  double balance_of_velocities();
  double balance_of_positions();
  void add_known(std::vector<double>& out) const;  // out += h/2 G_T^T P_T, with GapLaw::mu also h G_N^T P_N

  const System& system_;
  CorrectionOptions options_;
  AlphaStep& motion_;
  VelocityContacts contacts_;  // B
  PositionProblem positions_;  // A is a part of these
  AlphaCoupled both_;
  PassageGuard guard_;
  const State* x_ = nullptr;
  ContactSet &found_ = memory_.contacts(), &closed_ = memory_.contacts(), &joins_ = memory_.contacts();
  int releases_ = 0;
  bool impact_ = false, changed_ = false;
  std::vector<double>&W_ = memory_.vector(), &delta_ = memory_.vector(), &known_ = memory_.vector(),
  &known_nu_ = memory_.vector(), &r_ = memory_.vector(), &q_star_ = memory_.vector();
};

}  // namespace esc
