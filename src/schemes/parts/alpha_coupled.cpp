#include "src/schemes/parts/alpha_coupled.hpp"

#include <algorithm>

namespace esc {

AlphaCoupled::Column AlphaCoupled::column(std::vector<double>& values, int i) const {
  const auto nv = static_cast<std::size_t>(system_.nv()), rows = static_cast<std::size_t>(system_.joint_rows());
  double* first = values.data() + static_cast<std::size_t>(i) * (nv + rows);
  return {{first, nv}, {first + nv, rows}};
}

void AlphaCoupled::note(const AlphaStep& motion) {
  shift_n_ = motion.shift;
  W_n_.resize(motion.v.size());
  for (std::size_t i = 0; i < W_n_.size(); ++i) W_n_[i] = motion.v[i] - motion.v_tilde[i];
}

// X: what an impulse or a multiplier moves, Y: what v~ answers.
void AlphaCoupled::find_columns(AlphaStep& motion, const ContactSet& set, const ContactSet& normals) {
  const auto size = static_cast<std::size_t>(system_.nv() + system_.joint_rows());
  const int velocities = set.rows();
  for (auto* columns : {&X_, &Y_}) columns->assign(size * (velocities + normals.size()), 0.0);
  motion.evaluate_tangents();
  for (const Contact& contact : set.contacts)
    for (int row = contact.first_row; row < contact.first_row + contact.row_count; ++row) {
      double unit[3] = {};
      unit[row - contact.first_row] = 1.0;
      const Column x = column(X_, row), y = column(Y_, row);
      add_impulse(set, contact, unit, x.v);
      motion.mass_factor().solve_all(x.v.data(), x.rows.data());
      for (std::size_t i = 0; i < x.v.size(); ++i) shift_[i] = halved_[row] != 0 ? 0.5 * motion.h() * x.v[i] : 0.0;
      motion.answer(x.v, shift_, y.v, y.rows);
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

// Without contact: joints hold, and v~ answers to that.
void AlphaCoupled::find_base(AlphaStep& motion, PositionProblem& positions, const std::vector<double>& delta,
                             Levels levels) {
  const std::size_t nv = W_.size();
  for (std::size_t i = 0; i < nv; ++i) W_[i] = motion.v[i] - motion.v_tilde[i];
  if (levels == Levels::both) {
    positions.hold_joints(motion.mass_factor(), motion.joints(), delta, motion.shift);
    motion.nu = positions.joint_tau;
  } else {
    for (std::size_t i = 0; i < nv; ++i) motion.shift[i] = 0.5 * motion.h() * W_[i];
  }
  for (std::size_t i = 0; i < nv; ++i) {
    W_n_[i] = W_[i] - W_n_[i];
    shift_n_[i] = motion.shift[i] - shift_n_[i];
  }
  const Column base = column(base_, 0);
  motion.answer(W_n_, shift_n_, base.v, base.rows);
  for (std::size_t i = 0; i < nv; ++i) {
    v_[i] = motion.v[i] + base.v[i];
    way_[i] = delta[i] + motion.shift[i] + motion.position_weight() * base.v[i];
  }
}

void AlphaCoupled::add_solution(AlphaStep& motion, VelocityContacts& contacts, PositionProblem& positions) {
  const int velocities = contacts.set.rows(), unknowns = velocities + positions.size();
  const double h = motion.h();
  const Column base = column(base_, 0);
  for (int k = 0; k < unknowns; ++k) {
    const bool of_P = k < velocities;
    const double p = of_P ? rows_.solution()[k] : h * rows_.solution()[k];
    (of_P ? contacts.P[k] : positions.tau[k - velocities]) = p;
    const double of_W = of_P ? p : 0.0, of_U = !of_P ? p : halved_[k] != 0 ? 0.5 * h * p : 0.0;
    const Column x = column(X_, k), y = column(Y_, k);
    for (std::size_t i = 0; i < x.v.size(); ++i) {
      W_[i] += of_W * x.v[i];
      motion.shift[i] += of_U * x.v[i];
      base.v[i] += p * y.v[i];
    }
    for (std::size_t i = 0; i < x.rows.size(); ++i) {
      motion.Lambda[i] += of_W * x.rows[i];
      motion.nu[i] += of_U * x.rows[i];
      base.rows[i] += p * y.rows[i];
    }
  }
  motion.move(base.v, base.rows);
  for (std::size_t i = 0; i < W_.size(); ++i) motion.v[i] = motion.v_tilde[i] + W_[i];
}

SolveReport AlphaCoupled::solve(AlphaStep& motion, VelocityContacts& contacts, PositionProblem& positions,
                                const std::vector<double>& delta, Levels levels) {
  const double h = motion.h(), weight = motion.position_weight();
  const ContactSet &set = contacts.set, &normals = positions.normals();
  const int velocities = set.rows();
  for (auto* vector : {&W_, &shift_, &v_, &way_}) vector->resize(motion.v.size());
  base_.resize(motion.v.size() + motion.Lambda.size());
  halved_.assign(static_cast<std::size_t>(velocities + normals.size()), levels == Levels::velocity ? 1 : 0);
  for (const Contact& contact : set.contacts)
    for (int row = 1; row < contact.row_count; ++row) halved_[contact.first_row + row] = 1;
  find_columns(motion, set, normals);
  find_base(motion, positions, delta, levels);

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
    return (halved_[k] != 0 ? 0.5 * moved : 0.0) + weight / h * answered;
  };
  const SolveReport report = rows_.solve({contacts, positions, v_, way_, h}, rates, gap);
  if (report.status == SolveStatus::solved) add_solution(motion, contacts, positions);
  return report;
}

}  // namespace esc
