#include <escapement/schemes/combined_projection.hpp>

#include "src/schemes/parts/projected_step.hpp"

namespace esc {

namespace {

class CombinedProjectionMethod final : public Method {
 public:
  CombinedProjectionMethod(const System& sys, const CombinedProjectionOptions& o, Executor& executor)
      : projection(sys, projected_options(o, Projection::combined), {scratch, executor}) {}

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return projection.motion.history(); }
  void start(State& x) const override { projection.start(x); }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { projection.invalidate(); }
  bool looks_at_mass() const override { return projection.motion.begins_in_place(); }

 private:
  // I^0: no contacts, at first in a hurry, or those with an impulse in the last step.
  enum class Start : std::uint8_t { hurried, carried, empty };
  void attempt(State& x, double h, std::span<double> history, StepReport& report, Start start);

  ProjectedStep projection;
};

void CombinedProjectionMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  const StepReport fresh = report;
  const auto next = [&](Start start) {
    StepReport again = fresh;
    attempt(x, h, history, again, start);
    again.iterations += report.iterations;
    again.solver_iterations += report.solver_iterations;
    again.projections += report.projections;
    if (again.ok() || start == Start::empty) report = again;
  };
  attempt(x, h, history, report, Start::hurried);
  if (report.ok()) return;
  // Another order of taking up contacts: (66) takes up all that the motion without contact would close, and some of
  // these may contradict each other.
  next(Start::carried);
  if (!report.ok()) next(Start::empty);
}

void CombinedProjectionMethod::attempt(State& x, double h, std::span<double> history, StepReport& report, Start start) {
  report.status = projection.begin(x, h, history);
  if (!report.ok()) return;
  if (start == Start::hurried) projection.hurry();
  if (start == Start::carried && !projection.go_cautiously()) {
    report.status = StepStatus::newton_stalled;  // nothing to start from
    return;
  }
  for (report.index_sets = 1;; ++report.index_sets) {
    if (!projection.newton(report)) return;  // the projection step (65)
    if (!projection.renew()) break;          // I^{nu+1} = I^nu u { a | g_a <= gap_tol } (66)
  }
  projection.finish(x, report);
}

Promise CombinedProjectionMethod::promise() const {
  Promise promise = projection.promise();
  std::get<ThetaEquations>(promise.equations).activation = Activation::recorded;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const CombinedProjectionOptions& options) { return {.order = options.theta == 0.5 ? 2 : 1}; }

std::unique_ptr<Method> make_method(const System& system, const CombinedProjectionOptions& options,
                                    Executor& executor) {
  return std::make_unique<CombinedProjectionMethod>(system, options, executor);
}

}  // namespace esc
