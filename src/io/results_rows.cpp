#include "src/io/results_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/io/results_bytes.hpp"
#include "src/math/worst.hpp"

namespace esc::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Range>
void append(std::vector<double>& to, const Range& values) {
  to.insert(to.end(), std::begin(values), std::end(values));
}

}  // namespace

StepTable empty_steps() {
  StepTable row;
  each_column(row, {}, [](auto& values, auto&&...) { values.assign(1, 0); });
  return row;
}

void append_row(StepTable& to, const StepTable& row) {
  std::string bytes;
  ByteWriter put{bytes};
  each_column(row, {}, [&](const auto& values, auto&&...) { put(values[0]); });
  ByteReader get{bytes.data(), bytes.data() + bytes.size()};
  each_column(to, {}, [&](auto& values, auto&&...) { get(values.emplace_back()); });
}

void add_step(StepTable& row, const Progress& progress) {
  const StepReport& step = progress.step;
  ++row.steps[0];
  row.impacts[0] += count_impacts(step.events);
  each_figure(row, [&](auto& values, const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kept == Kept::sum)
      values[0] += step.*field.member;
    else
      raise(values[0], step.*field.member);
  });
  if (!progress.certificate) {
    row.certificate_ratio[0] = row.penetration[0] = row.joint_drift[0] = nan;
    return;
  }
  add_certificate(row, *progress.certificate);
}

void add_certificate(StepTable& row, const Certificate& certificate) {
  const Finding& worst = certificate[certificate.worst()];
  const double ratio = worst.ok() && !(worst.allowed > 0.0) ? 0.0 : worst.value / worst.allowed;
  if (is_worse(ratio, row.certificate_ratio[0])) {
    row.certificate_ratio[0] = ratio;
    row.certificate_check[0] = static_cast<std::uint8_t>(certificate.worst());
  }
  row.certificate_failed[0] += !certificate.ok();
  raise(row.penetration[0], certificate[Check::penetration].value);
  raise(row.joint_drift[0], certificate[Check::joint_position].value);
}

FrameRows::FrameRows(const System& system, const Widths& widths, SpreadImpacts spread)
    : system_(system),
      widths_(widths),
      scratch_(static_cast<std::size_t>(system.scratch_size())),
      reactions_(system.joints().size()),
      marks_(system, spread) {}

void FrameRows::add(const Frame& frame, std::int64_t frame_number, std::int64_t first_contact, Block& block) {
  marks_.find(frame.before, frame.after);
  add_state(frame, block.frames);
  append_row(block.steps, frame.since);
  block.frames.contact_begin.push_back(first_contact);
  block.frames.contact_count.push_back(static_cast<std::int64_t>(frame.after.contacts.size()));
  add_contacts(frame, frame_number, block.contacts);
  for (const Event& event : frame.events) {
    block.events.t.push_back(event.t);
    block.events.pair.push_back(event.key.pair);
    block.events.feature.push_back(event.key.feature);
    block.events.kind.push_back(static_cast<std::uint8_t>(event.kind));
    block.events.normal_velocity.push_back(event.normal_velocity);
    block.events.normal_impulse.push_back(event.normal_impulse);
  }
}

void FrameRows::add_state(const Frame& frame, FrameTable& to) {
  const State& x = frame.after;
  to.grid.push_back(frame.so_far.grid);
  to.t.push_back(x.t);
  to.h.push_back(x.h);
  to.impulse_time.push_back(x.impulse_time);
  to.kind.push_back(static_cast<std::uint8_t>(frame.kind));
  to.promise.push_back(frame.promise);
  append(to.q, x.q);
  append(to.v, x.v);
  append(to.u, x.u);
  append(to.outputs, frame.outputs);
  const Energy energy = system_.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data()});
  to.kinetic.push_back(energy.kinetic);
  to.potential.push_back(energy.potential);
  for (std::size_t i = 0; i < work_lines.size(); ++i) to.works[i].push_back(frame.so_far.report.total.works[i]);
  const auto rows = static_cast<std::size_t>(widths_.joint_rows);
  const std::size_t tau = to.joint_tau.size();
  append(to.joint_impulse, x.joint_impulse);
  append(to.joint_tau, x.joint_tau);
  to.joint_tau.resize(tau + rows, 0.0);  // a scheme without projection has none
  if (!reactions_.empty()) system_.reactions(x, reactions_);
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const bool impact = marks_.joint(i);
    to.joint_impact.push_back(impact ? 1 : 0);
    const auto add = [&](const std::array<double, 3>& mean) {
      for (const double part : mean) {
        to.reaction.push_back(impact ? nan : part);
        to.reaction_impulse.push_back(part * x.impulse_time);
      }
    };
    add(reactions_[i].force);
    add(reactions_[i].moment);
  }
  append_histories(to.histories, x);
  to.before_t.push_back(frame.before.t);
  append(to.before_q, frame.before.q);
  append(to.before_v, frame.before.v);
  append(to.before_u, frame.before.u);
  append_histories(to.before_histories, frame.before);
}

