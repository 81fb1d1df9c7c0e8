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

// Rows: U of I, then g / h of J; unknowns: P, then tau / h. So both have the unit of a velocity and similar sizes.
void CoupledProblem::fill(const Step& step, const ThetaStep& motion, const PositionProblem& positions) {
  const ContactSet& set = step.contacts.set;
  const ContactSet& normals = positions.normals();
  const int velocities = set.rows(), rows = velocities + normals.size();
  const auto nv = static_cast<std::size_t>(system_.nv());
  if (!std::holds_alternative<DenseW>(problem_.W)) problem_.W.emplace<DenseW>();
  auto& W = std::get<DenseW>(problem_.W).a;
  W.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  for (auto* list : {&problem_.b, &problem_.p, &problem_.u}) list->assign(rows, 0.0);
  problem_.cones.clear();
  problem_.directions.assign(shape_.directions().begin(), shape_.directions().end());

  for (const Contact& contact : set.contacts) {
    problem_.cones.push_back(shape_.block(contact, contact.first_row));
    step.contacts.rates(contact, motion.v, &problem_.b[contact.first_row]);
    for (int k = 0; k < rows; ++k) {
      double out[3] = {};
      const bool of_tau = k >= velocities;
      times(set, contact, {of_tau ? column(Z_, k - velocities).v : column(X_, k).v, nv}, out);
      for (int row = 0; row < contact.row_count; ++row)
        W[(contact.first_row + row) * rows + k] = out[row] * (of_tau ? step.h : 1.0);
    }
  }
  for (int i = 0; i < normals.size(); ++i) {
    const Contact& contact = normals.contacts[i];
    const bool held = !step.held.empty() && step.held[i] != 0;
    problem_.cones.push_back({held ? ConeKind::free : ConeKind::positive, velocities + i, 0.0, 0, 0});
    double out = 0.0;
    times(normals, contact, way_, &out);
    problem_.b[velocities + i] = (contact.gap + out) / step.h;
    double* row = W.data() + static_cast<std::ptrdiff_t>(velocities + i) * rows;
    for (int k = 0; k < velocities; ++k) {
      times(normals, contact, {column(X_, k).v, nv}, &out);
      row[k] = step.theta * out;
    }
    for (int k = 0; k < normals.size(); ++k) {
      double of_v = 0.0;
      times(normals, contact, {column(Y_, k).v, nv}, &out);
      times(normals, contact, {column(Z_, k).v, nv}, &of_v);
      row[velocities + k] = out + step.h * step.theta * of_v;
    }
    problem_.p[velocities + i] = positions.tau[i] / step.h;
  }
  std::copy_n(step.contacts.P.begin(), velocities, problem_.p.begin());
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
  fill(step, motion, positions);
  const SolveReport report = solvers_.solve(problem_);
  if (report.status != SolveStatus::solved) return report;

  const int velocities = step.contacts.set.rows();
  motion.shift = U_0_;
  const auto add = [&](Column x, double p, std::vector<double>& v, std::vector<double>& rows) {
    for (int i = 0; i < nv; ++i) v[i] += x.v[i] * p;
    for (int i = 0; i < joint_rows; ++i) rows[i] += x.rows[i] * p;
  };
  for (int k = 0; k < velocities; ++k) {
    step.contacts.P[k] = problem_.p[k];
    add(column(X_, k), problem_.p[k], motion.v, motion.Lambda);
  }
  for (int i = 0; i < positions.size(); ++i) {
    positions.tau[i] = step.h * problem_.p[velocities + i];
    add(column(Z_, i), positions.tau[i], motion.v, motion.Lambda);
    add(column(Y_, i), positions.tau[i], motion.shift, positions.joint_tau);
  }
  positions.close(motion.joints());
  return report;
}

}  // namespace esc
