// The columns of a results file, described once: from here come the datasets, their units and texts, what the reader
// checks, and the tables of docs/results.md.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <escapement/io/results.hpp>

#include "src/io/results_width.hpp"

namespace esc::io {

// A column of a history that the certificate needs.
struct HistoryColumn {
  std::string owner;  // of the history
  std::string name;   // of the dataset: history.OWNER.FIELD
  Width width;
  std::string unit, what;
};

// The widths that depend on the model.
struct Widths {
  int q = 0, v = 0, u = 0, y = 0, joint_rows = 0, joints = 0;
  std::vector<HistoryColumn> histories;

  Widths() = default;
  Widths(const Names& names, std::span<const Promise> promises)
      : q(static_cast<int>(names.coordinates.size())),
        v(static_cast<int>(names.velocities.size())),
        u(static_cast<int>(names.inputs.size())),
        y(static_cast<int>(names.outputs.size())),
        joint_rows(static_cast<int>(names.joint_rows.size())),
        joints(static_cast<int>(names.joints.size())) {
    for (const Promise& promise : promises) {
      const auto known = [&](const HistoryColumn& column) { return column.owner == promise.owner; };
      if (std::ranges::none_of(histories, known)) add_history(promise);
    }
  }

 private:
  void add_history(const Promise& promise) {
    std::string owner = promise.owner;
    std::ranges::replace(owner, '/', '.');
    for (const HistoryField& field : equation_traits(promise.equations).history) {
      const Width width = field.over == HistoryField::Over::velocity    ? Width::of_vector(v)
                          : field.over == HistoryField::Over::joint_row ? Width::of_vector(joint_rows)
                                                                        : Width(1);
      histories.push_back({promise.owner, "history." + owner + "." + std::string(field.name), width,
                           std::string(field.unit), std::string(field.doc)});
    }
  }
};

// Column i of a list of columns, which grows where it may.
template <class Columns>
auto& nth(Columns& columns, std::size_t i) {
  if constexpr (!std::is_const_v<Columns>)
    if (columns.size() <= i) columns.resize(i + 1);
  return columns[i];
}

// One column: its values, name, width, unit ("" where each entry has its own), text. Width 0: there is none.
// table_name names the group of a table.
constexpr std::string_view table_name(const FrameTable&) { return "frames"; }
constexpr std::string_view table_name(const StepTable&) { return "steps"; }
constexpr std::string_view table_name(const ContactTable&) { return "contacts"; }
constexpr std::string_view table_name(const EventTable&) { return "events"; }
constexpr std::string_view table_name(const CheckpointTable&) { return "checkpoints"; }

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, FrameTable>
void each_column(Table& f, const Widths& n, Column&& column) {
  column(f.grid, "grid", 1, "1", "steps of the grid t0 + k h before this frame");
  column(f.t, "t", 1, "s", "time");
  column(f.h, "h", 1, "s", "length of the last step");
  column(f.impulse_time, "impulse_time", 1, "s", "time that the impulses of the last step act over; 0: an impact");
  column(f.kind, "kind", 1, "1", "number in model/step_kinds of the last step");
  column(f.promise, "promise", 1, "1", "number of the group in promises/ whose equations the last step obeys");
  column(f.q, "q", Width::of_vector(n.q), "", "coordinates, named in model/coordinates");
  column(f.v, "v", Width::of_vector(n.v), "", "velocities, named in model/velocities");
  column(f.u, "u", Width::of_vector(n.u), "", "inputs, named in model/inputs");
  column(f.outputs, "outputs", Width::of_vector(n.y), "", "outputs, named in model/outputs");
  column(f.kinetic, "kinetic", 1, "J", "kinetic energy");
  column(f.potential, "potential", 1, "J", "potential energy");
  for (std::size_t i = 0; i < work_lines.size(); ++i) {
    const std::string name = "work_" + std::string(work_lines[i].name);
    const std::string what = std::string(work_lines[i].doc) + " since the start";
    column(f.works[i], name.c_str(), 1, "J", what.c_str());
  }
  column(f.joint_impulse, "joint_impulse", Width::of_vector(n.joint_rows), "",
         "multipliers of the joint rows over the last step, N s or N m s");
  column(f.joint_tau, "joint_tau", Width::of_vector(n.joint_rows), "", "position-level multipliers of the joint rows");
  column(f.reaction, "reaction", 6 * n.joints, "",
         "force x y z (N) and moment x y z (N m) of each joint of model/joints on its second body, in the axes of the "
         "first frame, means over the last step; NaN where joint_impact is 1, and for a joint that is not between two "
         "frames");
  column(f.reaction_impulse, "reaction_impulse", 6 * n.joints, "",
         "the same over the last step as impulses, N s and N m s; NaN for a joint that is not between two frames");
  column(f.joint_impact, "joint_impact", Width::of_vector(n.joints), "1",
         "1: an impact of the last step reaches this joint of model/joints, and impulse / time is no force");
  for (std::size_t i = 0; i < n.histories.size(); ++i) {
    const HistoryColumn& history = n.histories[i];
    column(nth(f.histories, i), history.name.c_str(), history.width, history.unit.c_str(), history.what.c_str());
  }
  column(f.before_t, "before_t", 1, "s", "time before the last step");
  column(f.before_q, "before_q", Width::of_vector(n.q), "", "coordinates before the last step");
  column(f.before_v, "before_v", Width::of_vector(n.v), "", "velocities before the last step");
  column(f.before_u, "before_u", Width::of_vector(n.u), "", "inputs before the last step");
  for (std::size_t i = 0; i < n.histories.size(); ++i) {
    const HistoryColumn& history = n.histories[i];
    column(nth(f.before_histories, i), ("before_" + history.name).c_str(), history.width, history.unit.c_str(),
           (history.what + ", before the last step").c_str());
  }
  column(f.contact_begin, "contact_begin", 1, "1", "first row of contacts/ that belongs to this frame");
  column(f.contact_count, "contact_count", 1, "1", "how many rows");
}

// visit(column, field) for every figure of a step.
template <class Table, class Visit>
void each_figure(Table& s, Visit&& visit) {
  const auto all = [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::get<i>(s.figures), std::get<i>(Fields<StepReport>::table)), ...);
  };
  all(std::make_index_sequence<std::tuple_size_v<StepTable::Figures>>{});
}

