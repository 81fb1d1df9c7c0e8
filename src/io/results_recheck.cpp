#include "src/io/results_recheck.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "src/math/printable.hpp"
#include "src/math/text.hpp"
#include "src/run/energy_judgement.hpp"

namespace esc::io {

namespace {

struct NamedColumn {
  std::string name;
  int width;
  std::vector<double> values;
};

// The columns that can be computed again.
template <class Table>
std::vector<NamedColumn> columns_of(const Table& table, const Widths& widths) {
  std::vector<NamedColumn> columns;
  each_column(table, widths, [&](const auto& values, const char* name, int width, auto&&...) {
    if (width == 0 || std::string_view(name).starts_with("work_") || std::string_view(name) == "grid") return;
    columns.push_back({std::string(table_name(table)) + "/" + name, width, {values.begin(), values.end()}});
  });
  return columns;
}

double largest(const double* values, int count) {
  double result = 0.0;
  for (int i = 0; i < count; ++i)
    if (std::isfinite(values[i])) result = std::max(result, std::abs(values[i]));
  return result;
}

double size_of(const State& x) {
  return std::max(largest(x.q.data(), static_cast<int>(x.q.size())), largest(x.v.data(), static_cast<int>(x.v.size())));
}

}  // namespace

std::string promise_difference(const Promise& stored, const Promise& of_scheme) {
  const auto rows = [](const Promise& promise) {
    std::vector<std::pair<std::string, std::string>> list;  // name, value
    for_each_field(promise, [&](const auto& value, const FieldRow& row) {
      list.emplace_back(row.name, row.names.empty() ? to_text(static_cast<double>(value))
                                                    : std::string(row.names[static_cast<std::size_t>(value)]));
    });
    return list;
  };
  if (stored.owner != of_scheme.owner)
    return "owner is " + printable(stored.owner) + " in the file, and " + of_scheme.owner + " of the scheme";
  const auto found = rows(stored), right = rows(of_scheme);
  for (std::size_t i = 0; i < std::min(found.size(), right.size()); ++i)  // another family differs in its first row
    if (found[i] != right[i])
      return found[i].first + " is " + found[i].second + " in the file, and " + right[i].second + " of the scheme";
  return "";
}

Recheck::Recheck(const ResultsReader& results, Scheme& scheme)
    : results_(results),
      system_(scheme.system()),
      widths_(results.names(), results.promises()),
      rows_(system_, widths_, spread_impacts(results.promises())),
      start_(system_.initial_state()),
      traits_(scheme_traits(results.info().scheme, results.info().scheme_options)),
      events_(results.events(0, results.event_count())) {
  scheme.start(start_);
  frame_.since = empty_steps();
  next_checkpoint();
}

void Recheck::see(const ResultsPlace& place, double stored, double computed, double slack) {
  if (stored == computed || (std::isnan(stored) && std::isnan(computed))) return;
  if (std::abs(stored - computed) <= slack) return;
  const auto known = [&](const Contradiction& one) { return one.what == place.what; };
  if (std::none_of(found_.begin(), found_.end(), known))
    found_.push_back({place.t, place.what, place.where, stored, computed});
}

// A file begins where its scene does.
void Recheck::look_at_start(const State& x) {
  const auto compare = [&](const char* what, const std::vector<double>& stored, const std::vector<double>& given) {
    for (std::size_t i = 0; i < std::min(stored.size(), given.size()); ++i)
      see({x.t, what}, stored[i], given[i], round_off * (1.0 + std::abs(given[i])));
  };
  see({x.t, "frames/t"}, x.t, start_.t, round_off * std::abs(start_.t));
  compare("frames/q", x.q, start_.q);
  compare("frames/v", x.v, start_.v);
  compare("frames/u", x.u, start_.u);
  for (const History& history : x.histories)
    if (const History* begun = find_history(start_, history.owner))
      compare("frames/history", history.values, begun->values);
}

// Frame i lies i `every` steps behind the start; only the last one may lie before that, or between two times of the
// grid if a run failed there.
void Recheck::look_at_grid(const FrameTable& frames, std::size_t i, const State& before) {
  const RunInfo& info = results_.info();
  const double t = frames.t[i], h = frames.h[i], rounding = 1e-14 * (1.0 + std::abs(t));
  const auto grid = static_cast<double>(frames.grid[i]);
  const std::int64_t regular = frames_ * info.every;
  const bool last = frames_ + 1 == results_.frame_count();
  if (!last || frames.grid[i] < grid_ || frames.grid[i] > regular)
    see({t, "frames/grid"}, grid, static_cast<double>(regular), 0.0);
  const double here = start_.t + grid * info.run.step;
  if (!last || !(t >= here && t < here + info.run.step)) see({t, "frames/t"}, t, here, rounding + 1e-9 * info.run.step);
  if (frames_ == 0) return see({t, "frames/h"}, h, 0.0, 0.0);
  see({t, "frames/h"}, h, t - before.t, rounding + 1e-9 * h);
  if (!traits_.changes_step) see({t, "frames/h"}, h, info.run.step, 1e-9 * h);
}

void Recheck::look_at_frames(const FrameTable& stored, const std::vector<State>& after) {
  const auto given = columns_of(stored, widths_), computed = columns_of(block_.frames, widths_);
  for (std::size_t c = 0; c < given.size(); ++c) {
    const auto& [name, width, values] = given[c];
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double* right = computed[c].values.data() + i * static_cast<std::size_t>(width);
      const double* row = values.data() + i * static_cast<std::size_t>(width);
      const double slack = round_off * (1.0 + size_of(after[i]) + 10.0 * largest(right, width));
      for (int k = 0; k < width; ++k) see({stored.t[i], name}, row[k], right[k], slack);
    }
  }
}

