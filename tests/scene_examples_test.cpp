// Every example has a scene of the same name, and both give the same motion: to round-off until shortly after the first
// impact, then within the error of the scheme.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/registry.hpp>

#include "examples/registry.hpp"
#include "tests/support/repository.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

io::Scene scene_of(const examples::Example& example) { return io::read_scene(testing::scene_path(example.name)); }

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double largest(const std::vector<double>& a) { return largest_difference(a, std::vector<double>(a.size(), 0.0)); }

class SceneOfExample : public ::testing::TestWithParam<examples::Example> {
 protected:
  const io::Scene scene = scene_of(GetParam());
  const System typed = io::compile_scene(scene);
  const System written = compile(GetParam().model());

  std::unique_ptr<Scheme> scheme(const System& system) const {
    return make_scheme(scene.scheme, system, scene.scheme_options);
  }
};

TEST_P(SceneOfExample, HasTheSameCoordinatesAndRun) {
  EXPECT_EQ(scene.name, GetParam().name);
  EXPECT_FALSE(scene.title.empty());
  EXPECT_EQ(scene.run.step, GetParam().step);
  EXPECT_EQ(scene.run.until, GetParam().until);
  EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0];
  ASSERT_EQ(typed.nq(), written.nq());
  ASSERT_EQ(typed.nv(), written.nv());
  EXPECT_EQ(typed.pairs() > 0, written.pairs() > 0);
  EXPECT_EQ(typed.joint_rows(), written.joint_rows());
  EXPECT_LE(largest_difference(typed.initial_state().q, written.initial_state().q), 1e-15);
  EXPECT_LE(largest_difference(typed.initial_state().v, written.initial_state().v),
            1e-15 * largest(written.initial_state().v));
}

TEST_P(SceneOfExample, MovesTheSame) {
  const auto ours = scheme(typed), theirs = scheme(written), fine = scheme(written);
  State x = typed.initial_state(), y = written.initial_state(), z = written.initial_state();
  ours->start(x);
  theirs->start(y);
  fine->start(z);
  const double h = GetParam().step;
  const int steps = static_cast<int>(GetParam().until / h);
  int impact = steps;  // the step of the first one
  double q_error = 0.0, v_error = 0.0, q_size = 1.0, v_size = 1.0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(ours->step(x, h).ok()) << k;
    const StepReport report = theirs->step(y, h);
    ASSERT_TRUE(report.ok() && fine->step(z, 0.5 * h).ok() && fine->step(z, 0.5 * h).ok()) << k;
    if (impact == steps && !report.events.empty()) impact = k;
    q_size = std::max(q_size, largest(y.q));
    v_size = std::max(v_size, largest(y.v));
    q_error = std::max(q_error, largest_difference(y.q, z.q));
    v_error = std::max(v_error, largest_difference(y.v, z.v));
    const bool before = k <= impact + 2;
    ASSERT_LE(largest_difference(x.q, y.q), (before ? 1e-12 : 1e-9 + q_error) * q_size)
        << "step " << k << " " << impact;
    ASSERT_LE(largest_difference(x.v, y.v), (before ? 1e-12 : 1e-9 + v_error) * v_size)
        << "step " << k << " " << impact;
  }
  EXPECT_EQ(impact < steps, GetParam().contacts);
}

// Why the scheme refuses the system, or nothing.
std::string refusal_of(const SchemeEntry& entry, const System& system) {
  try {
    static_cast<void>(make_scheme(entry.name, system));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// Under every scheme of the registry, not only that of the scene: the step on formulas is the step on C++.
TEST_P(SceneOfExample, TakesEveryScheme) {
  for (const SchemeEntry& described : schemes()) {
    const std::string refused = refusal_of(described, written);
    EXPECT_EQ(refused.empty(), described.traits({}).friction || !testing::has_friction(written)) << refused;
    ASSERT_EQ(refusal_of(described, typed).empty(), refused.empty()) << described.name << ": " << refused;
    if (!refused.empty()) continue;
    const auto ours = make_scheme(described.name, typed), theirs = make_scheme(described.name, written);
    State x = typed.initial_state(), y = written.initial_state();
    ours->start(x);
    theirs->start(y);
    const double h = GetParam().step;
    const int most = std::min(200, static_cast<int>(GetParam().until / h));
    for (int k = 0, since_impact = 0; k < most && since_impact < 2; ++k) {
      const StepReport mine = ours->step(x, h), report = theirs->step(y, h);
      ASSERT_EQ(mine.status, report.status) << described.name << " " << k;
      ASSERT_TRUE(report.ok() || k > 0) << described.name << " " << to_string(report.status);
      if (!report.ok()) break;
      if (since_impact > 0 || !report.events.empty()) ++since_impact;
      ASSERT_LE(largest_difference(x.q, y.q), 1e-11 * std::max(1.0, largest(y.q))) << described.name << " " << k;
      ASSERT_LE(largest_difference(x.v, y.v), 1e-9 * std::max(1.0, largest(y.v))) << described.name << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, SceneOfExample, ::testing::ValuesIn(examples::all()), [](const auto& entry) {
  std::string name(entry.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace esc
