#include "src/schemes/parts/alpha_monolithic.hpp"

#include <algorithm>
#include <cmath>

#include "src/math/vectors.hpp"

namespace esc {

AlphaMonolithic::AlphaMonolithic(const System& system, AlphaStep& motion, AlphaCorrections& corrections, double r,
                                 Scratch& scratch)
    : memory_(scratch),
      system_(system),
      motion_(motion),
      corrections_(corrections),
      r_(r),
      kkt_(system),
      changes_(system, scratch) {
  for (auto* vector : {&W_, &r_p_, &r_v_}) vector->resize(system.nv());
}

const ContactSet& AlphaMonolithic::set_of(int k) const {
  return rows_[k].law >= 0 ? corrections_.contacts().set : corrections_.positions().normals();
}
const Contact& AlphaMonolithic::contact(int k) const {
  return set_of(k).contacts[rows_[k].law >= 0 ? rows_[k].law : k];
}

// The contacts of velocities are among those of positions; both are in the order of their keys.
void AlphaMonolithic::know_contacts() {
  const ContactSet& laws = corrections_.contacts().set;
  const ContactSet& normals = corrections_.positions().normals();
  const int joints = static_cast<int>(system_.joints().size());
  nodes_.clear();
  rows_.assign(normals.contacts.size(), {});
  items_of_law_.clear();
  items_of_normal_.clear();
  int law = 0;
  for (int k = 0; k < normals.size(); ++k) {
    const Contact& normal = normals.contacts[k];
    const bool has_law = law < laws.size() && laws.contacts[law].key == normal.key;
    if (has_law) {
      rows_[k].law = law++;
      items_of_law_.push_back(joints + k);
    }
    items_of_normal_.push_back(joints + k);
    nodes_.push_back({normal.key.pair, 1 + (has_law ? contact(k).row_count : 0)});
  }
}

// kg: what a push along the normal moves, if all else is free.
double AlphaMonolithic::mass_of(const ContactSet& set, const Contact& contact) const {
  double sum = 0.0;
  int column = contact.first_value;
  for (const Segment& segment : contact.segments)
    for (int v = segment.first; v < segment.first + segment.length; ++v, ++column) {
      const MatrixBlock& block = system_.blocks()[system_.block_of(v)];
      const double M = motion_.mass()[block.diagonal(v - block.v0)];
      if (M > 0.0) sum += set.G[column] * set.G[column] / M;
    }
  return sum > 0.0 ? 1.0 / sum : 1.0;
}

// (38); what is outside a set has no multiplier.
void AlphaMonolithic::choose() {
  VelocityContacts& laws = corrections_.contacts();
  PositionProblem& positions = corrections_.positions();
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    Row& row = rows_[k];
    row.mass = mass_of(set_of(k), contact(k));
    const double r = r_ * row.mass;
    row.in_A = positions.tau[k] - r * positions.normals().contacts[k].gap >= 0.0;
    if (!row.in_A) positions.tau[k] = 0.0;
    if (row.law < 0) continue;
    const Contact& at = contact(k);
    double* P = &laws.P[at.first_row];
    double u[3] = {};
    laws.rates(at, motion_.v, u);
    row.in_B = P[0] - r * u[0] >= 0.0;
    if (!row.in_B) std::fill_n(P, at.row_count, 0.0);
    if (!row.in_B || at.row_count == 1) continue;
    double y[2] = {};
    for (int i = 1; i < at.row_count; ++i) y[i - 1] = P[i] - r * u[i];
    row.trial = std::hypot(y[0], y[1]);
    const bool slips = row.trial > at.law.mu * std::max(P[0], 0.0);
    row.friction = slips ? Friction::slip : Friction::stick;
    for (int i = 0; i < 2 && slips; ++i) row.direction[i] = y[i] / row.trial;
  }
  note_sets();
}

void AlphaMonolithic::note_sets() {
  std::uint64_t hash = 1469598103934665603ULL;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const bool back = row.direction[0] < 0.0;
    const auto code = static_cast<std::uint64_t>(row.in_A) | static_cast<std::uint64_t>(row.in_B) << 1 |
                      static_cast<std::uint64_t>(row.friction) << 2 | static_cast<std::uint64_t>(back) << 4;
    hash = (hash ^ code ^ static_cast<std::uint64_t>(k) << 8) * 1099511628211ULL;
  }
  const auto last = sets_.begin() + met_;
  const auto met = std::find(sets_.begin(), last, hash);
  cycles_ = met != last && met + 1 != last;
  if (met_ < static_cast<int>(sets_.size())) sets_[met_++] = hash;
}

