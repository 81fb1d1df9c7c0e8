// What a scheme declares about its discrete equations, so that certify() can check them without knowing the scheme.
// Every struct has a field table: results files, `verify` and the docs are written from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include <escapement/friction_cone.hpp>
#include <escapement/history.hpp>
#include <escapement/options.hpp>
#include <escapement/projection_metric.hpp>
#include <escapement/rate_law.hpp>
#include <escapement/source.hpp>

namespace esc {

// Where in the step the contact frames G are taken.
enum class FrameAt : std::uint8_t { begin, theta, end };
inline constexpr std::array<std::string_view, 3> frame_names{"begin", "theta", "end"};

// How M and the integral of F are formed.
enum class Quadrature : std::uint8_t {
  theta_point,  // M and F at (t, q, v)_{k+theta}, acary Eq. (18a) as printed
  endpoints,    // M(q_{k+1}), theta F_{k+1} + (1 - theta) F_k: the form behind acary's Table 3
};
inline constexpr std::array<std::string_view, 2> quadrature_names{"theta-point", "endpoints"};

// Which contacts are active in a step.
enum class Forecast : std::uint8_t {
  position,   // g_k + gamma h U_k <= 0, acary Eq. (61)
  free,       // g_k + h (theta U_free + (1 - theta) U_k) <= 0, acary Eq. (62)
  predicted,  // g(t_k + gamma h, q*) <= 0 at q* = retract(q_k, gamma h v_k): position for gaps that bend
};
inline constexpr std::array<std::string_view, 3> forecast_names{"position", "free", "predicted"};

// Who says which contacts are active.
enum class Activation : std::uint8_t {
  forecast,  // the forecast
  recorded,  // the scheme, by its records; a contact without one has a nonnegative gap at the end of the step
};
inline constexpr std::array<std::string_view, 2> activation_names{"forecast", "recorded"};

// At which level the contact law of the theta-method holds.
enum class ContactLevel : std::uint8_t {
  velocity,  // 0 <= u_N _|_ P_N >= 0 with u_N of the RateLaw: U_N + e U_N,k for Newton's
  position,  // 0 <= g(q_{k+1}) _|_ P_N >= 0
};
inline constexpr std::array<std::string_view, 2> contact_level_names{"velocity", "position"};

// What moves the positions beside the velocities: q_{k+1} = retract(retract(q_k, h v_theta), N (G^T tau + Gb^T tau_b)).
enum class Projection : std::uint8_t {
  none,
  complementary,  // 0 <= g _|_ tau >= 0, acary (28)
  combined,       // g = 0 where P > 0, tau of either sign; 0 <= g _|_ tau >= 0 elsewhere: acary (65)
};
inline constexpr std::array<std::string_view, 3> projection_names{"none", "complementary", "combined"};

// N of the projection, acary (59) and Remark 3.
enum class Metric : std::uint8_t {
  identity,
  iteration_matrix,  // N = Mhat^-1 of the last Newton iteration
  mass,              // N = M^-1 at the end of the step, as bruels
  user,              // the user's function of the place, there
};
inline constexpr std::array<std::string_view, 4> metric_names{"identity", "iteration-matrix", "mass", "user"};

// Where a gap is looked at that decides whether a contact is held to the law of velocities, bruels (29h) and 7.2.
enum class Prediction : std::uint8_t {
  tilde,         // q~_{n+1}, the end of the smooth motion
  start,         // q_n
  extrapolated,  // retract(q_n, h v_n)
  end,           // q_{n+1}
};
inline constexpr std::array<std::string_view, 4> prediction_names{"tilde", "start", "extrapolated", "end"};

// At which levels the constraints of the generalized-alpha method hold.
enum class Levels : std::uint8_t {
  both,      // bruels (29): gaps and joints at position and velocity level
  velocity,  // (29) without its position level: nu = h/2 Lambda, by (20b)
  position,  // (51): forces of gaps and joints are part of the smooth motion, and nothing is corrected
};
inline constexpr std::array<std::string_view, 3> levels_names{"both", "velocity", "position"};

// What a gap is complementary to, where it has a multiplier nu of its own.
enum class GapLaw : std::uint8_t {
  nu,  // 0 <= g _|_ nu >= 0, bruels (28)
  mu,  // 0 <= g _|_ mu >= 0 with h mu = nu - h Lambda, (25), (27); tau of the records is h mu
};
inline constexpr std::array<std::string_view, 2> gap_law_names{"nu", "mu"};

enum class GapPromise : std::uint8_t {
  measured,     // penetration is O(h): reported, not promised
  nonnegative,  // gap >= -tolerance at every accepted state
};
inline constexpr std::array<std::string_view, 2> gap_promise_names{"measured", "nonnegative"};

enum class JointPromise : std::uint8_t {
  velocity,               // G v + g_t = 0 at every accepted state; the drift of the positions is measured
  position,               // |g| <= Tolerances::joint; the velocities are measured
  position_and_velocity,  // both
};
inline constexpr std::array<std::string_view, 3> joint_promise_names{"velocity", "position", "position-and-velocity"};

// Families of equations: one struct, one table, and one file in src/certify/ each.

// acary (18), (28), (65): M (v_{k+1} - v_k) = integral of F + G^T P + Gb^T Lambda, q from v_{k+theta}.
struct ThetaEquations {
  double theta = 0.5;
  Quadrature quadrature = Quadrature::theta_point;
  FrameAt frame = FrameAt::end;
  ContactLevel level = ContactLevel::velocity;
  RateLaw law = {};  // at velocity level
  Activation activation = Activation::forecast;
  Forecast forecast = Forecast::position;
  double gamma = 0.0;
  double activation_tolerance = 0.0;                 // m, added to the forecast's zero
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // of a polygon
  Projection projection = Projection::none;
  Metric metric = Metric::identity;
  const ProjectionMetric* user_metric = nullptr;  // of metric = user; outlives every use of the promise
  TangentForm tangents = TangentForm::exact;      // in Mhat, where that is the metric
};

// Schatzman-Paoli, acary (20)-(22): displacements over three states, contact between them.
struct TwoStepEquations {
  double theta = 0.5;
  FrameAt frame = FrameAt::end;
};

// The history that these speak of: zero at the start, where w_k is the v of the state.
inline constexpr HistoryField two_step_history[] = {
    {"w", "", HistoryField::Over::velocity, "mean velocity over the last step"},
    {"h", "s", HistoryField::Over::number, "its length"}};

// t and q stay, v jumps: M (v+ - v-) = G^T P + Gb^T Lambda at (t, q). The law holds at every closed contact with a
// record; a closed one without a record separates, U_N+ >= 0; joints hold at velocity level.
struct ImpactEquations {
  RateLaw law = {};
  double activation_tolerance = 0.0;  // m; a contact is closed if g <= this
};

// bruels (29), (30): a smooth motion by the generalized-alpha method, M vdot~ = F + Gb^T lambda~, and what contacts and
// joints add to it, M W = G^T P + Gb^T Lambda and M shift = G_N^T nu_N + h/2 G_T^T P_T + Gb^T nu_b. At position level,
// (51), W = shift = 0 and M vdot = F + G^T P / h + Gb^T lambda.
struct AlphaEquations {
  double alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5;
  Levels levels = Levels::both;
  Prediction prediction = Prediction::tilde;
  double activation_tolerance = 0.0;                 // m; a predicted gap up to this is closed
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // of a polygon
  GapLaw gap_law = GapLaw::nu;
};

// The history that these speak of. State::joint_impulse is the whole impulse, Lambda + h lambda~.
inline constexpr HistoryField alpha_history[] = {
    {"a", "", HistoryField::Over::velocity, "pseudo-acceleration with which the next step begins"},
    {"vdot", "", HistoryField::Over::velocity, "smooth acceleration with which it begins"},
    {"lambda", "", HistoryField::Over::joint_row, "smooth reactions at the end of the last step"},
    {"restarted", "1", HistoryField::Over::number,
     "1: a and vdot are not those of the last step, but made consistent"}};

using Equations = std::variant<ThetaEquations, TwoStepEquations, ImpactEquations, AlphaEquations>;

// Over which time the impulses of a state act.
enum class ImpulseTime : std::uint8_t {
  step,    // its length
  none,    // an impact takes no time
  unsaid,  // as the scheme has it
};

// What the states of a family have beside q and v. Results files, `verify` and impact marks ask; a family without this
// does not compile.
struct EquationTraits {
  std::span<const HistoryField> history = {};  // that the equations speak of
  ImpulseTime impulse_time = ImpulseTime::step;
  bool corrects = false;           // records and joints may carry a tau
  bool spreads_impacts = false;    // an impact may take two steps
  bool velocities_behind = false;  // v belongs to the beginning of the step
  FrictionCone friction_cone = FrictionCone::round;
};

inline EquationTraits traits_of(const ThetaEquations& e) {
  const bool at_gaps = e.level == ContactLevel::position;
  return {.corrects = at_gaps || e.projection != Projection::none,
          .spreads_impacts = at_gaps,
          .friction_cone = e.friction_cone};
}
inline EquationTraits traits_of(const TwoStepEquations& /*unused*/) {
  return {.history = two_step_history,
          .impulse_time = ImpulseTime::unsaid,
          .corrects = true,
          .spreads_impacts = true,
          .velocities_behind = true};
}
inline EquationTraits traits_of(const ImpactEquations& /*unused*/) { return {.impulse_time = ImpulseTime::none}; }
inline EquationTraits traits_of(const AlphaEquations& e) {
  const bool at_gaps = e.levels == Levels::position;
  return {.history = alpha_history, .corrects = !at_gaps, .spreads_impacts = at_gaps, .friction_cone = e.friction_cone};
}
inline EquationTraits equation_traits(const Equations& equations) {
  return std::visit([](const auto& family) { return traits_of(family); }, equations);
}

// What round-off and stopped iterations may leave of an equation.
struct Tolerances {
  double gap = 1e-10;       // m
  double joint = 1e-10;     // m or rad
  double momentum = 1e-9;   // N s
  double velocity = 1e-8;   // m/s, on the impact and friction law and on joint rows
  double position = 1e-12;  // times 1 m + max |q_{k+1}|
};

struct Promise {
  Equations equations = {};
  GapPromise gap = GapPromise::measured;
  JointPromise joints = JointPromise::velocity;
  Tolerances tol = {};
  std::string owner = {};  // of the history in the states that the equations speak of; the Scheme sets it
};

template <>
struct Fields<RateLaw> {
  using O = RateLaw;
  static constexpr std::string_view owner = "law";
  static constexpr auto table = std::tuple{
      number("restitution", &O::restitution, "1", Range{}, "times e: weight of U_N,k in u_N"),
      number("normal", &O::normal, "1", Range{}, "added weight of U_N,k in u_N"),
      number("tangent", &O::tangent, "1", Range{}, "weight of U_T,k in u_T"),
  };
};

template <>
struct Fields<ThetaEquations> {
  using O = ThetaEquations;
  static constexpr std::string_view owner = "theta-method";
  static constexpr auto table = std::tuple{
      number("theta", &O::theta, "1", Range{0.0, 1.0}, "weight of the end of the step"),
      choice("quadrature", &O::quadrature, quadrature_names, "where M and F are taken"),
      choice("frame", &O::frame, frame_names, "where G and Gb are taken"),
      choice("level", &O::level, contact_level_names, "of the contact law"),
      part("law_", &O::law),
      choice("activation", &O::activation, activation_names, "who says which contacts are active"),
      choice("forecast", &O::forecast, forecast_names,
             "activation rule: acary (61), (62), or the gap at the predicted place"),
      number("gamma", &O::gamma, "1", Range{0.0, 2.0}, "look-ahead of the position forecast, g + gamma h U"),
      number("activation_tolerance", &O::activation_tolerance, "m", nonnegative_range,
             "a forecast up to this counts as closed"),
      choice("friction_cone", &O::friction_cone, friction_cone_names, "of contacts in space"),
      number("friction_directions", &O::friction_directions, "1", Range{4.0, 64.0}, "corners of a polygon"),
      choice("projection", &O::projection, projection_names, "what moves q beside v"),
      choice("metric", &O::metric, metric_names, "N of the projection"),
      choice("tangents", &O::tangents, tangent_form_names, "in Mhat, where that is the metric"),
  };
};

template <>
struct Fields<TwoStepEquations> {
  using O = TwoStepEquations;
  static constexpr std::string_view owner = "two-step";
  static constexpr auto table = std::tuple{
      number("theta", &O::theta, "1", Range{0.0, 1.0}, "where between the ends of the step F is taken"),
      choice("frame", &O::frame, frame_names, "where M and Gb are taken"),
  };
};

template <>
struct Fields<ImpactEquations> {
  using O = ImpactEquations;
  static constexpr std::string_view owner = "impact";
  static constexpr auto table = std::tuple{
      part("law_", &O::law),
      number("activation_tolerance", &O::activation_tolerance, "m", nonnegative_range,
             "a contact is closed if g <= this"),
  };
};

template <>
struct Fields<AlphaEquations> {
  using O = AlphaEquations;
  static constexpr std::string_view owner = "generalized-alpha";
  static constexpr auto table = std::tuple{
      number("alpha_m", &O::alpha_m, "1", Range{-1.0, 0.5}, "weight of a_n in (30e)"),
      number("alpha_f", &O::alpha_f, "1", Range{0.0, 0.5}, "weight of vdot~_n in (30e)"),
      number("beta", &O::beta, "1", Range{0.0, 1.0}, "of Newmark's positions, (30a)"),
      number("gamma", &O::gamma, "1", Range{0.0, 2.0}, "of Newmark's velocities, (30c)"),
      choice("levels", &O::levels, levels_names, "at which contacts and joints hold"),
      choice("prediction", &O::prediction, prediction_names, "where a gap decides that a contact is active"),
      number("activation_tolerance", &O::activation_tolerance, "m", nonnegative_range,
             "a predicted gap up to this is closed"),
      choice("friction_cone", &O::friction_cone, friction_cone_names, "of contacts in space"),
      number("friction_directions", &O::friction_directions, "1", Range{4.0, 64.0}, "corners of a polygon"),
      choice("gap_law", &O::gap_law, gap_law_names, "what gaps are complementary to"),
  };
};

template <>
struct Fields<Tolerances> {
  using O = Tolerances;
  static constexpr std::string_view owner = "tolerances";
  static constexpr auto table = std::tuple{
      number("gap_tolerance", &O::gap, "m", nonnegative_range, "on gaps"),
      number("joint_tolerance", &O::joint, "m", nonnegative_range, "on joint positions, m or rad"),
      number("momentum_tolerance", &O::momentum, "N s", nonnegative_range, "on the balance and on impulses"),
      number("velocity_tolerance", &O::velocity, "m/s", nonnegative_range,
             "on the impact law, the slip and joint velocities, m/s or rad/s"),
      number("position_tolerance", &O::position, "1", nonnegative_range, "times 1 m + max |q_{k+1}|"),
  };
};

template <>
struct Fields<Promise> {
  using O = Promise;
  static constexpr std::string_view owner = "promise";
  static constexpr auto table = std::tuple{
      one_of("formula", &O::equations, "family of the equations"),
      choice("gap", &O::gap, gap_promise_names, "whether gaps are promised"),
      choice("joints", &O::joints, joint_promise_names, "at which level joints are promised"),
      part("", &O::tol),
  };
};

}  // namespace esc
