// Islands of more than 50 contacts keep the same promise as small ones, with every scheme, the first step included.
#include <memory>
#include <string>

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

}  // namespace
}  // namespace esc
