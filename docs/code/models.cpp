#include "docs/code/models.hpp"

#include <cmath>

#include <escapement/models/energies.hpp>
#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>

namespace esc::docs {

struct Pendulum {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true;
  double m = 1.0, l = 1.0, g = 9.81;  // kg, m, m/s^2

  void mass(double, const double*, MatrixView M) const { M(0, 0) = m * l * l; }
  template <class S>
  void force(const S&, const S* q, const S*, S* F) const {
    using std::sin;
    F[0] = -m * g * l * sin(q[0]);
  }
  double potential(double, const double* q) const { return -m * g * l * std::cos(q[0]); }
};

Model pendulum_by_leaf() {
  Model model;
  const BlockId arm = model.add_coordinates("arm", {"phi"}, block(Pendulum{}), {1.0}, {0.0});
  model.add_contact("stop", {arm}, gap<1>([](const auto&, const auto* q) { return q[0] + 0.2; }), {.e = 0.7});
  return model;
}

Model pendulum_by_functions() {
  Model model;
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto force = [](const auto&, const auto* q, const auto*, auto* F) {
    using std::sin;
    F[0] = -9.81 * sin(q[0]);
  };
  const auto potential = [](double, const double* q) { return -9.81 * std::cos(q[0]); };
  const BlockId arm = model.add_coordinates("arm", {"phi"}, lagrangian<1>(mass, force, potential), {1.0}, {0.0});
  model.add_contact("stop", {arm}, gap<1>([](const auto&, const auto* q) { return q[0] + 0.2; }), {.e = 0.7});
  return model;
}

Model pendulum_by_energies() {
  Model model;
  const auto kinetic = [](const auto&, const auto*, const auto* v) { return 0.5 * v[0] * v[0]; };
  const auto potential = [](const auto&, const auto* q) {
    using std::cos;
    return -9.81 * cos(q[0]);
  };
  const BlockId arm = model.add_coordinates("arm", {"phi"}, from_energies(1, kinetic, potential), {1.0}, {0.0});
  model.add_contact("stop", {arm}, gap<1>([](const auto&, const auto* q) { return q[0] + 0.2; }), {.e = 0.7});
  return model;
}

Model boxes() {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId box = model.add_planar_body("box", {.mass = 2.0, .inertia = 0.03, .pose = {0.0, 0.3, 0.1}});
  const BlockId ball = model.add_planar_body("ball", {.mass = 0.5, .inertia = 0.001, .pose = {1.0, 0.2, 0.0}});

  const Material steel{.e = 0.6, .mu = 0.2}, rubber{.e = 0.8, .mu = 0.9};
  const PairFilter moving{.group = 1, .mask = 2}, fixed{.group = 2, .mask = 1};  // bodies touch only what is fixed
  model.add_shape("plate", planar_frame(box, 0.0, 0.0), Rectangle{0.2, 0.1}, steel, moving);
  model.add_shape("rim", planar_frame(ball, 0.0, 0.0), Disc{0.05}, rubber, moving);
  model.add_shape("floor", planar_frame(ground, 0.0, 0.0), HalfPlane{}, steel, fixed);
  model.add_contacts(Combination::minimum, Combination::mean);  // "plate/floor" and "rim/floor"
  return model;
}

Model shaken_box() {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId box = model.add_planar_body("box", {.pose = {0.0, 1e-3, 0.0}});
  const auto height = [](const auto& t, const auto* q) {
    using std::sin;
    return q[1] - 2e-3 * sin(60.0 * t);  // m, rad/s
  };
  const auto slip = [](const auto& t, const auto* q) { return q[0] - 0.1 * t; };  // past a belt, m/s
  model.add_contact("table", {box}, gap<3>(height, slip), {.e = 0.3, .mu = 0.5});
  return model;
}

Model two_carts() {
  Model model;
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto free = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  const BlockId left = model.add_coordinates("left", {"x"}, lagrangian<1>(mass, free), {0.0}, {0.0});
  const BlockId right = model.add_coordinates("right", {"x"}, lagrangian<1>(mass, free), {1.0}, {0.0});

  const InputId push = model.add_input("push", 3.0);  // N
  model.add_force(
      "motor", {left},
      force<1>([i = push.index](const auto&, const auto*, const auto*, const double* u, auto* Q) { Q[0] = u[i]; },
               {.kind = ForceKind::applied, .tangents = Tangents::none}));
  model.add_force("damper", {left, right},
                  force<2>(
                      [](const auto&, const auto*, const auto* v, const double*, auto* Q) {
                        Q[0] = 5.0 * (v[1] - v[0]);
                        Q[1] = 5.0 * (v[0] - v[1]);
                      },
                      {.kind = ForceKind::damping}));
  model.add_contact("bumper", {left, right}, gap<2>([](const auto&, const auto* q) { return q[1] - q[0] - 0.2; }),
                    {.e = 0.5});
  model.add_output("distance", [](double, std::span<const double> q, std::span<const double>, std::span<const double>) {
    return q[1] - q[0];
  });
  return model;
}

Model bar() {
  Model model;
  const BlockId rod = model.add_bar("rod", {.length = 1.0,      // m
                                            .section = 1e-4,    // m^2
                                            .young = 210e9,     // Pa
                                            .density = 7800.0,  // kg/m^3
                                            .elements = 100,
                                            .velocity = 0.1});  // m/s, of every node
  model.add_contact("wall", {Coordinates(rod, 100, 1)},         // the last node only
                    gap<1>([](const auto&, const auto* q) { return 5e-5 - q[0]; }), {.e = 0.0});
  return model;
}

}  // namespace esc::docs
