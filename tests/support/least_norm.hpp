// The joint impulses of least norm that explain a step, by Eigen's orthogonal decomposition.
#pragma once

#include <Eigen/Dense>

#include "tests/support/differences.hpp"

namespace esc::testing {

// G^T, one column per joint row, at the end of the step.
inline Eigen::MatrixXd joint_directions(const System& system, const State& x) {
  Here here(system);
  here.t = x.t;
  here.q = x.q;
  here.u = x.u;
  Eigen::MatrixXd Gt(system.nv(), system.joint_rows());
  for (int row = 0; row < system.joint_rows(); ++row)
    Gt.col(row) = Eigen::VectorXd::Map(joint_forces(system, here, unit(system.joint_rows(), row)).data(), system.nv());
  return Gt;
}

inline int joint_rank(const System& system, const State& x) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(joint_directions(system, x));
  lu.setThreshold(1e-9);
  return static_cast<int>(lu.rank());
}

// Lambda of least |Lambda| with G^T Lambda = M (v_{k+1} - v_k) - h F at the middle of the step.
inline Eigen::VectorXd least_norm_impulses(const System& system, const State& before, const State& after) {
  Here middle(system);
  Vector M(system.matrix_size()), F(system.nv()), dv(system.nv());
  system.interpolate(before.q, after.q, 0.5, middle.q);
  middle.t = 0.5 * (before.t + after.t);
  middle.u = before.u;
  for (int i = 0; i < system.nv(); ++i) {
    middle.v[i] = 0.5 * (before.v[i] + after.v[i]);
    dv[i] = after.v[i] - before.v[i];
  }
  system.dynamics(middle.point(), M, F, Part::all);
  Vector load(F);
  for (double& value : load) value *= -after.h;
  add_times(system.blocks(), M, 1.0, dv, load);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-9);
  qr.compute(joint_directions(system, after));
  return qr.solve(Eigen::VectorXd::Map(load.data(), system.nv()));
}

// The largest difference of a joint impulse from the one of least norm, over h.
inline double off_least_norm(const System& system, const State& before, const State& after) {
  const Eigen::VectorXd is = Eigen::VectorXd::Map(after.joint_impulse.data(), system.joint_rows());
  return (is - least_norm_impulses(system, before, after)).cwiseAbs().maxCoeff() / after.h;
}

}  // namespace esc::testing
