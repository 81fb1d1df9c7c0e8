// Warnings of what moves a mechanism: springs against the step, angles and forces in the wrong unit or direction,
// motors against each other. Every one has a scene beside it, changed in one place, that does not earn it.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/findings.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_clean;
using testing::expect_fact;
using testing::expect_warning;
using testing::findings;
using testing::replaced;

const std::string two_masses = R"toml(
version = 1
[[body]]
name = "left"
kind = "planar"
mass = 1.0
inertia = 1.0
[[body]]
name = "right"
kind = "planar"
mass = 3.0
inertia = 1.0
pose = [1, 0, 0]
[[force]]
name = "link"
kind = "spring"
a = { body = "left" }
b = { body = "right" }
stiffness = 3e6
length = 1
tangents = "implicit"
[simulation]
step = 9.9e-4
until = 1
)toml";

// omega = sqrt(k (1/m1 + 1/m2)) = 2000 rad/s, 318.31 Hz; an explicit force bears omega h < 2.
TEST(StudyCheckMotion, SpringsBetweenFreeBodiesSwingWithTheReducedMass) {
  expect_fact(two_masses, "highest frequency about 318.31 Hz");
  expect_warning(replaced(two_masses, "9.9e-4", "6.4e-4"), "stiffness", "left.x", "this motion is not followed");
  expect_clean(replaced(two_masses, "9.9e-4", "6.2e-4"));
  const std::string bare = replaced(two_masses, "\"implicit\"", "\"none\"");
  expect_clean(bare);
  expect_fact(bare, "highest frequency about 318.31 Hz");
  expect_warning(replaced(bare, "9.9e-4", "1.01e-3"), "stiffness", "left.x", "above 2 the run is unstable");
}

const std::string drives = R"toml(
version = 1
[[body]]
name = "arm"
kind = "planar"
mass = 1.0
inertia = 1.0
[[joint]]
name = "hinge"
kind = "revolute"
a = {}
b = { body = "arm" }
[[force]]
name = "drive"
kind = "motor"
joint = "hinge"
velocity = "0*t"
[[contact]]
name = "floor"
gap = "arm.y + 1 - 0*t"
[simulation]
step = 1e-3
until = 1
)toml";

// A jump is told with its size and time, whatever else the velocity does; what is steep but smooth is none.
TEST(StudyCheckMotion, VelocitiesThatJumpAreNamed) {
  expect_clean(drives);
  for (const char* smooth : {"sin(300*t)", "exp(-((t - 0.5)/1e-3)^2)", "5*t^3", "max(0, t - 0.3)"})
    expect_clean(replaced(drives, "0*t\"", std::string("0*t + ") + smooth + "*t\""));
  const std::string jumps = replaced(drives, "velocity = \"0*t", "velocity = \"if(t < 0.3137, 0, 5) + sin(9*t)");
  expect_warning(jumps, "jumps", "drive", "jumps by 5 m or rad/s at t = 0.3137 s");
  expect_warning(replaced(drives, "1 - 0*t", "1 - if(t < 0.7011, 0, 0.3*(t - 0.7011))"), "jumps", "floor",
                 "jumps by 0.3 m/s at t = 0.7011 s");
}

const std::string flap = R"toml(
version = 1
[[body]]
name = "flap"
kind = "planar"
mass = 1.0
inertia = 0.1
pose = [0, 0, 0.1]
[[body]]
name = "other"
kind = "planar"
mass = 1.0
inertia = 0.1
[[joint]]
name = "hinge"
kind = "revolute"
a = { angle = 0.2 }
b = { body = "flap" }
[[contact]]
name = "stop"
joint = "hinge"
upper = 1.5
e = 0.4
[[force]]
name = "coil"
kind = "joint-spring"
joint = "hinge"
stiffness = 1.0
rest = 0.3
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, -9.81, 0]
[[force]]
name = "push"
kind = "wrench"
at = { body = "other" }
force = [1, 2, 0]
moment = [0, 0, 3]
[[force]]
name = "drive"
kind = "motor"
joint = "hinge"
velocity = 3
[simulation]
step = 1e-3
until = 1
)toml";

TEST(StudyCheckMotion, AnglesThatLookLikeDegrees) {
  expect_clean(flap);
  expect_fact(flap, "smallest gap at the start 1.6 rad");
  expect_warning(replaced(flap, "upper = 1.5", "upper = 90"), "units", "stop", "90 degrees are pi/2");
  expect_clean(replaced(flap, "upper = 1.5", "upper = 6.28"));
  expect_warning(replaced(flap, "rest = 0.3", "rest = -45"), "units", "coil", "rest is -45 rad");
  expect_warning(replaced(flap, "pose = [0, 0, 0.1]", "pose = [0, 0, \"0.1 - 4*pi\"]"), "units", "flap",
                 "-12.4664 rad");
  for (const study::Finding& d : findings(replaced(flap, "angle = 0.2", "angle = \"4*pi + 0.2\"")))
    EXPECT_EQ(d.severity == study::Severity::warning, d.text.find("angle is 12.7664 rad") != std::string::npos)
        << d.text;
}

TEST(StudyCheckMotion, ForcesThatPlanarBodiesDoNotFeel) {
  expect_warning(replaced(flap, "[0, -9.81, 0]", "[0, 0, -9.81]"), "units", "", "planar bodies do not feel it");
  expect_warning(replaced(flap, "force = [1, 2, 0]", "force = [1, 2, 5]"), "units", "push", "do not feel it");
  expect_warning(replaced(flap, "moment = [0, 0, 3]", "moment = [0, 4, 3]"), "units", "push", "do not feel it");
}

int contradictions(const std::string& text, const std::string& names) {
  int count = 0;
  for (const study::Finding& d : findings(text))
    if (d.text.find("contradict") != std::string::npos) {
      ++count;
      EXPECT_NE(d.text.find("satisfies " + names + " together"), std::string::npos) << d.text;
    }
  return count;
}

// Two motors on one hinge: the least squares of 3 and 5 rad/s are 4 rad/s, 1 rad/s from each.
TEST(StudyCheckMotion, MotorsThatContradictEachOther) {
  const std::string second = "[[force]]\nname = \"second\"\nkind = \"motor\"\njoint = \"hinge\"\nvelocity = 5\n";
  const std::string both = replaced(flap, "[simulation]", second + "[simulation]");
  EXPECT_EQ(contradictions(both, "'drive', 'second'"), 1);
  EXPECT_EQ(contradictions(replaced(both, "velocity = 5", "velocity = 3"), ""), 0);
  EXPECT_EQ(contradictions(flap, ""), 0);
}

}  // namespace
}  // namespace esc
