// compile() takes a time that grows with the model, and refuses what would take too long at every step.
#include <string>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

#include "tests/support/cpu_time.hpp"
#include "tests/support/expect_refused.hpp"

namespace esc::testing {
namespace {

Model held_by(int joints) {
  Model model;
  const BlockId body = model.add_rigid_body("body", {});
  for (int i = 0; i < joints; ++i) model.add_joint("j" + std::to_string(i), Fixed{}, Frame{}, Frame{body});
  return model;
}

TEST(ModelBounds, HundredsOfJointsThatHoldTheSameAreRefused_slow) {
  const Model model = held_by(500);
  std::string why;
  EXPECT_LT(cpu_seconds([&] {
              try {
                static_cast<void>(compile(model));
              } catch (const ModelError& error) {
                why = error.what();
              }
            }),
            0.5);
  for (const char* part : {"j0", "3000 rows for 6 velocities", "2994 rows repeat", "remove joints"})
    EXPECT_NE(why.find(part), std::string::npos) << why;
  EXPECT_EQ(compile(held_by(10)).components()[0].deficiency, 54);
}

TEST(ModelBounds, SpringsBetweenEveryTwoBodies_slow) {
  Model model;
  std::vector<BlockId> bodies;
  for (int i = 0; i < 60; ++i) {
    bodies.push_back(model.add_planar_body("b" + std::to_string(i), {.pose = {1.0 * i, 0, 0}}));
    for (int j = 0; j < i; ++j)
      model.add_spring("s" + std::to_string(i) + "_" + std::to_string(j), Frame{bodies[i]}, Frame{bodies[j]},
                       {.stiffness = 1.0});
  }
  EXPECT_LT(cpu_seconds([&] { EXPECT_EQ(compile(model).couplings().size(), 1770u); }), 0.5);
}

TEST(ModelBounds, MorePairsThanMemoryHoldsAreRefused_slow) {
  Model model;
  for (int i = 0; i < 2100; ++i) {
    const BlockId body = model.add_planar_body("b" + std::to_string(i), {});
    model.add_shape("s" + std::to_string(i), {body}, Disc{});
  }
  EXPECT_LT(cpu_seconds([&] { EXPECT_THROW(model.add_contacts(Combination::mean, Combination::mean), ModelError); }),
            0.5);
}

TEST(ModelBounds, NamesAreFoundWithoutASearch_slow) {
  Model model;
  model.add_bar("bar", {.elements = 20000});
  const System system = compile(model);
  EXPECT_LT(cpu_seconds([&] {
              for (int i = 0; i <= 20000; ++i) {
                ASSERT_EQ(system.coordinate("bar.u" + std::to_string(i)), i);
                ASSERT_EQ(system.velocity("bar.u" + std::to_string(i)), i);
              }
            }),
            0.5);
}

}  // namespace
}  // namespace esc::testing
