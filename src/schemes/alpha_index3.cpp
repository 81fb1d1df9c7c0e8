#include <escapement/schemes/alpha_index3.hpp>

#include <algorithm>
#include <cmath>

#include <escapement/error.hpp>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/alpha_parameters.hpp"
#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/contact_sets.hpp"
#include "src/schemes/parts/culprits.hpp"
#include "src/schemes/parts/law_rows.hpp"
#include "src/schemes/parts/newton_pace.hpp"
#include "src/schemes/parts/passage_guard.hpp"

namespace esc {

namespace {

AlphaEquations equations_of(const AlphaIndex3Options& o) {
  AlphaEquations equations{.levels = Levels::position, .activation_tolerance = o.tol_p};
  if (o.method == AlphaParameters::chung_hulbert) set_chung_hulbert(equations, o.rho_inf);
  if (o.method == AlphaParameters::newmark) set_newmark_of(equations, o.rho_inf);
  if (o.method == AlphaParameters::hht) set_hht(equations, o.rho_inf);
  return equations;
}

class AlphaIndex3Method final : public Method {
 public:
  AlphaIndex3Method(const System& sys, const AlphaIndex3Options& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, equations_of(o), o.tangents, scratch),
        rows(sys, impulse_options(o), {scratch, executor}),
        guard(sys, 2.0 * o.tol_p, scratch) {
    if (o.method == AlphaParameters::hht && o.rho_inf < 0.5)
      throw OptionError("alpha-index3.rho_inf",
                        "hht damps no more than rho_inf = 0.5; give 0.5 or more, or method = chung-hulbert");
    for (auto* vector : {&dv, &r, &v_end}) vector->resize(sys.nv());
    dLambda.resize(sys.joint_rows());
  }

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return alpha_history; }
  void start(State& x) const override;
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }

 private:
  bool grow(const State& x, double t, const std::vector<double>& q);
  void evaluate();
  StepStatus newton(StepReport& report);
  bool solve_contacts(StepReport& report);
  void measure(StepReport& report);

  const System& system;
  AlphaIndex3Options options;
  AlphaStep motion;  // v, q and the reactions of joints
  LawRows rows;      // the active contacts I, with P = h lambda
  PassageGuard guard;
  ContactSet& found = scratch.contacts();
  std::vector<double>&dv = scratch.vector(), &dLambda = scratch.vector(), &r = scratch.vector(),
  &v_end = scratch.vector();
};

void AlphaIndex3Method::start(State& x) const {
  x.joint_tau.assign(system.joint_rows(), 0.0);
  motion.start(x);
}

// I <- I u { a | g_a(t, q) <= tol_p }; false if nothing is new.
bool AlphaIndex3Method::grow(const State& x, double t, const std::vector<double>& q) {
  if (system.pairs() == 0) return false;
  scratch.clock.enter(Stage::detection);
  system.detect(t, q, options.tol_p, found);
  if (!merge(found, rows.set)) return false;
  rows.set.layout();
  rows.begin_step(x);
  return true;
}

void AlphaIndex3Method::evaluate() {
  motion.v = motion.v_tilde;
  motion.place();
  motion.update();
  if (!rows.set.empty()) system.evaluate(motion.end(), motion.q, rows.set);
}

// 0 <= g(q^n) + h beta / gamma G_N (v - v^n) _|_ P >= 0, where P moves v by S^-1 G^T P / c: both sides times c over
// that weight.
bool AlphaIndex3Method::solve_contacts(StepReport& report) {
  const double weight = motion.position_weight(), c = motion.inertia_weight();
  std::fill(dv.begin(), dv.end(), 0.0);
  std::fill(dLambda.begin(), dLambda.end(), 0.0);
  for (int i = 0; i < system.nv(); ++i) v_end[i] = motion.v_tilde[i] - motion.v[i];
  const auto law = [&](const Contact& contact, double* b) {
    times(rows.set, contact, v_end, b);
    b[0] = c * (b[0] + contact.gap / weight);
  };
  if (!rows.solve(motion.factor(), {dv, dLambda}, report, law)) return false;
  for (double& value : dv) value /= c;
  for (double& value : dLambda) value /= c;
  motion.move(dv, dLambda);
  return true;
}

