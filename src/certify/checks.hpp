// The vocabulary of the certificate. A family of equations (theta.cpp, two_step.cpp, impact.cpp) says in these words
// what its two states must satisfy; Checks evaluates it with the System and writes the findings by name.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <escapement/certify.hpp>

#include "src/math/block_factor.hpp"
#include "src/math/worst.hpp"

namespace esc {

struct StepStates {
  const State& before;
  const State& after;
};

// A time and positions at which rows are taken.
struct Configuration {
  double t = 0.0;
  const std::vector<double>* q = nullptr;
};

// The contacts that the family holds to its law.
struct ContactRows {
  ContactSet set;                 // G, g_t, frames and gaps where the family takes them
  std::vector<double> U_k, U, P;  // by rows: velocities before and after the step, impulses of the records
};

class Checks {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double smooth_slope = 1e-6, coarse_slope = 1e-8;  // of `jacobian`; the latter times max |q|
  static constexpr double activation_slack = 1e-12;  // m; a contact this close to its bound may be active or not

  explicit Checks(const System& system);
  Checks(const Checks&) = delete;

  // A new step: findings of zero with the bounds of the promise. False: the states are not of this system. The four
  // must stay alive and unchanged.
  bool begin(const StepStates& x, const Promise& promise, Certificate& result);

  void foreign();  // not two states of these equations: nothing about them is right
  const Tolerances& tolerances() const { return promise_->tol; }
  const std::string& owner() const { return promise_->owner; }  // of the history that the equations speak of

  // One finding: the worst value seen, and where. A NaN is worse than any number.
  class Worst {
   public:
    explicit Worst(Finding& finding) : finding_(finding) {}
    void see(double value, ContactKey key = {}) { see(value, key, -1); }
    void see_joint(double value, int joint) { see(value, {}, joint); }
    void allow(double bound) { finding_.allowed = bound; }

   private:
    void see(double value, ContactKey key, int joint) {
      if (is_worse(value, finding_.value)) finding_ = {value, finding_.allowed, key, joint};
    }
    Finding& finding_;
  };
  Worst operator[](Check check) { return Worst(result_->findings[static_cast<std::size_t>(check)]); }

  // More scratch, as much as a family asks for. Nothing is allocated after the first steps.
  std::vector<double>& velocities() { return taken_v_ < v_.size() ? *v_[taken_v_++] : another_v(); }
  std::vector<double>& positions() { return taken_q_ < q_.size() ? *q_[taken_q_++] : another_q(); }

  Point at(const State& inputs, const Configuration& place, const std::vector<double>& v) {
    return {place.t, place.q->data(), v.data(), inputs.u.data(), scratch_.data()};
  }

  // Whether contacts or joints act.
  bool bound() const { return !contacts.empty() || system.joint_rows() > 0; }

  // Contacts.
  void keep_closed(double reach);  // contacts := those with g <= reach at the beginning of the step
  void keep_recorded();            // contacts := those that have a record, looked for at the end of the step
  // Every pair at the end of the step and, if there was a motion, on the way to it; the next step may want those within
  // reach.
  struct Motion {
    std::span<const double> way;  // h times the velocities
    double size = 0.0;            // max |way|, and what a projection adds
    std::span<const double> dv;   // change of the velocities
  };
  void penetration(double reach, const Motion& motion);
  void evaluate(const Configuration& frame) {  // U_k before the step, then G, g_t, gaps and U at the frame, and P
    if (!contacts.empty() || !after_->contacts.empty()) evaluate_rows(frame);
  }
  void read_impulses();  // P; an impulse of a record without a contact is inactive
  void find_velocities(std::span<const double> v, std::vector<double>& U) const;  // U = G v + g_t of the contacts
  void rate_law(const RateLaw& law);                                              // 0 <= u_N _|_ P_N >= 0
  void gap_law();                                                                 // 0 <= g _|_ P_N >= 0
  // Coulomb's law for P_T against u_T; in space with a polygon of so many corners, 0: a round cone.
  void friction(const RateLaw& law, int corners = 0);

  // Joints. Velocities at the frame along v_{k+1}, positions at the end of the step.
  void joints(const Configuration& frame) {
    if (system.joint_rows() > 0) check_joints(frame);
  }

  // |M x - time forces - G^T P - Gb^T Lambda|, the largest norm over a block. No forces: nothing but impulses. M, and
  // that of the end of the step, must be masses.
  void balance(std::span<const double> x, std::span<const double> forces, double time);

  // max |q_{k+1} - expected|, and the two times h apart. Adds to what was seen before.
  struct Kinematics {
    double h = 0.0;
    double slack = 0.0;  // beside the promised tolerance
  };
  void place(std::span<const double> expected, const Kinematics& step);

