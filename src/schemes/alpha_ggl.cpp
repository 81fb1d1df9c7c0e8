#include <escapement/schemes/alpha_ggl.hpp>

#include <cmath>

#include <escapement/error.hpp>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/alpha_corrections.hpp"
#include "src/schemes/parts/alpha_options.hpp"
#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/newton_pace.hpp"

namespace esc {

namespace {

class AlphaGglMethod final : public Method {
 public:
  AlphaGglMethod(const System& sys, const AlphaGglOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, alpha_equations(o), o.tangents, scratch),
        corrections(sys, correction_options(o), motion, {scratch, executor}) {
    if (o.gap_law == GapLaw::mu && o.form == AlphaForm::coupled)
      throw OptionError("alpha-ggl.gap_law", "mu has the sequential form only; give form = sequential or automatic");
    if (o.gap_law == GapLaw::mu && o.prediction == Prediction::end)
      throw OptionError("alpha-ggl.gap_law",
                        "mu opens the gaps in which impulses act, so q_{n+1} does not say which do; "
                        "give another prediction");
    if (o.gap_law == GapLaw::mu && o.levels == Levels::velocity)
      throw OptionError("alpha-ggl.gap_law",
                        "mu is about gaps, which levels = velocity does not hold; give levels = both");
  }

  Promise promise() const override { return alpha_promise(options); }
  std::span<const HistoryField> history() const override { return alpha_history; }
  void start(State& x) const override;
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override { motion.invalidate(); }

 private:
  StepStatus newton(StepReport& report);

  const System& system;
  AlphaGglOptions options;
  AlphaStep motion;              // v~, q~, lambda~, and v, q
  AlphaCorrections corrections;  // W, P, Lambda and shift, nu
};

void AlphaGglMethod::start(State& x) const {
  x.joint_tau.assign(system.joint_rows(), 0.0);
  motion.start(x);
}

// Algorithm 1: the smooth motion, then velocities and positions, linearised at the same iterate.
StepStatus AlphaGglMethod::newton(StepReport& report) {
  NewtonPace pace;
  bool slow = options.form == AlphaForm::coupled;
  corrections.renew();
  motion.update();
  for (int n = 1; n <= options.newton_max; ++n) {
    ++report.iterations;
    const bool coupled = slow && !corrections.empty();
    if (coupled) corrections.note();
    if (!motion.solve(pace.next(report.residual)))  // (29a), (29b)
      return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
    const StepStatus status = coupled ? corrections.solve_coupled(report) : corrections.solve(report);  // (29c)-(29h)
    if (status != StepStatus::ok) return status;
    motion.place();
    const bool changed = corrections.renew();
    if (!changed && corrections.empty() && system.one_solve()) return StepStatus::ok;
    motion.update();
    corrections.evaluate();
    if (changed) continue;
    corrections.measure(report);
    if (!std::isfinite(report.residual + report.frame_change + report.gap_residual)) return StepStatus::not_finite;
    if (corrections.settled(report)) return StepStatus::ok;
    const bool halved = report.residual <= 0.5 * pace.last() || report.residual <= options.tol_s;
    slow = slow || (n > 2 && !halved && options.form == AlphaForm::automatic && options.gap_law == GapLaw::nu);
  }
  const bool moves = report.residual <= options.tol_s && report.frame_change <= options.tol_v;
  return moves ? StepStatus::projection_stalled : StepStatus::newton_stalled;
}

void AlphaGglMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  if (!motion.prepare(x, h, history)) {
    report.status = StepStatus::singular_matrix;
    return;
  }
  motion.begin();
  corrections.begin(x);
  report.status = newton(report);
  if (!report.ok()) return corrections.blame(report);
  if (!all_finite(motion.q, motion.v)) {
    report.status = StepStatus::not_finite;
    return;
  }
  if (!corrections.finish(x, report)) {
    report.status = StepStatus::contact_missed;
    return;
  }
  report.advanced = h;
  motion.finish(x, options.after_impact == AfterImpact::restart && corrections.impact());
}

}  // namespace

SchemeTraits traits_of(const AlphaGglOptions& options) {
  return {.order = 2, .friction = options.gap_law == GapLaw::nu};
}

std::unique_ptr<Method> make_method(const System& system, const AlphaGglOptions& options, Executor& executor) {
  return std::make_unique<AlphaGglMethod>(system, options, executor);
}

}  // namespace esc
