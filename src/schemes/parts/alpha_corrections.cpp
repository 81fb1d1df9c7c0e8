#include "src/schemes/parts/alpha_corrections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_sets.hpp"
#include "src/schemes/parts/culprits.hpp"

namespace esc {

namespace {

constexpr int position_sweeps = 300;  // what they leave, the next Newton iteration takes up
constexpr int most_releases = 3;      // of a step; a contact that comes and goes stays

ImpulseOptions position_options(const ImpulseOptions& of) {
  return {.solver = of.solver, .tol = of.tol, .max_iterations = position_sweeps};
}

bool before(const Contact& a, const Contact& b) { return a.key < b.key; }

bool has(const ContactSet& set, const Contact& contact) {
  return std::binary_search(set.contacts.begin(), set.contacts.end(), contact, before);
}

}  // namespace

AlphaCorrections::AlphaCorrections(const System& system, const CorrectionOptions& options, AlphaStep& motion,
                                   Workspace workspace)
    : memory_(workspace.scratch),
      system_(system),
      options_(options),
      motion_(motion),
      contacts_(system, options.contacts, workspace),
      positions_(system, {.kind = Metric::iteration_matrix}, position_options(options.contacts.impulses), workspace),
      both_(system, options.contacts.impulses, workspace.scratch),
      guard_(system, 2.0 * options.tol_p, workspace.scratch) {
  for (auto* vector : {&W_, &delta_, &known_, &r_}) vector->resize(system.nv());
  known_nu_.resize(system.joint_rows());
  q_star_.resize(system.nq());
}

void AlphaCorrections::begin(const State& x) {
  x_ = &x;
  releases_ = 0;
  impact_ = false;
  contacts_.set.clear();
  positions_.clear();
  closed_.clear();
  if (options_.prediction == Prediction::start) predict(x.t, x.q);
  if (options_.prediction != Prediction::extrapolated) return;
  for (int i = 0; i < system_.nv(); ++i) W_[i] = motion_.h() * x.v[i];
  system_.retract(x.q, W_, q_star_);
  predict(motion_.end(), q_star_);
}

// The contacts with g <= tol_p there are closed as q* of (29h) says.
void AlphaCorrections::predict(double t, const std::vector<double>& q) {
  system_.detect(t, q, options_.tol_p, found_);
  merge(found_, closed_);
}

// At q~, and at q_{n+1} where corrections have led to another place. What is closed there joins the law of velocities,
// at q~ not if the prediction is that of the end; it leaves that law where it is closed at neither. With GapLaw::mu an
// impulse opens its gap, so that q_{n+1} says nothing: q~ alone counts, as in the paper.
void AlphaCorrections::look() {
  const bool implicit = options_.prediction == Prediction::tilde || options_.prediction == Prediction::end;
  const bool moved = std::any_of(motion_.shift.begin(), motion_.shift.end(), [](double u) { return u != 0.0; });
  const bool both = options_.levels == Levels::both;
  const bool joins_at_end = both && options_.gap_law == GapLaw::nu;
  if (implicit) closed_.clear();
  joins_ = closed_;
  changed_ = false;
  for (const std::vector<double>* q : {&motion_.q_tilde, &motion_.q}) {
    const bool end = q == &motion_.q;
    if (end && !moved) break;
    system_.detect(motion_.end(), *q, options_.tol_p, found_);
    if (both) changed_ = positions_.add(found_) || changed_;
    if (!implicit || (end && !joins_at_end)) continue;
    merge(found_, closed_);
    if (end || !moved || options_.prediction == Prediction::tilde) merge(found_, joins_);
  }
}

bool AlphaCorrections::renew() {
  if (system_.pairs() == 0) return false;
  memory_.clock.enter(Stage::detection);
  look();
  ContactSet& set = contacts_.set;
  const auto leaves = [&](const Contact& contact) {
    return contacts_.P[contact.first_row] > 0.0 && !has(closed_, contact);
  };
  bool renewed = false;
  if (releases_ < most_releases && std::erase_if(set.contacts, leaves) > 0) {
    ++releases_;
    renewed = true;
  }
  renewed = merge(joins_, set) || renewed;
  if (options_.levels == Levels::both) changed_ = positions_.add(set) || changed_;
  if (renewed) {
    set.layout();
    contacts_.begin_step(*x_);
  }
  if (renewed || changed_) evaluate();
  return renewed || changed_;
}

void AlphaCorrections::evaluate() {
  if (!contacts_.set.empty()) system_.evaluate(motion_.end(), motion_.q, contacts_.set);
  if (positions_.size() == contacts_.set.size())  // then they are the same: all that is active is there
    positions_.copy(contacts_.set);
  else
    positions_.evaluate(motion_.end(), motion_.q);
}

// W = 0: what joints lack of Gb v + gb_t = 0 along the next move is for v~, whose equations know how the rows turn.
void AlphaCorrections::start() {
  motion_.v = motion_.v_tilde;
  std::fill(motion_.Lambda.begin(), motion_.Lambda.end(), 0.0);
}

StepStatus AlphaCorrections::solve(StepReport& report) {
  start();
  if (empty() && !motion_.jointed()) {
    std::fill(motion_.shift.begin(), motion_.shift.end(), 0.0);
    return StepStatus::ok;
  }
  if (!motion_.factor_mass()) return StepStatus::singular_matrix;
  if (!contacts_.set.empty()) {
    const auto law = [&](const Contact& contact, double* b) { contacts_.rates(contact, motion_.v, b); };
    if (!contacts_.LawRows::solve(motion_.mass_factor(), {motion_.v, motion_.Lambda}, report, law))
      return contacts_.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
    contacts_.keep_velocities(motion_.v);
  }
  if (options_.levels == Levels::velocity) {
    for (int i = 0; i < system_.nv(); ++i) motion_.shift[i] = 0.5 * motion_.h() * (motion_.v[i] - motion_.v_tilde[i]);
    halve_reactions();
    return StepStatus::ok;
  }
  if (!solve_positions()) return StepStatus::singular_matrix;
  report.projections += positions_.corrects();
  return StepStatus::ok;
}

// nu = h/2 Lambda of the joints, where positions have no level of their own.
void AlphaCorrections::halve_reactions() {
  for (std::size_t i = 0; i < motion_.nu.size(); ++i) motion_.nu[i] = 0.5 * motion_.h() * motion_.Lambda[i];
}

StepStatus AlphaCorrections::solve_coupled(StepReport& report) {
  if (!motion_.factor_mass()) return StepStatus::singular_matrix;
  memory_.clock.enter(Stage::projection);
  start();
  motion_.place_smooth();
  system_.difference(motion_.q_tilde, motion_.q, delta_);
  const SolveReport outcome = both_.solve(motion_, contacts_, positions_, delta_, options_.levels);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  report.projections += 1;
  if (outcome.status != SolveStatus::solved) return both_.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
  if (options_.levels == Levels::velocity) halve_reactions();
  contacts_.keep_velocities(motion_.v);
  return StepStatus::ok;
}

void AlphaCorrections::add_known(std::vector<double>& out) const {
  for (const Contact& contact : contacts_.set.contacts) {
    double nu[3] = {};
    if (options_.gap_law == GapLaw::mu) nu[0] = motion_.h() * contacts_.P[contact.first_row];
    for (int row = 1; row < contact.row_count; ++row)
      nu[row] = 0.5 * motion_.h() * contacts_.P[contact.first_row + row];
    add_impulse(contacts_.set, contact, nu, out);
  }
}

// shift = what is known + what brings the gaps and joints to their laws.
bool AlphaCorrections::solve_positions() {
  memory_.clock.enter(Stage::projection);
  std::fill(known_.begin(), known_.end(), 0.0);
  std::fill(known_nu_.begin(), known_nu_.end(), 0.0);
  if (!contacts_.set.empty()) {
    add_known(known_);
    motion_.mass_factor().solve_all(known_.data(), known_nu_.data());
  }
  motion_.place_smooth();
  system_.difference(motion_.q_tilde, motion_.q, delta_);
  for (int i = 0; i < system_.nv(); ++i) delta_[i] += known_[i];
  if (!positions_.solve(motion_.mass_factor(), motion_.joints(), {delta_, {}, 0.5 * options_.tol_p}, motion_.shift))
    return false;
  for (int i = 0; i < system_.nv(); ++i) motion_.shift[i] += known_[i];
  for (std::size_t i = 0; i < known_nu_.size(); ++i) motion_.nu[i] = positions_.joint_tau[i] + known_nu_[i];
  return true;
}

// |M W - G^T P - Gb^T Lambda|, (29f).
double AlphaCorrections::balance_of_velocities() {
  for (int i = 0; i < system_.nv(); ++i) W_[i] = motion_.v[i] - motion_.v_tilde[i];
  std::fill(r_.begin(), r_.end(), 0.0);
  motion_.subtract_momentum(W_, r_);
  contacts_.add_impulses(r_);
  for (const Joint& joint : system_.joints())
    add_impulse(motion_.joints(), joint, motion_.Lambda.data() + joint.first_row, r_);
  return largest_block(system_.blocks(), r_);
}

// |M shift - G_N^T nu_N - G_T^T nu_T - Gb^T nu_b| / h, (29c).
double AlphaCorrections::balance_of_positions() {
  if (options_.levels == Levels::velocity) return 0.0;  // 1/2 of the other one
  std::fill(r_.begin(), r_.end(), 0.0);
  motion_.subtract_momentum(motion_.shift, r_);
  add_known(r_);
  const ContactSet& normals = positions_.normals();
  for (const Contact& contact : normals.contacts) add_impulse(normals, contact, &positions_.tau[contact.first_row], r_);
  for (const Joint& joint : system_.joints())
    add_impulse(motion_.joints(), joint, motion_.nu.data() + joint.first_row, r_);
  return largest_block(system_.blocks(), r_) / motion_.h();
}

void AlphaCorrections::measure(StepReport& report) {
  const double smooth = largest_block(system_.blocks(), motion_.f);
  const bool none = empty() && !motion_.jointed();
  const double velocities = none ? 0.0 : balance_of_velocities();
  const double positions = none ? 0.0 : balance_of_positions();
  report.residual = smooth + velocities + positions;  // a NaN of one shows
  report.frame_change = std::max(contacts_.frame_change(motion_.v), motion_.joint_defect());
  report.gap_residual = 0.0;
  if (options_.levels == Levels::both) report.gap_residual = std::max(positions_.gap_defect({}), motion_.joint_drift());
}

bool AlphaCorrections::settled(const StepReport& report) {
  return report.residual <= options_.tol_s && report.frame_change <= options_.tol_v &&
         report.gap_residual <= options_.tol_p &&
         contacts_.friction_direction_settled(motion_.v, options_.tol_s, options_.tol_v);
}

// A contact with an impulse or a correction whose feature the bodies have left.
bool AlphaCorrections::is_left() {
  const auto loaded = [&](const Contact& contact, double load) { return load != 0.0 && !has(found_, contact); };
  system_.detect(motion_.end(), motion_.q, any_gap, found_);
  for (const Contact& contact : contacts_.set.contacts)
    if (loaded(contact, contacts_.P[contact.first_row])) return true;
  for (const Contact& contact : positions_.normals().contacts)
    if (loaded(contact, positions_.tau[contact.first_row])) return true;
  return false;
}

// Redundant contacts share their load; what that changes of nu_T must not move the positions.
void AlphaCorrections::share() {
  if (contacts_.set.size() < 2) return;
  const auto law = [&](const Contact& contact, double* u) { contacts_.rates(contact, motion_.v, u); };
  contacts_.LawRows::share({motion_.mass_factor(), motion_.joints(), motion_.Lambda},
                           {options_.tol_v, options_.tol_p, 0.01 * options_.tol_s}, law);
  if (!(balance_of_positions() <= options_.tol_s)) contacts_.unshare(motion_.Lambda);
}

void AlphaCorrections::blame(StepReport& report) const {
  blame_loaded(system_, contacts_.set, contacts_.P, motion_.Lambda, report.stuck_at);
}

bool AlphaCorrections::finish(State& x, StepReport& report) {
  // The velocity that the smooth motion has at its end if it changes evenly.
  for (int i = 0; i < system_.nv(); ++i) W_[i] = 2.0 * motion_.way()[i] / motion_.h() - x.v[i];
  if (options_.levels == Levels::both && !empty() && is_left()) return (blame(report), false);
  if (options_.levels == Levels::both &&
      guard_.missed({x, motion_.h(), motion_.q, x.v, W_, 0.5, motion_.shift}, {contacts_.set, contacts_.P}, report))
    return false;
  share();
  contacts_.write(x, {motion_.end(), options_.impact_velocity}, report);
  contacts_.records().add_projection(x, positions_.normals(), positions_.tau);
  impact_ =
      std::any_of(x.contacts.begin(), x.contacts.end(), [](const ContactRecord& record) { return record.impact; });
  return true;
}

}  // namespace esc
