#include "examples/simple_pendulum.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace esc::examples {

namespace {

struct Elliptic {
  double sn, cn, dn;
};

// sn, cn and dn of u + K for the modulus k = sin(pi/4), by the arithmetic-geometric mean (Abramowitz, Stegun 16.4).
Elliptic a_quarter_further(double u) {
  constexpr int most = 8;  // c is below 1e-30 after five
  std::array<double, most + 1> a{1.0}, c{std::numbers::sqrt2 / 2.0};
  double b = std::numbers::sqrt2 / 2.0;
  int n = 0;
  for (; n < most && c[n] > 1e-17; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
  }
  const double K = 0.5 * std::numbers::pi / a[n];
  double phi = std::ldexp(a[n] * (u + K), n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0 - 0.5 * sn * sn)};
}

}  // namespace

Model SimplePendulum::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const BlockId bob = model.add_planar_body("bob", {.mass = mass, .inertia = 1.0, .pose = {-length, 0.0, 0.0}});
  model.add_joint("rod", Distance{length}, Frame{ground}, Frame{bob});
  return model;
}

// With the angle a from the lowest point: sin(a/2) = -k sn, cos(a/2) = dn, da/dt = -2 k w cn.
SimplePendulum::Motion SimplePendulum::exact(double t) const {
  const double w = std::sqrt(g / length), k = std::numbers::sqrt2 / 2.0;
  const auto [sn, cn, dn] = a_quarter_further(w * t);
  const double s = -k * sn, rate = -2.0 * k * w * cn;
  const double sin_a = 2.0 * s * dn, cos_a = 1.0 - 2.0 * s * s;
  return {length * sin_a, -length * cos_a, length * cos_a * rate, length * sin_a * rate};
}

}  // namespace esc::examples