// Open, sticking or sliding follow from the impulse in its own rows: a contact sticks within the cone, by more than
// 1e-10 of its radius, as the schemes have it. In a polygon in space that takes the directions of its corners: not
// checked.
void Recheck::look_at_status(const ResultsPlace& place, const ContactRecord& record) {
  const double normal = record.P[0], tangential = std::hypot(record.P[1], record.P[2]);
  const double edge = system_.pair_laws()[record.key.pair].mu * normal, inside = edge * (1.0 - 1e-10);
  const Promise& promise = results_.promises().front();
  const double negligible = 1e-6 * promise.tol.momentum;
  if (record.mode == ContactMode::open && std::hypot(normal, tangential) <= negligible) return;
  const bool polygon = equation_traits(promise.equations).friction_cone == FrictionCone::polygon && record.rows == 3;
  const bool rounding = std::abs(tangential - inside) <= 1e-15 * edge;
  if (record.mode != ContactMode::open && normal > 0.0 && record.rows > 1 && (polygon || rounding)) return;
  const bool sticks = record.rows > 1 && tangential < inside;
  const ContactMode right = !(normal > 0.0) ? ContactMode::open : sticks ? ContactMode::sticking : ContactMode::sliding;
  see(place, static_cast<double>(record.mode), static_cast<double>(right), 0.0);
}

// The frame of a record lies between those before and after the step, or not farther from one of them than they are
// apart: how the scheme came there is its own matter. That of a two-step scheme depends on the step before, too. A gap
// function has the same axes everywhere.
void Recheck::look_at_place(const State& x, const ContactRecord& record, const ContactEnds& ends) {
  const std::string contact = system_.contact_name(record.key);
  const bool placeless = std::isnan(ends.after.point[0]);
  const double speed = !widths_.histories.empty() ? largest(x.v.data(), widths_.v) : 0.0;
  const auto compare = [&](const char* what, const auto& stored, const auto& before, const auto& after) {
    const double apart = std::hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
    const double size = 1.0 + largest(before.data(), 3) + largest(after.data(), 3);
    const double tolerance = 10.0 * results_.promises().front().tol.position + round_off * size;
    const double slack = placeless ? 0.0 : apart + 2.0 * x.h * speed * size + tolerance;
    for (int i = 0; i < 3; ++i)
      if (!(std::abs(stored[i] - before[i]) <= slack)) see({x.t, what, contact}, stored[i], after[i], slack);
  };
  compare("contacts/point", record.frame.point, ends.before.point, ends.after.point);
  compare("contacts/normal", record.frame.normal, ends.before.normal, ends.after.normal);
  compare("contacts/tangent", record.frame.tangent, ends.before.tangent, ends.after.tangent);
  if (record.P != std::array<double, 3>{} || record.rows > ends.rows)
    see({x.t, "contacts/rows", contact}, record.rows, ends.rows, 0.0);
}

