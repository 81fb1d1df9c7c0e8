#include "examples/bouncing_ball.hpp"

#include <cmath>
#include <string>

#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>

namespace esc::examples {

namespace {

struct Ball {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  double m, f;

  void mass(double, const double*, MatrixView M) const { M(0, 0) = m; }
  template <class S>
  void force(const S&, const S*, const S*, S* F) const {
    F[0] = S(f);
  }
  void tangent(double, const double*, const double*, double, double, MatrixView) const {}
  double potential(double, const double* q) const { return -f * q[0]; }
};

struct Floor {
  static constexpr int size = 1, contacts = 1, slips = 0;
  double bend() const { return 0.0; }
  template <class S>
  void gap(const S&, const S* q, S* g) const {
    g[0] = q[0];
  }
};

}  // namespace

Model BouncingBall::model() const {
  Model model;
  for (int i = 0; i < count; ++i) {
    const std::string number = count == 1 ? "" : std::to_string(i);
    const BlockId ball = model.add_coordinates("ball" + number, {"y"}, block(Ball{mass, force}), {height}, {velocity});
    model.add_contact("floor" + number, {ball}, contacts(Floor{}), {.e = e});
  }
  return model;
}

double BouncingBall::first_impact() const {
  const double a = force / mass;
  return (-velocity - std::sqrt(velocity * velocity - 2.0 * a * height)) / a;
}

double BouncingBall::rest_from() const {
  const double w = -(velocity + force / mass * first_impact());  // speed of the first impact
  return first_impact() + 2.0 * w / (-force / mass) * e / (1.0 - e);
}

BouncingBall::Motion BouncingBall::exact(double t) const {
  const double a = force / mass;
  double t0 = first_impact();
  if (t < t0) return {height + velocity * t + 0.5 * a * t * t, velocity + a * t};
  if (t >= rest_from()) return {0.0, 0.0};
  double speed = -e * (velocity + a * t0);
  while (t >= t0 + 2.0 * speed / -a) {
    t0 += 2.0 * speed / -a;
    speed *= e;
  }
  const double s = t - t0;
  return {speed * s + 0.5 * a * s * s, speed + a * s};
}

}  // namespace esc::examples