  // Rows against difference quotients over a short move along v. Over a shift of 1e-7 the trapezoidal rule is good to
  // 1e-8 for curvatures up to 1/mm, and each rounding adds up to 2e-9 |q|; a gap is made of a few of them. Late in a
  // run times are coarse; the bodies then move by what the clock really moves.
  struct Shift {
    double from, to;
    double length() const { return to - from; }
  };
  Shift shift_from(double t) const;
  const std::vector<double>& shifted(const std::vector<double>& q, const std::vector<double>& v, const Shift& shift);
  void joint_jacobian(const JointSet& from, const Point& to, double shift) {
    if (system.joint_rows() > 0) compare_joints(from, to, shift);
  }
  // move() evaluates the contacts at the other end of the shift; they stay there, so this comes after the laws.
  template <class Move>
  void contact_jacobian(std::span<const double> v, double shift, Move move) {
    keep_gaps();
    move();
    compare_gaps(v, shift);
  }

  // Both along v_{k+1}, of the contacts and joint rows that are evaluated at this frame. Comes last.
  void jacobians(const Configuration& frame) {
    if (bound()) compare_rows(frame);
  }

  // Energies of both states; work of forces by their power over this time; work of the impulses over (v0 + v1) / 2:
  // d(kinetic) = (v0 + v1) / 2 . M (v1 - v0) for a constant mass.
  void audit(const Point& forces, double time, const std::vector<double>& v0, const std::vector<double>& v1);
  // Work of these joint impulses along v, to the audit.
  void joint_work(const JointSet& rows_at, std::span<const double> impulse, std::span<const double> v);
  void moved_potential(const std::vector<double>& q);  // work of moving the positions from q to q_{k+1}
  void energy(bool closes);  // the balance of the audit; bounded only where it closes to round-off

  const System& system;
  double speed = 0.0;    // max |v| of the step, by the family
  ContactSet found;      // of the last detection
  ContactSet& contacts;  // = rows.set
  ContactRows rows;
  JointSet joint_rows;       // at the frame: they carry Lambda
  JointSet joint_end;        // at the end of the step
  JointSet joint_begin;      // at its beginning, where a family evaluates them
  std::vector<double> M;     // constant blocks are there; the family evaluates the others
  std::vector<double> Mhat;  // scratch, as are these:
  BlockFactor metric;        // of N^-1, where N is of the place
  std::vector<double> dv, v_theta, way, F;
  std::vector<double> worked;  // joint impulses that the audit takes in place of the state's; empty: those
  std::vector<double> q_theta, q_free;

 private:
  std::vector<double>& another_v();
  std::vector<double>& another_q();
  bool fits(const State& x) const {
    return x.layout == layout_ && x.q.size() == nq_ && x.v.size() == nv_ && x.u.size() == nu_ &&
           x.joint_impulse.size() == joint_rows_;
  }
  bool begins_at_last_end();
  void look_for_passage(double reach, const Motion& motion);
  void evaluate_rows(const Configuration& frame);
  void check_joints(const Configuration& frame);
  void add_reactions();
  void check_masses();  // those that vary: at the frame and at the end of the step
  // What rounding leaves open of the velocity of a contact's row, m/s. M is that of the step.
  double round_off(const Contact& contact, int row);
  double momentum_round_off() const;
  void compare_rows(const Configuration& frame);
  void keep_gaps();
  void compare_gaps(std::span<const double> v, double shift);
  void compare_joints(const JointSet& from, const Point& to, double shift);
  void contact_work(const std::vector<double>& mean, Audit& work);

  const std::uint64_t layout_;
  const std::size_t nq_, nv_, nu_, joint_rows_;
  const State* before_ = nullptr;
  const State* after_ = nullptr;
  const Promise* promise_ = nullptr;
  Certificate* result_ = nullptr;
  // What is known of the end of the last step, (t, q, v, u) = end_: as a rule the next one begins there, bit by bit.
  std::vector<double> end_;
  Energy end_energy_;
  ContactSet end_closed_;
  double end_reach_ = -infinity;  // of end_closed_; -infinity: it is not known
  bool end_audited_ = false;      // whether end_energy_ is known
  bool at_last_end_ = false;      // whether the step begins there
  JointSet joint_moved_;
  std::vector<double> defect_, Lambda_, gap_, scratch_;
  std::vector<double> end_mass_, pivots_;
  double forces_ = 0.0;          // sum of |F|, N
  std::vector<double> momenta_;  // of round_off(), over the masses; empty: not found yet
  ContactSet near_, sampled_;    // of the look at the way
  std::vector<double> path_, gaps_, samples_;
  std::vector<std::unique_ptr<std::vector<double>>> v_, q_;
  std::size_t taken_v_ = 0, taken_q_ = 0;
};

void certify(const ThetaEquations& equations, const StepStates& x, Checks& check);
void certify(const TwoStepEquations& equations, const StepStates& x, Checks& check);
void certify(const ImpactEquations& equations, const StepStates& x, Checks& check);
void certify(const AlphaEquations& equations, const StepStates& x, Checks& check);

}  // namespace esc
