// What a results file says beside states and impulses, computed again from those: derived columns, the grid of times,
// the start of the scene, counts and totals. No scheme is asked.
#pragma once

#include <string>
#include <vector>

#include "src/io/results_rows.hpp"

namespace esc::io {

// A value that is not what the rest of the file gives.
struct Contradiction {
  double t;           // s, of its frame
  std::string what;   // dataset or attribute
  std::string where;  // name of the contact; empty if it is not of one
  double stored, computed;
};

// The first field of the promise in a file that is not that of its scheme, as a text; empty if there is none.
std::string promise_difference(const Promise& stored, const Promise& of_scheme);

class Recheck {
 public:
  // Both must outlive this.
  Recheck(const ResultsReader& results, const System& system);
  // The frames from 0 on, in order, each with the state before its last step; that of frame 0 is itself.
  void add(const std::vector<State>& before, const std::vector<State>& after);
  void end();                                                         // after the last frame
  const std::vector<Contradiction>& found() const { return found_; }  // the first in each column

 private:
  struct Place {
    double t;
    std::string what, where = {};
  };
  void see(const Place& place, double stored, double computed, double slack);
  void look_at_start(const State& x);
  void look_at_grid(const FrameTable& frames, std::size_t i, const State& before);
  void look_at_counts(const StepTable& steps, const FrameTable& frames, std::size_t i);
  void look_at_frames(const FrameTable& stored, const std::vector<State>& after);
  void look_at_contacts(const std::vector<State>& after);
  void look_at_status(const Place& place, const ContactRecord& record);
  void look_at_place(const State& x, const ContactRecord& record, const ContactEnds& ends);
  void look_at_records();
  void collect_events(double until);

  const ResultsReader& results_;
  const System& system_;
  Widths widths_;
  FrameRows rows_;
  State start_;
  bool changes_step_;  // of the scheme: its steps need not be those of the grid
  EventTable events_;
  std::size_t next_event_ = 0;
  std::int64_t frames_ = 0, contacts_ = 0, grid_ = 0;        // so far
  std::int64_t steps_ = 0, impacts_ = 0, failed_steps_ = 0;  // sums so far
  double last_t_ = 0.0;
  Energy last_;  // of the last frame, computed again
  Frame frame_;
  Block block_;
  std::vector<Contradiction> found_;
};

}  // namespace esc::io
