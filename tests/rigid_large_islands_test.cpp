// Islands of more than 50 contacts keep the same promise as small ones, with every scheme, the first step included.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

constexpr double ball_radius = 0.01;  // m

// Balls above each other, the lowest on the floor: at rest where `gap` is zero, a falling chain where it is not.
Model column_of_balls(int balls, double mu, double gap) {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const Material material{.e = 0.0, .mu = mu};
  model.add_shape("floor", {}, HalfSpace{}, material, {.group = 2, .mask = 1});
  RigidBody body = solid(Sphere{ball_radius}, 1000.0);
  for (int i = 0; i < balls; ++i) {
    const std::string name = "ball" + std::to_string(i);
    body.position = {0.0, 0.0, (2 * i + 1) * ball_radius + (i + 1) * gap};
    model.add_shape(name + ".skin", {model.add_rigid_body(name, body)}, Sphere{ball_radius}, material);
  }
  model.add_contacts(Combination::minimum, Combination::minimum);
  return model;
}

void expect_certified(const Model& model, const std::string& name, double step, int steps) {
  const System system = compile(model);
  const auto scheme = make_scheme(name, system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = step, .until = steps * step});
  EXPECT_TRUE(report.certified()) << name << ", " << report.steps << " steps\n"
                                  << summary(*scheme, {.step = step, .until = steps * step}, report);
}

const std::vector<std::string> frictionless_schemes{"moreau-jean", "direct-projected", "combined-projection",
                                                    "schatzman-paoli", "position-theta"};
const std::vector<std::string> friction_schemes{"moreau-jean", "direct-projected", "combined-projection",
                                                "position-theta"};

TEST(LargeIslands, AColumnOfBallsAtRest) {
  for (const std::string& name : friction_schemes) expect_certified(column_of_balls(51, 0.3, 0.0), name, 1e-3, 3);
  for (const std::string& name : frictionless_schemes) expect_certified(column_of_balls(51, 0.0, 0.0), name, 1e-3, 3);
}

TEST(LargeIslands, ALongColumnOfBallsAtRest_slow) {
  for (const std::string& name : friction_schemes) expect_certified(column_of_balls(200, 0.3, 0.0), name, 1e-3, 3);
  for (const std::string& name : frictionless_schemes) expect_certified(column_of_balls(200, 0.0, 0.0), name, 1e-3, 3);
}

// The gaps close from below, one after the other, until all balls lie on each other.
TEST(LargeIslands, AChainOfFallingBallsWithoutFriction) {
  for (const std::string& name : frictionless_schemes) expect_certified(column_of_balls(51, 0.0, 1e-6), name, 1e-3, 20);
}

TEST(LargeIslands, ALongChainOfFallingBallsWithoutFriction_slow) {
  for (const std::string& name : frictionless_schemes)
    expect_certified(column_of_balls(200, 0.0, 1e-6), name, 1e-3, 20);
}

// Nothing is solved more loosely than asked; where the user asks for less, the step, the run and its summary say so.
TEST(LargeIslands, ACoarseSolutionIsAskedForAndTold) {
  const System system = compile(column_of_balls(60, 0.0, -1e-12));
  const SimulateOptions options{.step = 1e-3, .until = 3e-3};
  State x = system.initial_state();
  MoreauJean exact(system);
  const RunReport plain = simulate(exact, x, options);
  EXPECT_EQ(plain.coarse_steps, 0);
  EXPECT_LE(plain.worst_residual, MoreauJeanOptions{}.solver_tol);
  EXPECT_EQ(summary(exact, options, plain).find("large_island_tol"), std::string::npos);

  x = system.initial_state();
  MoreauJean loose(system, {.large_island_tol = 1e-3});
  const RunReport coarse = simulate(loose, x, options);
  EXPECT_EQ(coarse.coarse_steps, 3);
  EXPECT_EQ(coarse.last.coarse_islands, 1);
  EXPECT_NE(summary(loose, options, coarse).find("large_island_tol"), std::string::npos);

  const System small = compile(column_of_balls(50, 0.0, -1e-12));
  x = small.initial_state();
  MoreauJean below(small, {.large_island_tol = 1e-3});
  EXPECT_EQ(simulate(below, x, options).coarse_steps, 0);
}

// 1000 kg on a ball of 1 g on the floor, with friction: the light one is held as well as the heavy one.
TEST(LargeIslands, AHeavyBallOnALightOne) {
  for (const std::string& name : friction_schemes) {
    Model model;
    model.set_gravity({0.0, 0.0, -9.81});
    const Material material{.e = 0.0, .mu = 0.3};
    model.add_shape("floor", {}, HalfSpace{}, material, {.group = 2, .mask = 1});
    RigidBody light = solid(Sphere{0.01}, 240.0), heavy = solid(Sphere{0.3}, 8850.0);
    light.position = {0.0, 0.0, 0.01};
    heavy.position = {0.0, 0.0, 0.32};
    model.add_shape("light.skin", {model.add_rigid_body("light", light)}, Sphere{0.01}, material);
    model.add_shape("heavy.skin", {model.add_rigid_body("heavy", heavy)}, Sphere{0.3}, material);
    model.add_contacts(Combination::minimum, Combination::minimum);
    expect_certified(model, name, 1e-3, 20);
  }
}

}  // namespace
}  // namespace esc
