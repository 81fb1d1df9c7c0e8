#include "examples/slider_on_roller.hpp"

#include <escapement/models/block_pool.hpp>
#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>

namespace esc::examples {

namespace {

// q = (y, phi).
struct SliderRoller {
  static constexpr int size = 2;
  static constexpr bool constant_mass = true, linear = true;
  double m, J, g;

  void mass(double, const double*, MatrixView M) const {
    M(0, 0) = m;
    M(1, 1) = J;
    M(0, 1) = M(1, 0) = 0.0;
  }
  template <class S>
  void force(const S&, const S*, const S*, S* F) const {
    F[0] = S(-m * g);
    F[1] = S(0.0);
  }
  double potential(double, const double* q) const { return m * g * q[0]; }
};

}  // namespace

Model SliderOnRoller::model() const {
  Model model;
  const BlockId pair =
      model.add_coordinates("pair", {"y", "phi"}, block(SliderRoller{mass, inertia, g}), {height, 0.0}, {0.0, 0.0});
  const InputId motor = model.add_input("torque", torque());
  model.add_force(
      "motor", {Coordinates(pair, 1, 1)},
      force<1>([i = motor.index](const auto&, const auto*, const auto*, const double* u, auto* Q) { Q[0] = u[i]; },
               {.kind = ForceKind::applied, .tangents = Tangents::none}));
  model.add_contact("contact", {pair},
                    gap<2>([](const auto&, const auto* q) { return q[0]; },
                           [r = radius](const auto&, const auto* q) { return -r * q[1]; }),
                    {.e = e, .mu = mu});
  model.add_output("slip", [r = radius](double, std::span<const double>, std::span<const double> v,
                                        std::span<const double>) { return -r * v[1]; });
  return model;
}

}  // namespace esc::examples
