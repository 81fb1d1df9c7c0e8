// From states to rows of the tables: contacts are found again, and evaluated before and after the step.
#pragma once

#include <string>
#include <vector>

#include "src/io/results_layout.hpp"

namespace esc::io {

// One accepted step on its way to the file.
struct Frame {
  State before, after;
  Continuation so_far;
  StepTable since;            // one row: the steps since the frame before
  std::vector<Event> events;  // of those steps
  std::vector<double> outputs;
  bool on_grid = true;  // can be resumed from
  bool regular = true;  // false: recorded only because the run ended; dropped when it is resumed
};

struct Block {
  FrameTable frames;
  StepTable steps;
  ContactTable contacts;
  EventTable events;
};

StepTable empty_steps();  // one row of zeros
void add_step(StepTable& row, const Progress& progress);
void append_row(StepTable& to, const StepTable& row);

class FrameRows {
 public:
  FrameRows(const System& system, const Widths& widths, std::string owner);
  // Rows of contacts/ and frames/ that the file has before this frame are given by first_contact and frame_number.
  void add(const Frame& frame, std::int64_t frame_number, std::int64_t first_contact, Block& block);

 private:
  void add_state(const Frame& frame, FrameTable& to);
  bool is_impact(const Frame& frame, ContactKey key) const;
  void append_history(std::vector<double>& to, const State& x) const;
  void add_contacts(const Frame& frame, std::int64_t frame_number, ContactTable& to);
  void find(const Frame& frame);
  bool take_from(const State& records);
  void add_contact(const Frame& frame, std::size_t record, const Contact* contact, ContactTable& to);

  const System& system_;
  Widths widths_;
  std::string owner_;  // of the history that the promise speaks of
  double reach_ = 0.0;  // m, with which the contacts were found last time
  ContactSet found_, set_;
  std::vector<double> U_k_, scratch_;
  std::vector<Reaction> reactions_;
};

}  // namespace esc::io
