// Bodies that one step would carry through each other, with every scheme: the impact happens, or the step fails with
// contact_missed, or the certificate says so. Never a clean run without an impact.
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/schemes.hpp"

namespace esc {
namespace {

struct Case {
  std::string name;
  std::function<Model()> model;
  double step;
  int steps;
};

constexpr double pi = 3.14159265358979323846;
const std::array<double, 4> about_y{std::cos(0.25 * pi), 0.0, std::sin(0.25 * pi), 0.0};  // z becomes x
const std::array<double, 4> about_x{std::cos(0.25 * pi), std::sin(0.25 * pi), 0.0, 0.0};  // z becomes -y

Frame on(BlockId body, std::array<double, 3> position = {0, 0, 0}, std::array<double, 4> rotation = {1, 0, 0, 0}) {
  return {body, position, rotation};
}

// Two bodies in space, or one and ground.
Model pair_of(const Geometry& a, const RigidBody& first, const Geometry& b, const Frame& second, double e = 0.5) {
  Model model;
  const BlockId body = model.add_rigid_body("first", first);
  const ShapeId mine = model.add_shape("a", on(body), a), other = model.add_shape("b", second, b);
  model.add_contact("pair", mine, other, {.e = e});
  return model;
}

Model two_spheres() {
  Model model;
  const BlockId left = model.add_rigid_body("left", {.position = {-0.13, 0, 0}, .velocity = {200, 0, 0}});
  const BlockId right = model.add_rigid_body("right", {.position = {0.13, 0.002, 0}, .velocity = {-200, 0, 0}});
  model.add_contact("pair", model.add_shape("a", on(left), Sphere{0.005}),
                    model.add_shape("b", on(right), Sphere{0.005}), {.e = 0.5});
  return model;
}

// The centre ends in the plate, beyond its middle: what is nearest there pushes it on.
Model ball_in_plate() {
  return pair_of(Sphere{0.005}, {.position = {0, 0, 0.0997}, .velocity = {0, 0, -100}}, Box{0.1, 0.1, 0.0005},
                 on(ground));
}

Model ball_on_plate(double height) {
  return pair_of(Sphere{0.005}, {.position = {0.01, 0, height}, .velocity = {0, 0, -100}}, Box{0.1, 0.1, 0.0005},
                 on(ground));
}

Model discs() {
  Model model;
  const BlockId disc = model.add_planar_body("disc", {.pose = {-0.06, 0.003, 0}, .velocity = {100, 0, 0}});
  model.add_contact("pair", model.add_shape("a", planar_frame(disc, 0, 0), Disc{0.005}),
                    model.add_shape("b", planar_frame(ground, 0, 0), Disc{0.005}), {.e = 0.5});
  return model;
}

Model thin_wall() {
  Model model;
  const BlockId body = model.add_planar_body("body", {.pose = {-0.0033, 0, 0}, .velocity = {100, 0, 0}});
  model.add_contact("wall", std::vector{Coordinates(body, 0, 1)}, gap<1>([](const auto&, const auto* q) {
                      using std::abs;
                      return abs(q[0]) - 5e-4;
                    }),
                    {.e = 0.5});
  return model;
}

// A bar that turns by 5 rad in a step, past a peg that its shorter way would not meet.
Model bar_and_peg() {
  return pair_of(Capsule{0.005, 0.2}, {.rotation = about_y, .angular_velocity = {0, 500, 0}}, Capsule{0.005, 0.05},
                 on(ground, {0.0, 0.0, 0.15}, about_x));
}

// Level at both ends of the step, upright in between.
Model bar_over_floor() {
  return pair_of(Capsule{0.005, 0.2}, {.position = {0, 0, 0.1}, .rotation = about_y, .angular_velocity = {0, 314, 0}},
                 HalfSpace{}, on(ground));
}

// By 5 rad in a step past a stop of 0.08 rad: the shorter way back to there is free.
Model stop_of_a_turn() {
  Model model;
  const BlockId body = model.add_rigid_body("arm", {.angular_velocity = {0, 0, 500}});
  const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{ground}, on(body));
  model.add_limits("stop", hinge, JointCoordinate::angle, -3.1, 3.1, {.e = 0.5});
  return model;
}

// A wall 10 mm thick passes a body at rest.
Model wall_that_comes() {
  Model model;
  const BlockId body = model.add_planar_body("body", {.pose = {0.1503, 0, 0}});
  model.add_contact("wall", std::vector{Coordinates(body, 0, 1)}, gap<1>([](const auto& t, const auto* q) {
                      using std::abs;
                      return abs(q[0] - 100.0 * t) - 5e-3;
                    }),
                    {.e = 0.5});
  return model;
}

const std::vector<Case> cases{
    {"two_spheres", two_spheres, 1e-3, 3},
    {"ball_through_plate", [] { return ball_on_plate(0.04); }, 1e-3, 3},
    {"ball_into_plate", ball_in_plate, 1e-3, 3},
    {"crossing_capsules",
     [] {
       return pair_of(Capsule{0.005, 0.1}, {.position = {0, 0, 0.05}, .rotation = about_x, .velocity = {0, 0, -100}},
                      Capsule{0.005, 0.1}, on(ground, {0, 0, 0}, about_y));
     },
     1e-3, 3},
    {"capsule_past_ball",
     [] {
       return pair_of(Capsule{0.005, 0.1}, {.position = {0, 0, 0.05}, .rotation = about_y, .velocity = {0, 0, -100}},
                      Sphere{0.01}, on(ground, {0.09, 0, 0}));
     },
     1e-3, 3},
    {"bar_and_peg", bar_and_peg, 1e-2, 3},
    {"bar_over_floor", bar_over_floor, 1e-2, 3},
    {"pin_through_edge",
     [] {
       return pair_of(Pin{0.01, 0.05}, {.velocity = {100, 0, 0}}, Hole{0.02, 0.01}, on(ground));
     },
     1e-3, 3},
    {"pin_leaves_through_wall",
     [] {
       return pair_of(Pin{0.01, 0.02}, {.velocity = {40, 0, 80}}, Hole{0.02, 0.01}, on(ground));
     },
     1e-3, 3},
    {"discs", discs, 1e-3, 3},
    {"thin_wall", thin_wall, 1e-4, 3},
    {"stop_of_a_turn", stop_of_a_turn, 1e-2, 1},
    {"wall_that_comes", wall_that_comes, 1e-3, 3},
};

class Passage : public ::testing::TestWithParam<Case> {
 protected:
  const System system = compile(GetParam().model());
  RunReport run(Scheme& scheme) {
    State x = system.initial_state();
    scheme.start(x);
    return simulate(scheme, x, {.step = GetParam().step, .until = GetParam().steps * GetParam().step});
  }
};

TEST_P(Passage, NoSchemeRunsCleanWithoutTheImpact) {
  for (const testing::SchemeCase& entry : testing::schemes) {
    const auto scheme = entry.make(system);
    const RunReport report = run(*scheme);
    EXPECT_FALSE(report.certified() && report.impacts == 0) << entry.name;
    const bool promised = scheme->promise().gap == GapPromise::nonnegative;
    if (promised && report.impacts == 0) {
      EXPECT_EQ(report.last.status, StepStatus::contact_missed) << entry.name << " " << report.message;
    }
  }
}

TEST_P(Passage, TheCertificateNamesTheCheckAndTheContact) {
  MoreauJean scheme(system);
  const RunReport report = run(scheme);
  if (report.impacts > 0) return;
  EXPECT_EQ(report.worst_check, Check::passage);
  EXPECT_GT(report.worst_finding.value, 1e-4);
  EXPECT_EQ(found_at(system, report.worst_check, report.worst_finding).kind, "contact");
}

TEST_P(Passage, HalvingFindsTheImpact) {
  const auto scheme = halving(std::make_unique<CombinedProjection>(system), 16);
  const RunReport report = run(*scheme);
  EXPECT_TRUE(report.certified()) << report.message << " " << to_string(report.worst_check);
  EXPECT_GT(report.impacts, 0);
}

TEST_P(Passage, AFailedStepLeavesTheStateUntouched) {
  CombinedProjection scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  const State before = x;
  const StepReport report = scheme.step(x, GetParam().step);
  EXPECT_TRUE(report.ok() || x == before);
}

INSTANTIATE_TEST_SUITE_P(All, Passage, ::testing::ValuesIn(cases), [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace esc
