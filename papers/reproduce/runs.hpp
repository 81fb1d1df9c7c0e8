// A run of a model by a scheme that is given by its name, seen as a table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <escapement/recorder.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "papers/reproduce/plot.hpp"
#include "papers/reproduce/table.hpp"

namespace esc::papers {

struct SchemeChoice {
  std::string name;  // of esc::schemes(): "combined-projection"
  std::vector<OptionText> settings = {};
};

struct Grid {
  double step, until;  // s
  int every = 1;       // keep one state in so many
  bool certify = true;
};

struct Run {
  Table data;  // first column t
  RunReport report;
};

// What to keep of each state. t is always kept.
using Columns = std::function<void(const System&, Recorder&)>;

// Throws std::runtime_error if the run does not reach its end or a certificate fails.
Run run(const Model& model, const SchemeChoice& scheme, const Grid& grid, const Columns& columns);

// Columns that Recorder does not have; zero where the contact has no record.
Column force_column(std::string name, ContactKey key);                                  // N, normal, mean of the step
Column impulse_column(std::string name, ContactKey key);                                // N s, normal, of the step
Column tau_column(std::string name, ContactKey key);                                    // m, of the projection
Column smallest_gap_column(const System& system);                                       // "gap", m, of all pairs
Column normal_velocity_column(const System& system, std::string name, ContactKey key);  // m/s

// Kinetic, potential and total energy over time, of a table with Recorder::add_energy().
std::vector<Curve> energy_curves(const std::string& table);

}  // namespace esc::papers
