// What theory excludes: friction cones that are not pointed, with the limit of mu by hand, and obtuse kinetic angles.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "src/study/hull.hpp"
#include "tests/support/findings.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_clean;
using testing::expect_fact;
using testing::expect_no_word;
using testing::expect_warning;
using testing::replaced;

const std::string tail = "[simulation]\nstep = 1e-3\nuntil = 1\n";

const std::string wedge_body = R"toml(
version = 1
[[body]]
name = "wedge"
kind = "planar"
mass = 2.0
inertia = 0.01
[[shape]]
name = "rim"
body = "wedge"
kind = "disc"
radius = 0.1
)toml";

std::string contact(const std::string& name, const std::string& shape, const std::string& wall) {
  return "[[contact]]\nname = \"" + name + "\"\nshapes = [\"" + shape + "\", \"" + wall + "\"]\ne = 0\nmu = 0.6\n";
}

// A wall on one side (sign -1: left) that leans by 30 degrees from the vertical, and its contact with the disc.
std::string wall(const std::string& name, const std::string& sign) {
  return "[[shape]]\nname = \"" + name + "_wall\"\nkind = \"half-plane\"\nposition = [\"" + sign +
         "0.1*cos(pi/6)\", \"-0.1*sin(pi/6)\"]\nangle = \"" + sign + "pi/3\"\n" + contact(name, "rim", name + "_wall");
}

// A disc between two such walls. Both contacts are at one height: impulses cancel if they can be horizontal, that is
// with mu >= tan 30 = 0.577350.
const std::string wedge = wedge_body + wall("left", "-") + wall("right", "") + tail;

std::string with_mu(const std::string& text, const std::string& mu) {
  std::string out = text;
  for (std::size_t at = out.find("mu = 0.6"); at != std::string::npos; at = out.find("mu = 0.6"))
    out.replace(at, 8, "mu = " + mu);
  return out;
}

TEST(StudyCheckCones, AWedgeJamsAboveTheTangentOfItsAngle) {
  expect_warning(wedge, "contacts", "left", "at 'left', 'right' cancel");
  expect_warning(wedge, "contacts", "left", "mu below 0.57735");
  expect_warning(with_mu(wedge, "0.578"), "contacts", "left", "can jam");
  expect_clean(with_mu(wedge, "0.577"));
  expect_clean(with_mu(wedge, "0"));
}

TEST(StudyCheckCones, OpenContactsDoNotJam) { expect_clean(replaced(wedge, "radius = 0.1", "radius = 0.09999")); }

// The guide takes every horizontal impulse: one wall is enough, with the same limit.
const std::string one_wall = wedge_body + wall("left", "-");
const std::string guided = one_wall + R"toml([[joint]]
name = "guide"
kind = "prismatic"
a = { angle = "pi/2" }
b = { body = "wedge", angle = "pi/2" }
)toml" + tail;

TEST(StudyCheckCones, JointsTakePartInJamming) {
  expect_warning(guided, "contacts", "left", "at 'left' cancel, with those of the joints");
  expect_warning(guided, "contacts", "left", "mu below 0.57735");
  expect_clean(with_mu(guided, "0.577"));
  expect_clean(one_wall + tail);
}

// Between parallel plates without play the normal impulses cancel by themselves.
TEST(StudyCheckCones, PlatesWithoutPlayPressWithoutFriction) {
  const std::string plates = replaced(
      replaced(with_mu(wedge, "0"), "position = [\"-0.1*cos(pi/6)\", \"-0.1*sin(pi/6)\"]\nangle = \"-pi/3\"",
               "position = [-0.1, 0]\nangle = \"-pi/2\""),
      "position = [\"0.1*cos(pi/6)\", \"-0.1*sin(pi/6)\"]\nangle = \"pi/3\"", "position = [0.1, 0]\nangle = \"pi/2\"");
  expect_warning(plates, "contacts", "left", "even without friction; leave play");
}

// A sphere between two planes that lean by 30 degrees. The polygon of 32 corners inside the round cone has one along
// the line of the contacts or misses it by less than cos(pi/32) = 0.9952.
TEST(StudyCheckCones, ASphereJamsBetweenTwoPlanes) {
  const std::string text = R"toml(
version = 1
[[body]]
name = "ball"
kind = "space"
mass = 2.0
inertia = [0.01, 0.01, 0.01]
[[shape]]
name = "skin"
body = "ball"
kind = "sphere"
radius = 0.1
[[shape]]
name = "left_wall"
kind = "half-space"
position = ["-0.1*cos(pi/6)", 0, "-0.1*sin(pi/6)"]
rotation = ["cos(pi/6)", 0, "sin(pi/6)", 0]
[[shape]]
name = "right_wall"
kind = "half-space"
position = ["0.1*cos(pi/6)", 0, "-0.1*sin(pi/6)"]
rotation = ["cos(pi/6)", 0, "-sin(pi/6)", 0]
)toml" + contact("left", "skin", "left_wall") +
                           contact("right", "skin", "right_wall") + tail;
  expect_warning(with_mu(text, "0.5802"), "contacts", "left", "can jam");  // tan 30 / cos(pi/32)
  expect_clean(with_mu(text, "0.5773"));
}

