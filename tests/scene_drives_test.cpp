// Motors and wrenches by formulas of time and inputs: exact motions, and the work that the audit books for them.
#include "tests/support/malloc_count.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/scene_systems.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_same;
using testing::expect_scene_refused;
using testing::replaced;
using testing::run_table;
using testing::typed;

constexpr double pi = std::numbers::pi;

const std::string free_body = R"toml(
[parameters]
c = 6.0
[[body]]
name = "b"
kind = "space"
mass = 2
inertia = [0.5, 0.5, 0.25]
[[force]]
name = "push"
kind = "wrench"
at = { body = "b" }
)toml";

const std::string wheel = R"toml(
[parameters]
c = 3.0
[[input]]
name = "level"
value = 2.0
[[body]]
name = "w"
kind = "planar"
mass = 1
inertia = 0.5
[[joint]]
name = "hinge"
kind = "revolute"
a = { body = "ground" }
b = { body = "w" }
[[force]]
name = "drive"
kind = "motor"
joint = "hinge"
)toml";

struct Ran {
  State x;
  RunReport report;
};

Ran run(const System& system, double step, double until, const std::function<void(const State&)>& see = {}) {
  MoreauJean scheme(system);
  Ran ran{system.initial_state(), {}};
  SimulateOptions options{.step = step, .until = until};
  if (see) options.observe = [&](const Progress& p) { see(p.after); };
  ran.report = simulate(scheme, ran.x, options);
  EXPECT_TRUE(ran.report.certified()) << ran.report.message;
  return ran;
}

// What was applied is what the energy grew by.
void expect_applied_work(const Ran& ran, double work) {
  EXPECT_NEAR(ran.report.total[Work::applied], work, 1e-12 * std::abs(work));
  EXPECT_NEAR(ran.report.final.kinetic - ran.report.initial.kinetic, work, 1e-12 * std::abs(work));
  EXPECT_NEAR(ran.report.total.balance_error(), 0.0, 1e-12 * std::abs(work));
}

// I omega' = c t: the middle of a step gives the impulse of a linear function exactly.
TEST(SceneDrives, AMomentThatRisesLinearly) {
  const Ran ran = run(typed(free_body + "moment = [0, 0, \"c*t\"]\n"), 0.05, 2.0);
  const double omega = 6.0 * 2.0 * 2.0 / 2 / 0.25;
  EXPECT_NEAR(ran.x.v[5], omega, 1e-12 * omega);
  expect_applied_work(ran, 0.5 * 0.25 * omega * omega);
}

// A pulse that ends at a grid time: m v = F T, and the body flies on.
TEST(SceneDrives, AForceThatIsSwitchedOff) {
  const Ran ran = run(typed(free_body + "force = [0, \"if(t < 0.1, 50, 0)\"]\n"), 0.02, 0.5);
  const double v = 50 * 0.1 / 2;
  EXPECT_NEAR(ran.x.v[1], v, 1e-12 * v);
  EXPECT_NEAR(ran.x.q[1], v * 0.1 / 2 + v * 0.4, 1e-12);
  EXPECT_EQ(ran.x.v[0], 0.0);
  EXPECT_EQ(ran.x.v[2], 0.0);
  expect_applied_work(ran, 0.5 * 2 * v * v);
}

// The force acts at the frame, not at the centre: it also turns the body.
TEST(SceneDrives, AForceBesideTheCentre) {
  const std::string at = replaced(free_body, "{ body = \"b\" }", "{ body = \"b\", position = [0, 0.3, 0] }");
  const System system = typed(at + "force = [\"-2*t\", 0, 0]\n");
  std::vector<double> F(6), scratch(static_cast<std::size_t>(system.scratch_size()));
  const State& x = system.initial_state();
  system.force({1.5, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, F);
  EXPECT_DOUBLE_EQ(F[0], -3.0);
  EXPECT_DOUBLE_EQ(F[5], 0.3 * 3.0);
}

double wheel_error(double step) {
  const Ran ran = run(typed(wheel + "torque = \"c*sin(2*pi*t)\"\n"), step, 0.4);
  EXPECT_NEAR(ran.report.total.balance_error(), 0.0, 1e-12);
  EXPECT_GT(ran.report.total[Work::applied], 0.1);
  return std::abs(ran.x.v[2] - 3.0 / (2 * pi) / 0.5 * (1 - std::cos(2 * pi * 0.4)));
}

TEST(SceneDrives, ATorqueThatSwingsIsOfSecondOrder) {
  const double coarse = wheel_error(0.02), fine = wheel_error(0.01);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4.0, 0.05);
}

TEST(SceneDrives, ARateIsHeldAtEveryStep) {
  int seen = 0;
  const auto see = [&](const State& x) {
    EXPECT_NEAR(x.v[2], 3 * std::sin(5 * x.t) + 2.0, 1e-10);
    ++seen;
  };
  run(typed(replaced(wheel, "inertia = 0.5\n", "inertia = 0.5\nvelocity = [0, 0, 2]\n") +
            "velocity = \"c*sin(5*t) + level\"\n"),
      0.01, 1.0, see);
  EXPECT_EQ(seen, 100);
}

