// The initial state: masses, forces, joints and contacts must make sense, and the joints must fit.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/math/positive_definite.hpp"
#include "src/math/text.hpp"
#include "src/model/compiler.hpp"
#include "src/model/system_factor.hpp"

namespace esc {

void Compiler::check_mass(const Point& at) {
  std::vector<double> M(system_.matrix_size_);
  system_.mass(at, M, Part::all);
  for (std::size_t b = 0; b < system_.blocks_.size(); ++b) {
    const MatrixBlock& block = system_.blocks_[b];
    const std::string item = system_.block_name(static_cast<int>(b));
    if (block.storage == Storage::band) continue;  // positive definite by construction
    std::vector<double> L(M.begin() + block.a0, M.begin() + block.a0 + block.values());
    const int n = block.n;
    for (int i = 0; i < n * n; ++i)
      if (!std::isfinite(L[i]))
        throw ModelError(item, "the mass matrix is not finite at the initial state: M(" + std::to_string(i / n) + "," +
                                   std::to_string(i % n) + ") = " + to_text(L[i]));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        if (!(std::abs(L[i * n + j] - L[j * n + i]) <= 1e-12 * (std::abs(L[i * n + i]) + std::abs(L[j * n + j]))))
          throw ModelError(item, "the mass matrix is not symmetric at the initial state: M(" + std::to_string(i) + "," +
                                     std::to_string(j) + ") = " + to_text(L[i * n + j]) + ", M(" + std::to_string(j) +
                                     "," + std::to_string(i) + ") = " + to_text(L[j * n + i]));
    if (const WeakestPivot pivot = weakest_pivot(n, L.data()); !pivot.positive())
      throw ModelError(item, "the mass matrix is not positive definite at the initial state: pivot " +
                                 std::to_string(pivot.row) + " is " + to_text(pivot.value) +
                                 "; masses must be positive and finite");
  }
}

void Compiler::check_contacts() {
  const char* remedy =
      ": shapes of which one's centre or axis lies on that of the other have no normal, unless there is clearance "
      "around it, and formulas leave their domain; move the bodies, or correct sizes or formula";
  ContactSet set;
  const State& x = system_.initial_;
  for (const auto& source : system_.contact_sources_)
    if (const auto bad = source->bad_start(x.q.data()))
      throw ModelError(system_.pair_names_[bad->pair], std::string(bad->why));
  system_.detect(x.t, x.q, any_gap, set);
  system_.evaluate(x.t, x.q, set);
  for (const Contact& contact : set.contacts) {
    const std::string name = system_.contact_name(contact.key);
    if (!std::isfinite(contact.gap))
      throw ModelError(name,
                       "the gap is " + short_text(contact.gap) + " at the initial state; it must be finite" + remedy);
    if (contact.gap < -system_.penetration_tolerance_) {
      const std::string& unit = system_.pair_units_[contact.key.pair];
      throw ModelError(name, "the initial penetration is " + short_text(-contact.gap) + " " + unit + "; allowed is " +
                                 short_text(system_.penetration_tolerance_) + " " + unit +
                                 " (penetration_tolerance); " +
                                 (unit == "rad" ? "change the limit or the pose" : "move the bodies apart"));
    }
    const auto size_of_row = [&](int row) {
      double size = 0.0;
      for (int j = 0; j < contact.width; ++j) size += std::abs(set.G[contact.first_value + row * contact.width + j]);
      return size;
    };
    for (int row = 0; row < contact.row_count; ++row)
      if (!std::isfinite(size_of_row(row) + set.g_t[contact.first_row + row]))
        throw ModelError(name, std::string("the gradient of the ") + (row == 0 ? "gap" : "slip") +
                                   " is not finite at the initial state" + remedy);
    if (contact.gap <= system_.penetration_tolerance_ && size_of_row(0) == 0.0)
      throw ModelError(name, "the gap is " + short_text(contact.gap) +
                                 " m and its gradient is zero: no impulse can act; the gap must change with q");
  }
}

void Compiler::check_joint_values(const Point& at) {
  JointSet set;
  system_.evaluate(at, set);
  for (std::size_t i = 0; i < system_.joints_.size(); ++i) {
    const Joint& joint = system_.joints_[i];
    for (int row = 0; row < joint.row_count; ++row) {
      const double* G = set.G.data() + joint.first_value + row * joint.width;
      double size = 0.0;
      for (int j = 0; j < joint.width; ++j) size += std::abs(G[j]);
      if (!std::isfinite(set.g[joint.first_row + row] + set.g_t[joint.first_row + row] + size))
        throw ModelError(system_.joint_names_[i], "row " + std::to_string(row) +
                                                      " of the joint is not finite at the initial state; its frames "
                                                      "must be apart where it takes a distance or an angle");
      if (size == 0.0)
        throw ModelError(system_.joint_names_[i],
                         "row " + std::to_string(row) + " of the joint does not change with q at the initial state");
    }
  }
}

namespace {

// The largest entry of a vector over rows, and whose it is; rows on velocities only count where wanted.
JointDefect largest(const System& system, std::span<const double> rows, bool velocities) {
  JointDefect worst;
  for (std::size_t i = 0; i < system.joints().size(); ++i) {
    const Joint& joint = system.joints()[i];
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      if ((joint.position || velocities) && std::abs(rows[row]) > worst.size) worst = {std::abs(rows[row]), i};
  }
  return worst;
}

}  // namespace

// A raised joint_tolerance accepts starts that joints at velocity level keep and those at position level leave in one
// step: neither may go unsaid.
void Compiler::warn_of_start(const char* what, const char* unit, const JointDefect& defect) {
  if (defect.size <= default_joint_tolerance) return;
  system_.warnings_.push_back(std::string("start: the initial ") + what + " miss the joint '" +
                              system_.joint_names_[defect.joint] + "' by " + short_text(defect.size) + unit +
                              ", more than any other; joint_tolerance = " + short_text(system_.joint_tolerance_) +
                              " allows it. Correct them, or lower joint_tolerance and choose the assembly 'project'");
}

// The nearest state in the metric of the mass, by Gauss and Newton: K [dq; .] = [M (q_0 - q); -g]. Without the first
// entry it is the nearest to the last iterate, which on curved joints is another one; that converges from farther away,
// so it follows where the first does not.
void Compiler::assemble_positions() {
  State& x = system_.initial_;
  std::vector<double> scratch(system_.scratch_size_), M(system_.tangent_size_), step(system_.nv()),
      multipliers(system_.joint_rows_), moved(x.q.size());
  const std::vector<double> start = x.q;
  std::vector<double> back(system_.nv());
  SystemFactor factor(system_);
  JointSet set;
  JointDefect defect;
  double moved_by = 0.0;
  for (int n = 0; n <= 100; ++n) {
    const bool nearest = n < 50;
    const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
    system_.evaluate(at, set);
    defect = largest(system_, set.g, false);
    if (defect.size <= (n == 0 ? system_.joint_tolerance_ : 1e-12) && (moved_by <= 1e-12 || !nearest))
      return warn_of_start("positions", " (m or rad)", defect);
    if (parts_.assembly == Assembly::refuse)
      throw ModelError(system_.joint_names_[defect.joint],
                       "the initial positions miss the joint by " + short_text(defect.size) +
                           " (m or rad); allowed is " + short_text(system_.joint_tolerance_) +
                           " (joint_tolerance); correct them, or choose the assembly 'project'");
    std::fill(M.begin(), M.end(), 0.0);
    system_.mass(at, std::span(M).first(system_.matrix_size_), Part::all);
    std::fill(step.begin(), step.end(), 0.0);
    system_.difference(start, x.q, back);
    if (nearest) add_times(system_.blocks(), std::span<const double>(M).first(system_.matrix_size_), 1.0, back, step);
    for (const Joint& joint : system_.joints_)
      for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
        multipliers[row] = joint.position ? -set.g[row] : 0.0;
    for (int c = 0; c < static_cast<int>(system_.components_.size()); ++c)
      if (factor.factor(c, M, set)) factor.solve(c, step.data(), multipliers.data());
    system_.retract(x.q, step, moved);
    if (!std::all_of(moved.begin(), moved.end(), [](double value) { return std::isfinite(value); })) break;
    x.q = moved;
    moved_by = 0.0;
    for (const double part : step) moved_by = std::max(moved_by, std::abs(part));
  }
  if (defect.size <= system_.joint_tolerance_) return;  // as near as round-off allows
  throw ModelError(system_.joint_names_[defect.joint],
                   "the joints do not fit together: the projection of the initial positions ends with a defect of " +
                       short_text(defect.size) + " (m or rad)");
}

// K [dv; .] = [0; -(G v + g_t)].
void Compiler::assemble_velocities() {
  State& x = system_.initial_;
  std::vector<double> scratch(system_.scratch_size_), M(system_.tangent_size_), step(system_.nv(), 0.0),
      rows(system_.joint_rows_);
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
  SystemFactor factor(system_);
  JointSet set;
  system_.evaluate(at, set);
  for (const Joint& joint : system_.joints_) velocity(set, joint, x.v, rows.data() + joint.first_row);
  const JointDefect defect = largest(system_, rows, false);
  if (defect.size <= system_.joint_tolerance_) return warn_of_start("velocities", " (m/s or rad/s)", defect);
  if (parts_.assembly == Assembly::refuse)
    throw ModelError(system_.joint_names_[defect.joint],
                     "the initial velocities miss the joint by " + short_text(defect.size) +
                         " (m/s or rad/s); allowed is " + short_text(system_.joint_tolerance_) +
                         " (joint_tolerance); correct them, or choose the assembly 'project'");
  system_.mass(at, std::span(M).first(system_.matrix_size_), Part::all);
  for (double& row : rows) row = -row;
  for (int c = 0; c < static_cast<int>(system_.components_.size()); ++c) {
    if (!factor.factor(c, M, set))
      throw ModelError(system_.joint_names_[defect.joint], "the initial velocities cannot be projected on the joints");
    factor.solve(c, step.data(), rows.data());
  }
  for (int i = 0; i < system_.nv(); ++i) x.v[i] += step[i];
}

// Reactions of least norm take deficiency^2 * size operations for every factorisation.
void Compiler::refuse_redundancy(const Component& component, int deficiency) const {
  constexpr double most_operations = 1e9;
  const double size = component.n + component.rows, d = deficiency;
  if (!(d * d * size > most_operations)) return;
  throw ModelError(system_.joint_names_[component.joint0],
                   "this joint and " + std::to_string(component.joints - 1) + " others have " +
                       std::to_string(component.rows) + " rows for " + std::to_string(component.n) +
                       " velocities: at least " + std::to_string(deficiency) +
                       " rows repeat what others hold, and to share the load among them would take " +
                       short_text(d * d * size) + " operations a step (at most 1e9); remove joints that hold the same");
}

// Rows that depend on others, named by the joints where the elimination meets them. That is a property of G alone, so
// the identity stands for the mass: it does not depend on units and mass ratios then.
void Compiler::find_redundant_rows() {
  const State& x = system_.initial_;
  std::vector<double> scratch(system_.scratch_size_), I(system_.tangent_size_, 0.0);
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
  JointSet set;
  system_.evaluate(at, set);
  for (const MatrixBlock& block : system_.blocks_)
    for (int i = 0; i < block.n && block.storage == Storage::dense; ++i) I[block.a0 + i * block.n + i] = 1.0;
  SystemFactor factor(system_);
  for (int c = 0; c < static_cast<int>(system_.components_.size()); ++c) {
    Component& component = system_.components_[c];
    if (component.joints == 0) continue;
    const std::vector<int> dependent = factor.dependent_rows(c, I, set);
    component.deficiency = static_cast<int>(dependent.size());
    if (dependent.empty()) continue;
    refuse_redundancy(component, component.deficiency);
    constexpr int most_names = 12;
    std::string names;
    int found = 0;
    for (int i = component.joint0; i < component.joint0 + component.joints; ++i) {
      const Joint& joint = system_.joints_[i];
      const auto mine = std::lower_bound(dependent.begin(), dependent.end(), joint.first_row + joint.row_count) -
                        std::lower_bound(dependent.begin(), dependent.end(), joint.first_row);
      if (mine > 0 && ++found <= most_names)
        names += (names.empty() ? "'" : ", '") + system_.joint_names_[i] + "' (" + std::to_string(mine) + ")";
    }
    if (found > most_names) names += " and " + std::to_string(found - most_names) + " more";
    system_.warnings_.push_back("redundant joints: " + std::to_string(component.rows) + " rows of rank " +
                                std::to_string(component.rows - component.deficiency) + " on " +
                                std::to_string(component.n) + " velocities; dependent rows at " + names +
                                "; their reactions are those of least norm");
  }
}

void Compiler::check_joints() {
  if (system_.joints_.empty()) return;
  for (const Component& component : system_.components_)
    refuse_redundancy(component, std::max(0, component.rows - component.n));
  choose_owners();
  assemble_positions();
  find_redundant_rows();
  assemble_velocities();
}

void Compiler::check_initial_state() {
  State& x = system_.initial_;
  std::vector<double> scratch(system_.scratch_size_);
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
  check_mass(at);
  std::vector<double> F(x.v.size());
  system_.force(at, F);
  for (std::size_t i = 0; i < F.size(); ++i)
    if (!std::isfinite(F[i]))
      throw ModelError(system_.velocities_[i].name, "the force is " + to_text(F[i]) + " at the initial state");
  check_joint_values(at);
  check_joints();
  check_contacts();
}

}  // namespace esc
