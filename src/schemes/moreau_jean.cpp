#include <escapement/schemes/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

// Letters of acary section 4.3: U_k are the velocities before the step, P the impulses over it.
struct MoreauJean::Work {
  Work(const System& sys, const MoreauJeanOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.quadrature, o.first_iterate, o.frame, o.tangents}),
        impulses(sys, {o.solver, o.solver_tol, o.large_island_tol, o.solver_max}, executor) {}

  bool forecast(const State& x, double h, StepReport& report);
  bool newton(const State& x, double h, StepReport& report);
  bool solve_contacts(StepReport& report);
  void evaluate_frames(const State& x, double h);
  double evaluate_contacts(const State& x, double h);
  double residual();

  const System& system;
  MoreauJeanOptions options;
  ThetaStep motion;  // v^n, q^n, f, Mhat
  ContactImpulses impulses;
  ContactRecords records;
  ContactSet set;  // the active contacts I
  std::vector<double> U_k, U, b, P, r;
};

// I = { a | forecast of g_a <= 0 }, and U_k of its contacts.
bool MoreauJean::Work::forecast(const State& x, double h, StepReport& report) {
  set.clear();
  if (options.forecast == Forecast::position) {
    find_closing(system, x, PositionForecast{h, options.gamma, 0.0}, set);
  } else {
    if (!newton(x, h, report)) return false;  // v = v_free
    find_closing(system, x, FreeForecast{h, options.theta, 0.0, motion.v}, set);
  }
  if (set.size() == 0) return true;

  system.evaluate(x.t, x.q, set);
  for (auto* rows : {&U_k, &U, &b, &P}) rows->resize(set.rows());
  for (const Contact& contact : set.contacts) velocity(set, contact, x.v, U_k.data() + contact.first_row);
  records.guess(x, set, P);
  impulses.couple(set);
  return true;
}

// G at the frame of this iterate.
void MoreauJean::Work::evaluate_frames(const State& x, double h) {
  if (options.frame == FrameAt::end) system.evaluate(x.t + h, motion.q, set);
  if (options.frame == FrameAt::theta) system.evaluate(x.t + options.theta * h, motion.q_theta(), set);
}

// G and U at the frame of this iterate; returns how far U moved from what the contact problem was solved for.
double MoreauJean::Work::evaluate_contacts(const State& x, double h) {
  evaluate_frames(x, h);
  double moved = 0.0;
  for (const Contact& contact : set.contacts) {
    double now[3] = {};
    velocity(set, contact, motion.v, now);
    for (int row = 0; row < contact.rows; ++row) {
      const double change = std::abs(now[row] - U[contact.first_row + row]);
      if (!(change <= moved)) moved = change;
      U[contact.first_row + row] = now[row];
    }
  }
  return moved;
}

// u = W P + b with 0 <= U_N + e U_N,k _|_ P_N >= 0 (18d) and Coulomb's law; v^{n+1} = v^n + Mhat^-1 (f + G^T P).
bool MoreauJean::Work::solve_contacts(StepReport& report) {
  impulses.assemble(motion.factor());
  for (const Contact& contact : set.contacts) {
    velocity(set, contact, motion.v, b.data() + contact.first_row);
    b[contact.first_row] += contact.law.e * U_k[contact.first_row];
  }
  const auto outcome = impulses.solve(b, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (!outcome.solved) return false;
  impulses.add_to(motion.v, motion.Lambda, P);
  for (const Contact& contact : set.contacts) velocity(set, contact, motion.v, U.data() + contact.first_row);
  return true;
}

// |h F - M (v^n - v_k) + Gb^T Lambda + G^T P|, Eq. (41).
double MoreauJean::Work::residual() {
  if (set.size() == 0) return largest_block(system.blocks(), motion.f);
  r = motion.f;
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, r);
  return largest_block(system.blocks(), r);
}

bool MoreauJean::Work::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) { return (report.status = status, false); };
  motion.begin();
  if (set.size() > 0) evaluate_frames(x, h);

  double last = std::numeric_limits<double>::infinity();
  for (int n = 1; n <= options.newton_max; ++n) {
    // Semi-Newton (43): the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    const Factors factors = n > 1 && report.residual <= 0.1 * last ? Factors::keep : Factors::fresh;
    if (n > 1) last = report.residual;
    if (!motion.solve(factors))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    report.iterations = n;
    if (set.size() == 0 && system.affine()) {  // (41) is affine: solved
      motion.place();
      return true;
    }
    if (set.size() > 0 && !solve_contacts(report))
      return fail(all_finite(b) ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    const double moved = std::max(set.size() > 0 ? evaluate_contacts(x, h) : 0.0, motion.joint_defect());
    report.residual = residual();
    report.law_residual = moved;
    if (!std::isfinite(report.residual) || !std::isfinite(moved)) return fail(StepStatus::not_finite);
    if (report.residual <= options.tol && moved <= options.law_tol) return true;
  }
  return fail(StepStatus::newton_stalled);
}

MoreauJean::MoreauJean(const System& system, const MoreauJeanOptions& options, Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  work_ = std::make_unique<Work>(system, options, executor);
}

MoreauJean::~MoreauJean() = default;

void MoreauJean::start(State& x) {
  work_->motion.forget(x);
  x.scheme = name();
}

StepReport MoreauJean::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) { return (report.status = status, report); };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);
  if (!w.motion.prepare(x, h)) return fail(StepStatus::singular_matrix);

  if (!w.forecast(x, h, report)) return report;
  const bool free_is_final = options_.forecast == Forecast::free && w.set.size() == 0;
  if (!free_is_final && !w.newton(x, h, report)) return report;
  if (!all_finite(w.motion.q) || !all_finite(w.motion.v) || !std::isfinite(x.t)) return fail(StepStatus::not_finite);

  report.active = w.set.size();
  report.islands = w.set.size() > 0 ? w.impulses.islands() : 0;
  report.events = w.records.write(x, w.set, w.P, w.U_k, {x.t + h, options_.impact_velocity});
  report.advanced = h;
  w.motion.remember(x, w.set.size() > 0);
  x.t += h;
  x.h = h;
  x.joint_impulse.swap(w.motion.Lambda);
  x.q.swap(w.motion.q);
  x.v.swap(w.motion.v);
  return report;
}

Promise MoreauJean::promise() const {
  return {.theta = options_.theta,
          .quadrature = options_.quadrature,
          .frame = options_.frame,
          .forecast = options_.forecast,
          .gamma = options_.gamma,
          .momentum_tolerance = 10.0 * options_.tol,
          .velocity_tolerance = 10.0 * options_.law_tol};
}

void MoreauJean::poison() {
  Work& w = *work_;
  for (auto* scratch : {&w.U_k, &w.U, &w.b, &w.P, &w.r, &w.set.G, &w.set.g_t})
    std::fill(scratch->begin(), scratch->end(), std::nan(""));
  w.motion.poison();
  w.impulses.poison();
}

void MoreauJean::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