// A block on two feet at x = +-a: W between them is 1/m - a^2/J, each of them 1/m + a^2/J. The angle of the corner has
// the cosine -(1 - k) / (1 + k) with k = m a^2 / J: k = 1/3 gives 120 degrees, k = 1 a right angle, k = 3 60 degrees.
std::string block(const std::string& inertia) {
  return R"toml(
version = 1
[[body]]
name = "block"
kind = "planar"
mass = 3.0
inertia = )toml" +
         inertia + R"toml(
[[shape]]
name = "left_foot"
body = "block"
kind = "disc"
radius = 0.1
position = [-0.5, 0]
[[shape]]
name = "right_foot"
body = "block"
kind = "disc"
radius = 0.1
position = [0.5, 0]
[[shape]]
name = "floor"
kind = "half-plane"
position = [0, -0.1]
[[contact]]
name = "left"
shapes = ["left_foot", "floor"]
e = 0.5
mu = 0
[[contact]]
name = "right"
shapes = ["right_foot", "floor"]
e = 0.5
mu = 0
)toml" + tail;
}

TEST(StudyCheckCones, KineticAnglesOfTwoFeet) {
  expect_fact(block("2.25"), "1 of 1 pairs of closed contacts have an obtuse kinetic angle");
  expect_fact(block("2.25"), "'left' and 'right' with 120 deg");
  expect_clean(block("2.25"));
  expect_no_word(block("0.75"), "kinetic angle");
  expect_no_word(block("0.25"), "kinetic angle");
}

// A guide along y lets the block move up and down only: both feet then say the same, the corner is a plane.
TEST(StudyCheckCones, JointsEnterTheKineticAngle) {
  const std::string held = replaced(
      block("0.25"), tail,
      "[[joint]]\nname = \"guide\"\nkind = \"prismatic\"\na = { angle = \"pi/2\" }\nb = { body = \"block\", angle = "
      "\"pi/2\" }\n" +
          tail);
  expect_fact(held, "with 180 deg");
}

// A column of discs is one group.
std::string column(int discs) {
  std::string text = "version = 1\n[[shape]]\nname = \"disc_0\"\nkind = \"half-plane\"\n";
  for (int i = 1; i <= discs; ++i) {
    const std::string n = std::to_string(i), below = std::to_string(i - 1);
    text += "[[body]]\nname = \"body_" + n + "\"\nkind = \"planar\"\nmass = 1\ninertia = 0.1\npose = [0, " +
            std::to_string(i - 0.5) + ", 0]\n[[shape]]\nname = \"disc_" + n + "\"\nbody = \"body_" + n +
            "\"\nkind = \"disc\"\nradius = 0.5\n[[contact]]\nname = \"on_" + below + "\"\nshapes = [\"disc_" + n +
            "\", \"disc_" + below + "\"]\ne = 0\nmu = 0.5\n";
  }
  return text + tail;
}

TEST(StudyCheckCones, LargeGroupsAreNotLookedAtAndSaySo) {
  expect_fact(column(61), "61 closed contacts that belong together are not looked at");
  expect_no_word(column(60), "not looked at");
  expect_clean(column(60));
}

// By hand: the nearest point of a segment, of a triangle around the origin, of a point.
TEST(StudyCheckCones, NearestPointsOfHulls) {
  Eigen::MatrixXd segment(2, 2);
  segment << 1.0, -1.0, 1.0, 2.0;  // (1, 1) and (-1, 2): direction (-2, 1), nearest (0.6, 1.2)
  EXPECT_LT((segment * study::nearest_to_origin(segment) - Eigen::Vector2d(0.6, 1.2)).norm(), 1e-12);
  Eigen::MatrixXd triangle(2, 3);
  triangle << 1.0, -1.0, 0.0, -1.0, -1.0, 3.0;
  const Eigen::VectorXd w = study::nearest_to_origin(triangle);
  EXPECT_LT((triangle * w).norm(), 1e-12);
  EXPECT_NEAR(w.sum(), 1.0, 1e-15);
  EXPECT_GE(w.minCoeff(), 0.0);
  triangle.row(1).array() += 2.0;  // now above the origin: nearest is (0, 1)
  EXPECT_LT((triangle * study::nearest_to_origin(triangle) - Eigen::Vector2d(0.0, 1.0)).norm(), 1e-12);
}

}  // namespace
}  // namespace esc
