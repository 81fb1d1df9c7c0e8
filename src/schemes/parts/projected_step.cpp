#include "src/schemes/parts/projected_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_sets.hpp"
#include "src/schemes/parts/culprits.hpp"
#include "src/schemes/parts/newton_pace.hpp"

namespace esc {

namespace {

constexpr int position_sweeps = 300;  // what they leave, the next Newton iteration takes up
constexpr double worse = 10.0;        // times the way of a step: corrections that contradict each other

ImpulseOptions position_options(const ImpulseOptions& of, const bool* hurried) {
  return {.solver = of.solver, .tol = of.tol, .max_iterations = position_sweeps, .hurried = hurried};
}

VelocityOptions velocity_options(VelocityOptions options, const bool* hurried) {
  options.impulses.hurried = hurried;
  return options;
}

}  // namespace

ProjectedStep::ProjectedStep(const System& system, const ProjectedOptions& options, Workspace workspace)
    : memory_(workspace.scratch),
      motion(system, options.motion, workspace.scratch),
      system_(system),
      options_(options),
      contacts_(system, velocity_options(options.contacts, &hurried_), workspace),
      positions_(system, options.metric, position_options(options.contacts.impulses, &hurried_), workspace),
      both_(system, velocity_options(options.contacts, &hurried_).impulses, workspace.scratch),
      guard_(system, 2.0 * options.gap_tol, workspace.scratch) {
  delta_.resize(system.nv());
  scratch_.resize(system.scratch_size());
}

void ProjectedStep::start(State& x) const { x.joint_tau.assign(system_.joint_rows(), 0.0); }

StepStatus ProjectedStep::begin(const State& x, double h, std::span<double> history) {
  x_ = &x;
  h_ = h;
  contacts_.set.clear();
  positions_.clear();
  held_.clear();
  cautious_ = hurried_ = at_free_ = slow_ = false;
  left_.begin_step();
  if (!motion.prepare(x, h, history)) return StepStatus::singular_matrix;
  motion.begin();
  positions_.evaluate_metric(end());
  return StepStatus::ok;
}

bool ProjectedStep::go_cautiously() {
  cautious_ = true;
  system_.detect(x_->t, x_->q, options_.gap_tol, found_);
  std::erase_if(found_.contacts, [&](const Contact& contact) {
    const ContactRecord* record = find(*x_, contact.key);
    return !record || record->mode == ContactMode::open;
  });
  return activate(found_);
}

bool ProjectedStep::activate(const ContactSet& found) {
  positions_.add(found);
  if (!merge(found, contacts_.set)) return false;
  contacts_.set.layout();
  contacts_.begin_step(*x_);
  evaluate();
  return true;
}

// The contacts with g <= gap_tol at the present iterate.
const ContactSet& ProjectedStep::closed() {
  memory_.clock.enter(Stage::detection);
  system_.detect(x_->t + h_, motion.q, options_.gap_tol, found_);
  return found_;
}

bool ProjectedStep::renew() {
  // A contact of I with an impulse or a correction has |g| <= gap_tol: if its feature holds, closed() finds it.
  left_.look(contacts_.set, closed(), [&](int i) {
    return contacts_.P[contacts_.set.contacts[i].first_row] != 0.0 || positions_.tau[i] != 0.0;
  });
  ContactSet& set = contacts_.set;
  const bool released = cautious_ ? left_.follow(x_->t + h_, motion.q, set) : left_.release(set);
  if (released) begin_anew();
  if (cautious_) keep_deepest();
  return activate(found_) || released;
}

// Of the contacts found that are not in I.
void ProjectedStep::keep_deepest() {
  const auto known = [&](const Contact& contact) { return contains(contacts_.set, contact.key); };
  const Contact* deepest = nullptr;
  for (const Contact& contact : found_.contacts)
    if (!known(contact) && (!deepest || contact.gap < deepest->gap)) deepest = &contact;
  if (!deepest) return;
  const ContactKey key = deepest->key;
  std::erase_if(found_.contacts, [&](const Contact& contact) { return contact.key != key && !known(contact); });
}

// With the features that are left goes the correction of the positions that they asked for.
void ProjectedStep::begin_anew() {
  ContactSet& set = contacts_.set;
  set.layout();
  positions_.clear();
  positions_.add(set);
  std::fill(motion.shift.begin(), motion.shift.end(), 0.0);
  motion.update();
  if (set.size() > 0) contacts_.begin_step(*x_);
  evaluate();
}

// g, G and N at the present iterate.
void ProjectedStep::evaluate() {
  if (!contacts_.set.empty()) system_.evaluate(x_->t + h_, motion.q, contacts_.set);
  if (positions_.size() == contacts_.set.size())
    positions_.copy(contacts_.set);
  else
    positions_.evaluate(x_->t + h_, motion.q);
  positions_.evaluate_metric(end());
}

// (70): a contact that carries an impulse is held at g = 0.
void ProjectedStep::keep_closed() {
  if (options_.projection != Projection::combined) return;
  held_.resize(contacts_.set.size());
  for (int i = 0; i < contacts_.set.size(); ++i) held_[i] = contacts_.P[contacts_.set.contacts[i].first_row] > 0.0;
}

// What a gap of this system cannot resolve.
double ProjectedStep::rounding() const {
  double largest = 1.0;
  for (const double q : motion.q) largest = std::max(largest, std::abs(q));
  return std::min(4.0 * std::numeric_limits<double>::epsilon() * largest, 0.5 * options_.gap_tol);
}

// (58): tau and U for the linearised gaps and joints.
bool ProjectedStep::solve_positions(StepReport& report) {
  memory_.clock.enter(Stage::projection);
  if (positions_.size() == 0 && system_.joint_rows() == 0) return true;
  system_.difference(motion.q_free(), motion.q, delta_);
  keep_closed();
  const double noise = positions_.size() > 0 ? rounding() : 0.0;
  if (!positions_.solve(motion.factor(), motion.joints(), {delta_, held_, noise}, motion.shift)) return false;
  report.projections += positions_.corrects();
  return true;
}

// (53): P and tau together, the positions held as (69) says: by the impulses of the iteration before.
bool ProjectedStep::solve_both(StepReport& report) {
  memory_.clock.enter(Stage::projection);
  for (int i = 0; i < system_.nv(); ++i) delta_[i] += h_ * options_.motion.theta * (motion.v[i] - v_n_[i]);
  keep_closed();
  const auto outcome = both_.solve({h_, options_.motion.theta, contacts_, held_, delta_}, motion, positions_);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  report.projections += positions_.corrects();
  if (outcome.status != SolveStatus::solved) return false;
  contacts_.keep_velocities(motion.v);
  keep_closed();
  return true;
}

// The residuals (41) and (49) and the velocities that have moved with the frames, at the new iterate.
void ProjectedStep::measure(StepReport& report) {
  r_ = motion.f;
  contacts_.add_impulses(r_);
  report.residual = largest_block(system_.blocks(), r_);
  report.frame_change = std::max(contacts_.frame_change(motion.v), motion.joint_defect());
  const double turned = positions_.correction_defect(motion.factor(), motion.joints(), motion.shift);
  const double gap = std::max(turned, motion.joint_drift());
  const double defect = positions_.gap_defect(held_);
  report.gap_residual = defect <= gap ? gap : defect;
}

bool ProjectedStep::converged(const StepReport& report, int iteration) const {
  return motion.balances(report.residual, options_.tol, iteration, contacts_) &&
         report.frame_change <= options_.frame_tol && report.gap_residual <= options_.gap_tol;
}

// The coupled form is linearised at v^n, which the solve that follows replaces.
bool ProjectedStep::coupled() const {
  return positions_.size() > 0 && (slow_ || options_.implementation == Implementation::coupled);
}

void ProjectedStep::note_iterate() {
  v_n_ = motion.v;
  system_.difference(motion.q_free(), motion.q, delta_);
}

StepStatus ProjectedStep::solve_contacts(StepReport& report) {
  if (coupled()) {
    if (solve_both(report)) return StepStatus::ok;
    return both_.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
  }
  if (!contacts_.set.empty() && !contacts_.solve(motion, report))  // (57)
    return contacts_.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
  return solve_positions(report) ? StepStatus::ok : StepStatus::singular_matrix;
}

bool ProjectedStep::newton(StepReport& report) {
  return iterate(report, options_.projection == Projection::complementary);
}

// The next iterate from the last few: velocities weigh by their inertia, corrections as velocities over the step.
void ProjectedStep::mix() {
  std::vector<double>& weights = mixing_.weights();
  motion.inertias(weights);
  const std::size_t n = weights.size();
  weights.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) weights[n + i] = weights[i] / (h_ * h_);
  mixing_.mix(motion.v, motion.shift);
  motion.update();
  evaluate();
}

