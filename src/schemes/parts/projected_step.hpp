// One step with contact and joints at both levels, acary (28) and (65), for a given or growing set of contacts:
//   M (v_{k+1} - v_k) = h F + G^T P + Gb^T Lambda,   q_{k+1} = retract(retract(q_k, h v_theta), N (G^T tau + Gb^T
//   tau_b)), 0 <= U_N + e U_N,k _|_ P_N >= 0 and Coulomb's law in I,   the law of the positions in J, which contains I.
// The schemes choose I and J; this is the Newton loop that they share.
#pragma once

#include <vector>

#include <escapement/scheme.hpp>
#include <escapement/schemes/scheme_fields.hpp>

#include "src/schemes/parts/coupled_problem.hpp"
#include "src/schemes/parts/left_features.hpp"
#include "src/schemes/parts/mixing.hpp"
#include "src/schemes/parts/passage_guard.hpp"
#include "src/schemes/parts/position_problem.hpp"
#include "src/schemes/parts/theta_step.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

struct ProjectedOptions {
  ThetaOptions motion;
  VelocityOptions contacts;
  Projection projection = Projection::combined;  // complementary: J takes up every gap <= 0 within the loop
  Implementation implementation = Implementation::automatic;
  MetricOptions metric = {};
  double tol = 1e-10;
  double frame_tol = 1e-8;
  double gap_tol = 1e-12;
  int newton_max = 50;
  double impact_velocity = 1e-9;
};

// The options of a projected scheme, which are the same for all of them.
template <class Options>
ProjectedOptions projected_options(const Options& o, Projection projection) {
  return {.motion = {.theta = o.theta,
                     .quadrature = o.quadrature,
                     .first = o.first_iterate,
                     .tangents = o.tangents,
                     .corrected = true},
          .contacts = velocity_options(o),
          .projection = projection,
          .implementation = o.implementation,
          .metric = {o.metric, o.user_metric},
          .tol = o.tol,
          .frame_tol = o.frame_tol,
          .gap_tol = o.gap_tol,
          .newton_max = o.newton_max,
          .impact_velocity = o.impact_velocity};
}

class ProjectedStep {
  Scratch& memory_;

 public:
  ProjectedStep(const System& system, const ProjectedOptions& options, Workspace workspace);

  void start(State& x) const;
  // Fixes the state and the step, and starts the Newton loop without contacts.
  [[nodiscard]] StepStatus begin(const State& x, double h, std::span<double> history);
  // After begin(), where another attempt follows: no solver is asked as a last resort, and the Newton loop ends as soon
  // as corrections that contradict each other throw the bodies far away.
  void hurry() { hurried_ = true; }
  // After begin(), for a step that has failed: I starts with the contacts that carried an impulse in the last step, and
  // renew() takes up one contact at a time, the deepest. What only the motion without contact would close stays out.
  // False: there are none.
  [[nodiscard]] bool go_cautiously();
  // Contacts found somewhere join I and J; false: they were there.
  bool activate(const ContactSet& found);
  // Iterates from where it stands to a solution for the present sets. False: report says why.
  [[nodiscard]] bool newton(StepReport& report);
  // The same without taking up contacts: v_free, when called first.
  [[nodiscard]] bool free_motion(StepReport& report) { return iterate(report, false); }
  // I^{nu+1} = I^nu u { a | g_a <= gap_tol } at the present iterate, less what the bodies have left: a contact that
  // carries P or tau, and whose feature no longer holds. False: nothing has changed.
  bool renew();
  // Writes the solution to the state that begin() was given.
  void finish(State& x, StepReport& report);

  Promise promise() const;
  void invalidate() { motion.invalidate(); }

  ThetaStep motion;  // v^n, q^n, f, U, Mhat

 private:
  bool iterate(StepReport& report, bool grows);
  StepStatus solve_contacts(StepReport& report);
  bool solve_positions(StepReport& report);
  bool solve_both(StepReport& report);
  bool coupled() const;
  const ContactSet& closed();
  void begin_anew();
  void keep_deepest();
  void note_iterate();
  Point end() { return {x_->t + h_, motion.q.data(), motion.v.data(), x_->u.data(), scratch_.data()}; }
  void evaluate();
  void measure(StepReport& report);
  bool converged(const StepReport& report, int iteration) const;
  bool contradict(double defect, double at_start) const;
  void mix();
  void keep_closed();
  void share();
  double rounding() const;

  const System& system_;
  ProjectedOptions options_;
  VelocityContacts contacts_;  // I
  PositionProblem positions_;  // J
  CoupledProblem both_;
  PassageGuard guard_;
  Mixing mixing_{memory_};
  ContactSet& found_ = memory_.contacts();  // scratch of a detection
  const State* x_ = nullptr;
  double h_ = 0.0;
  LeftFeatures left_{system_, memory_};  // they carry P or tau
  bool cautious_ = false, hurried_ = false;
  bool slow_ = false;     // the decoupled iteration of this step is
  bool at_free_ = false;  // motion.v solves the affine equations without contact: nothing to iterate
  std::vector<double>&r_ = memory_.vector(), &delta_ = memory_.vector(), &v_n_ = memory_.vector(),
  &scratch_ = memory_.vector();
  std::vector<char> held_;  // by contact of J: g = 0, (70)
};

}  // namespace esc
