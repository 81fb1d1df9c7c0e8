#include <escapement/schemes/direct_projected.hpp>

#include "src/schemes/parts/forecast.hpp"
#include "src/schemes/parts/projected_step.hpp"

namespace esc {

namespace {

class DirectProjectedMethod final : public Method {
 public:
  DirectProjectedMethod(const System& sys, const DirectProjectedOptions& o, Executor& executor)
      : system(sys), options(o), projection(sys, projected_options(o, Projection::complementary), executor) {}

  Promise promise() const override;
  std::span<const HistoryField> history() const override { return projection.motion.history(); }
  void start(State& x) const override { projection.start(x); }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void poison() override { projection.poison(); }
  void invalidate() override { projection.invalidate(); }

 private:
  const System& system;
  DirectProjectedOptions options;
  ProjectedStep projection;
  ContactSet forecast;
};

void DirectProjectedMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  report.status = projection.begin(x, h, history);
  if (!report.ok()) return;

  // I = { a | forecast of g_a <= 0 }, (61) or (62).
  const double tol = options.activation_tol;
  if (options.forecast == Forecast::position) {
    find_closing(system, x, PositionForecast{h, options.gamma, tol}, forecast);
  } else {
    if (!projection.free_motion(report)) return;
    find_closing(system, x, FreeForecast{h, options.theta, tol, projection.motion.v}, forecast);
  }
  projection.activate(forecast);
  if (!projection.newton(report)) return;
  projection.finish(x, report);
}

Promise DirectProjectedMethod::promise() const {
  Promise promise = projection.promise();
  promise.forecast = options.forecast;
  promise.gamma = options.gamma;
  promise.activation_tolerance = options.activation_tol;
  return promise;
}

}  // namespace

SchemeTraits traits_of(const DirectProjectedOptions& options) { return {.order = options.theta == 0.5 ? 2 : 1}; }

std::unique_ptr<Method> make_method(const System& system, const DirectProjectedOptions& options, Executor& executor) {
  return std::make_unique<DirectProjectedMethod>(system, options, executor);
}

}  // namespace esc