// Corrections that contradict each other leave gaps and joints farther off than they were, and than bodies move.
bool ProjectedStep::contradict(double defect, double at_start) const {
  if (positions_.size() == 0 || defect <= std::max(options_.gap_tol, worse * at_start)) return false;
  double fastest = 0.0;
  for (const double v : x_->v) fastest = std::max(fastest, std::abs(v));
  return defect > worse * h_ * fastest;
}

bool ProjectedStep::iterate(StepReport& report, bool grows) {
  const auto fail = [&](StepStatus status) {
    blame_loaded(system_, contacts_.set, contacts_.P, motion.Lambda, report.stuck_at);
    return (report.status = status, false);
  };
  NewtonPace pace;
  const double gap_at_start = positions_.gap_defect({});
  mixing_.begin();
  for (int n = 1; n <= options_.newton_max; ++n) {
    // As Moreau-Jean: the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    // Where they are the metric too they are those of the iterate.
    Factors factors = pace.next(report.residual);
    if (options_.metric.kind == Metric::iteration_matrix) factors = Factors::fresh;
    ++report.iterations;
    if (coupled()) note_iterate();
    const bool slow = n > Mixing::patience;
    if (slow) mixing_.start(motion.v, motion.shift);
    if (!at_free_ && !motion.solve(factors))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    if (system_.one_solve() && positions_.size() == 0) {
      at_free_ = true;
      motion.place();
      if (!grows || !positions_.add(closed())) return true;
      evaluate();
      continue;
    }
    at_free_ = false;
    if (const auto status = solve_contacts(report); status != StepStatus::ok) return fail(status);
    motion.update();
    const bool grown = grows && positions_.add(closed());
    n -= grown;  // a set that grows has begun anew, and there is an end to it: all contacts
    evaluate();
    measure(report);
    if (!std::isfinite(report.residual) || !std::isfinite(report.frame_change) || !std::isfinite(report.gap_residual))
      return fail(StepStatus::not_finite);
    if (hurried_ && contradict(report.gap_residual, gap_at_start)) return fail(StepStatus::projection_stalled);
    if (!grown && converged(report, n) &&
        contacts_.friction_direction_settled(motion.v, options_.tol, options_.frame_tol))
      return true;
    if (n > 2 && report.residual > 0.5 * pace.last() && !motion.balances(report.residual, options_.tol, n, contacts_))
      slow_ = options_.implementation == Implementation::automatic;
    if (grown) mixing_.begin();
    if (slow && !grown) mix();
  }
  const bool moves = motion.balances(report.residual, options_.tol, options_.newton_max, contacts_) &&
                     report.frame_change <= options_.frame_tol;
  return fail(moves ? StepStatus::projection_stalled : StepStatus::newton_stalled);
}

