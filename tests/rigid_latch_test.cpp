// A spring latch: a bolt is driven under the round nose of a lever, lifts it over its edge, and passes.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

constexpr double arm = 0.05;        // m, from the pivot to the nose
constexpr double nose = 0.004;      // m, its radius
constexpr double overlap = 0.0015;  // m, of the bolt's top above the lowest point of the nose
constexpr double speed = 0.2;       // m/s, of the bolt, against x
constexpr double half = 0.01;       // m, of the bolt's length

Model latch(double stiffness, double mu) {
  const double d = std::sqrt(0.5);
  const auto across = [&](BlockId body, double x) {  // z of the frame is y of the world
    return Frame{body, {x, 0.0, 0.0}, {d, -d, 0.0, 0.0}};
  };
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  RigidBody lever{.mass = 0.02, .inertia = {2e-7, 4.2e-6, 4.2e-6}};
  lever.position = {-0.5 * arm, 0.0, 0.0};
  const BlockId lever_id = model.add_rigid_body("lever", lever);
  const JointId pivot = model.add_joint("pivot", Revolute{}, across(ground, -arm), across(lever_id, -0.5 * arm));
  model.add_joint_spring("spring", pivot, JointCoordinate::angle,
                         {.stiffness = stiffness, .damping = 1e-3, .rest = 0.1});
  model.add_limits("stop", pivot, JointCoordinate::angle, -2.0, 0.0, {});

  RigidBody bolt = solid(Box{half, 0.01, 0.005}, 7800.0);
  bolt.position = {half + nose + 0.002, 0.0, overlap - nose - 0.005};
  bolt.velocity = {-speed, 0.0, 0.0};
  const BlockId bolt_id = model.add_rigid_body("bolt", bolt);
  const JointId slide = model.add_joint("slide", Prismatic{}, Frame{ground, bolt.position}, Frame{bolt_id});
  model.add_motor("drive", slide, JointCoordinate::slide, VelocityMotor{[](double, const double*) {
                    return std::array<double, 2>{-speed, 0.0};
                  }});
  const ShapeId ball = model.add_shape("nose", {lever_id, {0.5 * arm, 0.0, 0.0}}, Sphere{nose});
  const ShapeId block = model.add_shape("block", {bolt_id}, Box{half, 0.01, 0.005});
  model.add_contact("latch", ball, block, {.e = 0.0, .mu = mu});
  return model;
}

// Height of the nose above its place at the stop.
double lift(const State& x) { return 2.0 * x.q[2]; }

void expect_the_bolt_to_pass(const std::string& name, double h, double stiffness, double mu,
                             const std::string& around = "") {
  const System system = compile(latch(stiffness, mu));
  const auto scheme = around.empty() ? make_scheme(name, system)
                                     : make_scheme(around, system, std::vector<OptionText>{{"inner.scheme", name}});
  State x = system.initial_state();
  const auto run_until = [&](double t) {
    const SimulateOptions options{.step = h, .until = t};
    const RunReport report = simulate(*scheme, x, options);
    EXPECT_TRUE(report.certified()) << name << ", h " << h << ", k " << stiffness << ", " << report.steps << " steps\n"
                                    << summary(*scheme, options, report);
  };
  const double flown = name == "moreau-jean" ? 2.0 * h * speed : 1e-6;  // what the scheme lets bodies penetrate by
  run_until(0.075);                                                     // the nose is on the middle of the bolt
  EXPECT_NEAR(lift(x), overlap, flown) << name << ", h " << h << ", k " << stiffness;
  run_until(0.18);  // it has passed
  EXPECT_LE(lift(x), 1e-4) << name << ", h " << h << ", k " << stiffness;
}

TEST(Latch, ABoltLiftsTheLeverAndPasses) {
  for (const char* scheme : {"moreau-jean", "combined-projection", "direct-projected"})
    for (const double h : {1e-3, 3e-4}) {
      expect_the_bolt_to_pass(scheme, h, 2.0, 0.3);
      expect_the_bolt_to_pass(scheme, h, 2.0, 0.5);
    }
}

// The spring presses the lever through its stop within a step, so that the motion without contact is no guide to what
// closes; and the nose leaves the top of the bolt for its edge.
TEST(Latch, AStiffSpringFollowsTheBolt) {
  for (const double h : {1e-3, 3e-4})
    for (const double stiffness : {20.0, 200.0}) {
      for (const char* scheme : {"moreau-jean", "combined-projection", "position-theta"})
        expect_the_bolt_to_pass(scheme, h, stiffness, 0.6);
      for (const char* inner : {"combined-projection", "direct-projected"})
        expect_the_bolt_to_pass(inner, h, stiffness, 0.6, "halve");
    }
}

// What contradicts is given up soon: steps that start with the contacts of the step before cost a few sweeps.
TEST(Latch, ContactsThatContradictAreGivenUpSoon) {
  const System system = compile(latch(20.0, 0.6));
  const auto scheme = make_scheme("combined-projection", system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = 1e-3, .until = 0.18});
  EXPECT_TRUE(report.ok());
  EXPECT_LE(report.solver.mean(), 2000.0);
}

}  // namespace
}  // namespace esc
