// A step of the Schatzman-Paoli formula seen from outside (Formula::two_step): the two states with their histories,
// (w_k, h_k) and (w_{k+1}, h), and everything recomputed from them. Equations: docs/schemes/schatzman_paoli.md.
#pragma once

#include <vector>

#include <escapement/certify.hpp>

namespace esc {

class TwoStepView {
 public:
  explicit TwoStepView(const System& system);

  Certificate certify(const State& before, const State& after, const Promise& promise);

 private:
  bool look();
  void find_kinematics();
  void find_contacts();
  void find_hidden(const std::vector<double>& q);
  void evaluate_contacts(double shift);
  void check_laws();
  void find_joints();
  void find_momentum();
  void find_jacobian();
  Audit audit();
  Point frame();
  double contact_time(double e) const;
  const std::vector<double>& contact_position(double e, double shift);
  Point at(double t, const std::vector<double>& q, const std::vector<double>& v) {
    return {t, q.data(), v.data(), before_->u.data(), scratch_.data()};
  }

  const System& system_;
  const State* before_ = nullptr;
  const State* after_ = nullptr;
  const Promise* promise_ = nullptr;
  double h_ = 0.0, h_k_ = 0.0, s_ = 0.0, speed_ = 0.0;
  std::vector<double> w0_, w1_;  // w_k, w_{k+1}
  std::vector<double> v_theta_, q_theta_, xi_, q_probe_, q_c_, M_, F_, defect_, scratch_;
  ContactSet found_, part_;
  ContactSet active_;  // the contacts that carry an impulse or have g(q_c) <= gap_tolerance, each at its q_c
  std::vector<double> P_, U_, gap_;
  JointSet joints_, joints_moved_;  // at the end of the step, and a little later
  JointSet reactions_;              // at the promised frame
  std::vector<double> rows_;
  Finding penetration_, law_, cone_, stray_, momentum_, kinematics_, jacobian_, joint_velocity_, joint_position_;
};

}  // namespace esc