// Multipliers and W, shift as they are: what they leave of (39b), (39c) is on the right.
void AlphaMonolithic::find_residual() {
  VelocityContacts& laws = corrections_.contacts();
  const ContactSet& normals = corrections_.positions().normals();
  const std::vector<double>& tau = corrections_.positions().tau;
  const double h = motion_.h();
  for (std::size_t i = 0; i < W_.size(); ++i) W_[i] = motion_.v[i] - motion_.v_tilde[i];
  std::fill(r_p_.begin(), r_p_.end(), 0.0);
  std::fill(r_v_.begin(), r_v_.end(), 0.0);
  motion_.subtract_momentum(motion_.shift, r_p_);
  motion_.subtract_momentum(W_, r_v_);
  laws.add_impulses(r_v_);
  for (const Contact& at : normals.contacts) add_impulse(normals, at, &tau[at.first_row], r_p_);
  for (const Contact& at : laws.set.contacts) {
    double nu[3] = {};
    for (int i = 1; i < at.row_count; ++i) nu[i] = 0.5 * h * laws.P[at.first_row + i];
    add_impulse(laws.set, at, nu, r_p_);
  }
  for (const Joint& joint : system_.joints()) {
    add_impulse(motion_.joints(), joint, motion_.nu.data() + joint.first_row, r_p_);
    add_impulse(motion_.joints(), joint, motion_.Lambda.data() + joint.first_row, r_v_);
  }
  x_.assign(static_cast<std::size_t>(kkt_.rows()), 0.0);
  for (int node = 0; node < kkt_.velocity_nodes(); ++node) {
    const int m = kkt_.velocities(node), v0 = kkt_.first_velocity(node);
    double* x = x_.data() + kkt_.offset(node);
    for (int i = 0; i < m; ++i) {
      x[i] = motion_.f[v0 + i];
      x[m + i] = r_p_[v0 + i] / h;
      x[2 * m + i] = r_v_[v0 + i];
    }
  }
  for (std::size_t k = 0; k < system_.joints().size(); ++k) {
    const Joint& joint = system_.joints()[k];
    const int n = joint.row_count;
    double* x = x_.data() + kkt_.offset(kkt_.items()[k].node);
    velocity(motion_.joints(), joint, motion_.v_tilde, x);
    times(motion_.joints(), joint, motion_.shift, x + n);
    velocity(motion_.joints(), joint, motion_.v, x + 2 * n);
    for (int i = 0; i < n; ++i) {
      if (joint.position) x[n + i] = motion_.joints().g[joint.first_row + i];
      x[n + i] /= h;
    }
    for (int i = 0; i < 3 * n; ++i) x[i] = -x[i];
  }
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    const Row& row = rows_[k];
    double* x = x_.data() + kkt_.offset(kkt_.items()[items_of_normal_[k]].node);
    if (row.in_A) x[0] = -normals.contacts[k].gap / h;
    if (!row.in_B) continue;
    const Contact& at = contact(k);
    const double* P = &laws.P[at.first_row];
    double u[3] = {};
    laws.rates(at, motion_.v, u);
    x[1] = -u[0];
    for (int i = 1; i < at.row_count; ++i)
      x[1 + i] = row.friction == Friction::stick ? -u[i] : at.law.mu * P[0] * row.direction[i - 1] - P[i];
  }
}

bool AlphaMonolithic::solve() {
  memory_.clock.enter(Stage::factorisation);
  know_contacts();
  choose();
  if (!prepare()) return false;
  // Rows that depend on each other must not be told apart by how they turn.
  FactorStatus status = FactorStatus::regular;
  if (kkt_.may_be_redundant()) {
    fill(false);
    status = kkt_.factor();
  }
  if (status == FactorStatus::regular) {
    fill(true);
    status = kkt_.factor();
  }
  if (status == FactorStatus::singular) return false;
  find_residual();
  kkt_.factors().solve(x_.data());
  if (status == FactorStatus::redundant) project_to_least_norm();
  if (!all_finite(x_)) return false;
  apply();
  return true;
}

