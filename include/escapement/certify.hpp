// Certificate of a step: the scheme's own discrete equations, evaluated again from the two states alone. It includes
// neither schemes nor solvers, and detects contacts by brute force.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/promise.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

enum class Check : std::uint8_t {
  penetration,     // gap >= -tolerance, where promised
  impact_law,      // 0 <= U_N + e U_N,k _|_ P_N >= 0 for every contact that the forecast activates
  friction_law,    // |P_T| <= mu P_N; opposite to the slip while sliding
  inactive,        // no impulse at a contact that the forecast leaves open, no impulse without a contact
  momentum,        // M (v_{k+1} - v_k) - integral of F - G^T P
  kinematics,      // q_{k+1} against retract(q_k, h v_{k+theta}), and the projection on top of it
  jacobian,        // G v + g_t against a difference quotient of the gap or of the joint's residual
  energy,          // balance of the audit, where it closes exactly
  joint_velocity,  // G v + g_t = 0 at every joint row
  joint_position,  // |g| <= tolerance at every joint row, where promised
  projection,      // g = 0 where tau is not zero or, if so promised, where P > 0; tau >= 0 elsewhere
  passage,         // nothing goes through anything between the two states
  mass,            // every mass matrix is positive definite, at the promised frame and at the end of the step
};
inline constexpr std::array<std::string_view, 13> check_names{
    "penetration", "impact_law",     "friction_law",   "inactive",   "momentum", "kinematics", "jacobian",
    "energy",      "joint_velocity", "joint_position", "projection", "passage",  "mass"};
constexpr int check_count = static_cast<int>(check_names.size());

struct Finding {
  double value = 0.0;  // the defect, in the unit of the check
  double allowed = 0.0;
  ContactKey key;  // where it is worst, for checks on contacts; of mass key.pair is the block
  int joint = -1;  // ... and for checks on joints
  bool ok() const { return value <= allowed; }  // false for NaN
};

// The lines of the energy audit. Positive work goes into the system; signs are audited, never clipped.
enum class Work : std::uint8_t {
  damping,
  applied,
  friction,    // <= 0 in the exact law
  impact,      // normal impulses
  walls,       // moving walls and other rheonomic gaps
  joints,      // joint impulses: motors, and what the integration of the joints loses or gains
  projection,  // potential gained by moving the positions onto their constraints
};
inline constexpr std::array<ListLine, 7> work_lines{{
    {"damping", "damping", "work of damping"},
    {"applied", "applied", "work of applied forces"},
    {"friction", "friction", "work of friction"},
    {"impact", "impacts", "work of normal impulses"},
    {"walls", "moving walls", "work of moving walls"},
    {"joints", "joints", "work of joint impulses"},
    {"projection", "projection", "potential gained by projections"},
}};

// Work over one step or over a run, J.
struct Audit {
  Energy before, after;
  std::array<double, work_lines.size()> works{};
  double change = 0.0;  // of kinetic and potential energy, with the velocities that the works are taken with
  double given = 0.0;   // by damping, applied forces, moving walls and motors
  double taken = 0.0;   // by contacts, normal and friction, where that is negative: <= 0
  double slack = 0.0;   // what tolerances and round-off may leave of the balance

  double& operator[](Work line) { return works[static_cast<std::size_t>(line)]; }
  double operator[](Work line) const { return works[static_cast<std::size_t>(line)]; }
  double balance_error() const {
    double error = after.kinetic + after.potential - before.kinetic - before.potential;
    for (const double work : works) error -= work;
    return error;
  }
  // What nothing known to mechanics explains: the scheme's own doing.
  double unexplained() const { return change - given - taken; }
};

struct ESC_API Certificate {
  std::array<Finding, check_count> findings;
  Audit audit;
  bool ok() const;
  Check worst() const;  // the check with the largest value / allowed
  const Finding& operator[](Check check) const { return findings[static_cast<std::size_t>(check)]; }
};

// Keeps its scratch between steps; certifying a trajectory allocates nothing after the first steps.
class ESC_API Certifier {
 public:
  explicit Certifier(const System& system);
  explicit Certifier(System&&) = delete;  // must outlive this
  ~Certifier();
  Certifier(Certifier&&) noexcept;

  [[nodiscard]] Certificate certify(const State& before, const State& after, const Promise& promise);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

[[nodiscard]] ESC_API Certificate certify(const System& system, const State& before, const State& after,
                                          const Promise& promise);

ESC_API std::string_view to_string(Check check);

// The joint, the contact or the block that a finding is about; both empty where the check is on the whole system.
struct FoundAt {
  std::string_view kind;  // "joint", "contact" or "block"
  std::string name;
};
[[nodiscard]] ESC_API FoundAt found_at(const System& system, Check check, const Finding& finding);

template <>
struct Fields<Energy> {
  static constexpr std::string_view owner = "energy";
  static constexpr auto table = std::tuple{number("kinetic", &Energy::kinetic, "J", Range{}, "kinetic energy"),
                                           number("potential", &Energy::potential, "J", Range{}, "potential energy")};
};

template <>
struct Fields<Audit> {
  static constexpr std::string_view owner = "audit";
  static constexpr auto table = std::tuple{
      part("before_", &Audit::before),
      part("after_", &Audit::after),
      named_numbers("work_", &Audit::works, "J", work_lines),
      number("change", &Audit::change, "J", Range{}, "of the energy"),
      number("given", &Audit::given, "J", Range{}, "by damping, applied forces, moving walls and motors"),
      number("taken", &Audit::taken, "J", Range{}, "by contacts, where negative"),
      number("slack", &Audit::slack, "J", Range{}, "what tolerances and round-off may leave of the balance")};
};

template <>
struct Fields<ContactKey> {
  static constexpr std::string_view owner = "contact";
  static constexpr auto table =
      std::tuple{number("pair", &ContactKey::pair, "1", Range{}, "which pair"),
                 number("feature", &ContactKey::feature, "1", Range{}, "which feature of the pair")};
};

template <>
struct Fields<Finding> {
  static constexpr std::string_view owner = "finding";
  static constexpr auto table =
      std::tuple{number("value", &Finding::value, "", Range{}, "in the unit of the check"),
                 number("allowed", &Finding::allowed, "", Range{}, "its bound"), part("", &Finding::key),
                 number("joint", &Finding::joint, "1", Range{}, "which joint; -1: none")};
};

}  // namespace esc
