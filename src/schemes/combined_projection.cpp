#include <escapement/schemes/combined_projection.hpp>

#include <cmath>

#include "src/schemes/parts/projected_step.hpp"

namespace esc {

struct CombinedProjection::Work {
  ProjectedStep step;
};

CombinedProjection::CombinedProjection(const System& system, const CombinedProjectionOptions& options,
                                       Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  work_ =
      std::make_unique<Work>(Work{ProjectedStep(system, projected_options(options, Projection::combined), executor)});
}

CombinedProjection::~CombinedProjection() = default;

void CombinedProjection::start(State& x) {
  work_->step.start(x);
  x.scheme = name();
}

StepReport CombinedProjection::step(State& x, double h) {
  StepReport report;
  ProjectedStep& projection = work_->step;
  const auto fail = [&](StepStatus status) { return (report.status = status, report); };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);

  if (const auto status = projection.begin(x, h); status != StepStatus::ok) return fail(status);  // I^0 is empty
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!projection.newton(report)) return report;         // the projection step (65)
    if (!projection.activate(projection.closed())) break;  // I^{nu+1} = I^nu u { a | g_a <= 0 } (66)
  }
  projection.finish(x, report);
  return report;
}

Promise CombinedProjection::promise() const {
  Promise promise = work_->step.promise();
  std::get<ThetaEquations>(promise.equations).activation = Activation::recorded;
  return promise;
}

void CombinedProjection::poison() { work_->step.poison(); }
void CombinedProjection::invalidate() { work_->step.invalidate(); }

}  // namespace esc
