// Recheck of what a row of frames/ and steps/ may have at all: by the family of its equations, and by what figures are.
#include <cmath>

#include "src/io/results_recheck.hpp"

namespace esc::io {

namespace {

// Over which time the impulses of a step act.
double impulse_time(const State& before, const State& x, const Promise& promise) {
  const ImpulseTime over = equation_traits(promise.equations).impulse_time;
  if (over != ImpulseTime::unsaid) return over == ImpulseTime::none ? 0.0 : x.h;
  const History* two_step = find_history(before, promise.owner);  // its last value is the length of the step before
  return two_step ? 0.5 * (x.h + two_step->values.back()) : x.impulse_time;
}

// Records and joints carry a tau. Contacts at position level have their impulse in its place.
bool projects(const Promise& promise) {
  if (const auto* theta = std::get_if<ThetaEquations>(&promise.equations)) return theta->projection != Projection::none;
  return equation_traits(promise.equations).corrects && !std::holds_alternative<TwoStepEquations>(promise.equations);
}

}  // namespace

// A scheme that projects nothing has no multipliers of positions. Whether a step takes time, and over which time its
// impulses act, the family of its equations says. A contact has impulses in its own rows only.
void Recheck::look_at_family(const State& before, const State& x, std::size_t row, const FrameTable& frames) {
  const Promise& promise = results_.promises()[static_cast<std::size_t>(frames.promise[row])];
  const bool first = frames_ == 0;
  const bool impact = !first && equation_traits(promise.equations).impulse_time == ImpulseTime::none;
  see({x.t, "frames/kind"}, frames.kind[row], static_cast<double>(impact ? StepKind::impact : StepKind::motion), 0.0);
  const double over = first ? 0.0 : impulse_time(before, x, promise);
  see({x.t, "frames/impulse_time"}, x.impulse_time, over, 1e-9 * over);
  for (const ContactRecord& record : x.contacts)
    for (auto k = static_cast<std::size_t>(record.rows); k < record.P.size(); ++k)
      see({x.t, "contacts/impulse", system_.contact_name(record.key)}, record.P[k], 0.0, 0.0);
  if (projects(promise)) return;
  for (const ContactRecord& record : x.contacts)
    see({x.t, "contacts/tau", system_.contact_name(record.key)}, record.tau, 0.0, 0.0);
  for (const double tau : x.joint_tau) see({x.t, "frames/joint_tau"}, tau, 0.0, 0.0);
}

// Residuals of accepted steps are finite, and counts and residuals are not negative. Those of certificates are computed
// again.
void Recheck::look_at_figures(const StepTable& steps, std::size_t i) {
  const double t = frame_.after.t;
  each_column(steps, {}, [&](const auto& values, const char* name, auto&&...) {
    const std::string_view figure = name;
    if (figure.starts_with("certificate_") || figure == "penetration" || figure == "joint_drift") return;
    const auto value = static_cast<double>(values[i]);
    if (!(value >= 0.0) || std::isinf(value)) see({t, "steps/" + std::string(name)}, value, 0.0, 0.0);
  });
}

}  // namespace esc::io