// The frame was just added. The impact of a record has its event in the last step.
void Recheck::look_at_records() {
  const State& x = frame_.after;
  const double begin = frame_.before.t + 1e-4 * x.h;
  auto ends = rows_.ends().begin();
  for (const ContactRecord& record : x.contacts) {
    const bool told = std::ranges::any_of(frame_.events, [&](const Event& event) {
      return event.kind == EventKind::impact && event.key == record.key && event.t > begin;
    });
    see({x.t, "contacts/impact", system_.contact_name(record.key)}, record.impact, told, 0.0);
    while (ends != rows_.ends().end() && ends->key < record.key) ++ends;
    if (ends != rows_.ends().end() && ends->key == record.key) look_at_place(x, record, *ends);
  }
}

void Recheck::look_at_contacts(const std::vector<State>& after) {
  const std::int64_t rows = rows_of(block_.contacts);
  if (rows > results_.contact_count() - contacts_) return;  // frames/contact_begin or contact_count says so already
  const auto given = columns_of(results_.contacts(contacts_, rows), widths_);
  const auto computed = columns_of(block_.contacts, widths_);
  std::size_t row = 0;
  for (const State& x : after)
    for (const ContactRecord& record : x.contacts) {
      const std::string contact = system_.contact_name(record.key);
      look_at_status({x.t, "contacts/status", contact}, record);
      for (std::size_t c = 0; c < given.size(); ++c) {
        const auto width = static_cast<std::size_t>(given[c].width);
        const double* right = computed[c].values.data() + row * width;
        const double slack = round_off * (1.0 + size_of(x) + 10.0 * largest(right, given[c].width));
        for (std::size_t k = 0; k < width; ++k)
          see({x.t, given[c].name, contact}, given[c].values[row * width + k], right[k], slack);
      }
      ++row;
    }
  contacts_ += rows;
}

// Impacts of the step before the last one, as far as marks look at them: those of its frame, or else of its events.
void Recheck::find_records_before(std::int64_t steps) {
  std::vector<ContactRecord>& records = frame_.before.contacts;
  records.clear();
  if (frames_ == 0) return;
  if (steps == 1) {
    records = last_state_.contacts;
    return;
  }
  const double end = frame_.before.t, slack = 1e-4 * frame_.after.h;
  for (const Event& event : frame_.events)
    if (event.kind == EventKind::impact && std::abs(event.t - end) <= slack)
      records.push_back({.key = event.key, .impact = true});
}

void Recheck::add(const std::vector<State>& before, const std::vector<State>& after,
                  const std::vector<Certificate>& found) {
  const auto count = static_cast<std::int64_t>(after.size());
  const FrameTable stored = results_.frames(frames_, count);
  const StepTable steps = results_.steps(frames_, count);
  clear(block_.frames, widths_);
  clear(block_.steps, widths_);
  clear(block_.contacts, widths_);
  clear(block_.events, widths_);
  if (frames_ == 0 && count > 0) look_at_start(after.front());
  for (std::size_t i = 0; i < after.size(); ++i, ++frames_) {
    look_at_grid(stored, i, before[i]);
    collect_events(stored.t[i] + 1e-4 * stored.h[i]);  // an event has the time of its step but for round-off
    look_at_counts(steps, stored, i);
    look_at_inputs(before[i], after[i]);
    look_at_family(before[i], after[i], i, stored);
    look_at_figures(steps, i);
    frame_.before = before[i];
    frame_.after = after[i];
    find_records_before(steps.steps[i]);
    frame_.kind = static_cast<StepKind>(stored.kind[i]);
    frame_.promise = stored.promise[i];
    frame_.outputs.resize(system_.output_names().size());
    system_.outputs(frame_.after, frame_.outputs);
    rows_.add(frame_, frames_, contacts_ + rows_of(block_.contacts), block_);
    look_at_records();
    look_at_event_times(before[i], after[i]);
    if (frames_ > 0) look_at_certificate(steps, i, found[i]);
    if (frames_ > 0 && steps.steps[i] == 1) {
      look_at_works(stored, i, found[i]);
      look_at_before(before[i], last_state_, stored.t[i]);
      look_at_opened(last_state_, after[i]);
    }
    if (frames_ > 0 && results_.info().run.certify)
      add_energy(sums_, found[i].audit, after[i], results_.promises()[static_cast<std::size_t>(stored.promise[i])]);
    add_sums(steps, stored, i);
    look_at_checkpoints(after[i]);
    last_state_ = after[i];
  }
  if (count == 0) return;
  look_at_frames(stored, after);
  look_at_contacts(after);
}

}  // namespace esc::io
