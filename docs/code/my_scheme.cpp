#include "docs/code/my_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/theta_step.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

namespace {

class BackwardEulerMethod final : public Method {
 public:
  BackwardEulerMethod(const System& sys, const BackwardEulerOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, {.theta = 1.0, .first = FirstIterate::extrapolated, .frame = FrameAt::begin}, scratch),
        contacts(sys, {}, {scratch, executor}) {}

  Promise promise() const override;
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }

 private:
  void activate(const State& x, double h);
  StepStatus newton(StepReport& report);
  double residual();

  const System& system;
  BackwardEulerOptions options;
  ThetaStep motion;           // v, q, f = h F - M (v - v_k) + Gb^T Lambda, and the factors of S
  VelocityContacts contacts;  // the active contacts with G at q_k, U_k and P
  std::vector<double>& r = scratch.vector();
};

// I = { a | g_a + h U_a <= 0 }, all at the start of the step.
void BackwardEulerMethod::activate(const State& x, double h) {
  find_closing(system, x, PositionForecast{.h = h, .gamma = 1.0}, contacts.set);
  if (!contacts.set.empty()) contacts.begin_step(x);
}

// |h F - M (v - v_k) + Gb^T Lambda + G^T P|
double BackwardEulerMethod::residual() {
  r = motion.f;
  contacts.add_impulses(r);
  return norm(r);
}

StepStatus BackwardEulerMethod::newton(StepReport& report) {
  motion.begin();  // v = v_k, q = q_k + h v_k
  for (report.iterations = 1; report.iterations <= options.newton_max; ++report.iterations) {
    if (!motion.solve()) return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
    if (!contacts.set.empty() && !contacts.solve(motion, report))
      return contacts.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
    motion.update();  // q = q_k + h v, and f there
    report.residual = residual();
    if (!std::isfinite(report.residual) || !all_finite(motion.q)) return StepStatus::not_finite;
    if (report.residual <= options.tol) return StepStatus::ok;
  }
  return StepStatus::newton_stalled;
}

void BackwardEulerMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  const auto fail = [&](StepStatus status) { report.status = status; };
  if (!motion.prepare(x, h, history)) return fail(StepStatus::singular_matrix);

  activate(x, h);
  if (const StepStatus status = newton(report); status != StepStatus::ok) return fail(status);

  contacts.write(x, {x.t + h, 1e-9}, report);
  report.advanced = h;
  motion.finish(x, !contacts.set.empty());
}

Promise BackwardEulerMethod::promise() const {
  Promise promise;
  promise.equations = ThetaEquations{.theta = 1.0, .frame = FrameAt::begin, .gamma = 1.0};
  promise.tol.momentum = 10.0 * options.tol;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const BackwardEulerOptions&) { return {}; }

std::unique_ptr<Method> make_method(const System& system, const BackwardEulerOptions& options, Executor& executor) {
  return std::make_unique<BackwardEulerMethod>(system, options, executor);
}

}  // namespace esc
