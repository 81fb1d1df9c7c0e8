#include "src/model/frame_forces.hpp"

#include <escapement/models/line_force.hpp>

namespace esc {

namespace {

struct RowCoordinate {
  JointRow row;
  TurnCount turns = {};
  template <class S>
  S value(const Pose<S>& A, const Pose<S>& B) const {
    return row_value(row, A, B);
  }
  double continued(double s, const Anchor& a, const Anchor& b, const double* q) const {
    return turns.known() ? turns.among_turns(s, 0.0, a, b, q) : s;
  }
  template <class S>
  void gradient(const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B, S* out) const {
    write_row(row_wrench(row, A.frame, B.frame), a, A, b, B, out);
  }
};

// T = k (s - rest) + c ds/dt, the difference to the nearest period.
struct LinearLaw {
  double stiffness, damping, rest, period;
  template <class S>
  S operator()(const S&, const S& s, const S& rate, const double*) const {
    return stiffness * nearest<S>(s - rest, period) + damping * rate;
  }
  double potential(double s) const {
    const double x = nearest(s - rest, period);
    return 0.5 * stiffness * x * x;
  }
  double damping_power(double rate) const { return -damping * rate * rate; }
};

struct InputLaw {
  int input;
  template <class S>
  S operator()(const S&, const S&, const S&, const double* u) const {
    return S(-u[input]);
  }
};

double plain(double t) { return t; }
template <int N>
double plain(const ad::Dual<N>& t) {
  return t.value;
}

struct FunctionLaw {
  TorqueMotor motor;
  template <class S>
  S operator()(const S& t, const S&, const S&, const double* u) const {
    return S(-motor.torque(plain(t), u));
  }
};

}  // namespace

std::unique_ptr<ForceLeaf> spring_leaf(const Spring& spring) {
  return std::make_unique<ScalarForce<LineLength, LinearLaw>>(
      LineLength{}, LinearLaw{spring.stiffness, spring.damping, spring.length, 0.0},
      ForceOptions{.tangents = spring.tangents});
}

std::unique_ptr<ForceLeaf> joint_spring_leaf(const JointRow& coordinate, const TurnCount& turns,
                                             const JointSpring& spring) {
  const double period = turns.known() ? 0.0 : period_of(coordinate);
  return std::make_unique<ScalarForce<RowCoordinate, LinearLaw>>(
      RowCoordinate{coordinate, turns}, LinearLaw{spring.stiffness, spring.damping, spring.rest, period},
      ForceOptions{.tangents = spring.tangents});
}

// Explicit: the joint ties the blocks already, and the tangent is only how the axis turns.
std::unique_ptr<ForceLeaf> torque_leaf(const JointRow& coordinate, int input) {
  return std::make_unique<ScalarForce<RowCoordinate, InputLaw>>(RowCoordinate{coordinate}, InputLaw{input},
                                                                ForceOptions{.tangents = Tangents::none});
}

std::unique_ptr<ForceLeaf> torque_leaf(const JointRow& coordinate, const TorqueMotor& motor) {
  return std::make_unique<ScalarForce<RowCoordinate, FunctionLaw>>(RowCoordinate{coordinate}, FunctionLaw{motor},
                                                                   ForceOptions{.tangents = Tangents::none});
}

}  // namespace esc
