// Every warning has a scene that earns it and one beside it, changed in one place, that does not.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/study/check.hpp>

#include "tests/support/findings.hpp"
#include "tests/support/repository.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_clean;
using testing::expect_fact;
using testing::expect_no_word;
using testing::expect_warning;
using testing::replaced;

const std::string ball = R"toml(
version = 1
[parameters]
height = 1.0
[[body]]
name = "ball"
kind = "space"
mass = 1.0
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, "height"]
velocity = [0, 0, -0.5]
[[body.shape]]
name = "skin"
kind = "sphere"
radius = 0.1
[[shape]]
name = "floor"
kind = "half-space"
[[contact]]
name = "landing"
shapes = ["ball.skin", "floor"]
e = 0.5
mu = 0.3
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, 0, -9.81]
[simulation]
step = 1e-3
until = 1
)toml";

TEST(StudyCheck, APlainSceneHasNoWarnings) {
  expect_clean(ball);
  expect_fact(ball, "6 degrees of freedom");
  expect_fact(ball, "smallest gap at the start 0.9 m");
  expect_fact(ball, "1000 steps of 0.001 s");
}

// Beside these, elastic-bar has a warning of stiffness, slider-crank-space of an inertia, four-bar-space of joints.
TEST(StudyCheck, ExamplesHaveNoWarnings) {
  for (const char* name : {"bouncing-ball", "slider-crank", "slider-crank-planar", "heavy-top", "chain", "sphere-pile",
                           "box-stack", "tippe-top", "four-bar", "gyroscope", "rocking-block"}) {
    const io::Scene scene = io::read_scene(testing::scene_path(name));
    for (const study::Finding& finding : study::check(scene, io::compile_scene(scene)))
      EXPECT_EQ(finding.severity, study::Severity::fact) << name << ": " << finding.text;
  }
}

TEST(StudyCheck, GapsThatCloseWithinAStep) {
  const std::string near = replaced(ball, "height = 1.0", "height = 0.1008");
  expect_warning(near, "step", "landing", "closes at 0.5 m/s");
  expect_clean(replaced(near, "height = 0.1008", "height = 0.1012"));
  expect_clean(replaced(near, "velocity = [0, 0, -0.5]", "velocity = [0, 0, 0.5]"));
}

TEST(StudyCheck, NumbersOfSteps) {
  expect_warning(replaced(ball, "until = 1", "until = 0.009"), "step", "", "has 9 steps");
  expect_clean(replaced(ball, "until = 1", "until = 0.010"));
  expect_warning(replaced(ball, "until = 1", "until = 2e5"), "step", "", "has 2e+08 steps");
  expect_fact(replaced(ball, "step = 1e-3", "step = 3e-3"), "333 steps of 0.003 s; the last one ends at 0.999 s");
}

TEST(StudyCheck, Units) {
  expect_warning(replaced(ball, "-9.81", "-9810"), "units", "", "gravity is 9810 m/s^2");
  expect_warning(replaced(ball, "mass = 1.0", "mass = 7800"), "units", "ball", "denser than any metal");
  expect_warning(replaced(ball, "[4e-3, 4e-3, 4e-3]", "[4e3, 4e3, 4e3]"), "units", "ball", "kg mm^2");
  expect_warning(replaced(ball, "[4e-3, 4e-3, 4e-3]", "[4e4, 4e4, 4e4]"), "units", "ball", "radius of gyration of 200");
  const std::string large = replaced(replaced(ball, "radius = 0.1", "radius = 101"), "height = 1.0", "height = 200");
  expect_warning(large, "units", "ball.skin", "a sphere, has a size of 101 m");
  expect_warning(replaced(large, "radius = 101", "radius = 99"), "units", "ball", "lighter than air");
  const std::string tip = "[[body.shape]]\nname = \"tip\"\nkind = \"sphere\"\nradius = 9e-7\n[[shape]]";
  expect_warning(replaced(ball, "[[shape]]", tip), "units", "ball.tip", "9e-07 m");
  expect_clean(replaced(replaced(ball, "[[shape]]", tip), "9e-7", "2e-6"));
}