template <class Field>
std::string kept_text(const Field& field) {
  const std::string doc(field.doc);
  if (Field::kept == Kept::sum) return "sum of " + doc;
  return std::is_integral_v<typename Field::Value> ? "most " + doc + " of a step" : "worst " + doc;
}

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, StepTable>
void each_column(Table& s, const Widths&, Column&& column) {
  column(s.steps, "steps", 1, "1", "accepted steps since the frame before");
  column(s.impacts, "impacts", 1, "1", "impacts in them");
  each_figure(s, [&](auto& values, const auto& field) {
    column(values, std::string(field.name).c_str(), 1, std::string(field.unit).c_str(), kept_text(field).c_str());
  });
  column(s.certificate_ratio, "certificate_ratio", 1, "1",
         "worst value / allowed of all checks; NaN without certificates");
  column(s.certificate_check, "certificate_check", 1, "1", "number in model/checks of that check");
  column(s.certificate_failed, "certificate_failed", 1, "1", "steps whose certificate does not hold");
  column(s.penetration, "penetration", 1, "m", "worst penetration of any pair; NaN without certificates");
  column(s.joint_drift, "joint_drift", 1, "m", "worst |g| of any joint row, m or rad; NaN without certificates");
}

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, ContactTable>
void each_column(Table& c, const Widths&, Column&& column) {
  column(c.frame, "frame", 1, "1", "row of frames/ to which it belongs");
  column(c.pair, "pair", 1, "1", "number in model/pairs");
  column(c.feature, "feature", 1, "1", "which feature of the pair");
  column(c.rows, "rows", 1, "1", "1: N; 2: N, T1; 3: N, T1, T2; further entries of impulse and force are zero");
  column(c.point, "point", 3, "m", "midway between the two surfaces where the law held; NaN for a gap function");
  column(c.normal, "normal", 3, "1", "N where the law held, world frame; (1,0,0) for a gap function");
  column(c.tangent, "tangent", 3, "1", "T1 where the law held, world frame; T2 = N x T1");
  column(c.gap, "gap", 1, "m", "after the step");
  column(c.velocity_before, "velocity_before", 3, "m/s", "U_k = G v + g_t before the step, along N, T1, T2 of there");
  column(c.velocity, "velocity", 3, "m/s", "U = G v + g_t after the step, along N, T1, T2 of there");
  column(c.impulse, "impulse", 3, "N s", "P along normal, tangent and T2 of this row, over the last step");
  column(c.force, "force", 3, "N",
         "impulse / time over which it balances forces: mean force; NaN where impact is not 0");
  column(c.impulse_world, "impulse_world", 3, "N s", "the same impulse in the world frame");
  column(c.tau, "tau", 1, "", "position-level multiplier of schemes that have one");
  column(c.status, "status", 1, "1", "number in model/statuses: open, stick, slip");
  column(c.impact, "impact", 1, "1",
         "1: the impulse is that of an impact, as the scheme says; 2: an impact elsewhere reaches this contact; 0: the "
         "contact persists, and force is its mean force");
}

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, EventTable>
void each_column(Table& e, const Widths&, Column&& column) {
  column(e.t, "t", 1, "s", "end of the step in which it happened");
  column(e.pair, "pair", 1, "1", "number in model/pairs");
  column(e.feature, "feature", 1, "1", "which feature of the pair");
  column(e.kind, "kind", 1, "1", "number in model/events: impact, opened");
  column(e.normal_velocity, "normal_velocity", 1, "m/s", "before the step; 0 for opened");
  column(e.normal_impulse, "normal_impulse", 1, "N s", "of the step; 0 for opened");
}

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, CheckpointTable>
void each_column(Table& c, const Widths&, Column&& column) {
  column(c.t, "t", 1, "s", "time");
  column(c.grid, "grid", 1, "1", "steps of the grid before it");
  column(c.frames, "frames", 1, "1", "rows of frames/ and steps/ that a run resumed from here keeps");
  column(c.contacts, "contacts", 1, "1", "rows of contacts/ that it keeps");
  column(c.events, "events", 1, "1", "rows of events/ that it keeps");
  column(c.state_begin, "state_begin", 1, "1", "first byte in checkpoints/state");
  column(c.state_count, "state_count", 1, "1", "how many bytes");
}

// Rows of a table in memory.
template <class Table>
std::int64_t rows_of(const Table& table) {
  if constexpr (requires { table.t; })
    return static_cast<std::int64_t>(table.t.size());
  else if constexpr (requires { table.steps; })
    return static_cast<std::int64_t>(table.steps.size());
  else
    return static_cast<std::int64_t>(table.frame.size());
}

template <class Table>
void clear(Table& table, const Widths& widths) {
  each_column(table, widths, [](auto& values, auto&&...) { values.clear(); });
}

}  // namespace esc::io
