// One step of the theta-method with joints and without contact: the iterates v^n and q^n = q_k + h v_theta, the
// momentum residual f = h F - M (v^n - v_k) + G^T Lambda (acary Eq. (48), whose stiffness term vanishes for this q^n),
// the joint impulses Lambda with G v + g_t = 0, and the factors of S = [Mhat -G^T; G 0].
#pragma once

#include <span>
#include <vector>

#include <escapement/method.hpp>
#include <escapement/promise.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/scratch.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/iteration_matrix.hpp"

namespace esc {

// At which level the joints hold at the end of the step: G v + g_t = 0, or g(q) = 0.
enum class JointLevel : std::uint8_t { velocity, position };

struct ThetaOptions {
  double theta = 0.5;
  Quadrature quadrature = Quadrature::theta_point;
  FirstIterate first = FirstIterate::automatic;
  FrameAt frame = FrameAt::end;  // of the joint rows
  TangentForm tangents = TangentForm::exact;
  JointLevel level = JointLevel::velocity;  // position: frame end, theta > 0
  bool corrected = false;                   // q^n = retract(retract(q_k, h v_theta), shift), shift being the caller's
};

enum class Factors : std::uint8_t { fresh, keep };

class ThetaStep {
  Scratch& memory_;

 public:
  ThetaStep(const System& system, const ThetaOptions& options, Scratch& scratch);

  // What it remembers of earlier steps, for the first iterate: nothing unless that is predicted.
  std::span<const HistoryField> history() const;

  // Whether begin() takes M and F at q_k.
  bool begins_in_place() const { return options_.first == FirstIterate::printed; }
  // Fixes the state, its history and the step; false if a constant component of Mhat is singular.
  [[nodiscard]] bool prepare(const State& x, double h, std::span<double> history);
  void begin();   // v^0 and q^0 as chosen, f and the joint rows
  void update();  // q^n from v^n, f and the joint rows
  void place();   // q^n from v^n = q_k + h v_theta (18b) and shift, without f
  // [v; Lambda] += S^-1 [f; -(G v + g_t)], Mhat = M + h theta C + h^2 theta^2 K (47) at the present iterate; false if S
  // is singular. At velocity level the lower G has its turn along retract(q, h theta dv), and Mhat that of G^T Lambda,
  // as System::add_joint_frame_tangent gives them: faster, to the same solution. Components with joints may keep the
  // factors of an earlier iterate of this step: the residuals are those of the present one, so the solution is the
  // same.
  [[nodiscard]] bool solve(Factors factors = Factors::fresh);

  SystemFactor& factor() { return matrix_.factor(); }
  const std::vector<double>& q_theta();               // interpolate(q_k, q^n, theta)
  const std::vector<double>& q_free();                // retract(q_k, h v_theta) of the present v
  const JointSet& joints() const { return joints_; }  // at the frame of this iterate
  // Hands the solution to the state that prepare() was given: history, time, Lambda, q and v. Contact makes it forget
  // the accelerations of earlier steps.
  void finish(State& x, bool contact);

  // K = -dF/dq where the present iterate takes its forces, and y += alpha K x with it.
  void evaluate_stiffness();
  void add_stiffness(double alpha, std::span<const double> x, std::span<double> y) const;

  double joint_defect() const;  // largest |G v + g_t| of a joint row at the present frame, or |g| / (h theta)
  double joint_drift() const;   // largest |g| of a joint that holds positions

  // Whether a residual (41) with these impulses is at most tol, or from the fourth iteration on what rounding leaves of
  // it: momenta of 1e7 kg are not known to 1e-10 N s.
  template <class Impulses>
  bool balances(double residual, double tol, int iteration, const Impulses& impulses) const {
    return residual <= tol || (iteration > 3 && residual <= rounding(impulses.largest_term()));
  }
  // The diagonal of M at the present iterate.
  void inertias(std::vector<double>& out) const;

  void invalidate() { matrix_.invalidate(); }

  std::vector<double>&v = memory_.vector(), &q = memory_.vector(), &f = memory_.vector(), &Lambda = memory_.vector();
  std::vector<double>& shift = memory_.vector();  // correction of the positions; begin() makes it zero if it is used

 private:
  double rounding(double impulses) const;
  void move();
  void place_corrected();
  void find_displacement();
  void evaluate_joints();
  double turning() const;
  void remember(const State& x, bool contact) const;
  bool any_redundant() const;
  void evaluate_forces(double t, const std::vector<double>& q_at, const std::vector<double>& v_at);

  const System& system_;
  ThetaOptions options_;
  double theta_;
  IterationMatrix matrix_;
  const State* x_ = nullptr;
  double h_ = 0.0;
  std::span<double> history_;
  int linearise_ = 0;  // how many of the next evaluations take the tangents along
  Point at_;           // where M, F and their tangents are taken
  JointSet& joints_ = memory_.joints();
  Point joints_at_;          // where they are
  bool rows_known_ = false;  // joints_ is of an iterate of this step
  std::vector<double>&v_theta_ = memory_.vector(), &q_theta_ = memory_.vector(), &q_free_ = memory_.vector(),
  &F_ = memory_.vector(), &F_k_ = memory_.vector(), &xi_ = memory_.vector(), &rows_ = memory_.vector();
  std::vector<double>& scratch_ = memory_.vector();
  std::vector<double>& K_ = memory_.vector();
};

}  // namespace esc
