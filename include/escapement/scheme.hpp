// Scheme: options + scratch + caches. It advances a State by at most h, and leaves it bitwise untouched on failure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <escapement/contact.hpp>
#include <escapement/export.hpp>
#include <escapement/promise.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

enum class StepStatus : std::uint8_t {
  ok,
  bad_step,            // h is not positive and finite
  foreign_state,       // sizes of the state do not fit the system, or start() was not called
  not_finite,          // a NaN or an infinity in the state, a force, a mass or a gap
  singular_matrix,     // the iteration matrix could not be factored
  newton_stalled,      // the Newton loop did not reach its tolerance on momentum or velocities
  solver_failed,       // the contact problem was not solved
  contact_missed,      // a pair beyond the reach of detection penetrates at the end of the step
  projection_stalled,  // the Newton loop did not reach its tolerance on gaps and joint positions
};

enum class EventKind : std::uint8_t { impact, opened };

struct Event {
  ContactKey key;
  EventKind kind = EventKind::impact;
  double t = 0.0;
  double normal_velocity = 0.0;  // before, m/s
  double normal_impulse = 0.0;   // of the step, N s
};

struct StepReport {
  StepStatus status = StepStatus::ok;
  double advanced = 0.0;      // s; 0 on failure
  int iterations = 0;         // Newton, summed over index sets
  int index_sets = 1;         // how often the set of active contacts was settled
  int projections = 0;        // position problems with a correction that is not zero
  int solver_iterations = 0;  // summed over islands and Newton iterations
  int active = 0;             // contacts treated as active
  int islands = 0;
  double residual = 0.0;          // last Newton residual, N s; 0 where one linear solve is the step
  double law_residual = 0.0;      // last movement of contact and joint velocities, m/s
  double gap_residual = 0.0;      // last defect of gaps, joint positions and projection, m or rad
  double solver_residual = 0.0;   // worst of the islands, last Newton iteration, see residual() of cone_problem.hpp
  std::span<const Event> events;  // valid until the next step

  bool ok() const { return status == StepStatus::ok; }
};

class ESC_API Scheme {
 public:
  virtual ~Scheme() = default;
  virtual std::string_view name() const = 0;
  virtual const System& system() const = 0;
  virtual Promise promise() const = 0;  // what certify() may hold it to
  virtual void start(State& x) = 0;     // lays out x.history and tags x with name()
  [[nodiscard]] virtual StepReport step(State& x, double h) = 0;
  virtual void poison() = 0;      // fills scratch with NaN: the next step must give the same bits
  virtual void invalidate() = 0;  // drops caches: the next step must give the same bits
};

ESC_API std::string_view to_string(StepStatus status);
ESC_API std::string_view advice(StepStatus status);  // what to try, one sentence

}  // namespace esc
