// Motors on a coordinate of a joint, driven by named inputs or by a function of time:
//
//   model.add_motor("drive", hinge, JointCoordinate::angle, Motor::velocity);    input "drive.velocity"
//   model.add_motor("crank", hinge, JointCoordinate::angle, position_motor([](const auto& t) { return 3.0 * t; }));
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include <escapement/ad/dual.hpp>

namespace esc {

enum class Motor : std::uint8_t {
  velocity,  // holds the rate of the coordinate at the input "<name>.velocity", rad/s or m/s
  position,  // holds the coordinate at "<name>.position"; "<name>.rate" is how fast that input moves: set both,
             // schemes that work on velocities follow the rate
  torque,    // exerts the input "<name>.torque", N m or N, along the coordinate
};

// A coordinate that follows a function of time; an angle to the nearest turn.
struct PositionMotor {
  std::function<std::array<double, 3>(double t)> position;  // its value, first and second derivative
};

// A rate that is a function of time and of the inputs u of the System; where the coordinate is stays free.
struct VelocityMotor {
  std::function<std::array<double, 2>(double t, const double* u)> velocity;  // rad/s or m/s, and its derivative in t
};

// A torque (N m) or force (N) along the coordinate that is such a function.
struct TorqueMotor {
  std::function<double(double t, const double* u)> torque;
};

template <class Function>
PositionMotor position_motor(Function function) {
  using S = ad::Dual<1, ad::Dual<1>>;
  static_assert(std::is_invocable_v<Function, const S&>,
                "write the position as [](const auto& t) { return ...; }: it is differentiated");
  return {[function = std::move(function)](double t) -> std::array<double, 3> {
    const S x = function(ad::seed<1>(ad::seed<1>(t, 0), 0));
    return {x.value.value, x.value.d[0], x.d[0].d[0]};
  }};
}

}  // namespace esc
