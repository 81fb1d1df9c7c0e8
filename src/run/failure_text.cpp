#include "src/run/failure_text.hpp"

#include <algorithm>
#include <vector>

#include <escapement/schemes/registry.hpp>

#include "src/math/text.hpp"
#include "src/model/rate_conflicts.hpp"

namespace esc {

namespace {

std::string stuck_at(const System& system, const Culprits& culprits) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "It is stuck at " : ", ") + name; };
  for (int i = 0; i < culprits.contact_count; ++i) add("contact " + system.contact_name(culprits.contacts[i]));
  for (int i = 0; i < culprits.joint_count; ++i)
    add("joint " + std::string(system.joint_names()[static_cast<std::size_t>(culprits.joints[i])]));
  return text.empty() ? text : text + ". ";
}

// Joints and motors that no velocity satisfies together, where the step begins or where it would have ended.
std::string conflict(const System& system, const FailedStep& step) {
  const State& x = step.from;
  std::vector<double> scratch(system.scratch_size());
  JointSet set;
  for (const double t : {x.t, x.t + step.h}) {
    system.evaluate({t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);
    for (const Component& component : system.components()) {
      std::string names;
      for (const int j : rate_conflict(system, component, set).joints)
        names += (names.empty() ? "'" : ", '") + system.joint_names()[static_cast<std::size_t>(j)] + "'";
      if (!names.empty())
        return "Joints and motors contradict each other: no velocity satisfies " + names +
               " together. Correct the rates, or remove one of them: no step and no tolerance helps.";
    }
  }
  return "";
}

// A step that fails for its length may pass in parts.
std::string halving(const Scheme& scheme, StepStatus status) {
  const auto statuses = {StepStatus::newton_stalled, StepStatus::solver_failed, StepStatus::contact_missed,
                         StepStatus::projection_stalled};
  if (std::ranges::find(statuses, status) == statuses.end()) return "";
  if (scheme.traits().changes_step) return " The step has been halved as often as max_halvings allows.";
  const bool listed =
      std::ranges::any_of(schemes(), [&](const SchemeEntry& entry) { return entry.name == scheme.name(); });
  const std::string name(scheme.name());
  return " Or put the scheme halve around this one, which tries a failed step again with half its length: " +
         (listed ? "scheme = \"halve\", with the option inner = { scheme = \"" + name + "\" } and its options."
                 : "halving() around " + name + ".");
}

}  // namespace

std::string failure_text(const Scheme& scheme, const FailedStep& step, const StepReport& report) {
  const System& system = scheme.system();
  const char* what = report.status == StepStatus::not_finite ? "' is not finite" : "' is not positive definite";
  const std::string whose =
      report.block < 0 ? "" : ", the mass matrix of '" + std::string(system.block_name(report.block)) + what;
  const bool of_rates = report.status == StepStatus::newton_stalled ||
                        report.status == StepStatus::projection_stalled ||
                        report.status == StepStatus::singular_matrix || report.status == StepStatus::solver_failed;
  const std::string rates = of_rates ? conflict(system, step) : "";
  return "the step from t = " + to_text(step.from.t) + " s failed: " + std::string(to_string(report.status)) + whose +
         " (Newton iterations " + std::to_string(report.iterations) + ", residual " + short_text(report.residual) +
         " N s, velocities moved by " + short_text(report.frame_change) + " m/s, positions off by " +
         short_text(report.gap_residual) + " m or rad, contact solver residual " + short_text(report.solver_residual) +
         "). " + stuck_at(system, report.stuck_at) +
         (rates.empty() ? std::string(advice(report.status)) + halving(scheme, report.status) : rates);
}

}  // namespace esc
