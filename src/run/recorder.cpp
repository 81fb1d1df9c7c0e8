#include <escapement/recorder.hpp>

#include <algorithm>
#include <limits>
#include <ostream>

#include <escapement/impact_marks.hpp>

#include "src/math/text.hpp"

namespace esc {

Recorder::Recorder(const System& system, int every) : system_(system), every_(std::max(1, every)) {
  add({"t", "s", [](const State& x) { return x.t; }});
}

void Recorder::add(Column column) {
  if (rows_ > 0) throw ModelError(column.name, "columns must be added before the first record");
  if (!column.value) throw ModelError(column.name, "the column has no function");
  if (!names_.insert(column.name).second) throw ModelError(column.name, "there is already a column of this name");
  columns_.push_back(std::move(column));
}

void Recorder::add_coordinates() {
  for (int i = 0; i < system_.nq(); ++i) {
    const CoordinateName& name = system_.coordinates()[i];
    add({"q." + name.name, name.unit, [i](const State& x) { return x.q[i]; }});
  }
  for (int i = 0; i < system_.nv(); ++i) {
    const CoordinateName& name = system_.velocities()[i];
    add({"v." + name.name, name.unit, [i](const State& x) { return x.v[i]; }});
  }
}

void Recorder::add_gap(ContactKey key) {
  add({system_.contact_name(key) + ".gap", "m", [system = &system_, key, set = ContactSet()](const State& x) mutable {
         if (system->collect(x.t, x.q, {&key, 1}, set) == 0) return std::numeric_limits<double>::infinity();
         system->evaluate(x.t, x.q, set);
         return set.contacts[0].gap;
       }});
}

void Recorder::add_impulse(ContactKey key) {
  const auto component = [key](int row) {
    return [key, row](const State& x) {
      const ContactRecord* record = find(x, key);
      return record ? record->P[row] : 0.0;
    };
  };
  add({system_.contact_name(key) + ".impulse_n", "N s", component(0)});
  add({system_.contact_name(key) + ".impulse_t", "N s", component(1)});
}

void Recorder::add_reaction(int joint) {
  static_cast<void>(system_.reaction(system_.initial_state(), joint));  // refuses joints that have none
  const std::string& name = system_.joint_names()[joint];
  // What an impact reaches has no force.
  const auto part = [this, joint](std::array<double, 3> Reaction::*vector, std::size_t i) {
    return [system = &system_, joint, vector, i, marks = ImpactMarks(system_)](const State& x) mutable {
      marks.find(x, x);
      if (marks.joint(static_cast<std::size_t>(joint))) return std::numeric_limits<double>::quiet_NaN();
      return (system->reaction(x, joint).*vector)[i];
    };
  };
  for (std::size_t i = 0; i < 3; ++i) add({name + ".force_" + "xyz"[i], "N", part(&Reaction::force, i)});
  for (std::size_t i = 0; i < 3; ++i) add({name + ".moment_" + "xyz"[i], "N m", part(&Reaction::moment, i)});
}

void Recorder::add_joint_coordinate(int joint, JointCoordinate coordinate) {
  static_cast<void>(system_.joint_coordinate(system_.initial_state(), joint, coordinate));  // refuses what is not there
  const bool angle = coordinate == JointCoordinate::angle;
  const std::string name = system_.joint_names()[joint] + (angle ? ".angle" : ".slide");
  add({name, angle ? "rad" : "m", [system = &system_, joint, coordinate](const State& x) {
         return system->joint_coordinate(x, joint, coordinate);
       }});
  add({name + "_rate", angle ? "rad/s" : "m/s",
       [system = &system_, joint, coordinate](const State& x) { return system->joint_rate(x, joint, coordinate); }});
}

void Recorder::add_energy() {
  const auto energy = [system = &system_](const State& x) {
    std::vector<double> scratch(system->scratch_size());
    return system->energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()});
  };
  add({"energy.kinetic", "J", [energy](const State& x) { return energy(x).kinetic; }});
  add({"energy.potential", "J", [energy](const State& x) { return energy(x).potential; }});
  add({"energy.total", "J", [energy](const State& x) {
         const Energy e = energy(x);
         return e.kinetic + e.potential;
       }});
}

void Recorder::add_outputs() {
  const auto names = system_.output_names();
  for (int i = 0; i < static_cast<int>(names.size()); ++i)
    add({"y." + names[i], "", [system = &system_, i](const State& x) {
           std::vector<double> y(system->output_names().size());
           system->outputs(x, y);
           return y[i];
         }});
}

void Recorder::record(const State& state) {
  system_.require(state);
  if (seen_++ % every_ != 0) return;
  for (const Column& column : columns_) values_.push_back(column.value(state));
  ++rows_;
}

std::vector<double> Recorder::column(std::string_view name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
  if (found == columns_.end()) throw ModelError(std::string(name), "there is no column of this name");
  const auto index = static_cast<std::size_t>(found - columns_.begin());
  std::vector<double> values(rows_);
  for (int row = 0; row < rows_; ++row) values[row] = values_[row * columns_.size() + index];
  return values;
}

void Recorder::write_csv(std::ostream& out) const {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    out << (i ? "," : "") << csv_header(columns_[i].name, columns_[i].unit);
  out << '\n';
  for (int row = 0; row < rows_; ++row)
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out << to_text(values_[row * columns_.size() + i]) << (i + 1 < columns_.size() ? ',' : '\n');
}

}  // namespace esc
