// The report of a run and the promise of its scheme, field by field: for the groups totals/ and promise/ of a results
// file, and for its checkpoints.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <escapement/promise.hpp>
#include <escapement/simulate.hpp>

namespace esc::io {

// field(value, name, unit)
template <class Report, class Field>
requires std::is_same_v<std::remove_const_t<Report>, RunReport>
void each_field(Report& r, Field&& field) {
  field(r.status, "status", "1");
  field(r.steps, "steps", "1");
  field(r.failures, "failures", "1");
  field(r.impacts, "impacts", "1");
  field(r.max_penetration, "max_penetration", "m");
  field(r.max_joint_drift, "max_joint_drift", "m");
  field(r.newton.sum, "newton_sum", "1");
  field(r.newton.max, "newton_max", "1");
  field(r.newton.count, "newton_count", "1");
  field(r.solver.sum, "solver_sum", "1");
  field(r.solver.max, "solver_max", "1");
  field(r.solver.count, "solver_count", "1");
  field(r.worst_residual, "worst_residual", "1");
  field(r.initial.kinetic, "initial_kinetic", "J");
  field(r.initial.potential, "initial_potential", "J");
  field(r.final.kinetic, "final_kinetic", "J");
  field(r.final.potential, "final_potential", "J");
  field(r.max_energy, "max_energy", "J");
  field(r.total.before.kinetic, "before_kinetic", "J");
  field(r.total.before.potential, "before_potential", "J");
  field(r.total.after.kinetic, "after_kinetic", "J");
  field(r.total.after.potential, "after_potential", "J");
  field(r.total.damping, "work_damping", "J");
  field(r.total.applied, "work_applied", "J");
  field(r.total.friction, "work_friction", "J");
  field(r.total.impact, "work_impact", "J");
  field(r.total.walls, "work_walls", "J");
  field(r.total.joints, "work_joints", "J");
  field(r.total.projection, "work_projection", "J");
  field(r.certified_steps, "certified_steps", "1");
  field(r.failed_certificates, "failed_certificates", "1");
  field(r.worst_check, "worst_check", "1");
  field(r.worst_finding.value, "worst_value", "");
  field(r.worst_finding.allowed, "worst_allowed", "");
  field(r.worst_finding.key.pair, "worst_pair", "1");
  field(r.worst_finding.key.feature, "worst_feature", "1");
  field(r.worst_finding.joint, "worst_joint", "1");
  field(r.worst_ratio, "worst_ratio", "1");
  field(r.first_failed_certificate, "first_failed_certificate", "s");
}

template <class P, class Field>
requires std::is_same_v<std::remove_const_t<P>, Promise>
void each_field(P& p, Field&& field) {
  field(p.formula, "formula", "1");
  field(p.theta, "theta", "1");
  field(p.quadrature, "quadrature", "1");
  field(p.frame, "frame", "1");
  field(p.activation, "activation", "1");
  field(p.forecast, "forecast", "1");
  field(p.gamma, "gamma", "1");
  field(p.activation_tolerance, "activation_tolerance", "m");
  field(p.level, "level", "1");
  field(p.friction_cone, "friction_cone", "1");
  field(p.friction_directions, "friction_directions", "1");
  field(p.projection, "projection", "1");
  field(p.metric, "metric", "1");
  field(p.tangents, "tangents", "1");
  field(p.gap, "gap", "1");
  field(p.gap_tolerance, "gap_tolerance", "m");
  field(p.joints, "joints", "1");
  field(p.joint_tolerance, "joint_tolerance", "m");
  field(p.momentum_tolerance, "momentum_tolerance", "N s");
  field(p.velocity_tolerance, "velocity_tolerance", "m/s");
  field(p.position_tolerance, "position_tolerance", "1");
}

// How many values an enum in a report or a promise has: a file must not bring in others.
template <class E>
struct Count;
template <>
struct Count<RunStatus> : std::integral_constant<int, 3> {};
template <>
struct Count<Check> : std::integral_constant<int, check_count> {};
template <>
struct Count<Formula> : std::integral_constant<int, 2> {};
template <>
struct Count<Quadrature> : std::integral_constant<int, 2> {};
template <>
struct Count<FrameAt> : std::integral_constant<int, 3> {};
template <>
struct Count<Activation> : std::integral_constant<int, 2> {};
template <>
struct Count<Forecast> : std::integral_constant<int, 3> {};
template <>
struct Count<ContactLevel> : std::integral_constant<int, 2> {};
template <>
struct Count<FrictionCone> : std::integral_constant<int, 2> {};
template <>
struct Count<Projection> : std::integral_constant<int, 3> {};
template <>
struct Count<Metric> : std::integral_constant<int, 4> {};
template <>
struct Count<TangentForm> : std::integral_constant<int, 2> {};
template <>
struct Count<GapPromise> : std::integral_constant<int, 2> {};
template <>
struct Count<JointPromise> : std::integral_constant<int, 3> {};

// Plain values one after the other.
struct ByteWriter {
  std::string& bytes;
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char* from = reinterpret_cast<const char*>(&value);
    bytes.append(from, sizeof value);
  }
};

struct ByteReader {
  const char* at;
  const char* end;
  bool ok = true;  // false: the bytes were too few, or a value does not exist
  template <class T>
  void operator()(T& value) {
    if (static_cast<std::size_t>(end - at) < sizeof value) {
      ok = false;
      return;
    }
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    if constexpr (std::is_enum_v<T>) ok = ok && static_cast<int>(value) < Count<T>::value;
  }
};

}  // namespace esc::io
