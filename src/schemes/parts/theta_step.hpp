// One step of the theta-method without contact: the iterates v^n and q^n = q_k + h v_theta, the momentum residual
// f = h F - M (v^n - v_k) (acary Eq. (48), whose stiffness term vanishes for this q^n), and the factors of Mhat.
#pragma once

#include <vector>

#include <escapement/promise.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/iteration_matrix.hpp"

namespace esc {

class ThetaStep {
 public:
  ThetaStep(const System& system, double theta, Quadrature quadrature, FirstIterate first);

  // Fixes the state and the step; false if a constant block of Mhat is singular.
  [[nodiscard]] bool prepare(const State& x, double h);
  void begin();   // v^0 = v_k, q^0 as chosen, and f
  void update();  // q^n from v^n, and f
  void place();   // q^n from v^n = q_k + h v_theta (18b), without f
  // v += Mhat^-1 f, Mhat = M + h theta C + h^2 theta^2 K (47) at the present iterate; false if Mhat is singular.
  [[nodiscard]] bool solve();

  const BlockFactor& factor() const { return matrix_.factor(); }
  const std::vector<double>& q_theta();  // interpolate(q_k, q^n, theta)

  void poison();
  void invalidate() { matrix_.invalidate(); }

  std::vector<double> v, q, f;

 private:
  void move();
  void take_point(double t, const std::vector<double>& q_at, const std::vector<double>& v_at);

  const System& system_;
  double theta_;
  Quadrature quadrature_;
  bool extrapolate_;  // q^0 = q_k + h v_k
  IterationMatrix matrix_;
  const State* x_ = nullptr;
  double h_ = 0.0;
  Point at_;  // where M, F and their tangents are taken
  std::vector<double> v_theta_, q_theta_, F_, F_k_, xi_;
  std::vector<double> scratch_;
};

}  // namespace esc
