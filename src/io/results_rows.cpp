#include "src/io/results_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  for (const Event& event : step.events) row.impacts[0] += event.kind == EventKind::impact;
  row.newton_iterations[0] += step.iterations;
  row.solver_iterations[0] += step.solver_iterations;
  raise(row.index_sets[0], step.index_sets);
  raise(row.projections[0], step.projections);
  raise(row.active[0], step.active);
  raise(row.islands[0], step.islands);
  raise(row.residual[0], step.residual);
  raise(row.law_residual[0], step.law_residual);
  raise(row.gap_residual[0], step.gap_residual);
  raise(row.solver_residual[0], step.solver_residual);
  if (!progress.certificate) {
    row.certificate_ratio[0] = row.penetration[0] = row.joint_drift[0] = nan;
    return;
  }
  const Certificate& certificate = *progress.certificate;
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

FrameRows::FrameRows(const System& system, const Widths& widths)
    : system_(system),
      widths_(widths),
      scratch_(static_cast<std::size_t>(system.scratch_size())),
      reactions_(system.joints().size()) {}

void FrameRows::add(const Frame& frame, std::int64_t frame_number, std::int64_t first_contact, Block& block) {
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
  const double scale = x.h > 0.0 ? x.h / balanced_time(frame) : 1.0;
  for (const Reaction& reaction : reactions_) {
    for (const double force : reaction.force) to.reaction.push_back(scale * force);
    for (const double moment : reaction.moment) to.reaction.push_back(scale * moment);
  }
  append_history(to.history, x);
  if (!widths_.before) return;
  to.before_t.push_back(frame.before.t);
  append(to.before_q, frame.before.q);
  append(to.before_v, frame.before.v);
  append(to.before_u, frame.before.u);
  append_history(to.before_history, frame.before);
}

// Over which the impulses of the step balance forces. That of a two-step scheme lies between the middles of two steps.
double FrameRows::balanced_time(const Frame& frame) const {
  if (widths_.history == 0) return frame.after.h;
  const double h_before = frame.before.history.empty() ? 0.0 : frame.before.history.back();
  return 0.5 * (h_before + frame.after.h);
}

// The events are those since the frame before: the end of a step before this one lies before the middle of this one.
bool FrameRows::is_impact(const Frame& frame, ContactKey key) const {
  const double middle = 0.5 * (frame.before.t + frame.after.t);
  return std::any_of(frame.events.begin(), frame.events.end(), [&](const Event& event) {
    return event.kind == EventKind::impact && event.key == key && event.t > middle;
  });
}

// A state that its scheme has not started yet counts as one whose history is zero, which is how they start.
void FrameRows::append_history(std::vector<double>& to, const State& x) const {
  const auto width = static_cast<std::size_t>(widths_.history);
  const std::size_t size = to.size();
  if (x.history.size() == width) append(to, x.history);
  to.resize(size + width, 0.0);
}

// Moves those contacts of found_ that have a record and are not yet in set_ to set_, and says whether all are there.
bool FrameRows::take_from(const State& records) {
  const auto less = [](const Contact& a, const Contact& b) { return a.key < b.key; };
  const std::size_t known = set_.contacts.size();
  for (const Contact& contact : found_.contacts) {
    if (!esc::find(records, contact.key)) continue;
    const auto old = set_.contacts.begin() + static_cast<std::ptrdiff_t>(known);
    if (!std::binary_search(set_.contacts.begin(), old, contact, less)) set_.contacts.push_back(contact);
  }
  if (known > 0) std::sort(set_.contacts.begin(), set_.contacts.end(), less);
  return set_.contacts.size() == records.contacts.size();
}

// The records name contacts by key; where they are is found again, before the step as the scheme did or after it.
// Gaps of active contacts are small: the reach grows only when a contact is not found.
void FrameRows::find(const Frame& frame) {
  constexpr double first_reach = 1e-9, growth = 16.0, last_reach = 1e3;  // m
  set_.clear();
  bool all = false;
  for (double reach = reach_; !all; reach = reach < last_reach ? std::max(first_reach, growth * reach) : everything) {
    system_.detect(frame.before.t, frame.before.q, reach, found_);
    all = take_from(frame.after);
    if (!all) {
      system_.detect(frame.after.t, frame.after.q, reach, found_);
      all = take_from(frame.after);
    }
    if (std::isinf(reach)) break;
    if (all) reach_ = reach;
  }
  set_.layout();
}

void FrameRows::add_contacts(const Frame& frame, std::int64_t frame_number, ContactTable& to) {
  const auto& records = frame.after.contacts;
  if (records.empty()) return;
  find(frame);
  U_k_.resize(static_cast<std::size_t>(set_.rows()));
  system_.evaluate(frame.before.t, frame.before.q, set_);
  for (const Contact& contact : set_.contacts) velocity(set_, contact, frame.before.v, U_k_.data() + contact.first_row);
  system_.evaluate(frame.after.t, frame.after.q, set_);

  auto at = set_.contacts.begin();
  for (std::size_t i = 0; i < records.size(); ++i) {
    while (at != set_.contacts.end() && at->key < records[i].key) ++at;
    const bool there = at != set_.contacts.end() && at->key == records[i].key;
    to.frame.push_back(frame_number);
    add_contact(frame, i, there ? &*at : nullptr, to);
  }
}

void FrameRows::add_contact(const Frame& frame, std::size_t record, const Contact* contact, ContactTable& to) {
  const ContactRecord& r = frame.after.contacts[record];
  double before[3] = {nan, nan, nan}, U[3] = {nan, nan, nan}, P[3] = {nan, nan, nan}, force[3];
  if (contact) {
    for (int i = 0; i < 3; ++i) before[i] = U[i] = P[i] = 0.0;
    std::copy_n(U_k_.data() + contact->first_row, contact->rows, before);
    velocity(set_, *contact, frame.after.v, U);
    to_rows(*contact, r.impulse, P);
  }
  for (int i = 0; i < 3; ++i) force[i] = P[i] / balanced_time(frame);
  const Contact unknown{};
  const Contact& c = contact ? *contact : unknown;

  to.pair.push_back(r.key.pair);
  to.feature.push_back(r.key.feature);
  append(to.point, c.point);
  append(to.normal, contact ? c.normal : nowhere);
  append(to.tangent, contact ? c.tangent : nowhere);
  to.gap.push_back(contact ? c.gap : nan);
  append(to.velocity_before, before);
  append(to.velocity, U);
  append(to.impulse, P);
  append(to.force, force);
  append(to.impulse_world, r.impulse);
  to.tau.push_back(r.tau);
  to.status.push_back(static_cast<std::uint8_t>(r.mode));
  to.impact.push_back(is_impact(frame, r.key) ? 1 : 0);
}

}  // namespace esc::io
