#include <escapement/schemes/position_theta.hpp>

#include <cmath>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/culprits.hpp"
#include "src/schemes/parts/law_rows.hpp"
#include "src/schemes/parts/left_features.hpp"
#include "src/schemes/parts/mixing.hpp"
#include "src/schemes/parts/newton_pace.hpp"
#include "src/schemes/parts/passage_guard.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

namespace {

class PositionThetaMethod final : public Method {
 public:
  PositionThetaMethod(const System& sys, const PositionThetaOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.quadrature, o.first_iterate, FrameAt::end, o.tangents, JointLevel::position}, scratch),
        rows(sys, impulse_options(o), {scratch, executor}),
        guard(sys, 10.0 * o.gap_tol, scratch) {}

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return motion.history(); }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }
  bool looks_at_mass() const override { return motion.begins_in_place(); }

 private:
  bool grow(const State& x, double h, double t, const std::vector<double>& q);
  bool newton(const State& x, double h, StepReport& report);
  bool solve_contacts(double h, StepReport& report);
  void measure(StepReport& report);

  const System& system;
  PositionThetaOptions options;
  ThetaStep motion;  // v^n, q^n, f, Mhat
  LawRows rows;      // the active contacts I, at (t_{k+1}, q^n), with U_k and P
  PassageGuard guard;
  Mixing mixing{scratch};
  ContactSet& found = scratch.contacts();
  LeftFeatures left{system, scratch};
  std::vector<double>&v_n = scratch.vector(), &r = scratch.vector();
  std::vector<double>& law = scratch.vector();  // by rows: the gap and the slip velocities that were solved for
};

// I <- I u { a | g_a(t, q) <= gap_tol }, less features that carry an impulse and are left; false: I is the same.
bool PositionThetaMethod::grow(const State& x, double h, double t, const std::vector<double>& q) {
  scratch.clock.enter(Stage::detection);
  system.detect(t, q, options.gap_tol, found);
  left.look(rows.set, found, [&](int i) { return rows.P[rows.set.contacts[i].first_row] > 0.0; });
  const bool follows = left.follow(t, q, rows.set);
  if (!merge(found, rows.set) && !follows) return false;
  rows.set.layout();
  rows.begin_step(x);
  law.resize(rows.set.rows());
  if (system.one_solve()) motion.update();  // the free motion was only placed
  system.evaluate(x.t + h, motion.q, rows.set);
  return true;
}

// Row N: 0 <= (g(q^n) + h theta G_N (v - v^n)) / (h theta) _|_ P_N >= 0; rows T: Coulomb's law for G_T v + g_t.
bool PositionThetaMethod::solve_contacts(double h, StepReport& report) {
  const double way = h * options.theta;
  const auto rates = [&](const Contact& contact, double* U) {
    double now[3] = {}, before[3] = {};
    velocity(rows.set, contact, motion.v, U);
    times(rows.set, contact, motion.v, now);
    times(rows.set, contact, v_n, before);
    U[0] = now[0] + (contact.gap / way - before[0]);
  };
  if (!rows.solve(motion.factor(), {motion.v, motion.Lambda}, report, rates)) return false;
  for (const Contact& contact : rows.set.contacts) {
    rates(contact, law.data() + contact.first_row);
    law[contact.first_row] *= way;
  }
  return true;
}

// The momentum residual |h F - M (v^n - v_k) + Gb^T Lambda + G^T P|, and how far gaps, slips and joints are from what
// they were solved for.
void PositionThetaMethod::measure(StepReport& report) {
  const auto see = [](double value, double& worst) {
    if (!(std::abs(value) <= worst)) worst = std::abs(value);
  };
  r = motion.f;
  rows.add_impulses(r);
  report.frame_change = 0.0;
  report.gap_residual = motion.joint_drift();
  for (const Joint& joint : system.joints()) {
    double U[max_joint_rows] = {};
    velocity(motion.joints(), joint, motion.v, U);
    for (int row = 0; row < joint.row_count && !joint.position; ++row) see(U[row], report.frame_change);
  }
  for (const Contact& contact : rows.set.contacts) {
    double U[3] = {};
    velocity(rows.set, contact, motion.v, U);
    see(contact.gap - law[contact.first_row], report.gap_residual);
    for (int row = 1; row < contact.row_count; ++row) see(U[row] - law[contact.first_row + row], report.frame_change);
  }
  report.residual = largest_block(system.blocks(), r);
}

