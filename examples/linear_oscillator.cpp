#include "examples/linear_oscillator.hpp"

#include <cmath>
#include <numbers>

#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>

namespace esc::examples {

namespace {

struct SpringMass {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  double m, c, k;

  void mass(double, const double*, MatrixView M) const { M(0, 0) = m; }
  template <class S>
  void force(const S&, const S* q, const S* v, S* F) const {
    F[0] = -c * v[0] - k * q[0];
  }
  double potential(double, const double* q) const { return 0.5 * k * q[0] * q[0]; }
  double damping(double, const double*, const double* v) const { return -c * v[0] * v[0]; }
};

}  // namespace

Model LinearOscillator::model() const {
  Model model;
  const BlockId block_id =
      model.add_coordinates("oscillator", {"x"}, block(SpringMass{mass, damping, stiffness}), {position}, {velocity});
  model.add_contact("stop", {block_id}, affine_gap<1>([](const auto&, const auto* q) { return q[0]; }), {.e = e});
  return model;
}

// A quarter period from rest to the stop, then half periods of amplitude shrinking by e.
LinearOscillator::Motion LinearOscillator::exact(double t) const {
  const double w = std::sqrt(stiffness / mass);
  const double quarter = 0.5 * std::numbers::pi / w;
  if (t < quarter) return {position * std::cos(w * t), -position * w * std::sin(w * t)};
  const double n = std::floor((t - quarter) / (2.0 * quarter));
  const double s = t - quarter - 2.0 * quarter * n;
  const double amplitude = position * std::pow(e, n + 1.0);
  return {amplitude * std::sin(w * s), amplitude * w * std::cos(w * s)};
}

}  // namespace esc::examples