// Iron in any shape is no mistake: a thin rod and a small ball far out on it.
TEST(StudyCheck, SlenderBodiesAreNotDense) {
  expect_clean(replaced(replaced(ball, "[4e-3, 4e-3, 4e-3]", "[8e-2, 8e-2, 1e-5]"), "radius = 0.1",
                        "radius = 0.005\nposition = [0, 0, 0.5]"));
}

TEST(StudyCheck, ParametersThatNothingUses) {
  expect_warning(replaced(ball, "height = 1.0", "height = 1.0\nwidth = 2.0"), "parameters", "width", "is not used");
}

TEST(StudyCheck, ContactsThatCannotTouch) {
  const std::string text = R"toml(
version = 1
[[coordinates]]
name = "mass"
names = ["x", "y"]
start = [1, 1]
mass = [["1", "0"], ["0", "1"]]
[[contact]]
name = "wall"
gap = "1 + x - x"
[simulation]
step = 1e-3
until = 1
)toml";
  expect_warning(text, "contacts", "wall", "can never touch");
  expect_clean(replaced(text, "1 + x - x", "2 - x"));
  expect_clean(replaced(text, "1 + x - x", "2 - t + x - x"));
  expect_clean(replaced(text, "1 + x - x", "2 - (x - 1)^2"));  // its gradient is zero at the start only
  const std::string spare = "[[shape]]\nname = \"ceiling\"\nkind = \"half-space\"\n[[contact]]";
  expect_fact(replaced(ball, "[[contact]]", spare), "shape 'ceiling' is in no contact pair");
}

TEST(StudyCheck, RestitutionThatTheSchemeIgnores) {
  const std::string text = replaced(ball, "[simulation]\n", "[simulation]\nscheme = \"position-theta\"\n");
  expect_warning(text, "contacts", "", "e > 0 of 'landing' has no effect");
  expect_clean(replaced(text, "e = 0.5", "e = 0"));
  expect_clean(ball);
}

TEST(StudyCheck, AStartBesideItsJoints) {
  const std::string text = R"toml(
version = 1
[world]
joint_tolerance = 0.5
[[body]]
name = "arm"
kind = "planar"
mass = 1.0
inertia = 0.1
pose = [0.7, 0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
a = {}
b = { body = "arm", position = [-0.5, 0] }
[simulation]
step = 1e-3
until = 1
)toml";
  expect_warning(text, "joints", "", "initial positions miss the joint 'hinge' by 0.2 (m or rad)");
  expect_clean(replaced(text, "0.7, 0, 0", "0.5, 0, 0"));
}

TEST(StudyCheck, StiffSprings) {
  const std::string text = R"toml(
version = 1
[parameters]
k = 39.5e6  # N/m: 1000 Hz
[[coordinates]]
name = "mass"
names = ["x"]
mass = "1"
potential = "k/2*x^2"
[simulation]
step = 1e-4
until = 1
)toml";
  expect_clean(text);
  expect_fact(text, "highest frequency about 100");
  expect_warning(replaced(text, "step = 1e-4", "step = 4e-4"), "stiffness", "mass.x", "steps a period");
}

// A pin of radius 10 mm in a hole of 10.1 mm: 0.1 mm of play.
const std::string bearing = R"toml(
version = 1
[[body]]
name = "shaft"
kind = "space"
mass = 1.0
inertia = [1e-3, 1e-3, 1e-4]
velocity = [0.01, 0, 0]
angular_velocity = [0, 0, 100]
[[body.shape]]
name = "pin"
kind = "pin"
radius = 0.01
half_length = 0.02
[[shape]]
name = "bore"
kind = "hole"
radius = 0.0101
[[contact]]
name = "bearing"
shapes = ["shaft.pin", "bore"]
e = 0
mu = 0.1
[simulation]
step = 1e-3
until = 1
)toml";

