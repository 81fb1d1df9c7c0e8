// The scenes and the C++ that docs/joints.md, docs/forces.md and docs/shapes.md show side by side are the same models:
// the same equations and the same motion. docs_test.py checks that the pages show these files, and every kind.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "docs/code/kinds.hpp"
#include "tests/support/repository.hpp"
#include "tests/support/scene_systems.hpp"

namespace esc {
namespace {

struct Twin {
  const char* name;
  Model (*model)();
};

void PrintTo(const Twin& twin, std::ostream* out) { *out << twin.name; }

class SceneAndCpp : public ::testing::TestWithParam<Twin> {
 protected:
  const std::string file = std::string("code/") + GetParam().name + ".toml";
  const io::Scene scene = io::parse_scene(testing::page(file), file);
  const System typed = io::compile_scene(scene);
  const System written = compile(GetParam().model());
};

TEST_P(SceneAndCpp, HaveTheSameEquations) {
  EXPECT_TRUE(scene.warnings.empty());
  ASSERT_TRUE(std::ranges::equal(typed.joint_names(), written.joint_names()));
  ASSERT_TRUE(std::ranges::equal(typed.pair_names(), written.pair_names()));
  ASSERT_EQ(typed.joint_rows(), written.joint_rows());
  testing::expect_same(typed, written);
}

// Every contact of the page closes on the way, so that every shape has its say.
TEST_P(SceneAndCpp, MoveTheSame) {
  MoreauJean ours(typed), theirs(written);
  State x = typed.initial_state(), y = written.initial_state();
  ours.start(x);
  theirs.start(y);
  std::set<int> closed;
  for (int k = 0; k < 300; ++k) {
    const StepReport mine = ours.step(x, 1e-3), report = theirs.step(y, 1e-3);
    ASSERT_TRUE(mine.ok() && report.ok()) << "step " << k << ": " << to_string(report.status);
    for (const ContactRecord& record : y.contacts) closed.insert(static_cast<int>(record.key.pair));
    for (std::size_t i = 0; i < y.q.size(); ++i) ASSERT_NEAR(x.q[i], y.q[i], 1e-10) << "step " << k << ", q " << i;
    for (std::size_t i = 0; i < y.v.size(); ++i) ASSERT_NEAR(x.v[i], y.v[i], 1e-8) << "step " << k << ", v " << i;
  }
  for (int pair = 0; pair < written.pairs(); ++pair) EXPECT_TRUE(closed.contains(pair)) << written.pair_names()[pair];
}

INSTANTIATE_TEST_SUITE_P(Docs, SceneAndCpp,
                         ::testing::Values(Twin{"joints", docs::joints}, Twin{"forces", docs::forces},
                                           Twin{"shapes_in_the_plane", docs::shapes_in_the_plane},
                                           Twin{"shapes_in_space", docs::shapes_in_space}),
                         [](const auto& entry) { return std::string(entry.param.name); });

}  // namespace
}  // namespace esc
