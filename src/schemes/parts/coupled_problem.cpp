#include "src/schemes/parts/coupled_problem.hpp"

#include <algorithm>
#include <limits>

namespace esc {

CoupledProblem::Column CoupledProblem::column(std::vector<double>& values, int i) const {
  double* first = values.data() + static_cast<std::ptrdiff_t>(i) * (system_.nv() + system_.joint_rows());
  return {first, first + system_.nv()};
}

void CoupledProblem::find_columns(const Step& step, ThetaStep& motion, const PositionProblem& positions,
                                  SystemFactor& N) {
  const ContactSet& normals = positions.normals();
  const auto size = static_cast<std::size_t>(system_.nv() + system_.joint_rows());
  const ContactSet& set = step.contacts.set;
  X_.assign(size * set.rows(), 0.0);
  Y_.assign(size * normals.size(), 0.0);
  Z_.assign(size * normals.size(), 0.0);
  const auto nv = static_cast<std::size_t>(system_.nv());
  for (const Contact& contact : set.contacts)
    for (int row = 0; row < contact.row_count; ++row) {
      double unit[3] = {};
      unit[row] = 1.0;
      const Column x = column(X_, contact.first_row + row);
      add_impulse(set, contact, unit, {x.v, nv});
      motion.factor().solve_all(x.v, x.rows);
    }
  for (int i = 0; i < normals.size(); ++i) {
    constexpr double one = 1.0;
    const Column y = column(Y_, i), z = column(Z_, i);
    add_impulse(normals, normals.contacts[i], &one, {y.v, nv});
    N.solve_all(y.v, y.rows);
    motion.add_stiffness(-step.h * step.theta, {y.v, nv}, {z.v, nv});
    motion.factor().solve_all(z.v, z.rows);
  }
}

SolveReport CoupledProblem::solve_rows(const Step& step, const ThetaStep& motion, const PositionProblem& positions) {
  const int velocities = step.contacts.set.rows();
  const auto nv = static_cast<std::size_t>(system_.nv());
  const ContactSet& normals = positions.normals();
  const auto rates = [&](int k, const Contact& contact, double* out) {
    const bool of_tau = k >= velocities;
    times(step.contacts.set, contact, {of_tau ? column(Z_, k - velocities).v : column(X_, k).v, nv}, out);
    for (int row = 0; row < contact.row_count && of_tau; ++row) out[row] *= step.h;
  };
  const auto gap = [&](int k, const Contact& contact) {
    double out = 0.0, of_v = 0.0;
    if (k < velocities) {
      times(normals, contact, {column(X_, k).v, nv}, &of_v);
      return step.theta * of_v;
    }
    times(normals, contact, {column(Y_, k - velocities).v, nv}, &out);
    times(normals, contact, {column(Z_, k - velocities).v, nv}, &of_v);
    return out + step.h * step.theta * of_v;
  };
  return rows_.solve({step.contacts, positions, motion.v, way_, step.h, step.held}, rates, gap);
}

SolveReport CoupledProblem::solve(const Step& step, ThetaStep& motion, PositionProblem& positions) {
  const int nv = system_.nv(), joint_rows = system_.joint_rows();
  SystemFactor* N = positions.metric(motion.factor(), motion.joints());
  if (!N) return {SolveStatus::stalled, 0, std::numeric_limits<double>::infinity()};
  for (auto* vector : {&U_0_, &way_}) vector->resize(nv);
  positions.hold_joints(*N, motion.joints(), step.delta, U_0_);
  motion.evaluate_stiffness();

  // v_b: the velocity answers to U_0 in place of U^n.
  work_.assign(nv + joint_rows, 0.0);
  for (int i = 0; i < nv; ++i) way_[i] = U_0_[i] - motion.shift[i];
  motion.add_stiffness(-step.h * step.theta, way_, {work_.data(), static_cast<std::size_t>(nv)});
  motion.factor().solve_all(work_.data(), work_.data() + nv);
  for (int i = 0; i < nv; ++i) {
    motion.v[i] += work_[i];
    way_[i] = step.delta[i] + step.h * step.theta * work_[i] + U_0_[i];
  }
  for (int i = 0; i < joint_rows; ++i) motion.Lambda[i] += work_[nv + i];

  find_columns(step, motion, positions, *N);
  const SolveReport report = solve_rows(step, motion, positions);
  if (report.status != SolveStatus::solved) return report;

  const int velocities = step.contacts.set.rows();
  motion.shift = U_0_;
  const auto add = [&](Column x, double p, std::vector<double>& v, std::vector<double>& rows) {
    for (int i = 0; i < nv; ++i) v[i] += x.v[i] * p;
    for (int i = 0; i < joint_rows; ++i) rows[i] += x.rows[i] * p;
  };
  for (int k = 0; k < velocities; ++k) {
    step.contacts.P[k] = rows_.solution()[k];
    add(column(X_, k), step.contacts.P[k], motion.v, motion.Lambda);
  }
  for (int i = 0; i < positions.size(); ++i) {
    positions.tau[i] = step.h * rows_.solution()[velocities + i];
    add(column(Z_, i), positions.tau[i], motion.v, motion.Lambda);
    add(column(Y_, i), positions.tau[i], motion.shift, positions.joint_tau);
  }
  positions.close(motion.joints());
  return report;
}

}  // namespace esc