// v h / play: 0.01 m/s 1e-3 s / 1e-4 m = 0.1; turning in the bore does not count.
TEST(StudyCheck, PlayAgainstTheStep) {
  expect_clean(bearing);
  expect_fact(bearing,
              "has a play of 0.0001 m on each side, 0.0002 m in all, one step at 0.01 m/s (as at the start) crosses "
              "0.1 of one side");
  const std::string coarse = replaced(bearing, "step = 1e-3", "step = 6e-3");
  expect_warning(coarse, "step", "bearing", "crosses 0.6 of one side: take a step of at most 0.005 s");
  expect_clean(replaced(coarse, "radius = 0.0101", "radius = 0.0102"));
  expect_warning(replaced(bearing, "velocity = [0.01", "velocity = [0.06"), "step", "bearing",
                 "crosses 0.6 of one side");
}

// sqrt(2 g play) = sqrt(2 9.81 1e-4) = 0.0443 m/s: h = 1.13e-3 s for half of it.
TEST(StudyCheck, PlayIsCrossedByAFall) {
  const std::string gravity = "[[force]]\nname = \"gravity\"\nkind = \"gravity\"\nacceleration = [0, -9.81, 0]\n";
  const std::string falling = replaced(bearing, "[simulation]", gravity + "[simulation]");
  expect_fact(falling, "one step at 0.0442945 m/s (a fall through it) crosses 0.442945 of one side");
  expect_clean(falling);
  expect_warning(replaced(falling, "step = 1e-3", "step = 1.2e-3"), "step", "bearing", "at most 0.00112");
}

TEST(StudyCheck, PlayOfOtherPairs) {
  const auto with = [](const std::string& inner, const std::string& outer) {
    return replaced(replaced(bearing, "kind = \"pin\"\nradius = 0.01\nhalf_length = 0.02", inner),
                    "kind = \"hole\"\nradius = 0.0101", outer);
  };
  const std::string sphere = with("kind = \"sphere\"\nradius = 0.01", "kind = \"hole\"\nradius = 0.0103");
  expect_fact(replaced(sphere, "velocity = [0.01", "position = [1e-5, 0, 0]\nvelocity = [0.01"), "a play of 0.0003 m");
  expect_fact(with("kind = \"box\"\nhalf_sizes = [0.03, 0.02, 0.01]", "kind = \"channel\"\nhalf_width = 0.025"),
              "has a play of 0.005 m");
  const std::string planar = R"toml(
version = 1
[[body]]
name = "shaft"
kind = "planar"
mass = 1.0
inertia = 1e-3
pose = [0.5, 0, 0]
velocity = [0, 0.1, 0.1]
[[body.shape]]
name = "eye"
kind = "ring"
radius = 0.011
position = [-0.5, 0]
[[shape]]
name = "stud"
kind = "disc"
radius = 0.01
position = [1e-4, 0]
[[contact]]
name = "bearing"
shapes = ["stud", "shaft.eye"]
e = 0
mu = 0
[simulation]
step = 1e-3
until = 1
)toml";
  expect_fact(planar,
              "has a play of 0.001 m on each side, 0.002 m in all, one step at 0.05 m/s");  // 0.1 m/s - 0.1 rad/s 0.5 m
}

// A slider between two rails, 1 mm of play each way.
TEST(StudyCheck, PlayBetweenOpposedGaps) {
  const std::string text = R"toml(
version = 1
[[coordinates]]
name = "slider"
names = ["x", "y"]
rates = [5, 0]
mass = [["1", "0"], ["0", "1"]]
[[contact]]
name = "upper"
gap = "1e-3 - y"
[[contact]]
name = "lower"
gap = "1e-3 + y"
[simulation]
step = 1e-4
until = 1
)toml";
  expect_clean(text);
  expect_fact(text,
              "contacts 'upper' and 'lower' leave a play of 0.001 m on each side, 0.002 m in all, one step crosses "
              "half of one side at 5 m/s");
  const std::string fast = replaced(text, "rates = [5, 0]", "rates = [5, 6]");
  expect_warning(fast, "step", "upper", "crosses 0.6 of one side: take a step of at most 8.33333e-05 s");
  expect_clean(replaced(fast, "step = 1e-4", "step = 8e-5"));
  for (const char* other : {"1e-3 + x", "2e-3 - y"}) expect_no_word(replaced(text, "1e-3 + y", other), "play");
}

