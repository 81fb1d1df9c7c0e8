// The columns of a results file, described once: from here come the datasets, their units and texts, what the reader
// checks, and the tables of docs/results.md.
#pragma once

#include <string_view>

#include <escapement/io/results.hpp>

namespace esc::io {

// The widths that depend on the model.
struct Widths {
  int q = 0, v = 0, u = 0, y = 0, joint_rows = 0, joints = 0;
  int history = 0;  // of a two-step scheme: its certificate needs it

  Widths() = default;
  Widths(const Names& names, const Promise& promise)
      : q(static_cast<int>(names.coordinates.size())),
        v(static_cast<int>(names.velocities.size())),
        u(static_cast<int>(names.inputs.size())),
        y(static_cast<int>(names.outputs.size())),
        joint_rows(static_cast<int>(names.joint_rows.size())),
        joints(static_cast<int>(names.joints.size())),
        history(promise.formula == Formula::two_step ? v + 1 : 0) {}
};

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
  column(f.q, "q", n.q, "", "coordinates, named in model/coordinates");
  column(f.v, "v", n.v, "", "velocities, named in model/velocities");
  column(f.u, "u", n.u, "", "inputs, named in model/inputs");
  column(f.outputs, "outputs", n.y, "", "outputs, named in model/outputs");
  column(f.kinetic, "kinetic", 1, "J", "kinetic energy");
  column(f.potential, "potential", 1, "J", "potential energy");
  column(f.work_damping, "work_damping", 1, "J", "work of damping since the start");
  column(f.work_applied, "work_applied", 1, "J", "work of applied forces since the start");
  column(f.work_friction, "work_friction", 1, "J", "work of friction since the start");
  column(f.work_impact, "work_impact", 1, "J", "work of normal impulses since the start");
  column(f.work_walls, "work_walls", 1, "J", "work of moving walls since the start");
  column(f.work_joints, "work_joints", 1, "J", "work of joint impulses since the start");
  column(f.work_projection, "work_projection", 1, "J", "potential gained by projections since the start");
  column(f.joint_impulse, "joint_impulse", n.joint_rows, "",
         "multipliers of the joint rows over the last step, N s or N m s");
  column(f.joint_tau, "joint_tau", n.joint_rows, "", "position-level multipliers of the joint rows");
  column(f.reaction, "reaction", 6 * n.joints, "",
         "force x y z (N) and moment x y z (N m) of each joint of model/joints on its second body, in the axes of the "
         "first frame, means over the last step; NaN for a joint that is not between two frames");
  column(f.history, "history", n.history, "", "of a two-step scheme: its velocity between the states, and its step");
  column(f.before_t, "before_t", 1, "s", "time before the last step");
  column(f.before_q, "before_q", n.q, "", "coordinates before the last step");
  column(f.before_v, "before_v", n.v, "", "velocities before the last step");
  column(f.before_u, "before_u", n.u, "", "inputs before the last step");
  column(f.before_history, "before_history", n.history, "", "history before the last step");
  column(f.contact_begin, "contact_begin", 1, "1", "first row of contacts/ that belongs to this frame");
  column(f.contact_count, "contact_count", 1, "1", "how many rows");
}

template <class Table, class Column>
requires std::is_same_v<std::remove_const_t<Table>, StepTable>
void each_column(Table& s, const Widths&, Column&& column) {
  column(s.steps, "steps", 1, "1", "accepted steps since the frame before");
  column(s.impacts, "impacts", 1, "1", "impacts in them");
  column(s.newton_iterations, "newton_iterations", 1, "1", "sum of Newton iterations");
  column(s.solver_iterations, "solver_iterations", 1, "1", "sum of iterations of the contact solver");
  column(s.index_sets, "index_sets", 1, "1", "most index sets of a step");
  column(s.projections, "projections", 1, "1", "most position problems of a step");
  column(s.active, "active", 1, "1", "most active contacts of a step");
  column(s.islands, "islands", 1, "1", "most islands of a step");
  column(s.residual, "residual", 1, "N s", "worst Newton residual");
  column(s.law_residual, "law_residual", 1, "m/s", "worst movement of contact and joint velocities");
  column(s.gap_residual, "gap_residual", 1, "m", "worst defect of gaps, joint positions and projection, m or rad");
  column(s.solver_residual, "solver_residual", 1, "1", "worst residual of the contact solver");
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
         "impulse / time over which it balances forces: mean force; not a force where impact is 1");
  column(c.impulse_world, "impulse_world", 3, "N s", "the same impulse in the world frame");
  column(c.tau, "tau", 1, "", "position-level multiplier of schemes that have one");
  column(c.status, "status", 1, "1", "number in model/statuses: open, stick, slip");
  column(c.impact, "impact", 1, "1", "1: the impulse is that of an impact, as the scheme says");
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
