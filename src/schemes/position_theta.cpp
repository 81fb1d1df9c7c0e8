#include <escapement/schemes/position_theta.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/contact_sets.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

struct PositionTheta::Work {
  Work(const System& sys, const PositionThetaOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.quadrature, o.first_iterate, FrameAt::end, o.tangents, JointLevel::position}),
        impulses(sys, {o.solver, o.solver_tol, o.large_island_tol, o.solver_max}, executor),
        v_n(sys.nv()) {}

  bool grow(const State& x, double h, double t, const std::vector<double>& q);
  bool newton(const State& x, double h, StepReport& report);
  bool solve_contacts(double h, StepReport& report);
  void take_stock(StepReport& report);

  const System& system;
  PositionThetaOptions options;
  ThetaStep motion;  // v^n, q^n, f, Mhat
  ContactImpulses impulses;
  ContactRecords records;
  ContactSet set;  // the active contacts I, at (t_{k+1}, q^n)
  ContactSet found;
  std::vector<double> v_n, U_k, b, P, r;
  std::vector<double> law;  // by rows: the gap and the slip velocities that the contact problem was solved for
};

// I <- I u { a | g_a(t, q) <= gap_tol }; false if nothing is new.
bool PositionTheta::Work::grow(const State& x, double h, double t, const std::vector<double>& q) {
  system.detect(t, q, options.gap_tol, found);
  if (!merge(found, set)) return false;
  set.layout();
  for (auto* rows : {&U_k, &b, &P, &law}) rows->resize(set.rows());
  system.evaluate(x.t, x.q, set);
  for (const Contact& contact : set.contacts) velocity(set, contact, x.v, U_k.data() + contact.first_row);
  records.guess(x, set, P);
  impulses.couple(set);
  if (system.affine()) motion.update();  // the free motion was only placed
  system.evaluate(x.t + h, motion.q, set);
  return true;
}

// Row N: 0 <= (g(q^n) + h theta G_N (v - v^n)) / (h theta) _|_ P_N >= 0; rows T: Coulomb's law for G_T v + g_t.
bool PositionTheta::Work::solve_contacts(double h, StepReport& report) {
  const double way = h * options.theta;
  const auto rates = [&](const Contact& contact, double* U) {
    double before[3] = {};
    velocity(set, contact, v_n, before);
    velocity(set, contact, motion.v, U);
    U[0] += contact.gap / way - before[0];
  };
  impulses.assemble(motion.factor());
  for (const Contact& contact : set.contacts) rates(contact, b.data() + contact.first_row);
  const auto outcome = impulses.solve(b, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (!outcome.solved) return false;
  impulses.add_to(motion.v, motion.Lambda, P);
  for (const Contact& contact : set.contacts) {
    rates(contact, law.data() + contact.first_row);
    law[contact.first_row] *= way;
  }
  return true;
}

// The momentum residual |h F - M (v^n - v_k) + Gb^T Lambda + G^T P|, and how far gaps, slips and joints are from what
// they were solved for.
void PositionTheta::Work::take_stock(StepReport& report) {
  const auto see = [](double value, double& worst) {
    if (!(std::abs(value) <= worst)) worst = std::abs(value);
  };
  r = motion.f;
  report.law_residual = 0.0;
  report.gap_residual = motion.joint_drift();
  for (const Joint& joint : system.joints()) {
    double U[max_joint_rows] = {};
    velocity(motion.joints(), joint, motion.v, U);
    for (int row = 0; row < joint.rows && !joint.position; ++row) see(U[row], report.law_residual);
  }
  for (const Contact& contact : set.contacts) {
    add_impulse(set, contact, P.data() + contact.first_row, r);
    double U[3] = {};
    velocity(set, contact, motion.v, U);
    see(contact.gap - law[contact.first_row], report.gap_residual);
    for (int row = 1; row < contact.rows; ++row) see(U[row] - law[contact.first_row + row], report.law_residual);
  }
  report.residual = largest_block(system.blocks(), r);
}

bool PositionTheta::Work::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) { return (report.status = status, false); };
  double last = std::numeric_limits<double>::infinity();
  bool moves = false;
  for (int n = 1; n <= options.newton_max; ++n) {
    // As Moreau-Jean: the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    const Factors factors = n > 1 && report.residual <= 0.1 * last ? Factors::keep : Factors::fresh;
    if (n > 1) last = report.residual;
    ++report.iterations;
    std::copy(motion.v.begin(), motion.v.end(), v_n.begin());
    if (!motion.solve(factors))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    if (set.size() == 0 && system.affine()) {  // solved
      motion.place();
      return true;
    }
    if (set.size() > 0 && !solve_contacts(h, report))
      return fail(all_finite(b) ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    if (set.size() > 0) system.evaluate(x.t + h, motion.q, set);
    take_stock(report);
    if (!std::isfinite(report.residual + report.law_residual + report.gap_residual))
      return fail(StepStatus::not_finite);
    moves = report.residual <= options.tol && report.law_residual <= options.law_tol;
    if (moves && report.gap_residual <= options.gap_tol) return true;
  }
  return fail(moves ? StepStatus::projection_stalled : StepStatus::newton_stalled);
}

PositionTheta::PositionTheta(const System& system, const PositionThetaOptions& options, Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  work_ = std::make_unique<Work>(system, options, executor);
}

PositionTheta::~PositionTheta() = default;

void PositionTheta::start(State& x) {
  work_->motion.forget(x);
  x.scheme = name();
}

StepReport PositionTheta::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) { return (report.status = status, report); };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);
  if (!w.motion.prepare(x, h)) return fail(StepStatus::singular_matrix);

  w.set.clear();
  w.motion.begin();
  // What is closed at t_k comes first: some corners of a resting box alone can be a hard contact problem.
  w.grow(x, h, x.t, x.q);
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!w.newton(x, h, report)) return report;
    if (!w.grow(x, h, x.t + h, w.motion.q)) break;
  }
  if (!all_finite(w.motion.q) || !all_finite(w.motion.v) || !std::isfinite(x.t)) return fail(StepStatus::not_finite);

  report.active = w.set.size();
  report.islands = w.set.size() > 0 ? w.impulses.islands() : 0;
  report.events = w.records.write(x, w.set, w.P, w.U_k, {x.t + h, options_.impact_velocity});
  report.advanced = h;
  w.motion.finish(x, w.set.size() > 0);
  return report;
}

Promise PositionTheta::promise() const {
  Promise promise;
  promise.equations = ThetaEquations{.theta = options_.theta,
                                     .quadrature = options_.quadrature,
                                     .level = ContactLevel::position,
                                     .activation = Activation::recorded};
  promise.gap = GapPromise::nonnegative;
  promise.tol.gap = 10.0 * options_.gap_tol;
  promise.joints = JointPromise::position;
  promise.tol.joint = 10.0 * options_.gap_tol;
  promise.tol.momentum = 10.0 * options_.tol;
  promise.tol.velocity = 10.0 * options_.law_tol;
  return promise;
}

void PositionTheta::poison() {
  Work& w = *work_;
  for (auto* scratch : {&w.v_n, &w.U_k, &w.b, &w.P, &w.r, &w.law, &w.set.G, &w.set.g_t})
    std::fill(scratch->begin(), scratch->end(), std::nan(""));
  w.motion.poison();
  w.impulses.poison();
}

void PositionTheta::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
