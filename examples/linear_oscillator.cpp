#include "examples/linear_oscillator.hpp"

#include <cmath>
#include <limits>
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

namespace {

// q'' + 2 d q' + w0^2 q = 0: q = q(0) C + (q'(0) + d q(0)) S with C, S = exp(-d t) (cos w t, sin w t / w),
// w^2 = |w0^2 - d^2|; beyond critical damping cosh and sinh, at it 1 and t.
class Free {
 public:
  explicit Free(const LinearOscillator& o)
      : d_(0.5 * o.damping / o.mass),
        w0_square_(o.stiffness / o.mass),
        square_(w0_square_ - d_ * d_),
        w_(std::sqrt(std::abs(square_))) {}

  LinearOscillator::Motion at(double t, const LinearOscillator::Motion& start) const {
    double C = 0.0, S = 0.0;
    if (square_ > 0.0) {
      C = std::exp(-d_ * t) * std::cos(w_ * t);
      S = std::exp(-d_ * t) * std::sin(w_ * t) / w_;
    } else {  // exp((w - d) t) apart: cosh alone overflows
      const double slow = std::exp(-w0_square_ / (w_ + d_) * t);
      C = 0.5 * slow * (1.0 + std::exp(-2.0 * w_ * t));
      S = w_ == 0.0 ? slow * t : -0.5 * slow * std::expm1(-2.0 * w_ * t) / w_;
    }
    const double b = start.v + d_ * start.q, q = start.q * C + b * S;
    return {q, b * C - square_ * start.q * S - d_ * q};
  }

  // When q > 0 comes to zero; infinity: never.
  double until_zero(const LinearOscillator::Motion& start) const {
    const double b = start.v + d_ * start.q;
    if (square_ > 0.0) return (0.5 * std::numbers::pi + std::atan2(b, w_ * start.q)) / w_;
    if (!(b < -w_ * start.q)) return std::numeric_limits<double>::infinity();
    return w_ == 0.0 ? -start.q / b : std::atanh(-w_ * start.q / b) / w_;
  }

  // Between two zeros, from one with q' > 0 on; infinity: there is no second.
  double half_period() const { return square_ > 0.0 ? std::numbers::pi / w_ : std::numeric_limits<double>::infinity(); }

 private:
  double d_, w0_square_, square_, w_;
};

}  // namespace

double LinearOscillator::first_impact() const { return Free(*this).until_zero({position, velocity}); }

// From the start to the stop, then half periods, each of which begins with v = -e v- at the stop.
LinearOscillator::Motion LinearOscillator::exact(double t) const {
  const Free free(*this);
  const double first = first_impact(), half = free.half_period();
  if (t < first) return free.at(t, {position, velocity});
  const double n = std::floor((t - first) / half);  // impacts after the first
  const double rebound = -e * free.at(first, {position, velocity}).v;
  const double shrinking = n > 0.0 ? std::pow(-e * free.at(half, {0.0, 1.0}).v, n) : 1.0;
  return free.at(t - first - (n > 0.0 ? n * half : 0.0), {0.0, rebound * shrinking});
}

}  // namespace esc::examples
