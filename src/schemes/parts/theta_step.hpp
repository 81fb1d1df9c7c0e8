// One step of the theta-method with joints and without contact: the iterates v^n and q^n = q_k + h v_theta, the
// momentum residual f = h F - M (v^n - v_k) + G^T Lambda (acary Eq. (48), whose stiffness term vanishes for this q^n),
// the joint impulses Lambda with G v + g_t = 0, and the factors of K = [Mhat -G^T; G 0].
#pragma once

#include <vector>

#include <escapement/promise.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/iteration_matrix.hpp"

namespace esc {

struct ThetaOptions {
  double theta = 0.5;
  Quadrature quadrature = Quadrature::theta_point;
  FirstIterate first = FirstIterate::automatic;
  FrameAt frame = FrameAt::end;  // of the joint rows
  TangentForm tangents = TangentForm::exact;
};

enum class Factors : std::uint8_t { fresh, keep };

class ThetaStep {
 public:
  ThetaStep(const System& system, const ThetaOptions& options);

  // Fixes the state and the step; false if a constant component of Mhat is singular.
  [[nodiscard]] bool prepare(const State& x, double h);
  void begin();   // v^0 and q^0 as chosen, f and the joint rows
  void update();  // q^n from v^n, f and the joint rows
  void place();   // q^n from v^n = q_k + h v_theta (18b), without f
  // [v; Lambda] += K^-1 [f; -(G v + g_t)], Mhat = M + h theta C + h^2 theta^2 K (47) at the present iterate; false if K
  // is singular. Components with joints may keep the factors of an earlier iterate of this step: the residuals are
  // those of the present one, so the solution is the same.
  [[nodiscard]] bool solve(Factors factors = Factors::fresh);

  const SystemFactor& factor() const { return matrix_.factor(); }
  const std::vector<double>& q_theta();  // interpolate(q_k, q^n, theta)
  // Keeps the acceleration of the step from x to v for the start of the next one; contact makes it forget.
  void remember(State& x, bool contact) const;
  void forget(State& x) const;  // lays out the history for a start

  double joint_defect() const;  // largest |G v + g_t| of a joint row at the present frame

  void poison();
  void invalidate() { matrix_.invalidate(); }

  std::vector<double> v, q, f, Lambda;

 private:
  void move();
  void take_joints();
  bool remembers(const State& x) const;
  bool any_redundant() const;
  void take_point(double t, const std::vector<double>& q_at, const std::vector<double>& v_at);

  const System& system_;
  ThetaOptions options_;
  double theta_;
  IterationMatrix matrix_;
  const State* x_ = nullptr;
  double h_ = 0.0;
  Point at_;  // where M, F and their tangents are taken
  JointSet joints_;
  std::vector<double> v_theta_, q_theta_, F_, F_k_, xi_, rows_;
  std::vector<double> scratch_;
};

}  // namespace esc
