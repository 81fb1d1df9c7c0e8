// What a results file says beside states and impulses, computed again from those and from the scene: derived columns,
// the grid of times, the start, events, counts, checkpoints and totals. No scheme takes a step.
#pragma once

#include <optional>
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

// What the header of a file says otherwise than its scene: units, bodies, shapes, options and parameters, a text each.
// The names were compared when the system was made.
std::vector<std::string> header_differences(const ResultsReader& results, const Scene& scene, const System& system);

// The frame that the last checkpoint was written with; -1 if it is not there. There must be a checkpoint.
std::int64_t checkpoint_frame(const ResultsReader& results);
// Whether a run may go on from there: the first value of the checkpoint that this frame does not have, as a text; empty
// if there is none.
std::string checkpoint_difference(const ResultsReader& results);

// The first field of the promise in a file that is not that of its scheme, as a text; empty if there is none.
std::string promise_difference(const Promise& stored, const Promise& of_scheme);

class Recheck {
 public:
  // These must outlive this. The scheme takes no step: it says how its run begins.
  Recheck(const ResultsReader& results, Scheme& scheme);
  // The frames from 0 on, in order, each with the state before its last step and its certificate; those of frame 0 are
  // itself and none.
  void add(const std::vector<State>& before, const std::vector<State>& after, const std::vector<Certificate>& found);
  void end();                                                                              // after the last frame
  const std::vector<Contradiction>& found() const { return found_; }                       // the first in each column
  std::int64_t unrecorded() const { return frames_ > 0 ? sums_.steps + 1 - frames_ : 0; }  // steps between the frames

 private:
  static constexpr double round_off = 1e-10;  // relative
  struct ResultsPlace {
    double t;
    std::string what, where = {};
  };
  void see(const ResultsPlace& place, double stored, double computed, double slack);
  void look_at_start(const State& x);
  void look_at_grid(const FrameTable& frames, std::size_t i, const State& before);
  void look_at_before(const State& before, const State& last, double t);
  void look_at_inputs(const State& before, const State& after);
  void look_at_counts(const StepTable& steps, const FrameTable& frames, std::size_t i);
  void look_at_certificate(const StepTable& steps, std::size_t i, const Certificate& certificate);
  void look_at_works(const FrameTable& frames, std::size_t i, const Certificate& certificate);
  void add_sums(const StepTable& steps, const FrameTable& frames, std::size_t i);
  void look_at_frames(const FrameTable& stored, const std::vector<State>& after);
  void look_at_contacts(const std::vector<State>& after);
  void look_at_status(const ResultsPlace& place, const ContactRecord& record);
  void look_at_place(const State& x, const ContactRecord& record, const ContactEnds& ends);
  void look_at_records();
  void find_records_before(std::int64_t steps);
  void look_at_family(const State& before, const State& x, std::size_t row, const FrameTable& frames);
  void look_at_figures(const StepTable& steps, std::size_t i);
  void collect_events(double until);
  void look_at_event_times(const State& before, const State& after);
  void look_at_opened(const State& before, const State& after);
  void look_at_checkpoints(const State& x);
  void look_at_checkpoint(const Checkpoint& checkpoint, const StepTable& since, const State& x);
  void next_checkpoint();
  void look_at_report(const std::string& owner, const RunReport& report);
  void look_at_attempts(const std::string& owner, const RunReport& report);
  void look_at_bounds(const std::string& owner, const RunReport& report);
  void look_at_worst(const std::string& owner, const RunReport& report);
  void look_at_energy(const std::string& owner, const RunReport& report);

  const ResultsReader& results_;
  const System& system_;
  Widths widths_;
  FrameRows rows_;
  State start_;
  SchemeTraits traits_;
  EventTable events_;
  std::size_t next_event_ = 0;
  std::int64_t frames_ = 0, contacts_ = 0, grid_ = 0;  // so far
  RunReport sums_;                                     // so far, as far as frames and steps give them
  bool every_step_ = true;                             // so far is a frame
  double largest_kinetic_ = 0.0;                       // J, of the frames so far
  double last_t_ = 0.0;
  State last_state_;                      // of the frame before
  std::int64_t checkpoints_ = 0;          // that were looked at
  std::optional<Checkpoint> checkpoint_;  // the next one
  Frame frame_;
  Block block_;
  std::vector<Contradiction> found_;
};

}  // namespace esc::io