// The residual |h (F - M vdot + Gb^T lambda) + G^T P|, and how far gaps and joints are from their laws.
void AlphaIndex3Method::measure(StepReport& report) {
  r = motion.f;
  rows.add_impulses(r);
  report.residual = largest_block(system.blocks(), r);
  report.frame_change = motion.joint_defect();
  report.gap_residual = motion.joint_drift();
  for (const Contact& contact : rows.set.contacts) {
    const double defect = rows.P[contact.first_row] > 0.0 ? std::abs(contact.gap) : std::max(0.0, -contact.gap);
    if (!(defect <= report.gap_residual)) report.gap_residual = defect;
  }
}

StepStatus AlphaIndex3Method::newton(StepReport& report) {
  NewtonPace pace;
  evaluate();
  for (int n = 1; n <= options.newton_max; ++n) {
    ++report.iterations;
    if (!motion.solve(pace.next(report.residual)))
      return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
    if (!rows.set.empty() && !solve_contacts(report))
      return rows.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
    evaluate();
    measure(report);
    if (!std::isfinite(report.residual + report.frame_change + report.gap_residual)) return StepStatus::not_finite;
    if (report.residual <= options.tol_s && report.frame_change <= options.tol_v &&
        report.gap_residual <= options.tol_p)
      return StepStatus::ok;
  }
  const bool moves = report.residual <= options.tol_s && report.frame_change <= options.tol_v;
  return moves ? StepStatus::projection_stalled : StepStatus::newton_stalled;
}

void AlphaIndex3Method::advance(State& x, double h, std::span<double> history, StepReport& report) {
  if (!motion.prepare(x, h, history)) {
    report.status = StepStatus::singular_matrix;
    return;
  }
  rows.set.clear();
  motion.begin();
  // What is closed at t_n comes first: it carries a force as a rule.
  grow(x, x.t, x.q);
  for (report.index_sets = 1;; ++report.index_sets) {
    report.status = newton(report);
    if (!report.ok()) return blame_loaded(system, rows.set, rows.P, motion.Lambda, report.stuck_at);
    if (!grow(x, motion.end(), motion.q)) break;
  }
  if (!all_finite(motion.q, motion.v)) {
    report.status = StepStatus::not_finite;
    return;
  }
  // The velocity that the motion has at its end if it changes evenly.
  for (int i = 0; i < system.nv(); ++i) v_end[i] = 2.0 * motion.way()[i] / h - x.v[i];
  if (guard.missed({x, h, motion.q, x.v, v_end, 0.5}, {rows.set, rows.P}, report)) return;
  rows.write(x, {motion.end(), options.impact_velocity}, report);
  report.advanced = h;
  motion.finish(x, false);
}

Promise AlphaIndex3Method::promise() const {
  Promise promise;
  promise.equations = equations_of(options);
  promise.gap = GapPromise::nonnegative;
  promise.joints = JointPromise::position;
  promise.tol = {.gap = 2.0 * options.tol_p,
                 .joint = 2.0 * options.tol_p,
                 .momentum = 10.0 * options.tol_s,
                 .velocity = 10.0 * options.tol_v,
                 .position = 10.0 * options.tol_p};
  return promise;
}

}  // namespace

SchemeTraits traits_of(const AlphaIndex3Options& options) {
  const bool first = options.method == AlphaParameters::newmark && options.rho_inf != 1.0;
  return {.order = first ? 1 : 2, .friction = false, .restitution = false, .impacts = false};
}

std::unique_ptr<Method> make_method(const System& system, const AlphaIndex3Options& options, Executor& executor) {
  return std::make_unique<AlphaIndex3Method>(system, options, executor);
}

}  // namespace esc
