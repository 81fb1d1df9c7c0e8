// How spherical joints turn, for Newton loops: against differences along retract, and by the iterations of a chain.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {
namespace {

JointSet rows_at(const System& system, Here here) {
  JointSet set;
  system.evaluate(here.point(), set);
  return set;
}

Vector rates(const System& system, const JointSet& set, const Vector& v) {
  Vector U(system.joint_rows(), 0.0);
  for (const Joint& joint : system.joints()) velocity(set, joint, v, U.data() + joint.first_row);
  return U;
}

Vector impulse(const System& system, const JointSet& set, const Vector& lambda) {
  Vector p(system.nv(), 0.0);
  for (const Joint& joint : system.joints()) add_impulse(set, joint, lambda.data() + joint.first_row, p);
  return p;
}

// Two bodies that meet, or one that meets the ground on either side of the joint.
Model pair_of_bodies(bool a_moves, bool b_moves) {
  Model model;
  const BlockId a = a_moves ? model.add_rigid_body("a", box(0.3, 0.8)) : ground;
  const BlockId b = b_moves ? model.add_rigid_body("b", box(1.4, -1.1)) : ground;
  joint_at(model, "joint", Spherical{}, a, b);
  return model;
}

// v less a velocity of the last body: then G v = 0. The three rows see its linear velocity by orthonormal axes.
void hold(const System& system, const JointSet& set, Vector& v) {
  const Vector U = rates(system, set, v);
  const Joint& joint = system.joints()[0];
  const int first = joint.segments.back().first;
  for (int row = 0; row < 3; ++row)
    for (int j = 0; j < 3; ++j)
      v[first + j] -= U[row] * set.G[joint.first_value + row * joint.width + joint.width - 6 + j];
}

struct Turning {
  Vector A, T;
};
Turning turning(const System& system, Here& here, double s, const Vector& lambda) {
  Turning result{Vector(system.tangent_size(), 0.0), Vector(rows_at(system, here).G.size(), 0.0)};
  result.T = rows_at(system, here).G;
  system.add_joint_frame_tangent(here.point(), s, lambda, result.A, result.T);
  return result;
}

constexpr double s = 1e-6;    // m/s of the velocities move the positions by this; its square is left out
constexpr double eps = 1e-4;  // of the differences
constexpr double tolerance = 1e-5;

class SphericalTurning : public ::testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  SphericalTurning() : system(compile(pair_of_bodies(GetParam().first, GetParam().second))), here(system) {
    here.v = random_vector(system.nv(), 1.0, 3);
    hold(system, rows_at(system, here), here.v);
  }
  System system;
  Here here;  // on the joint: g = 0 and G v = 0
  const Vector lambda{0.7, -1.1, 0.4};
};

TEST_P(SphericalTurning, OfTheRatesIsTheirDerivative) {
  const Turning now = turning(system, here, s, lambda);
  const JointSet set = rows_at(system, here);
  const Vector w = random_vector(system.nv(), 1.0, 8);
  const auto U = [&](double way) { return rates(system, rows_at(system, moved(system, here, w, way)), here.v); };
  const Vector ahead = U(eps), back = U(-eps);
  JointSet turned = set;
  turned.G = now.T;
  const Vector with = rates(system, turned, w), without = rates(system, set, w);
  for (int row = 0; row < 3; ++row)
    EXPECT_NEAR((with[row] - without[row]) / s, (ahead[row] - back[row]) / (2.0 * eps), tolerance) << row;
}

// Along motions that the joint allows; the joint's force keeps its direction.
TEST_P(SphericalTurning, OfTheImpulsesIsTheirDerivative) {
  const Turning now = turning(system, here, s, lambda);
  Vector w = random_vector(system.nv(), 1.0, 8);
  hold(system, rows_at(system, here), w);
  const auto at = [&](double way) {
    JointSet set = rows_at(system, here);
    Vector carried = lambda;
    system.reexpress_joints(moved(system, here, w, way).point(), set, carried);
    return impulse(system, set, carried);
  };
  const Vector ahead = at(eps), back = at(-eps);
  Vector along(system.nv(), 0.0);
  add_times(system.blocks(), now.A, 1.0, w, along);
  for (int i = 0; i < system.nv(); ++i) EXPECT_NEAR(-along[i] / s, (ahead[i] - back[i]) / (2.0 * eps), tolerance) << i;
}

TEST_P(SphericalTurning, KeepsTheForceInTheWorld) {
  JointSet set = rows_at(system, here);
  const Vector before = impulse(system, set, lambda);
  Vector carried = lambda;
  Here there = moved(system, here, random_vector(system.nv(), 1.0, 8), 0.5);
  system.reexpress_joints(there.point(), set, carried);
  EXPECT_EQ(set.G, rows_at(system, there).G);
  const Vector after = impulse(system, set, carried);
  for (int body = 0; body < system.nv() / 6; ++body)
    for (int i = 6 * body; i < 6 * body + 3; ++i) EXPECT_NEAR(after[i], before[i], 1e-14) << i;
}

INSTANTIATE_TEST_SUITE_P(Sides, SphericalTurning,
                         ::testing::Values(std::pair{true, true}, std::pair{false, true}, std::pair{true, false}));

// Rods on spherical joints, released along the horizontal. Rows that stay in K: 1.86 iterations a step for 300 rods.
double iterations_of_chain(int rods) {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  Frame end;
  for (int i = 0; i < rods; ++i) {
    const BlockId rod = model.add_rigid_body(
        "rod" + std::to_string(i),
        {.mass = 0.1, .inertia = {6.7e-6, 8.7e-5, 8.7e-5}, .position = {0.1 * i + 0.05, 0.0, 0.0}});
    model.add_joint("ball" + std::to_string(i), Spherical{}, end, {rod, {-0.05, 0.0, 0.0}});
    end = {rod, {0.05, 0.0, 0.0}};
  }
  const System system = compile(model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  double sum = 0.0;
  constexpr int steps = 200;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = scheme.step(x, 1e-3);
    EXPECT_TRUE(report.ok());
    sum += report.iterations;
  }
  return sum / steps;
}

TEST(SphericalChain, TakesOneIterationHoweverLongItIs) {
  for (const int rods : {10, 50, 300}) EXPECT_LE(iterations_of_chain(rods), 1.1) << rods;
}

}  // namespace
}  // namespace esc::testing
