// Recheck of what a file says of its steps: states before, inputs, events, counts, certificates, works.
#include <algorithm>
#include <cmath>

#include "src/io/results_recheck.hpp"

namespace esc::io {

namespace {

bool closed(const State& x, ContactKey key) {
  const ContactRecord* record = find(x, key);
  return record && record->mode != ContactMode::open;
}

bool closed(const State& x, std::uint32_t pair) {
  return std::ranges::any_of(x.contacts, [&](const ContactRecord& record) {
    return record.key.pair == pair && record.mode != ContactMode::open;
  });
}

}  // namespace

// The only step since the frame before begins there, bit by bit.
void Recheck::look_at_before(const State& before, const State& last, double t) {
  const auto compare = [&](const char* what, const std::vector<double>& stored, const std::vector<double>& right) {
    for (std::size_t i = 0; i < std::min(stored.size(), right.size()); ++i) see({t, what}, stored[i], right[i], 0.0);
  };
  see({t, "frames/before_t"}, before.t, last.t, 0.0);
  compare("frames/before_q", before.q, last.q);
  compare("frames/before_v", before.v, last.v);
  for (std::size_t i = 0; i < std::min(before.histories.size(), last.histories.size()); ++i)
    compare("frames/before_history", before.histories[i].values, last.histories[i].values);
}

// The inputs of a scene do not change during its run.
void Recheck::look_at_inputs(const State& before, const State& after) {
  for (std::size_t i = 0; i < start_.u.size(); ++i) {
    see({after.t, "frames/u"}, after.u[i], start_.u[i], 0.0);
    see({after.t, "frames/before_u"}, before.u[i], start_.u[i], 0.0);
  }
}

void Recheck::collect_events(double until) {
  frame_.events.clear();
  for (; next_event_ < events_.t.size() && events_.t[next_event_] <= until; ++next_event_) {
    const std::size_t i = next_event_;
    frame_.events.push_back({{events_.pair[i], events_.feature[i]},
                             static_cast<EventKind>(events_.kind[i]),
                             events_.t[i],
                             events_.normal_velocity[i],
                             events_.normal_impulse[i]});
  }
}

// The frame was just added, with its events. Who does not locate events gives them the time of the end of their step;
// those before the last step since the frame before lie on the grid, unless steps were halved. An impact closes with an
// impulse, and what opened has neither velocity nor impulse.
void Recheck::look_at_event_times(const State& before, const State& after) {
  const double step = results_.info().run.step, slack = 1e-6 * step;
  double latest = frames_ == 0 ? start_.t : last_state_.t - slack;
  for (const Event& event : frame_.events) {
    const std::string contact = system_.contact_name(event.key);
    if (event.t < latest) see({event.t, "events/t", contact}, event.t, latest, 0.0);
    latest = std::max(latest, event.t);
    const bool last_step = event.t > before.t + 0.5 * after.h;
    const double on_grid = start_.t + step * std::round((event.t - start_.t) / step);
    if (!traits_.locates_events && (last_step || !traits_.changes_step))
      see({event.t, "events/t", contact}, event.t, last_step ? after.t : on_grid, slack);
    if (event.kind == EventKind::impact) {
      if (!(event.normal_velocity < 0.0))
        see({event.t, "events/normal_velocity", contact}, event.normal_velocity, std::nan(""), 0.0);
      if (!(event.normal_impulse > 0.0))
        see({event.t, "events/normal_impulse", contact}, event.normal_impulse, std::nan(""), 0.0);
    } else {
      see({event.t, "events/normal_velocity", contact}, event.normal_velocity, 0.0, 0.0);
      see({event.t, "events/normal_impulse", contact}, event.normal_impulse, 0.0, 0.0);
    }
    const ContactRecord* record = find(after, event.key);
    if (event.kind == EventKind::impact && last_step && !traits_.changes_step && record)
      see({event.t, "events/normal_impulse", contact}, event.normal_impulse, record->P[0],
          round_off * std::abs(record->P[0]));
  }
}

// Over one step: a contact that has opened was closed and is not any more, and a pair of which nothing is closed any
// more has opened.
void Recheck::look_at_opened(const State& before, const State& after) {
  for (const Event& event : frame_.events)
    if (event.kind == EventKind::opened)
      see({event.t, "events/kind", system_.contact_name(event.key)}, static_cast<double>(event.kind),
          closed(before, event.key) && !closed(after, event.key) ? static_cast<double>(event.kind) : -1.0, 0.0);
  for (const ContactRecord& record : before.contacts) {
    if (record.mode == ContactMode::open || closed(after, record.key.pair)) continue;
    const auto told = std::ranges::count_if(frame_.events, [&](const Event& event) {
      return event.kind == EventKind::opened && event.key.pair == record.key.pair;
    });
    if (told == 0) see({after.t, "events/kind of what opened", system_.contact_name(record.key)}, 0.0, 1.0, 0.0);
  }
}

// Steps that are not halved are those of the grid; impacts are those of the events since the frame before.
void Recheck::look_at_counts(const StepTable& steps, const FrameTable& frames, std::size_t i) {
  const double t = frames.t[i];
  const std::int64_t on_grid = frames.grid[i] - grid_;
  if (!traits_.changes_step || steps.steps[i] < on_grid)
    see({t, "steps/steps"}, static_cast<double>(steps.steps[i]), static_cast<double>(on_grid), 0.0);
  const std::int64_t impacts = count_impacts(frame_.events);
  see({t, "steps/impacts"}, static_cast<double>(steps.impacts[i]), static_cast<double>(impacts), 0.0);
  grid_ = frames.grid[i];
}

// Of the last step; the table has the worst of all steps since the frame before, which may not be better. A ratio has
// the round-off of residuals near zero.
void Recheck::look_at_certificate(const StepTable& steps, std::size_t i, const Certificate& certificate) {
  if (!results_.info().run.certify) return;
  StepTable row = empty_steps();
  add_certificate(row, certificate);
  const double t = frame_.after.t;
  const auto compare = [&](const char* what, double stored, double right, double slack) {
    if (steps.steps[i] == 1 || !(stored >= right)) see({t, what}, stored, right, slack);
  };
  const double size = 1.0 + std::abs(row.penetration[0]) + std::abs(row.joint_drift[0]);
  compare("steps/certificate_ratio", steps.certificate_ratio[i], row.certificate_ratio[0],
          1e-3 * (1.0 + std::abs(row.certificate_ratio[0])));
  compare("steps/certificate_failed", static_cast<double>(steps.certificate_failed[i]),
          static_cast<double>(row.certificate_failed[0]), 0.0);
  compare("steps/penetration", steps.penetration[i], row.penetration[0], 1e-9 * size);
  compare("steps/joint_drift", steps.joint_drift[i], row.joint_drift[0], 1e-9 * size);
  if (steps.steps[i] == 1 && row.certificate_ratio[0] > 0.5)
    see({t, "steps/certificate_check"}, steps.certificate_check[i], row.certificate_check[0], 0.0);
}

// The only step since the frame before: works are sums since the start.
void Recheck::look_at_works(const FrameTable& frames, std::size_t i, const Certificate& certificate) {
  if (!results_.info().run.certify) return;
  for (std::size_t line = 0; line < work_lines.size(); ++line) {
    const double before = sums_.total.works[line], now = frames.works[line][i];
    const double right = before + certificate.audit.works[line];
    see({frames.t[i], "frames/work_" + std::string(work_lines[line].name)}, now, right,
        round_off * (1.0 + std::abs(right) + std::abs(before)));
  }
}

void Recheck::add_sums(const StepTable& steps, const FrameTable& frames, std::size_t i) {
  RunReport& sums = sums_;
  sums.steps += steps.steps[i];
  sums.impacts += steps.impacts[i];
  sums.failed_certificates += steps.certificate_failed[i];
  sums.newton.add(static_cast<double>(steps.of<&StepReport::iterations>()[i]));
  sums.solver.add(static_cast<double>(steps.of<&StepReport::solver_iterations>()[i]));
  if (sums.failed_certificates > 0 && sums.first_failed_certificate == 0.0) sums.first_failed_certificate = frames.t[i];
  if (steps.certificate_ratio[i] > sums.worst_ratio) {
    sums.worst_ratio = steps.certificate_ratio[i];
    sums.worst_check = static_cast<Check>(steps.certificate_check[i]);
  }
  const auto raise = [](double& to, double value) {
    if (!(value <= to)) to = value;
  };
  raise(sums.max_penetration, steps.penetration[i]);
  raise(sums.max_joint_drift, steps.joint_drift[i]);
  raise(sums.worst_residual, steps.of<&StepReport::solver_residual>()[i]);
  sums.final = {block_.frames.kinetic.back(), block_.frames.potential.back()};
  const double energy = sums.final.kinetic + sums.final.potential;
  if (frames_ == 0) sums.initial = sums.final;
  if (widths_.histories.empty()) largest_kinetic_ = std::max(largest_kinetic_, sums.final.kinetic);
  if (frames_ == 0 || energy > sums.max_energy) sums.max_energy = energy;
  for (std::size_t line = 0; line < work_lines.size(); ++line) sums.total.works[line] = frames.works[line][i];
  every_step_ = every_step_ && (frames_ == 0 || steps.steps[i] == 1);
  last_t_ = frames.t[i];
}

}  // namespace esc::io
