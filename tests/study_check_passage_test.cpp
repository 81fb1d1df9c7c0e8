// Warnings of a step that is long for the thickness of shapes; each beside a scene that does not earn it.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/findings.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_clean;
using testing::expect_warning;
using testing::replaced;

const std::string bullet = R"toml(
version = 1
[[body]]
name = "ball"
kind = "space"
mass = 0.01
inertia = [3e-5, 3e-5, 1e-7]
position = [0, 0, 1.0]
velocity = [0, 0, -100]
[[shape]]
name = "tip"
body = "ball"
kind = "sphere"
radius = 0.005
[[shape]]
name = "plate"
kind = "box"
half_sizes = [0.1, 0.1, 0.0005]
[[contact]]
name = "hit"
shapes = ["tip", "plate"]
e = 0.5
mu = 0
[simulation]
step = 1e-4
until = 0.1
)toml";

// 10 mm a step against 5.5 mm.
TEST(StudyCheckPassage, AStepLongerThanTheShapesAreThickIsTold) {
  expect_warning(bullet, "step", "hit", "may be passed unseen: one step at 100 m/s");
  expect_warning(replaced(bullet, "1e-4", "2.8e-5"), "step", "hit", "times its size of 0.0055 m");
  expect_clean(replaced(bullet, "1e-4", "2.7e-5"));
  expect_clean(replaced(bullet, "-100", "100"));
}

TEST(StudyCheckPassage, AFallCounts) {
  const std::string falls =
      replaced(bullet, "[simulation]",
               "[[force]]\nname = \"weight\"\nkind = \"gravity\"\nacceleration = [0, 0, -9.81]\n[simulation]");
  expect_clean(replaced(falls, "-100", "0"));
  expect_warning(replaced(replaced(falls, "-100", "0"), "1e-4", "1e-3"), "step", "hit", "after the fall");
}

TEST(StudyCheckPassage, CornersThatTurnFarInAStepAreTold) {
  const std::string bar = replaced(replaced(bullet, "kind = \"sphere\"", "kind = \"capsule\"\nhalf_length = 0.1"),
                                   "kind = \"box\"\nhalf_sizes = [0.1, 0.1, 0.0005]", "kind = \"half-space\"");
  const std::string turning = replaced(bar, "velocity = [0, 0, -100]", "angular_velocity = [1000, 0, 0]");
  expect_clean(turning);
  expect_warning(replaced(turning, "1e-4", "6e-4"), "step", "hit", "turns by 0.6 rad in one step");
}

}  // namespace
}  // namespace esc
