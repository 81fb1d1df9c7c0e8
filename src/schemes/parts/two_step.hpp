// One step of the Schatzman-Paoli formula with joints and without contact, acary (20). The unknown is the mean velocity
// w = xi_{k+1} / h over the step, xi_{k+1} = difference(q_{k+1}, q_k); the state keeps w_k and h_k of the last one:
//   M (w - w_k) = s F(t_{k+theta}, q_{k+theta}, v_{k+theta}) + Gb^T Lambda,   g_b(t_{k+1}, q_{k+1}) = 0,
//   q_{k+1} = retract(q_k, h w),   v_{k+theta} = w_k + a (w - w_k),   v_{k+1} = w_k + b (w - w_k),
//   s = (h + h_k) / 2,   a = (theta h + h_k / 2) / s,   b = h_k / 2 / s.
// w_k and w belong to the middles of their steps, s apart: v_{k+theta} and v_{k+1} are the line through them at
// t_{k+theta} and at t_k. With equal steps s = h, a = theta + 1/2, b = 1/2: (20a), (20b). The first step has w_k = v_0
// and h_k = 0: q_1 = q_0 + h v_0 + h^2 / 2 M^-1 F, v_1 = v_0. M and Gb are taken at the frame: at the end as in (20a),
// at theta, or at the beginning, which with theta = 0 is centred.
#pragma once

#include <span>
#include <vector>

#include <escapement/promise.hpp>
#include <escapement/scratch.hpp>
#include <escapement/source.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/iteration_matrix.hpp"

namespace esc {

struct TwoStepOptions {
  double theta = 0.5;
  FrameAt frame = FrameAt::end;
  TangentForm tangents = TangentForm::exact;
};

class TwoStep {
  Scratch& memory_;

 public:
  TwoStep(const System& system, const TwoStepOptions& options, Scratch& scratch);

  // Fixes the state, its history and the step; false if a constant component of Mhat is singular.
  [[nodiscard]] bool prepare(const State& x, double h, std::span<double> history);
  void begin();   // w^0 = w_k
  void update();  // q^n from w^n, f = s F - M (w^n - w_k) + Gb^T Lambda and the joint rows
  void place();   // q^n alone
  // [w; Lambda] += S^-1 [f; -g_b / h], S = [Mhat -Gb^T; Gb 0], Mhat = M + s a C + s h theta K; false: S is singular.
  [[nodiscard]] bool solve();
  void finish(State& x);  // writes t, h, q, v, joint impulses and history

  // q_c = retract(q_k, (xi_{k+1} - e xi_k) / (1 + e)) = (q_{k+1} + e q_{k-1}) / (1 + e), and the time it belongs to.
  const std::vector<double>& contact_position(double e);
  double contact_time(double e) const { return x_->t + h_ * (1.0 - e) / (1.0 + e); }

  std::span<const double> before() const { return before_; }  // w_k
  SystemFactor& factor() { return matrix_.factor(); }
  const JointSet& reactions() const {
    return frame_ == FrameAt::end ? joints_ : reactions_;
  }                             // the rows that carry Lambda
  double joint_defect() const;  // largest |g_b|, or h |Gb w + gb_t| of a row that holds velocities only

  void invalidate() { matrix_.invalidate(); }

  std::vector<double>&w = memory_.vector(), &q = memory_.vector(), &f = memory_.vector(), &Lambda = memory_.vector();

 private:
  Point frame();
  void evaluate_joints();

  const System& system_;
  double theta_;
  FrameAt frame_;
  TangentForm tangents_;
  IterationMatrix matrix_;
  const State* x_ = nullptr;
  std::span<double> history_;
  double h_ = 0.0, s_ = 0.0, a_ = 0.0, b_ = 0.0;
  Point at_;                                // where F and its tangents are taken
  JointSet& joints_ = memory_.joints();     // at q^n
  JointSet& reactions_ = memory_.joints();  // at the frame, if that is not the end
  std::vector<double>&before_ = memory_.vector(), &F_ = memory_.vector(), &v_theta_ = memory_.vector(),
  &q_theta_ = memory_.vector(), &q_c_ = memory_.vector(), &xi_ = memory_.vector(), &rows_ = memory_.vector();
  std::vector<double>& scratch_ = memory_.vector();
};

}  // namespace esc