// The multipliers of joints, not only their increments: their null space turns with the motion. With contacts the
// increments alone, as a least norm could let contacts pull.
void AlphaMonolithic::project_to_least_norm() {
  const double h = motion_.h();
  const auto add_present = [&](double sign) {
    for (std::size_t k = 0; k < system_.joints().size() && rows_.empty(); ++k) {
      const Joint& joint = system_.joints()[k];
      const int n = joint.row_count, first = joint.first_row;
      double* x = x_.data() + kkt_.offset(kkt_.items()[k].node);
      for (int i = 0; i < n; ++i) {
        x[i] += sign * h * motion_.lambda()[first + i];
        x[n + i] += sign / h * motion_.nu[first + i];
        x[2 * n + i] += sign * motion_.Lambda[first + i];
      }
    }
  };
  kkt_.factors().prepare_least_norm();
  add_present(1.0);
  kkt_.factors().project_to_least_norm(x_.data());
  add_present(-1.0);
}

void AlphaMonolithic::apply() {
  VelocityContacts& laws = corrections_.contacts();
  PositionProblem& positions = corrections_.positions();
  const double h = motion_.h(), c = motion_.c();
  for (int node = 0; node < kkt_.velocity_nodes(); ++node) {
    const int m = kkt_.velocities(node), v0 = kkt_.first_velocity(node);
    const double* x = x_.data() + kkt_.offset(node);
    for (int i = 0; i < m; ++i) {
      r_v_[v0 + i] = x[i];
      motion_.shift[v0 + i] += h * x[m + i];
      W_[v0 + i] += x[2 * m + i];
    }
  }
  nu_.resize(motion_.nu.size());
  for (std::size_t k = 0; k < system_.joints().size(); ++k) {
    const Joint& joint = system_.joints()[k];
    const int n = joint.row_count;
    const double* x = x_.data() + kkt_.offset(kkt_.items()[k].node);
    for (int i = 0; i < n; ++i) {
      nu_[joint.first_row + i] = x[i] / c;
      motion_.nu[joint.first_row + i] += h * x[n + i];
      motion_.Lambda[joint.first_row + i] += x[2 * n + i];
    }
  }
  motion_.move(r_v_, nu_);
  for (std::size_t i = 0; i < W_.size(); ++i) motion_.v[i] = motion_.v_tilde[i] + W_[i];
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    const double* x = x_.data() + kkt_.offset(kkt_.items()[items_of_normal_[k]].node);
    positions.tau[k] += h * x[0];
    if (rows_[k].law < 0) continue;
    const Contact& at = contact(k);
    for (int i = 0; i < at.row_count; ++i) laws.P[at.first_row + i] += x[1 + i];
  }
}

// |P - proj(P - m u)| / m with m of mass_of(): projections on P_N >= 0 and on |P_T| <= mu P_N.
double AlphaMonolithic::law_defect() {
  VelocityContacts& laws = corrections_.contacts();
  double worst = 0.0;
  const auto see = [&worst](double defect) {
    if (!(defect <= worst)) worst = defect;  // a NaN shows
  };
  for (const Contact& at : laws.set.contacts) {
    const double* P = &laws.P[at.first_row];
    const double m = mass_of(laws.set, at);
    double u[3] = {}, y[2] = {}, off[2] = {};
    laws.rates(at, motion_.v, u);
    see(std::abs(P[0] - std::max(0.0, P[0] - m * u[0])) / m);
    for (int i = 1; i < at.row_count; ++i) y[i - 1] = P[i] - m * u[i];
    const double size = std::hypot(y[0], y[1]), bound = at.law.mu * std::max(P[0], 0.0);
    for (int i = 1; i < at.row_count; ++i) off[i - 1] = P[i] - y[i - 1] * (size > bound ? bound / size : 1.0);
    see(std::hypot(off[0], off[1]) / m);
  }
  return worst;
}

void AlphaMonolithic::settle() {
  VelocityContacts& laws = corrections_.contacts();
  for (double& tau : corrections_.positions().tau) tau = std::max(tau, 0.0);
  for (const Contact& at : laws.set.contacts) {
    double* P = &laws.P[at.first_row];
    if (P[0] <= 0.0) std::fill_n(P, at.row_count, 0.0);
  }
}

}  // namespace esc
