// check() takes a time that grows with what is in the scene: a pair of shapes, a gap, a body.
#include <string>

#include <gtest/gtest.h>

#include <escapement/study/check.hpp>

#include "tests/support/cpu_time.hpp"
#include "tests/support/findings.hpp"

namespace esc {
namespace {

constexpr const char* some_steps = "[simulation]\nstep = 1e-3\nuntil = 0.1\n";

double seconds_of_check(const std::string& text) {
  const io::Scene scene = io::parse_scene(text, "scene.toml");
  const System system = io::compile_scene(scene);
  return testing::cpu_seconds([&] { static_cast<void>(study::check(scene, system)); });
}

// Balls apart from each other, and every pair of them.
std::string many_balls(int n) {
  std::string text = "version = 1\n[[material]]\nname = \"steel\"\n";
  for (int i = 0; i < n; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"space\"\ndensity = 1000\nposition = [" +
            std::to_string(i) + ", 0, 0]\n[[body.shape]]\nname = \"s\"\nkind = \"sphere\"\nradius = 0.1\n" +
            "material = \"steel\"\n";
  return text + "[[contact]]\nevery_pair = true\n" + some_steps;
}

TEST(CheckBounds, EveryPairOfManyBalls_slow) {
  EXPECT_LT(seconds_of_check(many_balls(300)), 0.5);  // 44,850 pairs
}

std::string many_walls(int n) {
  std::string text = "version = 1\n[[coordinates]]\nname = \"c\"\nnames = [\"x\"]\nmass = \"1\"\n";
  for (int i = 0; i < n; ++i)
    text += "[[contact]]\nname = \"k" + std::to_string(i) + "\"\ngap = \"" + std::to_string(10 + i) +
            (i % 2 ? " - x" : " + x") + "\"\n";
  return text + some_steps;
}

TEST(CheckBounds, ManyWallsAgainstEachOther_slow) {
  const std::string walls = many_walls(2000);
  EXPECT_LT(seconds_of_check(walls), 0.5);
  testing::expect_fact(walls, "contacts 'k0' and 'k1' leave a play of 10.5 m");
}

TEST(CheckBounds, ManyBlocks_slow) {
  std::string text = "version = 1\n";
  for (int i = 0; i < 3000; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nkind = \"planar\"\nmass = 1\ninertia = 1\n";
  EXPECT_LT(seconds_of_check(text + some_steps), 0.5);
}

}  // namespace
}  // namespace esc
