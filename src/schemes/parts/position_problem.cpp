#include "src/schemes/parts/position_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <escapement/error.hpp>

#include "src/schemes/parts/contact_sets.hpp"

namespace esc {

PositionProblem::PositionProblem(const System& system, MetricOptions metric, const ImpulseOptions& options,
                                 Workspace workspace)
    : memory_(workspace.scratch),
      system_(system),
      metric_(metric),
      impulses_(system, options, workspace),
      N_inverse_(system.tangent_size(), 0.0),
      factor_(system),
      blocks_(system.blocks()) {
  for (auto* vector : {&s_, &way_}) vector->resize(system.nv());
  const bool users = metric.kind == Metric::user;
  if (users && !metric.user)
    throw OptionError("metric", "user is a function that a program in C++ gives as user_metric, and there is none");
  if (!users && metric.user) throw OptionError("user_metric", "a function is given, but metric is not user");
  for (auto* rows : {&joint_tau, &rows_}) rows->resize(system.joint_rows());
  if (metric.kind == Metric::identity)
    for (const MatrixBlock& block : system.blocks())
      for (int i = 0; i < block.n; ++i) N_inverse_[block.diagonal(i)] = 1.0;
  if (metric.kind == Metric::mass) {
    const State& x = system.initial_state();
    std::vector<double> scratch(system.scratch_size());
    system.mass({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, N_inverse_, Part::all);
  }
  if (metric.kind == Metric::iteration_matrix || users) return;
  // What is constant is regular: the identity, and masses that compile() has seen.
  const auto components = system.components();
  for (int c = 0; c < static_cast<int>(components.size()); ++c)
    if (components[c].joints == 0) static_cast<void>(factor_.factor(c, N_inverse_, {}));
  for (int i = 0; i < static_cast<int>(system.blocks().size()); ++i) static_cast<void>(blocks_.factor(i, N_inverse_));
}

// Whether the factors of the constructor hold.
bool PositionProblem::constant(const MatrixBlock& block) const {
  return metric_.kind == Metric::identity || (metric_.kind == Metric::mass && block.constant_mass);
}

void PositionProblem::evaluate_metric(const Point& at) {
  const std::span values(N_inverse_.data(), static_cast<std::size_t>(system_.matrix_size()));
  if (metric_.kind == Metric::mass) system_.mass(at, values, Part::varying);
  if (metric_.kind != Metric::user) return;
  std::fill(values.begin(), values.end(), 0.0);
  metric_.user->inverse(at.t, {at.q, static_cast<std::size_t>(system_.nq())}, values);
}

bool PositionProblem::factor_blocks() {
  for (int i = 0; i < static_cast<int>(system_.blocks().size()); ++i)
    if (!constant(system_.blocks()[i]) && !blocks_.factor(i, N_inverse_)) return false;
  return true;
}

void PositionProblem::clear() {
  normals_.clear();
  tau.clear();
  coupled_ = corrects_ = false;
}

bool PositionProblem::add(const ContactSet& found) {
  if (!merge(found, normals_)) return false;
  for (Contact& contact : normals_.contacts) contact.row_count = 1;
  normals_.layout();
  tau.assign(normals_.size(), 0.0);
  b_.resize(normals_.size());
  coupled_ = false;
  return true;
}

void PositionProblem::copy(const ContactSet& same) {
  for (int i = 0; i < normals_.size(); ++i) {
    const Contact& from = same.contacts[i];
    Contact& to = normals_.contacts[i];
    to.gap = from.gap;
    std::copy_n(same.G.begin() + from.first_value, from.width, normals_.G.begin() + to.first_value);
    normals_.g_t[i] = same.g_t[from.first_row];
  }
}

SystemFactor* PositionProblem::metric(SystemFactor& Mhat, const JointSet& joints) {
  if (metric_.kind == Metric::iteration_matrix) return &Mhat;
  const auto components = system_.components();
  for (int c = 0; c < static_cast<int>(components.size()); ++c) {
    const auto blocks = system_.blocks().subspan(components[c].block0, components[c].blocks);
    const bool kept = components[c].joints == 0 &&
                      std::all_of(blocks.begin(), blocks.end(), [&](const MatrixBlock& b) { return constant(b); });
    if (!kept && !factor_.factor(c, N_inverse_, joints)) return nullptr;
  }
  return &factor_;
}

// U of least size in the metric with Gb U = -(g_b + Gb delta). Rows that hold velocities only are not to move.
void PositionProblem::hold_joints(SystemFactor& N, const JointSet& joints, std::span<const double> delta,
                                  std::vector<double>& U) {
  std::fill(U.begin(), U.end(), 0.0);
  for (const Joint& joint : system_.joints()) {
    double* row = joint_tau.data() + joint.first_row;
    times(joints, joint, delta, row);
    for (int i = 0; i < joint.row_count; ++i) row[i] = joint.position ? -row[i] - joints.g[joint.first_row + i] : 0.0;
  }
  const auto components = system_.components();
  for (int c = 0; c < static_cast<int>(components.size()); ++c)
    if (components[c].joints > 0) N.solve(c, U.data(), joint_tau.data());
}

// tau = 0 will do: solvers are spared problems of pure round-off, which redundant contacts make inconsistent. One
// contact alone is never redundant.
bool PositionProblem::fits_already(std::span<const char> held, double rounding) const {
  if (normals_.size() == 1) rounding = 0.0;
  for (int i = 0; i < normals_.size(); ++i) {
    const bool equality = !held.empty() && held[i] != 0;
    if (!(equality ? std::abs(b_[i]) <= rounding : b_[i] >= -rounding)) return false;
  }
  return true;
}

bool PositionProblem::solve(SystemFactor& Mhat, const JointSet& joints, const Task& task, std::vector<double>& U) {
  SystemFactor* N = metric(Mhat, joints);
  if (!N) return false;
  hold_joints(*N, joints, task.delta, U);
  corrects_ = system_.joint_rows() > 0;
  if (!normals_.empty()) {
    for (int i = 0; i < system_.nv(); ++i) way_[i] = task.delta[i] + U[i];
    for (const Contact& contact : normals_.contacts) {
      double change = 0.0;
      times(normals_, contact, way_, &change);
      b_[contact.first_row] = contact.gap + change;
    }
    if (fits_already(task.held, task.rounding)) {
      std::fill(tau.begin(), tau.end(), 0.0);
    } else {
      corrects_ = true;
      if (!coupled_) impulses_.couple(normals_);
      coupled_ = true;
      impulses_.assemble(*N);
      static_cast<void>(impulses_.solve(b_, tau, task.held));
      impulses_.add_to(U, joint_tau, tau);
    }
  }
  if (corrects_) close(joints);
  return true;
}

void PositionProblem::close(const JointSet& joints) {
  corrects_ = true;
  std::fill(s_.begin(), s_.end(), 0.0);
  add_multipliers(joints, s_);
}

// out += G^T tau + Gb^T tau_b.
void PositionProblem::add_multipliers(const JointSet& joints, std::vector<double>& out) const {
  for (const Contact& contact : normals_.contacts) add_impulse(normals_, contact, &tau[contact.first_row], out);
  for (const Joint& joint : system_.joints()) add_impulse(joints, joint, joint_tau.data() + joint.first_row, out);
}

double PositionProblem::gap_defect(std::span<const char> held) const {
  double worst = 0.0;
  for (int i = 0; i < normals_.size(); ++i) {
    const double gap = normals_.contacts[i].gap;
    const bool equality = !held.empty() && held[i] != 0;
    double defect = equality || tau[i] > 0.0 ? std::abs(gap) : std::max(0.0, -gap);
    if (!equality && tau[i] < 0.0) defect = std::max(defect, -tau[i]);
    if (!(defect <= worst)) worst = defect;
    if (std::isnan(gap)) return gap;
  }
  return worst;
}

double PositionProblem::correction_defect(SystemFactor& Mhat, const JointSet& joints, std::span<const double> U) {
  if (!corrects_) return 0.0;
  const bool of_place = metric_.kind == Metric::mass || metric_.kind == Metric::user;  // then N moves with the iterate
  for (int i = 0; i < system_.nv(); ++i) way_[i] = of_place ? 0.0 : -s_[i];
  add_multipliers(joints, way_);
  if (metric_.kind == Metric::iteration_matrix) {
    std::fill(rows_.begin(), rows_.end(), 0.0);
    Mhat.solve_all(way_.data(), rows_.data());
  }
  if (of_place) {
    if (!factor_blocks()) return std::numeric_limits<double>::infinity();
    blocks_.solve_all(way_);
    for (int i = 0; i < system_.nv(); ++i) way_[i] -= U[i];
  }
  double worst = 0.0;
  for (const double value : way_)
    if (!(std::abs(value) <= worst)) worst = std::abs(value);
  return worst;
}

}  // namespace esc