// A state that its scheme has not started yet counts as one whose history is zero, which is how they start.
void FrameRows::append_histories(std::vector<std::vector<double>>& to, const State& x) const {
  std::size_t first = 0;  // of this column within the history of its owner
  for (std::size_t i = 0; i < widths_.histories.size(); ++i) {
    const HistoryColumn& column = widths_.histories[i];
    if (i == 0 || column.owner != widths_.histories[i - 1].owner) first = 0;
    const auto width = static_cast<std::size_t>(column.width.count);
    const History* history = find_history(x, column.owner);
    std::vector<double>& values = nth(to, i);
    if (history && history->values.size() >= first + width)
      append(values, std::span(history->values).subspan(first, width));
    else
      values.resize(values.size() + width, 0.0);
    first += width;
  }
}

// The contacts of the records: before the step, as the scheme found most of them; the others after it.
void FrameRows::collect(const Frame& frame) {
  keys_.clear();
  for (const ContactRecord& record : frame.after.contacts) keys_.push_back(record.key);
  if (system_.collect(frame.before.t, frame.before.q, keys_, set_) == static_cast<int>(keys_.size())) return;
  std::erase_if(keys_,
                [&](ContactKey key) { return std::ranges::binary_search(set_.contacts, key, {}, &Contact::key); });
  system_.collect(frame.after.t, frame.after.q, keys_, others_);
  set_.contacts.insert(set_.contacts.end(), others_.contacts.begin(), others_.contacts.end());
  std::ranges::sort(set_.contacts, {}, &Contact::key);
  set_.layout();
}

void FrameRows::add_contacts(const Frame& frame, std::int64_t frame_number, ContactTable& to) {
  ends_.clear();
  const auto& records = frame.after.contacts;
  if (records.empty()) return;
  collect(frame);
  U_k_.resize(static_cast<std::size_t>(set_.rows()));
  system_.evaluate(frame.before.t, frame.before.q, set_);
  for (const Contact& contact : set_.contacts) {
    velocity(set_, contact, frame.before.v, U_k_.data() + contact.first_row);
    ends_.push_back({contact.key, contact.row_count, contact, {}});
  }
  system_.evaluate(frame.after.t, frame.after.q, set_);
  for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i].after = set_.contacts[i];

  auto at = set_.contacts.begin();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ContactRecord& record = records[i];
    while (at != set_.contacts.end() && at->key < record.key) ++at;
    const bool there = at != set_.contacts.end() && at->key == record.key;
    to.frame.push_back(frame_number);
    add_velocities(frame, there ? &*at : nullptr, to);
    add_record(record, marks_.contact(i), frame.after.impulse_time, to);
  }
}

// Gap and velocities are those of the places before and after the step; NaN if the contact is at neither.
void FrameRows::add_velocities(const Frame& frame, const Contact* contact, ContactTable& to) {
  double before[3] = {nan, nan, nan}, U[3] = {nan, nan, nan};
  if (contact) {
    for (int i = 0; i < 3; ++i) before[i] = U[i] = 0.0;
    std::copy_n(U_k_.data() + contact->first_row, contact->row_count, before);
    velocity(set_, *contact, frame.after.v, U);
  }
  to.gap.push_back(contact ? contact->gap : nan);
  append(to.velocity_before, before);
  append(to.velocity, U);
}

void FrameRows::add_record(const ContactRecord& record, ImpactMark mark, double time, ContactTable& to) {
  to.pair.push_back(record.key.pair);
  to.feature.push_back(record.key.feature);
  to.rows.push_back(record.rows);
  append(to.point, record.frame.point);
  append(to.normal, record.frame.normal);
  append(to.tangent, record.frame.tangent);
  append(to.impulse, record.P);
  for (const double P : record.P) to.force.push_back(mark == ImpactMark::none && time > 0.0 ? P / time : nan);
  append(to.impulse_world, to_world(record));
  to.tau.push_back(record.tau);
  to.status.push_back(static_cast<std::uint8_t>(record.mode));
  to.impact.push_back(static_cast<std::uint8_t>(mark));
}

}  // namespace esc::io
