// From states to rows of the tables. Contacts are records; their gaps and velocities are evaluated before and after the
// step.
#pragma once

#include <string>
#include <vector>

#include <escapement/impact_marks.hpp>

#include "src/io/results_layout.hpp"

namespace esc::io {

// One accepted step on its way to the file.
struct Frame {
  State before, after;
  Continuation so_far;
  StepTable since;            // one row: the steps since the frame before
  std::vector<Event> events;  // of those steps
  std::vector<double> outputs;
  StepKind kind = StepKind::motion;  // of the last step
  int promise = 0;                   // which of those of the file it obeys
  bool on_grid = true;               // can be resumed from
  bool regular = true;               // false: recorded only because the run ended; dropped when it is resumed
};

struct Block {
  FrameTable frames;
  StepTable steps;
  ContactTable contacts;
  EventTable events;
};

StepTable empty_steps();  // one row of zeros
void add_step(StepTable& row, const Progress& progress);
void add_certificate(StepTable& row, const Certificate& certificate);
void append_row(StepTable& to, const StepTable& row);

// A contact before and after the step.
struct ContactEnds {
  ContactKey key;
  int rows;
  ContactFrame before, after;
};

class FrameRows {
 public:
  FrameRows(const System& system, const Widths& widths, SpreadImpacts spread);
  // Rows of contacts/ and frames/ that the file has before this frame are given by first_contact and frame_number.
  void add(const Frame& frame, std::int64_t frame_number, std::int64_t first_contact, Block& block);
  // Of the frame added last, ascending keys: its records whose contact is at one of the two places.
  const std::vector<ContactEnds>& ends() const { return ends_; }

 private:
  void add_state(const Frame& frame, FrameTable& to);
  void append_histories(std::vector<std::vector<double>>& to, const State& x) const;
  void add_contacts(const Frame& frame, std::int64_t frame_number, ContactTable& to);
  void collect(const Frame& frame);
  void add_velocities(const Frame& frame, const Contact* contact, ContactTable& to);
  static void add_record(const ContactRecord& record, ImpactMark mark, double time, ContactTable& to);

  const System& system_;
  Widths widths_;
  std::vector<ContactKey> keys_;
  ContactSet set_, others_;
  std::vector<ContactEnds> ends_;
  std::vector<double> U_k_, scratch_;
  std::vector<Reaction> reactions_;
  ImpactMarks marks_;
};

}  // namespace esc::io