// Limits of an angle are no play in metres, wherever the contacts of other kinds stand in the file.
TEST(StudyCheck, LimitsOfAnglesAreNoPlay) {
  const std::string lever = R"toml(
version = 1
[[body]]
name = "lever"
kind = "planar"
mass = 1.0
inertia = 1e-2
velocity = [0, 0, 100]
[[joint]]
name = "pivot"
kind = "revolute"
a = {}
b = { body = "lever" }
[[coordinates]]
name = "slider"
names = ["y"]
mass = "1"
[[contact]]
name = "stops"
joint = "pivot"
lower = -0.1
upper = 0.1
e = 0
[simulation]
step = 1e-4
until = 1
)toml";
  expect_no_word(lever, "play");
  const std::string upper = "[[contact]]\nname = \"upper\"\ngap = \"1e-3 - slider.y\"\n";
  const std::string lower = "[[contact]]\nname = \"lower\"\ngap = \"1e-3 + slider.y\"\n";
  const auto around = [&](const std::string& before, const std::string& after) {
    return replaced(replaced(lever, "[[contact]]", before + "[[contact]]"), "[simulation]", after + "[simulation]");
  };
  for (const std::string& text : {around(upper + lower, ""), around(upper, lower), around("", upper + lower)})
    expect_fact(text, "contacts 'upper' and 'lower' leave a play of 0.001 m");
}

const std::string links = R"toml(
version = 1
[world]
assembly = "project"
[[body]]
name = "link"
kind = "space"
mass = 1.0
inertia = [1e-2, 1e-2, 1e-2]
position = [0.5, 0, 0]
velocity = [0, 1, 0]
angular_velocity = [0, 0, 2]
[[joint]]
name = "hinge"
kind = "revolute"
a = {}
b = { body = "link", position = [-0.5, 0, 0] }
[[joint]]
name = "second"
kind = "revolute"
a = { position = [0, 0, 0.3] }
b = { body = "link", position = [-0.5, 0, 0.3] }
[simulation]
step = 1e-3
until = 1
)toml";

TEST(StudyCheck, RedundantJointsByName) {
  expect_warning(links, "joints", "", "'second' (5)");
  const std::string single =
      links.substr(0, links.find("[[joint]]\nname = \"second\"")) + "[simulation]\nstep = 1e-3\nuntil = 1\n";
  expect_clean(single);
  expect_fact(single, "1 degrees of freedom: 6 velocities, 5 joint rows of rank 5");

  // 0.5 m 2 rad/s = 1 m/s fits the hinge, 1.1 m/s does not.
  expect_warning(replaced(single, "velocity = [0, 1, 0]", "velocity = [0, 1.1, 0]"), "joints", "link.wz",
                 "the given velocities break the joints");
  expect_warning(replaced(replaced(replaced(single, "position = [0.5", "position = [0.52"), "velocity = [0, 1,",
                                   "velocity = [0, 0,"),
                          "[0, 0, 2]", "[0, 0, 0]"),
                 "joints", "link.x", "the given positions break the joints");
}

TEST(StudyCheck, InertiaThatNoSolidHas) {
  const std::string text =
      replaced(ball, "inertia = [4e-3, 4e-3, 4e-3]", "inertia = [4e-3, 4e-3, 9e-3]\nallow_unphysical_inertia = true");
  expect_warning(text, "masses", "", "no solid has this inertia");
}

}  // namespace
}  // namespace esc
