// Recorder: named columns of State, kept in memory and written as CSV. It observes; it is never called inside a step.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <escapement/export.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

struct Column {
  std::string name;
  std::string unit;
  std::function<double(const State&)> value;
};

class ESC_API Recorder {
 public:
  // every: keep one state in so many, the first one always.
  explicit Recorder(const System& system, int every = 1);
  explicit Recorder(System&&, int = 1) = delete;  // must outlive this

  void add(Column column);           // before the first record(); duplicate names throw ModelError
  void add_coordinates();            // t is always the first column; then q and v of every coordinate
  void add_gap(ContactKey key);      // "<contact>.gap", m; infinite where its feature does not hold
  void add_impulse(ContactKey key);  // "<contact>.impulse_n", "<contact>.impulse_t", N s over the last step
  void add_reaction(int joint);      // "<joint>.force_x" ... "<joint>.moment_z", see System::reaction
  void add_joint_coordinate(int joint, JointCoordinate coordinate);  // "<joint>.angle" or "<joint>.slide", and its rate
  void add_energy();                                                 // kinetic, potential, total
  void add_outputs();                                                // every named output

  const System& system() const { return system_; }
  void record(const State& state);  // throws ModelError if the state is not one of the system
  int rows() const { return rows_; }
  std::span<const Column> columns() const { return columns_; }
  std::vector<double> column(std::string_view name) const;

  // One header line "name [unit]", shortest digits that read back exactly, no locale.
  void write_csv(std::ostream& out) const;

 private:
  const System& system_;
  int every_ = 1;
  int seen_ = 0;
  int rows_ = 0;
  std::vector<Column> columns_;
  std::unordered_set<std::string> names_;  // of the columns
  std::vector<double> values_;             // row-major
};

}  // namespace esc
