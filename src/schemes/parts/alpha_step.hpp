// One step of the generalized-alpha method with joints, bruels (29a), (29b), (30):
//   M vdot~ = F + Gb^T lambda~,   Gb v~ + gb_t = 0                                       the smooth motion
//   a_{n+1} = ((1 - alpha_f) vdot~ + alpha_f vdot~_n - alpha_m a_n) / (1 - alpha_m)      (30e)
//   v~ = v_n + h (1 - gamma) a_n + h gamma a_{n+1},   n = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1}
//   v = v~ + W,   q = retract(q~, shift),   q~ = retract(q_n, n)
// with M, F, Gb at (t, q, v)_{n+1}. Contacts and joints give W and shift: the caller finds them with the factors of
// [M -Gb^T; Gb 0]. At position level, (51), g_b(q) = 0 stands in place of Gb v~ + gb_t = 0, and W = shift = 0.
#pragma once

#include <span>
#include <vector>

#include <escapement/method.hpp>
#include <escapement/promise.hpp>
#include <escapement/scratch.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/iteration_matrix.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

class AlphaStep {
  Scratch& memory_;

 public:
  AlphaStep(const System& system, const AlphaEquations& equations, TangentForm tangents, Scratch& scratch);

  // Writes the accelerations that are consistent with the state to its last history, which is this scheme's.
  void start(State& x) const;

  // Fixes the state, its history and the step; false if a constant component of S is singular.
  [[nodiscard]] bool prepare(const State& x, double h, std::span<double> history);
  void begin();  // the accelerations of the last step as first guess, W = shift = 0; q~ and q
  void place_smooth() { system_.retract(x_->q, n_, q_tilde); }  // q~ alone
  void place();                                                 // q~ and q
  void update();                                                // f and the joint rows at (q, v)
  // (29a), (29b) with S = M + h / c C + h^2 beta / (gamma c) K, c = (1 - alpha_m) / ((1 - alpha_f) gamma): moves vdot,
  // lambda and v~. False: S is singular. Components with joints may keep the factors of an earlier iterate.
  [[nodiscard]] bool solve(Factors factors);

  const SystemFactor& factor() { return matrix_.factor(); }  // of [S -Gb^T; Gb 0], as solve() has left it
  double inertia_weight() const { return c_; }

  // The factors of [M -Gb^T; Gb 0] at the iterate. False: singular.
  [[nodiscard]] bool factor_mass();
  SystemFactor& mass_factor() { return mass_factor_; }
  // out -= M x.
  void subtract_momentum(std::span<const double> x, std::span<double> out) const;
  // Takes over what the caller has found: history, time, impulses, q and v.
  void finish(State& x, bool restart);

  // The next update() evaluates the joint rows as they are, and leaves lambda~ alone: for a matrix that knows how rows
  // turn. Otherwise lambda~ comes to exert the same forces by the rows as they have turned.
  void evaluate_anew() { rows_known_ = false; }

  const Point& at() const { return at_; }      // the iterate
  const State& before() const { return *x_; }  // where the step begins
  std::span<const double> mass() const { return matrix_.mass(); }
  const std::vector<double>& vdot() const { return vdot_; }
  const std::vector<double>& lambda() const { return lambda_; }
  double c() const { return c_; }
  const JointSet& joints() const { return joints_; }
  bool jointed() const { return system_.joint_rows() > 0; }
  double joint_defect() const { return defect_; }  // largest |Gb v~ + gb_t| and |Gb v + gb_t|
  double joint_drift() const { return drift_; }    // largest |g| of a joint that holds positions
  const std::vector<double>& way() const { return n_; }
  double end() const { return x_->t + h_; }
  double h() const { return h_; }

  // What a step of v~ at fixed (q, v) answers to velocities W and positions `moved` beside it: y = -S^-1 (h K shift + h
  // C W) / c.
  void evaluate_tangents();
  void answer(std::span<const double> W, std::span<const double> moved, std::span<double> y, std::span<double> rows);
  void move(std::span<const double> dv, std::span<const double> rows);                // v~ and lambda~ by this much
  double position_weight() const { return h_ * equations_.beta / equations_.gamma; }  // of v~ in q~

  void invalidate() { matrix_.invalidate(); }

  std::vector<double>&v = memory_.vector(), &v_tilde = memory_.vector(), &q = memory_.vector(),
  &q_tilde = memory_.vector(), &f = memory_.vector(), &shift = memory_.vector();
  std::vector<double>&Lambda = memory_.vector(), &nu = memory_.vector();  // by joint rows

 private:
  void evaluate_joints();
  void recur();
  bool factor_mass(const Point& at);
  bool find_consistent(const Point& at, std::span<double> a, std::span<double> lambda);
  bool any_redundant() const;

  const System& system_;
  AlphaEquations equations_;
  TangentForm tangents_;
  double c_;
  IterationMatrix matrix_;
  SystemFactor mass_factor_;
  CacheVector N_;  // M as values of the tangent
  const State* x_ = nullptr;
  double h_ = 0.0, drift_ = 0.0, defect_ = 0.0;
  std::span<double> history_;
  Point at_;
  JointSet& joints_ = memory_.joints();
  bool rows_known_ = false;
  std::vector<double>&a_n_ = memory_.vector(), &vdot_n_ = memory_.vector(), &a_ = memory_.vector(),
  &vdot_ = memory_.vector(), &lambda_ = memory_.vector(), &n_ = memory_.vector(), &F_ = memory_.vector(),
  &work_ = memory_.vector(), &rows_ = memory_.vector(), &scaled_ = memory_.vector(), &scratch_ = memory_.vector(),
  &K_ = memory_.vector(), &C_ = memory_.vector();
};

}  // namespace esc