// d/dt of the rate is part of the row's curvature: w' of the motor against a difference quotient of g_t.
TEST(SceneDrives, TheCurvatureOfARateIsItsDerivative) {
  const System system = typed(wheel + "velocity = \"c*sin(5*t)\"\n");
  std::vector<double> curvature(static_cast<std::size_t>(system.joint_rows())), scratch(64);
  const State& x = system.initial_state();
  system.joint_curvature({0.3, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, curvature);
  EXPECT_NEAR(curvature.back(), -15 * std::cos(1.5), 1e-12);
}

TEST(SceneDrives, InputsMoveThem) {
  const System system = typed(wheel + "torque = \"c*level^2\"\n");
  State x = system.initial_state();
  std::vector<double> F(3), scratch(64);
  for (const double level : {2.0, -1.0, 0.5}) {
    x.u[0] = level;
    system.force({0.0, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, F);
    EXPECT_DOUBLE_EQ(F[2], 3 * level * level);
  }
}

// A number, or a formula of parameters, stays an input that a program may change; a formula of time has none.
TEST(SceneDrives, NumbersAreInputs) {
  EXPECT_EQ(typed(wheel + "torque = \"2*c\"\n").input("drive.torque"), 1);
  EXPECT_EQ(typed(wheel + "torque = \"2*c\"\n").initial_state().u[1], 6.0);
  EXPECT_EQ(typed(wheel + "velocity = -1\n").initial_state().u[1], -1.0);
  EXPECT_EQ(typed(free_body + "force = [\"c\", 1]\nmoment = [0, 0, 4]\n").initial_state().u,
            (std::vector<double>{6, 1, 0, 0, 0, 4}));
  EXPECT_EQ(typed(wheel + "torque = \"c*t\"\n").input_names().size(), 1u);
  EXPECT_TRUE(typed(free_body + "force = [\"c*t\", 1]\n").input_names().empty());
}

TEST(SceneDrives, ASecondRunAllocatesNothing) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  const System system = typed(wheel + R"toml(velocity = "c*sin(5*t) + level"
[[body]]
name = "b"
kind = "space"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 0.1]
[[force]]
name = "push"
kind = "wrench"
at = { body = "b" }
force = [0, "level*t", -9.81]
[[contact]]
name = "floor"
a = { body = "b", position = [0, 0, -0.05] }
gap = "a.z - 0.01*sin(a.x)"
slip = ["a.x", "a.y"]
mu = 0.5
)toml");
  MoreauJean scheme(system);
  Certifier certifier(system);
  State x, before;
  const auto begin = [&] {
    x = system.initial_state();
    scheme.start(x);
    before = x;
  };
  const auto trajectory = [&] {
    for (int k = 0; k < 200; ++k) {
      before = x;
      ASSERT_TRUE(scheme.step(x, 1e-3).ok());
      static_cast<void>(certifier.certify(before, x, scheme.promise()));
    }
  };
  begin();
  trajectory();
  ASSERT_FALSE(x.contacts.empty());
  begin();
  EXPECT_EQ(testing::allocations(trajectory), 0);
}

TEST(SceneDrives, RefuseWhatTheyCannotUse) {
  const auto refused = [](const std::string& text, const std::string& at, std::initializer_list<std::string> parts) {
    expect_scene_refused("version = 1\n" + text + run_table, at, parts);
  };
  refused(wheel + "torque = \"c*sin(t*omega)\"\n", "omega", {"force 'drive'", "unknown name 'omega'"});
  refused(wheel + "torque = \"w.phi*t\"\n", "w.phi", {"force 'drive'", "'w.phi'"});
  refused(wheel + "position = \"t*level\"\n", "level\"\n\n[sim", {"force 'drive'", "level"});
  refused(wheel + "velocity = \"t +\"\n", "\"\n\n[sim", {"force 'drive'"});
  refused(wheel + "torque = \"c/(c - 3)\"\n", "c/(c - 3)", {"force 'drive'", "torque", "infinite"});
  refused(wheel + "torque = \"t\"\nvelocity = 1\n", "[[force]]", {"one of velocity, position and torque", "2"});
  refused(free_body + "force = [\"t\", \"t*speed\", 0]\n", "speed", {"force 'push'", "unknown name 'speed'"});
  refused(free_body + "force = \"t\"\n", "\"t\"", {"force 'push'", "a list of 2 to 3 formulas"});
  refused(free_body + "force = [\"t\"]\n", "[\"t\"]", {"1 entries", "2 to 3"});
  refused(free_body + "moment = [\"t\", 0]\n", "[\"t\", 0]", {"2 entries", "3 formulas"});
}

}  // namespace
}  // namespace esc
