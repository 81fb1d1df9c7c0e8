#include <escapement/schemes/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/theta_step.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

// Letters of acary section 4.3: U_k are the velocities before the step, P the impulses over it.
struct MoreauJean::Work {
  Work(const System& sys, const MoreauJeanOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.quadrature, o.first_iterate, o.frame, o.tangents}),
        contacts(sys,
                 {o.solver, o.solver_tol, o.large_island_tol, o.solver_max, slip_of(o.law_tol), friction_of(o.tol)},
                 executor) {}

  bool forecast(const State& x, double h, StepReport& report);
  bool newton(const State& x, double h, StepReport& report);
  void evaluate_frames(const State& x, double h);
  double residual();

  const System& system;
  MoreauJeanOptions options;
  ThetaStep motion;           // v^n, q^n, f, Mhat
  VelocityContacts contacts;  // I, U_k, P
  std::vector<double> r;
};

// I = { a | forecast of g_a <= 0 }.
bool MoreauJean::Work::forecast(const State& x, double h, StepReport& report) {
  contacts.set.clear();
  if (options.forecast == Forecast::position) {
    find_closing(system, x, PositionForecast{h, options.gamma, 0.0}, contacts.set);
  } else {
    if (!newton(x, h, report)) return false;  // v = v_free
    find_closing(system, x, FreeForecast{h, options.theta, 0.0, motion.v}, contacts.set);
  }
  if (contacts.set.size() > 0) contacts.adopt(x);
  return true;
}

// G at the frame of this iterate.
void MoreauJean::Work::evaluate_frames(const State& x, double h) {
  if (contacts.set.size() == 0) return;
  if (options.frame == FrameAt::end) system.evaluate(x.t + h, motion.q, contacts.set);
  if (options.frame == FrameAt::theta) system.evaluate(x.t + options.theta * h, motion.q_theta(), contacts.set);
}

// |h F - M (v^n - v_k) + Gb^T Lambda + G^T P|, Eq. (41).
double MoreauJean::Work::residual() {
  if (contacts.set.size() == 0) return largest_block(system.blocks(), motion.f);
  r = motion.f;
  contacts.add_impulses(r);
  return largest_block(system.blocks(), r);
}

bool MoreauJean::Work::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) { return (report.status = status, false); };
  motion.begin();
  evaluate_frames(x, h);

  double last = std::numeric_limits<double>::infinity();
  for (int n = 1; n <= options.newton_max; ++n) {
    // Semi-Newton (43): the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    const Factors factors = n > 1 && report.residual <= 0.1 * last ? Factors::keep : Factors::fresh;
    if (n > 1) last = report.residual;
    if (!motion.solve(factors))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    report.iterations = n;
    if (contacts.set.size() == 0 && system.affine()) {  // (41) is affine: solved
      motion.place();
      return true;
    }
    if (contacts.set.size() > 0 && !contacts.solve(motion, report))  // (18d)
      return fail(contacts.finite() ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    evaluate_frames(x, h);
    const double moved = std::max(contacts.moved(motion), motion.joint_defect());
    report.residual = residual();
    report.law_residual = moved;
    if (!std::isfinite(report.residual) || !std::isfinite(moved)) return fail(StepStatus::not_finite);
    if (report.residual <= options.tol && moved <= options.law_tol &&
        contacts.directed(motion, options.tol, options.law_tol))
      return true;
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
  const bool free_is_final = options_.forecast == Forecast::free && w.contacts.set.size() == 0;
  if (!free_is_final && !w.newton(x, h, report)) return report;
  if (!all_finite(w.motion.q) || !all_finite(w.motion.v) || !std::isfinite(x.t)) return fail(StepStatus::not_finite);

  w.contacts.write(x, {x.t + h, options_.impact_velocity}, report);
  report.advanced = h;
  w.motion.finish(x, w.contacts.set.size() > 0);
  return report;
}

Promise MoreauJean::promise() const {
  return {.equations = ThetaEquations{.theta = options_.theta,
                                      .quadrature = options_.quadrature,
                                      .frame = options_.frame,
                                      .forecast = options_.forecast,
                                      .gamma = options_.gamma},
          .tol = {.momentum = 10.0 * options_.tol, .velocity = 10.0 * options_.law_tol}};
}

void MoreauJean::poison() {
  Work& w = *work_;
  std::fill(w.r.begin(), w.r.end(), std::nan(""));
  w.motion.poison();
  w.contacts.poison();
}

void MoreauJean::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
