#include <escapement/schemes/alpha_ggl_monolithic.hpp>

#include <algorithm>
#include <cmath>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/alpha_corrections.hpp"
#include "src/schemes/parts/alpha_monolithic.hpp"
#include "src/schemes/parts/alpha_options.hpp"
#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/newton_pace.hpp"

namespace esc {

namespace {

constexpr int patience = 12;  // iterations after which active sets count as cycling

class AlphaGglMonolithicMethod final : public Method {
 public:
  AlphaGglMonolithicMethod(const System& sys, const AlphaGglMonolithicOptions& o, Executor& executor)
      : system(sys),
        options(o),
        motion(sys, alpha_equations(o), o.tangents, scratch),
        corrections(sys, correction_options(o), motion, {scratch, executor}),
        monolithic(sys, motion, corrections, o.r, scratch) {}

  Promise promise() const override { return alpha_promise(options); }
  std::span<const HistoryField> history() const override { return alpha_history; }
  void start(State& x) const override;
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;
  void invalidate() override {
    motion.invalidate();
    monolithic.invalidate();
  }

 private:
  StepStatus newton(StepReport& report);
  StepStatus hand_over(StepReport& report);
  bool settled(StepReport& report, bool handed);
  bool has_polygon() const;

  const System& system;
  AlphaGglMonolithicOptions options;
  AlphaStep motion;              // v~, q~, lambda~, and v, q
  AlphaCorrections corrections;  // who may be active, and what is left where sets cycle
  AlphaMonolithic monolithic;    // (43)
  NewtonPace pace;
};

void AlphaGglMonolithicMethod::start(State& x) const {
  x.joint_tau.assign(system.joint_rows(), 0.0);
  motion.start(x);
}

// Corners of a polygon have no direction to follow: such friction is a ConeProblem from the start.
bool AlphaGglMonolithicMethod::has_polygon() const {
  if (options.friction_cone == FrictionCone::round) return false;
  const auto laws = system.pair_laws();
  return std::any_of(laws.begin(), laws.end(), [](const ContactLaw& law) { return law.mu > 0.0; });
}

// An iteration of the coupled form: the smooth motion, then both levels in one ConeProblem.
StepStatus AlphaGglMonolithicMethod::hand_over(StepReport& report) {
  if (!corrections.empty()) corrections.note();
  if (!motion.solve(pace.next(report.residual)))
    return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
  return corrections.empty() ? corrections.solve(report) : corrections.solve_coupled(report);
}

bool AlphaGglMonolithicMethod::settled(StepReport& report, bool handed) {
  corrections.measure(report);
  if (!handed) report.frame_change = std::max(motion.joint_defect(), monolithic.law_defect());
  return corrections.settled(report);
}

StepStatus AlphaGglMonolithicMethod::newton(StepReport& report) {
  pace = {};
  bool handed = has_polygon();
  monolithic.begin();
  corrections.renew();
  motion.update();
  corrections.evaluate();
  for (int n = 1; n <= options.newton_max; ++n) {
    ++report.iterations;
    handed = handed || (n > patience && !corrections.empty()) || monolithic.cycles() || !monolithic.solve();
    if (handed) {
      const StepStatus status = hand_over(report);
      if (status != StepStatus::ok) return status;
    } else {
      report.projections += corrections.empty() && !motion.jointed() ? 0 : 1;
      motion.evaluate_anew();
    }
    motion.place();
    const bool changed = corrections.renew();
    if (!changed && corrections.empty() && system.one_solve()) return StepStatus::ok;
    motion.update();
    corrections.evaluate();
    if (changed) continue;
    const bool done = settled(report, handed);
    if (!std::isfinite(report.residual + report.frame_change + report.gap_residual)) return StepStatus::not_finite;
    if (done) return StepStatus::ok;
  }
  const bool moves = report.residual <= options.tol_s && report.frame_change <= options.tol_v;
  return moves ? StepStatus::projection_stalled : StepStatus::newton_stalled;
}

void AlphaGglMonolithicMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
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
  monolithic.settle();
  if (corrections.contacts().set.size() > 1 && !motion.factor_mass()) {
    report.status = StepStatus::singular_matrix;
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

SchemeTraits traits_of(const AlphaGglMonolithicOptions& options) {
  static_cast<void>(options);
  return {.order = 2};
}

std::unique_ptr<Method> make_method(const System& system, const AlphaGglMonolithicOptions& options,
                                    Executor& executor) {
  return std::make_unique<AlphaGglMonolithicMethod>(system, options, executor);
}

}  // namespace esc