bool PositionThetaMethod::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) {
    blame_loaded(system, rows.set, rows.P, motion.Lambda, report.stuck_at);
    return (report.status = status, false);
  };
  NewtonPace pace;
  bool moves = false;
  mixing.begin();
  for (int n = 1; n <= options.newton_max; ++n) {
    // As Moreau-Jean: the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    ++report.iterations;
    v_n = motion.v;
    const bool slow = n > Mixing::patience;
    if (slow) mixing.start(motion.v);
    if (!motion.solve(pace.next(report.residual)))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    if (rows.set.empty() && system.one_solve()) {  // solved
      motion.place();
      return true;
    }
    if (!rows.set.empty() && !solve_contacts(h, report))
      return fail(rows.finite() ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    if (!rows.set.empty()) system.evaluate(x.t + h, motion.q, rows.set);
    measure(report);
    if (!std::isfinite(report.residual + report.frame_change + report.gap_residual))
      return fail(StepStatus::not_finite);
    moves = motion.balances(report.residual, options.tol, n, rows) && report.frame_change <= options.frame_tol;
    if (moves && report.gap_residual <= options.gap_tol) return true;
    if (!slow) continue;
    motion.inertias(mixing.weights());
    mixing.mix(motion.v);
    motion.update();
    if (rows.set.size() > 0) system.evaluate(x.t + h, motion.q, rows.set);
  }
  return fail(moves ? StepStatus::projection_stalled : StepStatus::newton_stalled);
}

void PositionThetaMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  if (!motion.prepare(x, h, history)) return void(report.status = StepStatus::singular_matrix);

  rows.set.clear();
  left.begin_step();
  motion.begin();
  // What is closed at t_k comes first: some corners of a resting box alone can be a hard contact problem.
  grow(x, h, x.t, x.q);
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!newton(x, h, report)) return;
    if (!grow(x, h, x.t + h, motion.q)) break;
  }
  if (!all_finite(motion.q, motion.v)) return void(report.status = StepStatus::not_finite);
  if (left.missed(rows.set, rows.P, motion.Lambda, report)) return;
  if (guard.missed({x, h, motion.q, x.v, motion.v, options.theta}, {rows.set, rows.P}, report)) return;

  rows.share({motion.factor(), motion.joints(), motion.Lambda},
             {options.frame_tol, options.gap_tol, 0.01 * options.tol}, [&](const Contact& contact, double* u) {
               velocity(rows.set, contact, motion.v, u);
               u[0] = contact.gap > options.gap_tol ? any_gap : 0.0;  // the law is about the gap
             });
  rows.write(x, {x.t + h, options.impact_velocity}, report);
  report.advanced = h;
  motion.finish(x, !rows.set.empty());
}

Promise PositionThetaMethod::promise() const {
  Promise promise;
  promise.equations = ThetaEquations{.theta = options.theta,
                                     .quadrature = options.quadrature,
                                     .level = ContactLevel::position,
                                     .activation = Activation::recorded,
                                     .friction_cone = options.friction_cone,
                                     .friction_directions = options.friction_directions};
  promise.gap = GapPromise::nonnegative;
  promise.tol.gap = 10.0 * options.gap_tol;
  promise.joints = JointPromise::position;
  promise.tol.joint = 10.0 * options.gap_tol;
  promise.tol.momentum = 10.0 * options.tol;
  promise.tol.velocity = 10.0 * options.frame_tol;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const PositionThetaOptions& options) {
  return {.order = options.theta == 0.5 ? 2 : 1, .restitution = false};
}

std::unique_ptr<Method> make_method(const System& system, const PositionThetaOptions& options, Executor& executor) {
  return std::make_unique<PositionThetaMethod>(system, options, executor);
}

}  // namespace esc
