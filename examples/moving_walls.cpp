#include "examples/moving_walls.hpp"

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
  model.add_contact("right", {ball}, gap<1>([w](const auto& t, const auto* q) { return 1.0 - w * t - q[0]; }),
                    {.e = e});
  model.add_contact("left", {ball}, gap<1>([w](const auto& t, const auto* q) { return 1.0 - w * t + q[0]; }), {.e = e});
  return model;
}

// For unit closing speed and e = 1: the speed grows by 2 at every impact.
double MovingWalls::exact_impact_time(int n) const { return 1.0 - velocity / (velocity + 1.0 + 2.0 * n); }

}  // namespace esc::examples
