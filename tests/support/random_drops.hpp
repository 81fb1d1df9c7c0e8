// Random heaps: a few bodies of random shape, size, mass, place, turn, velocity and spin above a floor, drawn from a
// number. The same number gives the same drop on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <escapement/model.hpp>

namespace esc::testing {

// SplitMix64: the distributions of the standard library differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }
  double logarithmic(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int below(int n) { return std::min(static_cast<int>(uniform(0.0, n)), n - 1); }
  // The ends are drawn as often as each third of what lies between: they are cases of their own.
  double with_ends(double low, double high) {
    const int which = below(5);
    return which == 0 ? low : which == 1 ? high : uniform(low, high);
  }
  std::array<double, 3> vector(double size) {
    std::array<double, 3> v{};
    for (double& x : v) x = uniform(-size, size);
    return v;
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

struct RandomDrop {
  Model model;
  double h = 0.0;      // s
  double until = 0.0;  // s
  std::string name;    // what was drawn, for people
};

// A shape, the radius of a ball about its origin that contains it, m, and the shapes that the library lets it touch.
struct DrawnShape {
  Geometry geometry;
  double reach;
  const char* name;
  PairFilter filter;
};
inline constexpr std::uint32_t round = 1, floor = 2, long_round = 4, edged = 8;

inline DrawnShape draw_shape(Dice& dice) {
  const auto length = [&] { return dice.uniform(0.02, 0.15); };
  const double a = length(), b = length(), c = length();
  switch (dice.below(4)) {
    case 0:
      return {Box{a, b, c}, std::hypot(a, b, c), "box", {edged, round | floor}};
    case 1:
      return {Capsule{a, b}, a + b, "capsule", {long_round, round | floor | long_round}};
    case 2:
      return {Cylinder{a, b}, std::hypot(a, b), "cylinder", {edged, round | floor}};
    default:
      return {Sphere{a}, a, "sphere", {round, round | floor | long_round | edged}};
  }
}

// Bodies stand above each other around one vertical line, so that they meet; the lowest lands after a few hundredths of
// a second. Masses are from 10 g to 100 kg.
inline RandomDrop random_drop(std::uint64_t seed) {
  Dice dice(seed);
  RandomDrop drop;
  Model& model = drop.model;
  model.set_gravity({0.0, 0.0, -9.81});
  const Material material{.e = dice.with_ends(0.0, 1.0), .mu = dice.with_ends(0.0, 1.5)};
  model.add_shape("floor", {}, HalfSpace{}, material, {floor, round | long_round | edged});
  drop.h = dice.logarithmic(1e-4, 1e-2);
  drop.until = 1.0 + 30.0 * drop.h;
  drop.name = "seed " + std::to_string(seed) + ", e " + std::to_string(material.e) + ", mu " +
              std::to_string(material.mu) + ", h " + std::to_string(drop.h);
  double top = 0.0;
  for (int i = 0, bodies = 2 + dice.below(5); i < bodies; ++i) {
    const DrawnShape shape = draw_shape(dice);
    RigidBody body = solid(shape.geometry, 1.0);
    const double mass = dice.logarithmic(1e-2, 1e2), lighter = mass / body.mass;
    body.mass = mass;
    for (double& moment : body.inertia) moment *= lighter;
    top += shape.reach + dice.logarithmic(1e-4, 5e-2);
    body.position = {dice.uniform(-0.05, 0.05), dice.uniform(-0.05, 0.05), top};
    top += shape.reach;
    std::array<double, 4>& q = body.rotation;
    for (double& x : q) x = dice.uniform(-1.0, 1.0);
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& x : q) x /= size;
    body.velocity = dice.vector(2.0);
    body.velocity[2] -= 2.0;
    body.angular_velocity = dice.vector(30.0);
    const std::string name = shape.name + std::to_string(i);
    model.add_shape(name + ".skin", {model.add_rigid_body(name, body)}, shape.geometry, material, shape.filter);
    drop.name += ", " + name + " " + std::to_string(mass) + " kg";
  }
  model.add_contacts(Combination::minimum, Combination::minimum);
  return drop;
}

}  // namespace esc::testing
