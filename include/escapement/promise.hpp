// What a scheme declares about its discrete equations, so that certify() can check them without knowing the scheme.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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
  position,  // g_k + gamma h U_k <= 0, acary Eq. (61)
  free,      // g_k + h (theta U_free + (1 - theta) U_k) <= 0, acary Eq. (62)
};
inline constexpr std::array<std::string_view, 2> forecast_names{"position", "free"};

enum class GapPromise : std::uint8_t {
  measured,     // penetration is O(h): reported, not promised
  nonnegative,  // gap >= -tolerance at every accepted state
};

enum class JointPromise : std::uint8_t {
  velocity,               // G v + g_t = 0 at every accepted state; the drift of the positions is measured
  position_and_velocity,  // and |g| <= joint_tolerance
};

struct Promise {
  double theta = 0.5;
  Quadrature quadrature = Quadrature::theta_point;
  FrameAt frame = FrameAt::end;
  Forecast forecast = Forecast::position;
  double gamma = 0.0;
  GapPromise gap = GapPromise::measured;
  double gap_tolerance = 1e-10;  // m
  JointPromise joints = JointPromise::velocity;
  double joint_tolerance = 1e-10;     // m or rad
  double momentum_tolerance = 1e-9;   // N s
  double velocity_tolerance = 1e-8;   // m/s, on the impact and friction law and on joint rows
  double position_tolerance = 1e-12;  // times 1 m + max |q_{k+1}|
};

}  // namespace esc
