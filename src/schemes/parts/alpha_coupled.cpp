#include "src/schemes/parts/alpha_coupled.hpp"

#include <algorithm>

namespace esc {

AlphaCoupled::Column AlphaCoupled::column(std::vector<double>& values, int i) const {
  const auto nv = static_cast<std::size_t>(system_.nv()), rows = static_cast<std::size_t>(system_.joint_rows());
  double* first = values.data() + static_cast<std::size_t>(i) * (nv + rows);
  return {{first, nv}, {first + nv, rows}};
}

void AlphaCoupled::note(const AlphaStep& motion) {
  U_n_ = motion.U;
  W_n_.resize(motion.v.size());
  for (std::size_t i = 0; i < W_n_.size(); ++i) W_n_[i] = motion.v[i] - motion.v_tilde[i];
}

// X: what an impulse or a multiplier moves, Y: what v~ answers. Rows of friction move U by h/2 of what they do to W.
void AlphaCoupled::find_columns(AlphaStep& motion, const ContactSet& set, const ContactSet& normals) {
  const auto size = static_cast<std::size_t>(system_.nv() + system_.joint_rows());
  const int velocities = set.rows();
  for (auto* columns : {&X_, &Y_}) columns->assign(size * (velocities + normals.size()), 0.0);
  motion.evaluate_tangents();
  for (const Contact& contact : set.contacts)
    for (int row = 0; row < contact.row_count; ++row) {
      double unit[3] = {};
      unit[row] = 1.0;
      const Column x = column(X_, contact.first_row + row), y = column(Y_, contact.first_row + row);
      add_impulse(set, contact, unit, x.v);
      motion.mass_factor().solve_all(x.v.data(), x.rows.data());
      for (std::size_t i = 0; i < x.v.size(); ++i) U_[i] = row > 0 ? 0.5 * motion.h() * x.v[i] : 0.0;
      motion.answer(x.v, U_, y.v, y.rows);
    }
  std::fill(W_.begin(), W_.end(), 0.0);
  for (int i = 0; i < normals.size(); ++i) {
    constexpr double one = 1.0;
    const Column x = column(X_, velocities + i), y = column(Y_, velocities + i);
    add_impulse(normals, normals.contacts[i], &one, x.v);
    motion.mass_factor().solve_all(x.v.data(), x.rows.data());
    motion.answer(W_, x.v, y.v, y.rows);
  }
}

SolveReport AlphaCoupled::solve(AlphaStep& motion, VelocityContacts& contacts, PositionProblem& positions,
                                const std::vector<double>& delta) {
  const auto nv = static_cast<std::size_t>(system_.nv());
  const double h = motion.h(), weight = motion.position_weight();
  const ContactSet &set = contacts.set, &normals = positions.normals();
  const int velocities = set.rows(), unknowns = velocities + normals.size();
  for (auto* vector : {&W_, &U_, &v_, &way_}) vector->resize(nv);
  base_.resize(nv + static_cast<std::size_t>(system_.joint_rows()));
  find_columns(motion, set, normals);

  // Without contact: joints hold, and v~ answers to that.
  positions.hold_joints(motion.mass_factor(), motion.joints(), delta, motion.U);
  motion.nu = positions.joint_tau;
  const Column base = column(base_, 0);
  for (std::size_t i = 0; i < nv; ++i) {
    W_[i] = motion.v[i] - motion.v_tilde[i];
    W_n_[i] = W_[i] - W_n_[i];
    U_n_[i] = motion.U[i] - U_n_[i];
  }
  motion.answer(W_n_, U_n_, base.v, base.rows);
  for (std::size_t i = 0; i < nv; ++i) {
    v_[i] = motion.v[i] + base.v[i];
    way_[i] = delta[i] + motion.U[i] + weight * base.v[i];
  }

  std::vector<char>& tangential = tangential_;
  tangential.assign(static_cast<std::size_t>(unknowns), 0);
  for (const Contact& contact : set.contacts)
    for (int row = 1; row < contact.row_count; ++row) tangential[contact.first_row + row] = 1;
  const auto rates = [&](int k, const Contact& contact, double* out) {
    double moved[3] = {};
    times(set, contact, column(Y_, k).v, out);
    if (k < velocities) times(set, contact, column(X_, k).v, moved);
    for (int row = 0; row < contact.row_count; ++row) out[row] = (out[row] + moved[row]) * (k < velocities ? 1.0 : h);
  };
  const auto gap = [&](int k, const Contact& contact) {
    double moved = 0.0, answered = 0.0;
    times(normals, contact, column(X_, k).v, &moved);
    times(normals, contact, column(Y_, k).v, &answered);
    if (k >= velocities) return moved + weight * answered;
    return (tangential[k] != 0 ? 0.5 * moved : 0.0) + weight / h * answered;
  };
  const SolveReport report = rows_.solve({contacts, positions, v_, way_, h}, rates, gap);
  if (report.status != SolveStatus::solved) return report;

  for (int k = 0; k < unknowns; ++k) {
    const bool of_P = k < velocities;
    const double p = of_P ? rows_.solution()[k] : h * rows_.solution()[k];
    (of_P ? contacts.P[k] : positions.tau[k - velocities]) = p;
    const double of_W = of_P ? p : 0.0, of_U = !of_P ? p : tangential[k] != 0 ? 0.5 * h * p : 0.0;
    const Column x = column(X_, k), y = column(Y_, k);
    for (std::size_t i = 0; i < nv; ++i) {
      W_[i] += of_W * x.v[i];
      motion.U[i] += of_U * x.v[i];
      base.v[i] += p * y.v[i];
    }
    for (std::size_t i = 0; i < x.rows.size(); ++i) {
      motion.Lambda[i] += of_W * x.rows[i];
      motion.nu[i] += of_U * x.rows[i];
      base.rows[i] += p * y.rows[i];
    }
  }
  motion.move(base.v, base.rows);
  for (std::size_t i = 0; i < nv; ++i) motion.v[i] = motion.v_tilde[i] + W_[i];
  return report;
}

}  // namespace esc
