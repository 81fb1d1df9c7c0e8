// One step seen from outside: two states, the promise, and everything recomputed from them.
#pragma once

#include <span>
#include <vector>

#include <escapement/certify.hpp>

#include "src/math/block_factor.hpp"

namespace esc {

class StepView {
 public:
  explicit StepView(const System& system);

  // The three must stay alive and unchanged while the view is used.
  void look(const State& before, const State& after, const Promise& promise);

  bool bound() const { return active_.size() > 0 || system_.joint_rows() > 0; }  // by contacts or joints
  // The contacts that the forecast makes active or that carry a record, with G at the promised frame.
  const ContactSet& active() const { return active_; }
  const double* velocity_before(const Contact& contact) const { return U_k_.data() + contact.first_row; }
  const double* velocity_after(const Contact& contact) const { return U_.data() + contact.first_row; }
  const double* impulse(const Contact& contact) const { return P_.data() + contact.first_row; }

  struct At {
    double size = 0.0;
    ContactKey key;
    int joint = -1;
  };
  const At& penetration() const { return penetration_; }        // at the end of the step, over every pair
  const At& stray_impulse() const { return stray_; }            // largest impulse of a record without an active contact
  const At& joint_velocity() const { return joint_velocity_; }  // |G v + g_t| after the step, at the promised frame
  const At& joint_position() const { return joint_position_; }  // |g| after the step
  double momentum_defect() const {
    return momentum_defect_;
  }  // |M (v1 - v0) - integral of F - G^T P| over contacts and joints, largest block
  double momentum_scale() const { return momentum_scale_; }           // largest entry of the integral of F
  double kinematic_defect() const { return kinematic_defect_; }       // max |q1 - retract(q0, h v_theta)|, U included
  double kinematic_slack() const { return kinematic_slack_; }         // what an inexact metric may leave of U
  const At& projection_defect() const { return projection_defect_; }  // of the law of the positions
  bool corrected() const { return corrected_; }                       // whether any tau or tau_b is not zero
  double position_scale() const { return position_scale_; }           // max |q1|
  double speed() const { return speed_; }                             // max |v| before and after
  At jacobian_defect();  // relative, along v1, at the promised frame; moves active() off that frame: ask for it last
  Audit audit();

 private:
  void find_active();
  void read_records();
  void find_joints();
  void find_momentum();
  At joint_jacobian_defect(double t, double shift);
  void find_mean();
  void find_recorded();
  void find_kinematics();
  void find_projection();
  void find_correction();
  void apply_metric();
  Point at(const State& x, double t, const std::vector<double>& q, const std::vector<double>& v) {
    return {t, q.data(), v.data(), x.u.data(), scratch_.data()};
  }

  const System& system_;
  const State* before_ = nullptr;
  const State* after_ = nullptr;
  const Promise* promise_ = nullptr;
  double h_ = 0.0;
  ContactSet penetrating_, active_, projected_;
  std::vector<double> U_k_, U_, P_, gap_;
  std::vector<double> M_, F_, F_k_, v_theta_, q_theta_, q_probe_, xi_, defect_;
  std::vector<double> U_correction_, q_free_, Mhat_, s_;
  BlockFactor metric_;  // of N^-1, where N is of the place
  std::vector<double> scratch_;
  double t_frame_ = 0.0;  // where G is promised to be taken
  const std::vector<double>* q_frame_ = nullptr;
  JointSet joints_, joints_end_;
  std::vector<double> joint_rows_;
  At penetration_, stray_, joint_velocity_, joint_position_, projection_defect_;
  bool corrected_ = false;
  double kinematic_slack_ = 0.0;
  double momentum_defect_ = 0.0, momentum_scale_ = 0.0;
  double kinematic_defect_ = 0.0, position_scale_ = 0.0, speed_ = 0.0;
};

}  // namespace esc