// A contact that was held at g = 0 by a pull needs its impulse (65): then the loads stay as they were found.
void ProjectedStep::share() {
  if (contacts_.set.size() < 2) return;
  contacts_.share(motion, {options_.frame_tol, options_.gap_tol, 0.01 * options_.tol});
  if (options_.projection != Projection::combined) return;
  for (int i = 0; i < contacts_.set.size(); ++i) {
    const int row = contacts_.set.contacts[i].first_row;
    if (!(contacts_.P[row] > 0.0) && contacts_.found()[row] > 0.0 && positions_.tau[i] < 0.0)
      return contacts_.unshare(motion.Lambda);
  }
}

void ProjectedStep::finish(State& x, StepReport& report) {
  if (!all_finite(motion.q, motion.v)) {
    report.status = StepStatus::not_finite;
    return;
  }
  const auto corrects = [&](int i) { return positions_.tau[i] != 0.0; };
  if (options_.projection == Projection::complementary && positions_.corrects())
    left_.look(positions_.normals(), closed(), corrects);
  if (left_.missed(contacts_.set, contacts_.P, motion.Lambda, report)) return;
  if (guard_.missed({x, h_, motion.q, x.v, motion.v, options_.motion.theta, motion.shift}, {contacts_.set, contacts_.P},
                    report))
    return;
  share();
  contacts_.write(x, {x.t + h_, options_.impact_velocity}, report);
  contacts_.records().add_projection(x, positions_.normals(), positions_.tau);
  report.advanced = h_;
  if (system_.joint_rows() > 0) x.joint_tau = positions_.joint_tau;
  motion.finish(x, positions_.size() > 0);
}

Promise ProjectedStep::promise() const {
  Promise promise;
  promise.equations = ThetaEquations{.theta = options_.motion.theta,
                                     .quadrature = options_.motion.quadrature,
                                     .friction_cone = options_.contacts.impulses.friction_cone,
                                     .friction_directions = options_.contacts.impulses.friction_directions,
                                     .projection = options_.projection,
                                     .metric = options_.metric.kind,
                                     .user_metric = options_.metric.user,
                                     .tangents = options_.motion.tangents};
  promise.gap = GapPromise::nonnegative;
  promise.tol.gap = 2.0 * options_.gap_tol;
  promise.joints = JointPromise::position_and_velocity;
  promise.tol.joint = 2.0 * options_.gap_tol;
  promise.tol.momentum = 10.0 * options_.tol;
  promise.tol.velocity = 10.0 * options_.frame_tol;
  promise.tol.position = 10.0 * options_.gap_tol;
  return promise;
}

}  // namespace esc
