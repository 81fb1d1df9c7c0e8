#include <escapement/schemes/schatzman_paoli.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/culprits.hpp"
#include "src/schemes/parts/law_rows.hpp"
#include "src/schemes/parts/passage_guard.hpp"
#include "src/schemes/parts/two_step.hpp"
#include "src/schemes/parts/two_step_contacts.hpp"

namespace esc {

namespace {

// P = p / h of acary (20a): the impulse over the step. Every contact has one row, since none has friction.
class SchatzmanPaoliMethod final : public Method {
 public:
  SchatzmanPaoliMethod(const System& sys, const SchatzmanPaoliOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.frame, o.tangents}, scratch),
        rows(sys, impulse_options(o), {scratch, executor}),
        contacts(sys, scratch),
        guard(sys, 10.0 * o.gap_tol, scratch) {
    w_n.resize(sys.nv());
  }

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return two_step_history; }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }

 private:
  bool grow(const State& x);
  bool newton(double h, StepReport& report);
  bool solve_contacts(double h, StepReport& report);
  double residual();

  const System& system;
  SchatzmanPaoliOptions options;
  TwoStep motion;  // w^n, q^n, f, Mhat
  LawRows rows;    // the active contacts I, each at its q_c, with P
  TwoStepContacts contacts;
  PassageGuard guard;
  std::vector<double>&w_n = scratch.vector(), &r = scratch.vector();
  std::vector<double>& gap = scratch.vector();  // by contact, as the contact problem was solved for
};

// I <- I u { a | g_a(q_c) <= gap_tol }; false if nothing is new. At zero round-off would choose among contacts.
bool SchatzmanPaoliMethod::grow(const State& x) {
  if (!contacts.add_closed(motion, options.gap_tol, rows.set)) return false;
  gap.resize(rows.set.rows());
  if (system.one_solve()) motion.update();  // the free motion was only placed
  contacts.evaluate(motion, rows.set);
  rows.couple(x);
  return true;
}

// 0 <= g(q_c^n) + G (xi - xi^n) / (1 + e) _|_ P >= 0 with w = w_free + Mhat^-1 G^T P, times (1 + e) / h.
bool SchatzmanPaoliMethod::solve_contacts(double h, StepReport& report) {
  const auto moved = [&](const Contact& contact) {  // G (w - w^n)
    double now = 0.0, before = 0.0;
    times(rows.set, contact, motion.w, &now);
    times(rows.set, contact, w_n, &before);
    return now - before;
  };
  const auto rule = [&](const Contact& contact, double* b) {
    *b = (1.0 + contact.law.e) * contact.gap / h + moved(contact);
  };
  if (!rows.solve(motion.factor(), {motion.w, motion.Lambda}, report, rule)) return false;
  for (const Contact& contact : rows.set.contacts)
    gap[contact.first_row] = contact.gap + h * moved(contact) / (1.0 + contact.law.e);
  return true;
}

// |s F - M (w^n - w_k) + Gb^T Lambda + G^T P|, (20a) / h.
double SchatzmanPaoliMethod::residual() {
  if (rows.set.empty()) return largest_block(system.blocks(), motion.f);
  r = motion.f;
  rows.add_impulses(r);
  return largest_block(system.blocks(), r);
}

bool SchatzmanPaoliMethod::newton(double h, StepReport& report) {
  const auto fail = [&](StepStatus status) {
    blame_loaded(system, rows.set, rows.P, motion.Lambda, report.stuck_at);
    return (report.status = status, false);
  };
  for (int n = 1; n <= options.newton_max; ++n) {
    // Semi-Newton: K and C are exact, the inertia, G and Gb are updated as a fixed point.
    ++report.iterations;
    std::copy(motion.w.begin(), motion.w.end(), w_n.begin());
    if (!motion.solve()) return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    if (rows.set.empty() && system.one_solve()) {  // (20a) is affine: solved
      motion.place();
      return true;
    }
    if (!rows.set.empty() && !solve_contacts(h, report))
      return fail(rows.finite() ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    if (!rows.set.empty()) contacts.evaluate(motion, rows.set);

    double off = motion.joint_defect();  // m: what the linearised gaps and joints have missed
    for (const Contact& contact : rows.set.contacts)
      if (const double miss = std::abs(contact.gap - gap[contact.first_row]); !(miss <= off)) off = miss;
    report.residual = residual();
    report.gap_residual = off;
    if (!std::isfinite(report.residual) || !std::isfinite(off)) return fail(StepStatus::not_finite);
    if (report.residual <= options.tol && off <= options.gap_tol) return true;
  }
  return fail(report.residual <= options.tol ? StepStatus::projection_stalled : StepStatus::newton_stalled);
}

void SchatzmanPaoliMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  const auto fail = [&](StepStatus status) { report.status = status; };
  if (!motion.prepare(x, h, history)) return fail(StepStatus::singular_matrix);

  rows.set.clear();
  motion.begin();
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!newton(h, report)) return;
    if (!grow(x)) break;
  }
  if (!all_finite(motion.q, motion.w)) return fail(StepStatus::not_finite);
  if (contacts.inelastic() &&
      guard.missed({x, h, motion.q, motion.before(), motion.w, 1.0}, {rows.set, rows.P}, report))
    return;

  for (const Contact& contact : rows.set.contacts)
    velocity(rows.set, contact, motion.before(), rows.U_k.data() + contact.first_row);
  rows.share({motion.factor(), motion.reactions(), motion.Lambda}, {0.0, options.gap_tol, 0.01 * options.tol},
             [&](const Contact& contact, double* u) { *u = contact.gap > options.gap_tol ? any_gap : 0.0; });
  rows.write(x, {x.t + h, options.impact_velocity}, report);
  report.advanced = h;
  motion.finish(x);
}

Promise SchatzmanPaoliMethod::promise() const {
  Promise promise;
  promise.equations = TwoStepEquations{.theta = options.theta, .frame = options.frame};
  if (contacts.inelastic()) promise.gap = GapPromise::nonnegative;  // q_c = q_{k+1}
  promise.tol.gap = 10.0 * options.gap_tol;
  promise.joints = JointPromise::position;
  promise.tol.joint = 10.0 * options.gap_tol;
  promise.tol.momentum = 10.0 * options.tol;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const SchatzmanPaoliOptions& options) {
  return {.order = options.theta == 0.0 && options.frame == FrameAt::begin ? 2 : 1, .friction = false};
}

std::unique_ptr<Method> make_method(const System& system, const SchatzmanPaoliOptions& options, Executor& executor) {
  return std::make_unique<SchatzmanPaoliMethod>(system, options, executor);
}

}  // namespace esc
