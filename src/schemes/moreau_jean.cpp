#include <escapement/schemes/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/culprits.hpp"
#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/mixing.hpp"
#include "src/schemes/parts/newton_pace.hpp"
#include "src/schemes/parts/theta_step.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

namespace {

// Letters of acary section 4.3: U_k are the velocities before the step, P the impulses over it.
class MoreauJeanMethod final : public Method {
 public:
  MoreauJeanMethod(const System& sys, const MoreauJeanOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {o.theta, o.quadrature, o.first_iterate, o.frame, o.tangents}, scratch),
        rule(sys, forecast_options(o), scratch),
        contacts(sys, velocity_options(o), {scratch, executor}) {}

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return motion.history(); }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }
  bool looks_at_mass() const override { return motion.begins_in_place(); }

 private:
  bool forecast(const State& x, double h, StepReport& report);
  bool newton(const State& x, double h, StepReport& report);
  void evaluate_frames(const State& x, double h);
  double residual();

  const System& system;
  MoreauJeanOptions options;
  ThetaStep motion;  // v^n, q^n, f, Mhat
  ForecastRule rule;
  VelocityContacts contacts;  // I, U_k, P
  Mixing mixing{scratch};
  std::vector<double>& r = scratch.vector();
};

// I = { a | forecast of g_a <= 0 }.
bool MoreauJeanMethod::forecast(const State& x, double h, StepReport& report) {
  contacts.set.clear();
  if (rule.asks_free_motion() && !newton(x, h, report)) return false;  // v = v_free
  rule.find(x, h, motion.v, contacts.set);
  if (!contacts.set.empty()) contacts.begin_step(x);
  return true;
}

// G at the frame of this iterate.
void MoreauJeanMethod::evaluate_frames(const State& x, double h) {
  if (contacts.set.empty()) return;
  if (options.frame == FrameAt::end) system.evaluate(x.t + h, motion.q, contacts.set);
  if (options.frame == FrameAt::theta) system.evaluate(x.t + options.theta * h, motion.q_theta(), contacts.set);
}

// |h F - M (v^n - v_k) + Gb^T Lambda + G^T P|, Eq. (41).
double MoreauJeanMethod::residual() {
  if (contacts.set.empty()) return largest_block(system.blocks(), motion.f);
  r = motion.f;
  contacts.add_impulses(r);
  return largest_block(system.blocks(), r);
}

bool MoreauJeanMethod::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) {
    blame_loaded(system, contacts.set, contacts.P, motion.Lambda, report.stuck_at);
    return (report.status = status, false);
  };
  motion.begin();
  evaluate_frames(x, h);
  mixing.begin();

  NewtonPace pace;
  for (int n = 1; n <= options.newton_max; ++n) {
    // Semi-Newton (43): the inertia and G are updated as a fixed point; joints keep their factors while that is fast.
    const bool slow = n > Mixing::patience;
    if (slow) mixing.start(motion.v);
    if (!motion.solve(pace.next(report.residual)))
      return fail(all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite);
    report.iterations = n;
    if (contacts.set.empty() && system.one_solve()) {  // (41) is affine: solved
      motion.place();
      return true;
    }
    if (!contacts.set.empty() && !contacts.solve(motion, report))  // (18d)
      return fail(contacts.finite() ? StepStatus::solver_failed : StepStatus::not_finite);
    motion.update();
    evaluate_frames(x, h);
    const double moved = std::max(contacts.frame_change(motion.v), motion.joint_defect());
    report.residual = residual();
    report.frame_change = moved;
    if (!std::isfinite(report.residual) || !std::isfinite(moved)) return fail(StepStatus::not_finite);
    if (motion.balances(report.residual, options.tol, n, contacts) && moved <= options.frame_tol &&
        contacts.friction_direction_settled(motion.v, options.tol, options.frame_tol))
      return true;
    if (!slow) continue;
    motion.inertias(mixing.weights());
    mixing.mix(motion.v);
    motion.update();
    evaluate_frames(x, h);
  }
  return fail(StepStatus::newton_stalled);
}

void MoreauJeanMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  const auto fail = [&](StepStatus status) { report.status = status; };
  if (!motion.prepare(x, h, history)) return fail(StepStatus::singular_matrix);

  if (!forecast(x, h, report)) return;
  const bool free_is_final = options.forecast == Forecast::free && contacts.set.empty();
  if (!free_is_final && !newton(x, h, report)) return;
  if (!all_finite(motion.q, motion.v)) return fail(StepStatus::not_finite);

  contacts.share(motion, {options.frame_tol, any_gap, 0.01 * options.tol});
  contacts.write(x, {x.t + h, options.impact_velocity}, report);
  report.advanced = h;
  motion.finish(x, !contacts.set.empty());
}

Promise MoreauJeanMethod::promise() const {
  return {.equations = ThetaEquations{.theta = options.theta,
                                      .quadrature = options.quadrature,
                                      .frame = options.frame,
                                      .forecast = options.forecast,
                                      .gamma = options.gamma,
                                      .activation_tolerance = options.activation_tol,
                                      .friction_cone = options.friction_cone,
                                      .friction_directions = options.friction_directions},
          .tol = {.momentum = 10.0 * options.tol, .velocity = 10.0 * options.frame_tol}};
}

}  // namespace

SchemeTraits traits_of(const MoreauJeanOptions& options) { return {.order = options.theta == 0.5 ? 2 : 1}; }

std::unique_ptr<Method> make_method(const System& system, const MoreauJeanOptions& options, Executor& executor) {
  return std::make_unique<MoreauJeanMethod>(system, options, executor);
}

}  // namespace esc
