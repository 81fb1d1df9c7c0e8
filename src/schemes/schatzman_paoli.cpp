#include <escapement/schemes/schatzman_paoli.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/two_step.hpp"
#include "src/schemes/parts/two_step_contacts.hpp"

namespace esc {

// P = p / h of acary (20a): the impulse over the step. Every contact has one row, since none has friction.
struct SchatzmanPaoli::Work {
  Work(const System& sys, const SchatzmanPaoliOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.frame, o.tangents}),
        impulses(sys, {o.solver, o.solver_tol, o.large_island_tol, o.solver_max}, executor),
        contacts(sys),
        w_n(sys.nv()) {}

  bool grow(const State& x);
  bool newton(double h, StepReport& report);
  bool solve_contacts(double h, StepReport& report);
  double residual();

  const System& system;
  SchatzmanPaoliOptions options;
  TwoStep motion;  // w^n, q^n, f, Mhat
  ContactImpulses impulses;
  ContactRecords records;
  TwoStepContacts contacts;
  ContactSet set;  // the active contacts I, each at its q_c
  std::vector<double> w_n, U_k, b, P, r;
  std::vector<double> gap;  // by contact, as the contact problem was solved for
};

// I <- I u { a | g_a(q_c) <= gap_tol }; false if nothing is new. At zero round-off would choose among contacts.
bool SchatzmanPaoli::Work::grow(const State& x) {
  if (!contacts.add_closed(motion, options.gap_tol, set)) return false;
  for (auto* rows : {&U_k, &b, &P, &gap}) rows->resize(set.rows());
  if (system.affine()) motion.update();  // the free motion was only placed
  contacts.evaluate(motion, set);
  records.guess(x, set, P);
  impulses.couple(set);
  return true;
}

// 0 <= g(q_c^n) + G (xi - xi^n) / (1 + e) _|_ P >= 0 with w = w_free + Mhat^-1 G^T P, times (1 + e) / h.
bool SchatzmanPaoli::Work::solve_contacts(double h, StepReport& report) {
  const auto moved = [&](const Contact& contact) {  // G (w - w^n)
    double now = 0.0, before = 0.0;
    velocity(set, contact, motion.w, &now);
    velocity(set, contact, w_n, &before);
    return now - before;
  };
  impulses.assemble(motion.factor());
  for (const Contact& contact : set.contacts)
    b[contact.first_row] = (1.0 + contact.law.e) * contact.gap / h + moved(contact);
  const auto outcome = impulses.solve(b, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (!outcome.solved) return false;
  impulses.add_to(motion.w, motion.Lambda, P);
  for (const Contact& contact : set.contacts)
    gap[contact.first_row] = contact.gap + h * moved(contact) / (1.0 + contact.law.e);
  return true;
}

// |s F - M (w^n - w_k) + Gb^T Lambda + G^T P|, (20a) / h.
double SchatzmanPaoli::Work::residual() {
  if (set.size() == 0) return largest_block(system.blocks(), motion.f);
  r = motion.f;
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, r);
  return largest_block(system.blocks(), r);
}

bool SchatzmanPaoli::Work::newton(double h, StepReport& report) {
  const auto fail = [&](StepStatus status) { return (report.status = status, false); };
  for (int n = 1; n <= options.newton_max; ++n) {
    // Semi-Newton: K and C are exact, the inertia, G and Gb are updated as a fixed point.
    ++report.iterations;
    std::copy(motion.w.begin(), motion.w.end(), w_n.begin());
    if (!motion.solve()) return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    if (set.size() == 0 && system.affine()) {  // (20a) is affine: solved
      motion.place();
      return true;
    }
    if (set.size() > 0 && !solve_contacts(h, report))
      return fail(all_finite(b) ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    if (set.size() > 0) contacts.evaluate(motion, set);

    double off = motion.joint_defect();  // m: what the linearised gaps and joints have missed
    for (const Contact& contact : set.contacts)
      if (const double miss = std::abs(contact.gap - gap[contact.first_row]); !(miss <= off)) off = miss;
    report.residual = residual();
    report.gap_residual = off;
    if (!std::isfinite(report.residual) || !std::isfinite(off)) return fail(StepStatus::not_finite);
    if (report.residual <= options.tol && off <= options.gap_tol) return true;
  }
  return fail(report.residual <= options.tol ? StepStatus::projection_stalled : StepStatus::newton_stalled);
}

SchatzmanPaoli::SchatzmanPaoli(const System& system, const SchatzmanPaoliOptions& options, Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  for (int pair = 0; pair < system.pairs(); ++pair)
    if (system.pair_laws()[pair].mu > 0.0)
      throw ModelError(
          system.contact_name({static_cast<std::uint32_t>(pair), 0}),
          "mu > 0, but schatzman-paoli has no friction; set mu = 0, or use a scheme at velocity level such "
          "as moreau-jean");
  work_ = std::make_unique<Work>(system, options, executor);
}

SchatzmanPaoli::~SchatzmanPaoli() = default;

void SchatzmanPaoli::start(State& x) {
  work_->motion.start(x);
  x.scheme = name();
}

StepReport SchatzmanPaoli::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) { return (report.status = status, report); };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name() || !w.motion.started(x)) return fail(StepStatus::foreign_state);
  if (!w.motion.prepare(x, h)) return fail(StepStatus::singular_matrix);

  w.set.clear();
  w.motion.begin();
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!w.newton(h, report)) return report;
    if (!w.grow(x)) break;
  }
  if (!all_finite(w.motion.q) || !all_finite(w.motion.w) || !std::isfinite(x.t)) return fail(StepStatus::not_finite);

  for (const Contact& contact : w.set.contacts)
    velocity(w.set, contact, w.motion.before(), w.U_k.data() + contact.first_row);
  report.active = w.set.size();
  report.islands = w.set.size() > 0 ? w.impulses.islands() : 0;
  report.events = w.records.write(x, w.set, w.P, w.U_k, {x.t + h, options_.impact_velocity});
  report.advanced = h;
  w.motion.finish(x);
  return report;
}

Promise SchatzmanPaoli::promise() const {
  Promise promise;
  promise.equations = TwoStepEquations{.theta = options_.theta, .frame = options_.frame};
  if (work_->contacts.inelastic()) promise.gap = GapPromise::nonnegative;  // q_c = q_{k+1}
  promise.tol.gap = 10.0 * options_.gap_tol;
  promise.joints = JointPromise::position;
  promise.tol.joint = 10.0 * options_.gap_tol;
  promise.tol.momentum = 10.0 * options_.tol;
  return promise;
}

void SchatzmanPaoli::poison() {
  Work& w = *work_;
  for (auto* scratch : {&w.w_n, &w.U_k, &w.b, &w.P, &w.r, &w.gap, &w.set.G, &w.set.g_t})
    std::fill(scratch->begin(), scratch->end(), std::nan(""));
  w.motion.poison();
  w.contacts.poison();
  w.impulses.poison();
}

void SchatzmanPaoli::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
