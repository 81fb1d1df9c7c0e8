// What a step reports. A step is the smallest advance whose equations two states can show.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <escapement/contact.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/stages.hpp>

namespace esc {

struct Promise;

enum class StepStatus : std::uint8_t {
  ok,
  bad_step,            // h is not positive and finite
  foreign_state,       // sizes of the state do not fit the system, or start() was not called
  not_finite,          // a NaN or an infinity in the state, a force, a mass or a gap
  singular_matrix,     // the iteration matrix could not be factored
  newton_stalled,      // the Newton loop did not reach its tolerance on momentum or velocities
  solver_failed,       // the contact problem was not solved
  contact_missed,      // where gaps are promised: bodies go through each other, or leave the feature that pushes them
  projection_stalled,  // the Newton loop did not reach its tolerance on gaps and joint positions
  no_progress,         // steps of length zero follow each other without end
  mass_lost,           // a mass matrix is not positive definite; StepReport::block says whose
};
constexpr int step_status_count = 11;

enum class StepKind : std::uint8_t {
  motion,  // t advances
  impact,  // t and q stay, v jumps; advanced is 0
};

enum class EventKind : std::uint8_t {
  impact,   // a contact closed with a velocity
  opened,   // a contact that carried an impulse does no longer
  stuck,    // a sliding contact sticks
  slipped,  // a sticking contact slides
};
inline constexpr std::array<std::string_view, 4> event_names{"impact", "opened", "stuck", "slipped"};

struct Event {
  ContactKey key;
  EventKind kind = EventKind::impact;
  double t = 0.0;                // s; within the step where the scheme locates events, else its end
  double normal_velocity = 0.0;  // before, m/s
  double normal_impulse = 0.0;   // of the step, N s
};

// How many blows these are: the contacts of one pair that close at one time, as the corners of a box that lands flat,
// are one impact.
ESC_API std::int64_t count_impacts(std::span<const Event> events);

// Where a failed step is stuck: contacts and joints (motors are joints), the worst first.
struct Culprits {
  static constexpr int most = 3;
  std::array<ContactKey, most> contacts{};
  std::array<int, most> joints{};  // into System::joints()
  int contact_count = 0, joint_count = 0;
};

struct StepReport {
  StepStatus status = StepStatus::ok;
  StepKind kind = StepKind::motion;
  double advanced = 0.0;             // s, at most what was asked for; 0 on failure and for an impact
  double wish = 0.0;                 // s, what a scheme that changes its step will take next; 0: whatever it is given
  const Promise* promise = nullptr;  // the equations of this step; belongs to the scheme
  int rejected = 0;                  // attempts that failed before this one
  int iterations = 0;                // Newton, summed over index sets
  int index_sets = 1;                // how often the set of active contacts was settled
  int projections = 0;               // position problems with a correction that is not zero
  int solver_iterations = 0;         // summed over islands and Newton iterations
  int active = 0;                    // contacts treated as active
  int islands = 0;
  double residual = 0.0;              // last Newton residual, N s; 0 where one linear solve is the step
  double frame_change = 0.0;          // last movement of contact and joint velocities, m/s
  double gap_residual = 0.0;          // last defect of gaps, joint positions and projection, m or rad
  double solver_residual = 0.0;       // worst of the islands, last Newton iteration, see residual() of cone_problem.hpp
  std::span<const Event> events;      // valid until the next step
  const StageTimes* times = nullptr;  // likewise; null unless Scheme::time_stages() asked for them
  int block = -1;                     // of mass_lost: the first of System::blocks() whose mass is
  Culprits stuck_at;                  // of a step that failed
  int coarse_islands = 0;             // of these, solved to large_island_tol only because the options say so

  bool ok() const { return status == StepStatus::ok; }
};

// The figures of a step that results keep, `run --json` prints of a failed step and docs/results.md lists.
template <>
struct Fields<StepReport> {
  using O = StepReport;
  static constexpr std::string_view owner = "step";
  static constexpr auto table = std::tuple{
      kept_sum("newton_iterations", &O::iterations, "1", "Newton iterations"),
      kept_sum("solver_iterations", &O::solver_iterations, "1", "iterations of the contact solver"),
      kept_largest("index_sets", &O::index_sets, "1", "index sets"),
      kept_largest("projections", &O::projections, "1", "position problems"),
      kept_largest("active", &O::active, "1", "active contacts"),
      kept_largest("islands", &O::islands, "1", "islands"),
      kept_largest("residual", &O::residual, "N s", "Newton residual"),
      kept_largest("frame_change", &O::frame_change, "m/s", "movement of contact and joint velocities"),
      kept_largest("gap_residual", &O::gap_residual, "m", "defect of gaps, joint positions and projection, m or rad"),
      kept_largest("solver_residual", &O::solver_residual, "1", "residual of the contact solver"),
  };
};

ESC_API std::string_view to_string(StepStatus status);
ESC_API std::string_view advice(StepStatus status);  // what to try, one sentence

}  // namespace esc
