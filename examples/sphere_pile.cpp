#include "examples/sphere_pile.hpp"

#include <array>
#include <cstdint>
#include <numbers>
#include <string>

#include "examples/rotations.hpp"

namespace esc::examples {

namespace {

// A sequence in [-1, 1] that is the same everywhere (Knuth's multiplier).
class Jitter {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1.0;
  }

 private:
  std::uint64_t state_ = 1;
};

void add_walls(Model& model, double half_width, const Material& material, const PairFilter& filter) {
  constexpr double quarter = 0.5 * std::numbers::pi;
  const double w = half_width;
  model.add_shape("floor", {}, HalfSpace{}, material, filter);
  model.add_shape("left", {ground, {-w, 0, 0}, turn({0, 1, 0}, quarter)}, HalfSpace{}, material, filter);
  model.add_shape("right", {ground, {w, 0, 0}, turn({0, 1, 0}, -quarter)}, HalfSpace{}, material, filter);
  model.add_shape("front", {ground, {0, -w, 0}, turn({1, 0, 0}, -quarter)}, HalfSpace{}, material, filter);
  model.add_shape("back", {ground, {0, w, 0}, turn({1, 0, 0}, quarter)}, HalfSpace{}, material, filter);
}

}  // namespace

Model SpherePile::model() const {
  constexpr PairFilter wall{.group = 2, .mask = 1};
  const Material material{.e = e, .mu = mu};
  Model model;
  model.set_gravity({0.0, 0.0, -g});
  add_walls(model, half_width(), material, wall);

  Jitter beside;
  RigidBody body = solid(Sphere{radius}, density);
  for (int i = 0; i < balls; ++i) {
    const std::array<int, 3> cell{i % across, i / across % across, i / (across * across)};
    for (int k = 0; k < 3; ++k) body.position[k] = (cell[k] + 0.5) * spacing + jitter * beside();
    body.position[0] -= half_width();
    body.position[1] -= half_width();
    const std::string name = "ball" + std::to_string(i);
    model.add_shape(name + ".skin", {model.add_rigid_body(name, body)}, Sphere{radius}, material);
  }
  model.add_contacts(Combination::minimum, Combination::minimum);
  return model;
}

}  // namespace esc::examples
