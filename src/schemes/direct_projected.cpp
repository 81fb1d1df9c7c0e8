#include <escapement/schemes/direct_projected.hpp>

#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/projected_step.hpp"

namespace esc {

namespace {

class DirectProjectedMethod final : public Method {
 public:
  DirectProjectedMethod(const System& system, const DirectProjectedOptions& o, Executor& executor)
      : options(o),
        projection(system, projected_options(o, Projection::complementary), {scratch, executor}),
        rule(system, forecast_options(o), scratch) {}

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return projection.motion.history(); }
  void start(State& x) const override { projection.start(x); }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { projection.invalidate(); }
  bool looks_at_mass() const override { return projection.motion.begins_in_place(); }

 private:
  DirectProjectedOptions options;
  ProjectedStep projection;
  ForecastRule rule;
  ContactSet& forecast = scratch.contacts();
};

void DirectProjectedMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  report.status = projection.begin(x, h, history);
  if (!report.ok()) return;

  // I = { a | forecast of g_a <= 0 }, (61) or (62).
  if (rule.asks_free_motion() && !projection.free_motion(report)) return;
  rule.find(x, h, projection.motion.v, forecast);
  projection.activate(forecast);
  if (!projection.newton(report)) return;
  projection.finish(x, report);
}

Promise DirectProjectedMethod::promise() const {
  Promise promise = projection.promise();
  auto& equations = std::get<ThetaEquations>(promise.equations);
  equations.forecast = options.forecast;
  equations.gamma = options.gamma;
  equations.activation_tolerance = options.activation_tol;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const DirectProjectedOptions& options) { return {.order = options.theta == 0.5 ? 2 : 1}; }

std::unique_ptr<Method> make_method(const System& system, const DirectProjectedOptions& options, Executor& executor) {
  return std::make_unique<DirectProjectedMethod>(system, options, executor);
}

}  // namespace esc
