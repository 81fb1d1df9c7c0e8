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

struct BackwardEuler::Work {
  explicit Work(const System& sys)
      : system(sys),
        motion(sys, {.theta = 1.0, .first = FirstIterate::extrapolated, .frame = FrameAt::begin}),
        contacts(sys, {}, serial()) {}

  void activate(const State& x, double h);
  StepStatus newton(const BackwardEulerOptions& options, StepReport& report);
  double residual();

  const System& system;
  ThetaStep motion;           // v, q, f = h F - M (v - v_k) + Gb^T Lambda, and the factors of K
  VelocityContacts contacts;  // the active contacts with G at q_k, U_k and P
  std::vector<double> r;
};

// I = { a | g_a + h U_a <= 0 }, all at the start of the step.
void BackwardEuler::Work::activate(const State& x, double h) {
  find_closing(system, x, PositionForecast{.h = h, .gamma = 1.0}, contacts.set);
  if (contacts.set.size() > 0) contacts.adopt(x);
}

// |h F - M (v - v_k) + Gb^T Lambda + G^T P|
double BackwardEuler::Work::residual() {
  r = motion.f;
  contacts.add_impulses(r);
  return norm(r);
}

StepStatus BackwardEuler::Work::newton(const BackwardEulerOptions& options, StepReport& report) {
  motion.begin();  // v = v_k, q = q_k + h v_k
  for (report.iterations = 1; report.iterations <= options.newton_max; ++report.iterations) {
    if (!motion.solve()) return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
    if (contacts.set.size() > 0 && !contacts.solve(motion, report))
      return contacts.finite() ? StepStatus::solver_failed : StepStatus::not_finite;
    motion.update();  // q = q_k + h v, and f there
    report.residual = residual();
    if (!std::isfinite(report.residual) || !all_finite(motion.q)) return StepStatus::not_finite;
    if (report.residual <= options.tol) return StepStatus::ok;
  }
  return StepStatus::newton_stalled;
}

BackwardEuler::BackwardEuler(const System& system, const BackwardEulerOptions& options)
    : system_(system), options_(options), work_(std::make_unique<Work>(system)) {
  validate(options);
}

BackwardEuler::~BackwardEuler() = default;

void BackwardEuler::start(State& x) {
  x.history.clear();
  x.scheme = name();
}

StepReport BackwardEuler::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) {
    report.status = status;
    return report;
  };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);
  if (!std::isfinite(x.t)) return fail(StepStatus::not_finite);
  if (!w.motion.prepare(x, h)) return fail(StepStatus::singular_matrix);

  w.activate(x, h);
  if (const StepStatus status = w.newton(options_, report); status != StepStatus::ok) return fail(status);

  w.contacts.write(x, {x.t + h, 1e-9}, report);
  report.advanced = h;
  w.motion.finish(x, w.contacts.set.size() > 0);
  return report;
}

Promise BackwardEuler::promise() const {
  Promise promise;
  promise.equations = ThetaEquations{.theta = 1.0, .frame = FrameAt::begin, .gamma = 1.0};
  promise.tol.momentum = 10.0 * options_.tol;
  return promise;
}

void BackwardEuler::poison() {
  Work& w = *work_;
  std::fill(w.r.begin(), w.r.end(), std::numeric_limits<double>::quiet_NaN());
  w.motion.poison();
  w.contacts.poison();
}

void BackwardEuler::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
