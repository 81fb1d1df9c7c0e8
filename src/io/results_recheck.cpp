#include "src/io/results_recheck.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "src/io/results_totals.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

constexpr double round_off = 1e-10;

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
  std::vector<double> promised;
  each_field(of_scheme, [&](const auto& value, auto&&...) { promised.push_back(static_cast<double>(value)); });
  std::string difference;
  std::size_t i = 0;
  each_field(stored, [&](const auto& value, const char* name, const char*) {
    const double found = static_cast<double>(value), right = promised[i++];
    if (found == right || !difference.empty()) return;
    difference = std::string(name) + " is " + to_text(found) + " in the file, and " + to_text(right) + " of the scheme";
  });
  return difference;
}

Recheck::Recheck(const ResultsReader& results, const System& system)
    : results_(results),
      system_(system),
      widths_(results.names(), results.info(), results.promise()),
      rows_(system, widths_),
      start_(system.initial_state()),
      events_(results.events(0, results.event_count())) {
  frame_.since = empty_steps();
}

void Recheck::see(const Place& place, double stored, double computed, double slack) {
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
  if (frames_ == 0) return;
  see({t, "frames/h"}, h, t - before.t, rounding + 1e-9 * h);
  if (info.run.on_failure == OnFailure::stop) see({t, "frames/h"}, h, info.run.step, 1e-9 * h);
}

void Recheck::take_events(double until) {
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

// Steps that are not halved are those of the grid; impacts are those of the events since the frame before.
void Recheck::look_at_counts(const StepTable& steps, const FrameTable& frames, std::size_t i) {
  const double t = frames.t[i];
  const std::int64_t on_grid = frames.grid[i] - grid_;
  if (results_.info().run.on_failure == OnFailure::stop || steps.steps[i] < on_grid)
    see({t, "steps/steps"}, static_cast<double>(steps.steps[i]), static_cast<double>(on_grid), 0.0);
  const auto is_impact = [](const Event& event) { return event.kind == EventKind::impact; };
  const auto impacts = std::count_if(frame_.events.begin(), frame_.events.end(), is_impact);
  see({t, "steps/impacts"}, static_cast<double>(steps.impacts[i]), static_cast<double>(impacts), 0.0);
  steps_ += steps.steps[i];
  impacts_ += steps.impacts[i];
  failed_steps_ += steps.certificate_failed[i];
  grid_ = frames.grid[i];
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

// Open, sticking or sliding follow from the impulse in its own rows, as ContactRecords decides it. Exactly at the bound
// between the last two another machine may round otherwise.
void Recheck::look_at_status(const Place& place, const ContactRecord& record) {
  const double normal = record.P[0], tangential = std::hypot(record.P[1], record.P[2]);
  const double edge = system_.pair_laws()[record.key.pair].mu * normal, bound = edge * (1.0 - 1e-10);
  const bool sticks = record.rows > 1 && tangential < bound;
  const ContactMode right = !(normal > 0.0) ? ContactMode::open : sticks ? ContactMode::sticking : ContactMode::sliding;
  const bool either = record.rows > 1 && std::abs(tangential - bound) <= 1e-14 * edge;
  const double negligible = 1e-6 * results_.promise().momentum_tolerance;
  if (record.mode == ContactMode::open ? std::hypot(normal, tangential) <= negligible : normal > 0.0 && either) return;
  see(place, static_cast<double>(record.mode), static_cast<double>(right), 0.0);
}

// The frame of a record lies between those before and after the step, or not farther from one of them than they are
// apart: how the scheme came there is its own matter. That of a two-step scheme depends on the step before, too.
void Recheck::look_at_place(const State& x, const ContactRecord& record, const ContactEnds& ends) {
  const std::string contact = system_.contact_name(record.key);
  const double speed = widths_.history > 0 ? largest(x.v.data(), widths_.v) : 0.0;
  const auto compare = [&](const char* what, const auto& stored, const auto& before, const auto& after) {
    const double apart = std::hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
    const double size = 1.0 + largest(before.data(), 3) + largest(after.data(), 3);
    const double tolerance = 10.0 * results_.promise().position_tolerance + round_off * size;
    const double slack = apart + 2.0 * x.h * speed * size + tolerance;
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

void Recheck::add(const std::vector<State>& before, const std::vector<State>& after) {
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
    take_events(stored.t[i] + 1e-4 * stored.h[i]);  // an event has the time of its step but for round-off
    look_at_counts(steps, stored, i);
    frame_.before = before[i];
    frame_.after = after[i];
    frame_.outputs.resize(system_.output_names().size());
    system_.outputs(frame_.after, frame_.outputs);
    rows_.add(frame_, frames_, contacts_ + rows_of(block_.contacts), block_);
    look_at_records();
  }
  if (count == 0) return;
  last_t_ = stored.t.back();
  last_ = {block_.frames.kinetic.back(), block_.frames.potential.back()};
  look_at_frames(stored, after);
  look_at_contacts(after);
}

void Recheck::end() {
  const auto compare = [&](const char* what, std::int64_t stored, std::int64_t computed) {
    see({last_t_, what}, static_cast<double>(stored), static_cast<double>(computed), 0.0);
  };
  compare("the number of rows of contacts", results_.contact_count(), contacts_);
  compare("the number of rows of events", results_.event_count(), static_cast<std::int64_t>(next_event_));
  if (!results_.finished()) return;
  const RunReport totals = results_.totals();
  compare("totals/steps", totals.steps, steps_);
  compare("totals/impacts", totals.impacts, impacts_);
  compare("totals/failed_certificates", totals.failed_certificates, failed_steps_);
  const auto energy = [&](const char* what, double stored, double computed) {
    see({last_t_, what}, stored, computed, round_off * (1.0 + 10.0 * std::abs(computed)));
  };
  energy("totals/final_kinetic", totals.final.kinetic, last_.kinetic);
  energy("totals/final_potential", totals.final.potential, last_.potential);
  if (totals.status == RunStatus::done)
    see({last_t_, "the number of steps of the grid"}, static_cast<double>(grid_),
        steps_until_end(results_.info().run, start_.t), 0.0);
}

}  // namespace esc::io
