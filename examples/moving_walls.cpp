#include "examples/moving_walls.hpp"

#include <cmath>

#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>

namespace esc::examples {

namespace {

struct FreeMass {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  double m;
  void mass(double, const double*, MatrixView M) const { M(0, 0) = m; }
  template <class S>
  void force(const S&, const S*, const S*, S* F) const {
    F[0] = S(0.0);
  }
};

}  // namespace

Model MovingWalls::model() const {
  Model model;
  const BlockId ball = model.add_coordinates("ball", {"x"}, block(FreeMass{mass}), {0.0}, {velocity});
  const double w = closing;
  model.add_contact("right", {ball}, affine_gap<1>([w](const auto& t, const auto* q) { return 1.0 - w * t - q[0]; }),
                    {.e = e});
  model.add_contact("left", {ball}, affine_gap<1>([w](const auto& t, const auto* q) { return 1.0 - w * t + q[0]; }),
                    {.e = e});
  return model;
}

// For unit closing speed and e = 1: the speed grows by 2 at every impact.
double MovingWalls::exact_impact_time(int n) const { return 1.0 - velocity / (velocity + 1.0 + 2.0 * n); }

MovingWalls::Motion MovingWalls::exact(double t) const {
  const double n = std::floor((velocity / (1.0 - t) - velocity - 1.0) / 2.0);  // the last impact
  if (n < 0.0) return {velocity * t, velocity};
  const double last = exact_impact_time(static_cast<int>(n));
  const double side = std::fmod(n, 2.0) == 0.0 ? 1.0 : -1.0;
  const double v = -side * (velocity + 2.0 * (n + 1.0));
  return {side * (1.0 - last) + v * (t - last), v};
}

}  // namespace esc::examples
