// What a scheme declares about its discrete equations, so that certify() can check them without knowing the scheme.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <escapement/friction_cone.hpp>
#include <escapement/history.hpp>
#include <escapement/projection_metric.hpp>
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

// Which discrete equations the states obey.
enum class Formula : std::uint8_t {
  theta_method,  // acary (18), (28), (65), with the members below
  two_step,      // Schatzman-Paoli, acary (20)-(22): displacements over three states, contact between them
};

// At which level the contact law of the theta-method holds.
enum class ContactLevel : std::uint8_t {
  velocity,  // 0 <= U_N + e U_N,k _|_ P_N >= 0
  position,  // 0 <= g(q_{k+1}) _|_ P_N >= 0
};

// What moves the positions beside the velocities: q_{k+1} = retract(retract(q_k, h v_theta), N (G^T tau + Gb^T tau_b)).
enum class Projection : std::uint8_t {
  none,
  complementary,  // 0 <= g _|_ tau >= 0, acary (28)
  combined,       // g = 0 where P > 0, tau of either sign; 0 <= g _|_ tau >= 0 elsewhere: acary (65)
};

// N of the projection, acary (59) and Remark 3.
enum class Metric : std::uint8_t {
  identity,
  iteration_matrix,  // N = Mhat^-1 of the last Newton iteration
  mass,              // N = M^-1 at the end of the step, as bruels
  user,              // the user's function of the place, there
};
inline constexpr std::array<std::string_view, 4> metric_names{"identity", "iteration-matrix", "mass", "user"};

enum class GapPromise : std::uint8_t {
  measured,     // penetration is O(h): reported, not promised
  nonnegative,  // gap >= -tolerance at every accepted state
};

enum class JointPromise : std::uint8_t {
  velocity,               // G v + g_t = 0 at every accepted state; the drift of the positions is measured
  position,               // |g| <= joint_tolerance; the velocities are measured
  position_and_velocity,  // both
};

// The history that Formula::two_step speaks of: zero at the start, where w_k is the v of the state.
inline constexpr HistoryField two_step_history[] = {
    {"w", "", HistoryField::Over::velocity, "mean velocity over the last step"},
    {"h", "s", HistoryField::Over::number, "its length"}};

struct Promise {
  Formula formula = Formula::theta_method;
  double theta = 0.5;
  Quadrature quadrature = Quadrature::theta_point;
  FrameAt frame = FrameAt::end;
  Activation activation = Activation::forecast;
  Forecast forecast = Forecast::position;
  double gamma = 0.0;
  double activation_tolerance = 0.0;  // m, added to the forecast's zero
  ContactLevel level = ContactLevel::velocity;
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // of a polygon
  Projection projection = Projection::none;
  Metric metric = Metric::identity;
  const ProjectionMetric* user_metric = nullptr;  // of metric = user; outlives every use of the promise
  TangentForm tangents = TangentForm::exact;      // in Mhat, where that is the metric
  GapPromise gap = GapPromise::measured;
  double gap_tolerance = 1e-10;  // m
  JointPromise joints = JointPromise::velocity;
  double joint_tolerance = 1e-10;     // m or rad
  double momentum_tolerance = 1e-9;   // N s
  double velocity_tolerance = 1e-8;   // m/s, on the impact and friction law and on joint rows
  double position_tolerance = 1e-12;  // times 1 m + max |q_{k+1}|
  std::string owner = {};             // of the history in the states that the equations speak of
};

}  // namespace esc
