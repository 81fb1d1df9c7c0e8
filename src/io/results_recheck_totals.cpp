// Recheck of the figures of a whole run: totals, and checkpoints, which a run goes on from.
#include <algorithm>
#include <cmath>

#include "src/io/results_recheck.hpp"
#include "src/math/text.hpp"
#include "src/run/energy_judgement.hpp"

namespace esc::io {

namespace {

// Calls see(dataset, stored, of the frame) for every number that a checkpoint and its frame both have.
template <class See>
void each_number(const State& stored, const State& right, const See& see) {
  const auto compare = [&](const char* what, std::vector<double> a, std::vector<double> b) {
    const std::size_t size = std::max(a.size(), b.size());
    a.resize(size, 0.0);  // a scheme without projection has no tau, and one that has not begun no history
    b.resize(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) see(what, a[i], b[i]);
  };
  see("t", stored.t, right.t);
  see("h", stored.h, right.h);
  see("impulse_time", stored.impulse_time, right.impulse_time);
  compare("q", stored.q, right.q);
  compare("v", stored.v, right.v);
  compare("u", stored.u, right.u);
  compare("joint_impulse", stored.joint_impulse, right.joint_impulse);
  compare("joint_tau", stored.joint_tau, right.joint_tau);
  for (const History& history : right.histories) {
    const History* own = find_history(stored, history.owner);
    compare("history", own ? own->values : std::vector<double>{}, history.values);
  }
  see("the number of contacts", static_cast<double>(stored.contacts.size()),
      static_cast<double>(right.contacts.size()));
  for (std::size_t i = 0; i < std::min(stored.contacts.size(), right.contacts.size()); ++i) {
    const ContactRecord &a = stored.contacts[i], &b = right.contacts[i];
    see("contacts/pair", a.key.pair, b.key.pair);
    see("contacts/feature", a.key.feature, b.key.feature);
    see("contacts/rows", a.rows, b.rows);
    see("contacts/status", static_cast<double>(a.mode), static_cast<double>(b.mode));
    see("contacts/impact", a.impact, b.impact);
    see("contacts/tau", a.tau, b.tau);
    for (std::size_t k = 0; k < 3; ++k) {
      see("contacts/impulse", a.P[k], b.P[k]);
      see("contacts/point", a.frame.point[k], b.frame.point[k]);
      see("contacts/normal", a.frame.normal[k], b.frame.normal[k]);
      see("contacts/tangent", a.frame.tangent[k], b.frame.tangent[k]);
    }
  }
}

struct NamedNumber {
  std::string name;
  double value;
};

// One row of steps/.
std::vector<NamedNumber> numbers_of(const StepTable& row) {
  std::vector<NamedNumber> numbers;
  each_column(row, {}, [&](const auto& values, const char* name, auto&&...) {
    numbers.push_back({std::string("steps/") + name, static_cast<double>(values[0])});
  });
  return numbers;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

void Recheck::next_checkpoint() {
  checkpoint_.reset();
  if (checkpoints_ < results_.checkpoint_count()) checkpoint_ = results_.checkpoint(checkpoints_++);
}

// A checkpoint is that of the last frame it keeps, or of the one behind, which was recorded only because the run ended
// there: a resumed run has put another in its place, and only the last checkpoint must have its frame.
void Recheck::look_at_checkpoints(const State& x) {
  while (checkpoint_ && checkpoint_->frames <= frames_ + 1) {
    const bool keeps = checkpoint_->frames == frames_ + 1, of_frame = checkpoint_->continued.grid == grid_;
    if (keeps && !of_frame) return;  // it belongs to the next frame
    if (of_frame)
      look_at_checkpoint(*checkpoint_, keeps ? empty_steps() : results_.steps(frames_, 1), x);
    else if (checkpoints_ == results_.checkpoint_count())
      see({x.t, "checkpoints/grid"}, static_cast<double>(checkpoint_->continued.grid), static_cast<double>(grid_), 0.0);
    next_checkpoint();
  }
}

void Recheck::look_at_checkpoint(const Checkpoint& checkpoint, const StepTable& since, const State& x) {
  const std::string owner = "checkpoints/state: ";
  each_number(checkpoint.state, x, [&](const char* what, double stored, double right) {
    see({x.t, owner + what}, stored, right, 0.0);
  });
  const auto told = numbers_of(checkpoint.since), right = numbers_of(since);
  for (std::size_t i = 0; i < told.size(); ++i) see({x.t, owner + told[i].name}, told[i].value, right[i].value, 0.0);
  see({x.t, owner + "start"}, checkpoint.continued.start, start_.t, 0.0);
  const bool keeps = checkpoint.frames == frames_ + 1;
  see({x.t, "checkpoints/contacts"}, static_cast<double>(checkpoint.contacts),
      static_cast<double>(contacts_ + rows_of(block_.contacts)) -
          (keeps ? 0.0 : static_cast<double>(x.contacts.size())),
      0.0);
  see({x.t, "checkpoints/events"}, static_cast<double>(checkpoint.events), static_cast<double>(next_event_), 0.0);
  look_at_report(owner, checkpoint.continued.report);
}

// What frames and steps tell of a run so far.
void Recheck::look_at_report(const std::string& owner, const RunReport& report) {
  const auto exact = [&](const char* what, auto stored, auto computed) {
    see({last_t_, owner + what}, static_cast<double>(stored), static_cast<double>(computed), 0.0);
  };
  const auto energy = [&](const std::string& what, double stored, double computed) {
    see({last_t_, owner + what}, stored, computed, round_off * (1.0 + 10.0 * std::abs(computed)));
  };
  const bool certified = results_.info().run.certify;
  exact("steps", report.steps, sums_.steps);
  exact("impacts", report.impacts, sums_.impacts);
  exact("failed_certificates", report.failed_certificates, sums_.failed_certificates);
  exact("certified_steps", report.certified_steps, certified ? sums_.steps - sums_.failed_certificates : 0);
  exact("newton_sum", report.newton.sum, sums_.newton.sum);
  exact("newton_count", report.newton.count, sums_.steps);
  exact("solver_sum", report.solver.sum, sums_.solver.sum);
  exact("solver_count", report.solver.count, sums_.steps);
  exact("worst_residual", report.worst_residual, sums_.worst_residual);
  if (certified && sums_.steps > 0) {
    exact("max_penetration", report.max_penetration, sums_.max_penetration);
    exact("max_joint_drift", report.max_joint_drift, sums_.max_joint_drift);
  }
  energy("initial_kinetic", report.initial.kinetic, sums_.initial.kinetic);
  energy("initial_potential", report.initial.potential, sums_.initial.potential);
  if (every_step_ || !(report.max_energy >= sums_.max_energy))
    energy("max_energy", report.max_energy, sums_.max_energy);
  energy("before_kinetic", report.total.before.kinetic, sums_.initial.kinetic);
  energy("before_potential", report.total.before.potential, sums_.initial.potential);
  if (every_step_) {
    exact("newton_max", report.newton.max, sums_.newton.max);
    exact("solver_max", report.solver.max, sums_.solver.max);
  }
  if (every_step_ || sums_.failed_certificates == 0)
    exact("first_failed_certificate", report.first_failed_certificate, sums_.first_failed_certificate);
  look_at_attempts(owner, report);
  look_at_worst(owner, report);
  look_at_energy(owner, report);
  look_at_bounds(owner, report);
  for (std::size_t line = 0; line < work_lines.size(); ++line)
    see({last_t_, owner + "work of " + std::string(work_lines[line].name)}, report.total.works[line],
        sums_.total.works[line], 0.0);
}

// Only a scheme that changes steps repeats them, and what it repeats takes more steps than the grid has. A run that has
// failed has one attempt more.
void Recheck::look_at_attempts(const std::string& owner, const RunReport& report) {
  const std::int64_t failed = report.status == RunStatus::failed ? 1 : 0, rejected = report.failures - failed;
  const bool may_reject = traits_.changes_step && (failed > 0 || sums_.steps > grid_);
  if (rejected < 0 || (rejected > 0 && !may_reject))
    see({last_t_, owner + "failures"}, static_cast<double>(report.failures), static_cast<double>(failed), 0.0);
  const auto wished = [](const OptionText& option) {
    return option.name.ends_with("large_island_tol") && option.value != "0";
  };
  const bool coarse = std::ranges::any_of(results_.info().scheme_options, wished);
  if (report.coarse_steps < 0 || report.coarse_steps > (coarse ? report.steps : 0))
    see({last_t_, owner + "coarse_steps"}, static_cast<double>(report.coarse_steps), 0.0, 0.0);
}

// What holds of the energy of any run, whatever lies between its frames.
void Recheck::look_at_bounds(const std::string& owner, const RunReport& report) {
  if (!results_.info().run.certify || sums_.steps == 0) return;
  const Audit& total = report.total;
  const EnergyJudgement& energy = report.energy;
  const double slack = 1e-8 * (1.0 + energy.kinetic + std::abs(energy.given) - total.taken + std::abs(total.change));
  const auto at_least = [&](const char* what, double stored, double least) {
    if (!(stored >= least - slack)) see({last_t_, owner + what}, stored, least, 0.0);
  };
  const auto at_most = [&](const char* what, double stored, double most) {
    if (!(stored <= most + slack)) see({last_t_, owner + what}, stored, most, 0.0);
  };
  if (widths_.histories.empty())  // the energies are those of the states
    see({last_t_, owner + "change"}, total.change,
        sums_.final.kinetic + sums_.final.potential - sums_.initial.kinetic - sums_.initial.potential, slack);
  const double driven = total[Work::damping] + total[Work::applied] + total[Work::walls];
  if (system_.joint_rows() == 0) see({last_t_, owner + "given"}, total.given, driven, slack);
  at_most("taken", total.taken, std::min(0.0, total[Work::impact] + total[Work::friction]));
  at_least("slack", total.slack, 0.0);
  if (spread_impacts(results_.promises()) == SpreadImpacts::yes) return;  // some steps are not judged by themselves
  const double free = total.change - total.given, closed = free - total.taken;
  at_most("energy_lowest", energy.lowest, std::min(0.0, free));
  at_least("energy_highest", energy.highest, std::max(0.0, closed));
  at_least("energy_gained", energy.gained, free - energy.lowest);
  at_least("energy_lost", energy.lost, energy.highest - closed);
  at_least("energy_kinetic", energy.kinetic, largest_kinetic_);
  at_least("energy_given", energy.given, std::abs(total.given));
  for (const auto& [what, t] : {std::pair("energy_gained_t", energy.gained_t),
                                std::pair("energy_lost_t", energy.lost_t), std::pair("energy_worst_t", energy.worst_t)})
    if (t != 0.0 && !(t >= start_.t && t <= last_t_ + results_.info().run.step))
      see({last_t_, owner + what}, t, last_t_, 0.0);
}

// The judgement of the energy follows from the steps where each of them is a frame. Sums of round-off are as large as
// those of what they are left of.
void Recheck::look_at_energy(const std::string& owner, const RunReport& report) {
  see({last_t_, owner + "energy_bound"}, report.energy.bound, energy_bound(traits_, system_), 0.0);
  if (!every_step_) return;
  const double size = 1.0 + sums_.energy.in_motion(sums_.total) + std::abs(sums_.total.change);
  const auto compare = [&](const char* what, double stored, double right) {
    see({last_t_, owner + what}, stored, right, round_off * size);
  };
  compare("change", report.total.change, sums_.total.change);
  compare("given", report.total.given, sums_.total.given);
  compare("taken", report.total.taken, sums_.total.taken);
  compare("slack", report.total.slack, sums_.total.slack);
  const EnergyJudgement &told = report.energy, &right = sums_.energy;
  compare("energy_gained", told.gained, right.gained);
  compare("energy_lost", told.lost, right.lost);
  compare("energy_worst", told.worst, right.worst);
  compare("energy_kinetic", told.kinetic, right.kinetic);
  compare("energy_given", told.given, right.given);
  compare("energy_lowest", told.lowest, right.lowest);
  compare("energy_highest", told.highest, right.highest);
  // Where they are nothing but round-off, so are their times.
  if (right.gained > round_off * size) compare("energy_gained_t", told.gained_t, right.gained_t);
  if (right.lost > round_off * size) compare("energy_lost_t", told.lost_t, right.lost_t);
  if (std::abs(right.worst) > round_off * size) compare("energy_worst_t", told.worst_t, right.worst_t);
}

// The check nearest to its bound is the worst of the table, unless one has failed; its value and bound give the ratio.
void Recheck::look_at_worst(const std::string& owner, const RunReport& report) {
  if (!results_.info().run.certify || sums_.steps == 0 || sums_.failed_certificates > 0) return;
  const Finding& finding = report.worst_finding;
  const double ratio = finding.allowed > 0.0 ? finding.value / finding.allowed : 0.0;
  see({last_t_, owner + "worst_ratio"}, report.worst_ratio, sums_.worst_ratio, 0.0);
  see({last_t_, owner + "worst_value"}, ratio, report.worst_ratio, 1e-12 * report.worst_ratio);
  if (report.worst_ratio > 0.0)
    see({last_t_, owner + "worst_check"}, static_cast<double>(report.worst_check),
        static_cast<double>(sums_.worst_check), 0.0);
}

void Recheck::end() {
  const auto compare = [&](const char* what, std::int64_t stored, std::int64_t computed) {
    see({last_t_, what}, static_cast<double>(stored), static_cast<double>(computed), 0.0);
  };
  compare("the number of rows of contacts", results_.contact_count(), contacts_);
  compare("the number of rows of events", results_.event_count(), static_cast<std::int64_t>(next_event_));
  if (checkpoint_) compare("checkpoints/frames", checkpoint_->frames, results_.frame_count());
  if (!results_.finished()) return;
  const RunReport totals = results_.totals();
  look_at_report("totals/", totals);
  const auto energy = [&](const char* what, double stored, double computed) {
    see({last_t_, what}, stored, computed, round_off * (1.0 + 10.0 * std::abs(computed)));
  };
  energy("totals/final_kinetic", totals.final.kinetic, sums_.final.kinetic);
  energy("totals/final_potential", totals.final.potential, sums_.final.potential);
  energy("totals/after_kinetic", totals.total.after.kinetic, sums_.final.kinetic);
  energy("totals/after_potential", totals.total.after.potential, sums_.final.potential);
  if (totals.status == RunStatus::done && !totals.message.empty())
    compare("the length of totals/message", static_cast<std::int64_t>(totals.message.size()), 0);
  const Finding& worst = totals.worst_finding;
  if (worst.joint < -1 || worst.joint >= static_cast<int>(system_.joints().size()))
    compare("totals/worst_joint", worst.joint, -1);
  if (worst.key.pair > 0 && worst.key.pair >= system_.pair_names().size())
    compare("totals/worst_pair", worst.key.pair, 0);
  const bool arrived = static_cast<double>(grid_) == steps_until_end(results_.info().run, start_.t);
  if (totals.status == RunStatus::failed && arrived)  // the failed step would be behind the end
    see({last_t_, "totals/status"}, static_cast<double>(totals.status), static_cast<double>(RunStatus::done), 0.0);
  if (totals.status == RunStatus::done)
    see({last_t_, "the number of steps of the grid"}, static_cast<double>(grid_),
        steps_until_end(results_.info().run, start_.t), 0.0);
}

std::int64_t checkpoint_frame(const ResultsReader& results) {
  const Checkpoint last = results.checkpoint(results.checkpoint_count() - 1);
  for (const std::int64_t frame : {last.frames - 1, last.frames})
    if (frame >= 0 && frame < results.frame_count() && results.frames(frame, 1).grid[0] == last.continued.grid)
      return frame;
  return -1;
}

std::string checkpoint_difference(const ResultsReader& results) {
  const Checkpoint last = results.checkpoint(results.checkpoint_count() - 1);
  const std::int64_t frame = checkpoint_frame(results);
  if (frame < 0) return "it has no frame of its time";
  std::string difference;
  const auto see = [&](const std::string& what, double stored, double right) {
    if (difference.empty() && !same(stored, right))
      difference = what + " is " + to_text(stored) + ", and " + to_text(right) + " in its frame";
  };
  each_number(last.state, results.states(frame, 1).front(), see);
  const auto told = numbers_of(last.since);
  const auto right = numbers_of(frame < last.frames ? empty_steps() : results.steps(frame, 1));
  for (std::size_t i = 0; i < told.size(); ++i) see(told[i].name, told[i].value, right[i].value);
  const FrameTable frames = results.frames(frame, 1);
  for (std::size_t line = 0; line < work_lines.size(); ++line)
    see("the work of " + std::string(work_lines[line].name), last.continued.report.total.works[line],
        frames.works[line][0]);
  see("the start", last.continued.start, results.frames(0, 1).t[0]);
  return difference;
}

}  // namespace esc::io
