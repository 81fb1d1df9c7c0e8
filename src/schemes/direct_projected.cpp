#include <escapement/schemes/direct_projected.hpp>

#include <cmath>

#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/projected_step.hpp"

namespace esc {

struct DirectProjected::Work {
  ProjectedStep step;
  ContactSet forecast;
};

DirectProjected::DirectProjected(const System& system, const DirectProjectedOptions& options, Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  work_ = std::make_unique<Work>(
      Work{ProjectedStep(system, projected_options(options, Projection::complementary), executor), {}});
}

DirectProjected::~DirectProjected() = default;

void DirectProjected::start(State& x) {
  work_->step.start(x);
  x.scheme = name();
}

StepReport DirectProjected::step(State& x, double h) {
  StepReport report;
  ProjectedStep& projection = work_->step;
  ContactSet& forecast = work_->forecast;
  const auto fail = [&](StepStatus status) { return (report.status = status, report); };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);
  if (const auto status = projection.begin(x, h); status != StepStatus::ok) return fail(status);

  // I = { a | forecast of g_a <= 0 }, (61) or (62).
  const double tol = options_.activation_tol;
  if (options_.forecast == Forecast::position) {
    find_closing(system_, x, PositionForecast{h, options_.gamma, tol}, forecast);
  } else {
    if (!projection.free_motion(report)) return report;
    find_closing(system_, x, FreeForecast{h, options_.theta, tol, projection.motion.v}, forecast);
  }
  projection.activate(forecast);
  if (!projection.newton(report)) return report;
  projection.finish(x, report);
  return report;
}

Promise DirectProjected::promise() const {
  Promise promise = work_->step.promise();
  auto& equations = std::get<ThetaEquations>(promise.equations);
  equations.forecast = options_.forecast;
  equations.gamma = options_.gamma;
  equations.activation_tolerance = options_.activation_tol;
  return promise;
}

void DirectProjected::poison() { work_->step.poison(); }
void DirectProjected::invalidate() { work_->step.invalidate(); }

}  // namespace esc
