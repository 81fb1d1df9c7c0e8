#include "papers/reproduce/runs.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace esc::papers {

namespace {

Table table_of(const Recorder& recorder) {
  Table table;
  for (const Column& column : recorder.columns())
    table.columns.push_back({column.name, column.unit, recorder.column(column.name)});
  return table;
}

}  // namespace

Run run(const Model& model, const SchemeChoice& choice, const Grid& grid, const Columns& columns) {
  const System system = compile(model);
  const std::unique_ptr<Scheme> scheme = make_scheme(choice.name, system, choice.settings);
  Recorder recorder(system, grid.every);
  columns(system, recorder);
  State x = system.initial_state();
  RunReport report = simulate(*scheme, x, {.step = grid.step, .until = grid.until, .certify = grid.certify}, &recorder);
  if (!report.ok()) throw std::runtime_error(choice.name + ": " + report.message);
  if (grid.certify && report.certified_steps != report.steps)
    throw std::runtime_error(
        choice.name + ": " + std::to_string(report.failed_certificates) + " certificates fail, the first one at t = " +
        std::to_string(report.first_failed_certificate) + " s, check " + std::string(to_string(report.worst_check)));
  return {table_of(recorder), std::move(report)};
}

Column force_column(std::string name, ContactKey key) {
  return {std::move(name), "N", [key](const State& x) {
            const ContactRecord* record = find(x, key);
            return record == nullptr ? 0.0 : record->P[0] / x.h;
          }};
}

Column impulse_column(std::string name, ContactKey key) {
  return {std::move(name), "N s", [key](const State& x) {
            const ContactRecord* record = find(x, key);
            return record == nullptr ? 0.0 : record->P[0];
          }};
}

Column tau_column(std::string name, ContactKey key) {
  return {std::move(name), "m", [key](const State& x) {
            const ContactRecord* record = find(x, key);
            return record == nullptr ? 0.0 : record->tau;
          }};
}

Column smallest_gap_column(const System& system) {
  return {"gap", "m", [&system, set = ContactSet()](const State& x) mutable {
            system.detect(x.t, x.q, any_gap, set);
            system.evaluate(x.t, x.q, set);
            double smallest = std::numeric_limits<double>::infinity();
            for (const Contact& contact : set.contacts) smallest = std::min(smallest, contact.gap);
            return smallest;
          }};
}

Column normal_velocity_column(const System& system, std::string name, ContactKey key) {
  return {std::move(name), "m/s", [&system, set = ContactSet(), key](const State& x) mutable {
            double U[3] = {};
            if (system.collect(x.t, x.q, {&key, 1}, set) == 0) return 0.0;
            system.evaluate(x.t, x.q, set);
            velocity(set, set.contacts[0], x.v, U);
            return U[0];
          }};
}

std::vector<Curve> energy_curves(const std::string& table) {
  return {{table, "t", "energy.kinetic", "kinetic"},
          {table, "t", "energy.potential", "potential"},
          {table, "t", "energy.total", "total"}};
}

}  // namespace esc::papers
