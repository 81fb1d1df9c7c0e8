#include "examples/exact_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "examples/bead_on_wire.hpp"
#include "examples/bouncing_ball.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/moving_walls.hpp"
#include "examples/simple_pendulum.hpp"

namespace esc::examples {

namespace {

ExactMotion ball(const ParameterValue& parameter, double) {
  const BouncingBall example{.mass = parameter("mass"),
                             .force = parameter("force"),
                             .e = parameter("e"),
                             .height = parameter("height"),
                             .velocity = parameter("velocity")};
  if (!(example.force < 0.0) || !(example.height > 0.0) || !(example.e >= 0.0) || !(example.e <= 1.0)) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const auto [height, velocity] = example.exact(t);
    q[0] = height;
    v[0] = velocity;
  };
}

ExactMotion oscillator(const ParameterValue& parameter, double) {
  const LinearOscillator example{.mass = parameter("mass"),
                                 .damping = parameter("damping"),
                                 .stiffness = parameter("stiffness"),
                                 .e = parameter("e"),
                                 .position = parameter("position")};
  if (!(example.damping >= 0.0) || !(example.stiffness > 0.0) || !(example.position > 0.0)) return {};
  if (!(example.e >= 0.0) || !(example.e <= 1.0)) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const auto [position, velocity] = example.exact(t);
    q[0] = position;
    v[0] = velocity;
  };
}

ExactMotion walls(const ParameterValue& parameter, double until) {
  const MovingWalls example{.velocity = parameter("velocity")};
  if (parameter("e") != example.e || parameter("closing") != example.closing) return {};
  if (!(example.velocity > 0.0) || !(until < 1.0)) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const auto [x, velocity] = example.exact(t);
    q[0] = x;
    v[0] = velocity;
  };
}

// The wire acts on the centre of the bead: the bead does not turn.
ExactMotion bead(const ParameterValue& parameter, double) {
  const BeadOnWire example{
      .rate = parameter("rate"), .distance = parameter("distance"), .velocity = parameter("velocity")};
  if (example.rate == 0.0) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const double r = example.exact_distance(t), dr = example.exact_velocity(t);
    const double c = std::cos(example.rate * t), s = std::sin(example.rate * t);
    const std::array position{r * c, r * s, 0.0, 1.0, 0.0, 0.0, 0.0};
    const std::array velocity{dr * c - r * example.rate * s, dr * s + r * example.rate * c, 0.0, 0.0, 0.0, 0.0};
    std::copy(position.begin(), position.end(), q.begin());
    std::copy(velocity.begin(), velocity.end(), v.begin());
  };
}

// That of the bar, not of its elements: their mesh and the step make up the difference.
ExactMotion bar(const ParameterValue& parameter, double) {
  const ElasticBar example{.young = parameter("young"),
                           .density = parameter("density"),
                           .length = parameter("length"),
                           .section = parameter("section"),
                           .velocity = parameter("velocity"),
                           .gap = parameter("gap"),
                           .e = parameter("e")};
  if (!(example.velocity > 0.0) || !(example.gap >= 0.0) || example.e != 0.0) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const double element = example.length / static_cast<double>(q.size() - 1);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto [displacement, velocity] = example.exact(static_cast<double>(i) * element, t);
      q[i] = displacement;
      v[i] = velocity;
    }
  };
}

ExactMotion pendulum(const ParameterValue& parameter, double) {
  const SimplePendulum example{.length = parameter("length"), .g = parameter("g")};
  if (!(example.g > 0.0)) return {};
  return [example](double t, std::span<double> q, std::span<double> v) {
    const auto [x, y, vx, vy] = example.exact(t);
    const std::array position{x, y, 0.0}, velocity{vx, vy, 0.0};
    std::copy(position.begin(), position.end(), q.begin());
    std::copy(velocity.begin(), velocity.end(), v.begin());
  };
}

struct Row {
  std::string_view example;
  ExactMotion (*motion)(const ParameterValue& parameter, double until);
};

constexpr auto rows = std::to_array<Row>({{"bouncing-ball", ball},
                                          {"linear-oscillator", oscillator},
                                          {"moving-walls", walls},
                                          {"bead-on-wire", bead},
                                          {"elastic-bar", bar},
                                          {"simple-pendulum", pendulum}});

}  // namespace

ExactMotion exact_motion(std::string_view example, const ParameterValue& parameter, double until) {
  for (const Row& row : rows)
    if (row.example == example) return row.motion(parameter, until);
  return {};
}

}  // namespace esc::examples
