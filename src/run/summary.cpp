// The figures of a run in English.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include <escapement/simulate.hpp>

#include "src/math/text.hpp"
#include "src/model/gap_unit.hpp"

namespace esc {

namespace {

// The order in which people look for them.
constexpr std::array shown{Work::impact, Work::friction, Work::damping,   Work::applied,
                           Work::walls,  Work::joints,   Work::projection};
static_assert(shown.size() == work_lines.size());

std::string works(const RunReport& report) {
  Audit total = report.total;
  total.after = report.final;
  std::string text;
  for (const Work line : shown) {
    if (line == Work::projection && total[line] == 0.0) continue;  // most schemes have none
    text += std::string(work_lines[static_cast<std::size_t>(line)].label) + " " + short_text(total[line]) + " J, ";
  }
  return text + "unaccounted " + short_text(total.balance_error()) + " J";
}

std::string percent(double part) { return short_text(std::round(1000.0 * part) / 10.0) + " %"; }

std::string where(const System& system, const RunReport& report) {
  const auto [kind, name] = found_at(system, report.worst_check, report.worst_finding);
  return name.empty() ? "" : ", at " + std::string(kind) + " " + name;
}

std::string stage_times(const RunReport& report) {
  const double total = std::accumulate(report.times.begin(), report.times.end(), 0.0);
  const double steps = std::max(1.0, static_cast<double>(report.steps));
  std::string text = short_text(1e6 * total / steps) + " us a step";
  for (std::size_t i = 0; i < stage_lines.size(); ++i)
    text +=
        ", " + std::string(stage_lines[i].label) + " " + short_text(std::round(100.0 * report.times[i] / total)) + " %";
  return text;
}

// "energy: the run has lost 9.7e3 J by itself, 97 % of the 1e4 J in motion; 25 % are allowed"
std::string own_energy(const RunReport& report) {
  const EnergyJudgement& energy = report.energy;
  const bool gains = energy.gained > energy.lost;
  return std::string("energy: the scheme has ") + (gains ? "added " : "lost ") +
         short_text(gains ? energy.gained : energy.lost) +
         " J by t = " + short_text(gains ? energy.gained_t : energy.lost_t) + " s, " +
         percent(energy.part(report.total)) + " of the " + short_text(energy.in_motion(report.total)) +
         " J in motion; allowed is " + percent(energy.bound);
}

std::string worst_step(const EnergyJudgement& energy) {
  return ", the worst step ends at t = " + short_text(energy.worst_t) + " s with " + short_text(energy.worst) + " J";
}

// What makes the energy of a run untrustworthy.
std::string bad_energy(const RunReport& report) {
  if (std::isfinite(report.energy.worst)) return own_energy(report) + "; reduce the step" + worst_step(report.energy);
  return "energy: it is not finite at t = " + short_text(report.energy.worst_t) +
         " s; look for masses, forces and velocities that grow without bound";
}

// "halve of combined-projection": a scheme, and what took its steps.
std::string name_of(const Scheme& scheme) {
  std::string name;
  for (const char c : scheme.promise().owner) name += c == '/' ? std::string(" of ") : std::string(1, c);
  return name;
}

}  // namespace

std::vector<std::string> warnings(const Scheme& scheme, const RunReport& report) {
  std::vector<std::string> all(scheme.system().warnings().begin(), scheme.system().warnings().end());
  for (std::string& warning : scheme.warnings()) all.push_back(std::move(warning));
  if (!report.energy.ok(report.total)) all.push_back(bad_energy(report) + " (docs/certificate.md#the-energy-of-a-run)");
  return all;
}

std::string summary(const Scheme& scheme, const SimulateOptions& options, const RunReport& report) {
  const double start = report.initial.kinetic + report.initial.potential;
  const double end = report.final.kinetic + report.final.potential;
  std::string text;
  for (const std::string& warning : warnings(scheme, report)) text += "warning      " + warning + "\n";
  const auto line = [&](const char* label, const std::string& value) { text += std::string(label) + value + "\n"; };
  const char* verdict[] = {"done", "stopped on request", "FAILED"};
  line("run          ", std::string(verdict[static_cast<int>(report.status)]) + ", " + name_of(scheme) + ", step " +
                            to_text(options.step) + " s, " + std::to_string(report.steps) + " steps, " +
                            std::to_string(report.failures) + " rejected");
  if (!report.message.empty()) line("             ", report.message);
  if (report.status != RunStatus::failed && report.failures > 0)
    line("halved       ",
         std::to_string(report.failures) +
             (report.failures == 1 ? " attempt at a step failed and was" : " attempts at steps failed and were") +
             " repeated with half the length");
  const std::string not_computed = "not computed (certify = false)";
  line("contact      ",
       std::to_string(report.impacts) + " impacts, worst penetration " +
           (options.certify ? short_text(report.max_penetration) + " " + gap_unit(scheme.system()) : not_computed));
  if (scheme.system().joint_rows() > 0)
    line("joints       ", std::to_string(scheme.system().joints().size()) + " joints, " +
                              std::to_string(scheme.system().joint_rows()) + " rows, worst drift " +
                              (options.certify ? short_text(report.max_joint_drift) + " (m or rad)" : not_computed));
  line("energy       ", short_text(start) + " J at the start, " + short_text(end) + " J at the end, highest " +
                            short_text(report.max_energy) + " J");
  line("work         ", !options.certify ? not_computed : works(report));
  if (report.energy.ok(report.total) && report.energy.notable(report.total))
    line("note         ", own_energy(report) + worst_step(report.energy));
  line("iterations   ", "Newton " + short_text(report.newton.mean()) + " mean, " + short_text(report.newton.max) +
                            " max; contact solver " + short_text(report.solver.mean()) + " mean, " +
                            short_text(report.solver.max) + " max, worst residual " +
                            short_text(report.worst_residual));
  if (options.time_stages && report.steps > 0) line("stages       ", stage_times(report));
  if (report.coarse_steps > 0)
    line("coarse       ", "in " + std::to_string(report.coarse_steps) + " of " + std::to_string(report.steps) +
                              " steps islands of more than 50 contacts were solved to large_island_tol only, as asked");
  if (!options.certify) {
    line("certificate  ", "not asked for");
  } else if (report.steps == 0) {
    line("certificate  ", "none: no step was taken");
  } else if (report.failed_certificates == 0 && !report.energy.ok(report.total)) {
    line("certificate  ", "holds for all " + std::to_string(report.steps) +
                              " steps, but the energy of the run is not what mechanics allows: see the warning");
  } else if (report.failed_certificates == 0) {
    line("certificate  ", "ok for all " + std::to_string(report.steps) +
                              " steps; nearest to its bound: " + std::string(to_string(report.worst_check)) + ", " +
                              short_text(report.worst_ratio) + " of what is allowed");
  } else {
    line("certificate  ",
         "FAILED in " + std::to_string(report.failed_certificates) + " of " + std::to_string(report.steps) +
             " steps, first at t = " + short_text(report.first_failed_certificate) +
             " s; worst: " + std::string(to_string(report.worst_check)) + " " + short_text(report.worst_finding.value) +
             ", allowed " + short_text(report.worst_finding.allowed) + where(scheme.system(), report));
  }
  return text;
}

}  // namespace esc
