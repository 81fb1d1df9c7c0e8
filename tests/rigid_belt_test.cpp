// Belts over pulleys: every link touches through all others, so that contacts depend on each other.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/belts.hpp"

namespace esc {
namespace {

State certified_end(const Model& model, const std::string& name, double step, double until) {
  const System system = compile(model);
  const auto scheme = make_scheme(name, system);
  State x = system.initial_state();
  const SimulateOptions options{.step = step, .until = until};
  const RunReport report = simulate(*scheme, x, options);
  EXPECT_TRUE(report.certified()) << name << ", " << report.steps << " steps\n" << summary(*scheme, options, report);
  return x;
}

// The tension on the right is 1.43 times that on the left at least. Euler and Eytelwein: friction over half a turn
// holds up to exp(pi mu) times.
TEST(Belt, ARopeOverAPoleSlipsAsEytelweinSays) {
  for (const bool planar : {true, false}) {
    const std::size_t up = planar ? 1 : 2;  // velocity of the first link, which hangs on the left
    const State held = certified_end(test::rope_over_pole(planar, 0.4, 3.0), "moreau-jean", 1e-3, 0.2);
    EXPECT_LE(std::abs(held.v[up]), 1e-3) << planar;
    const State slips = certified_end(test::rope_over_pole(planar, 0.05, 3.0), "moreau-jean", 1e-3, 0.2);
    EXPECT_GE(slips.v[up], 0.05) << planar;
  }
}

// Friction carries the torque of the motor to the brake.
TEST(Belt, ABeltDrivesTheOtherPulley) {
  for (const bool planar : {true, false}) {
    const Model model = test::belt_drive(planar, 0.4, 0.5, 0.02);
    const State x = certified_end(model, "moreau-jean", 1e-3, 0.1);
    const double left = x.v[planar ? x.v.size() - 4 : x.v.size() - 8],
                 right = x.v[planar ? x.v.size() - 1 : x.v.size() - 2];
    EXPECT_GT(left, 5.0) << planar;
    EXPECT_GT(right, 0.7 * left) << planar;
    EXPECT_LT(right, 1.05 * left) << planar;
  }
}

// At both levels, too: friction, closed loops of joints and gaps at once.
void expect_a_slack_belt_to_run(bool planar, double until) {
  const Model model = test::belt_drive(planar, 0.4, 0.5, 0.02, 3e-3);
  for (const char* scheme : {"moreau-jean", "combined-projection", "direct-projected", "position-theta"}) {
    const State x = certified_end(model, scheme, 1e-3, until);
    EXPECT_GT(x.v[planar ? x.v.size() - 1 : x.v.size() - 2], 0.0) << scheme << ", " << planar;
  }
}

// Who sticks changes the tension, and the tension the frames: the Newton loop alone runs in a cycle.
TEST(Belt, ATightBeltStartsAtPositionLevel) {
  certified_end(test::belt_drive(true, 0.4, 0.5, 0.02), "position-theta", 1e-3, 0.05);
}

// Iterations of the contact solver are most of what a hard step costs: 100 a step keep it below 2 ms.
TEST(Belt, TheDefaultSchemeNeedsFewSweeps) {
  for (const bool planar : {true, false}) {
    const System system = compile(test::belt_drive(planar, 0.4, 0.5, 0.02, 3e-3));
    const auto scheme = make_scheme("halve", system, std::vector<OptionText>{{"inner.scheme", "combined-projection"}});
    State x = system.initial_state();
    const SimulateOptions options{.step = 1e-3, .until = 0.15};
    const RunReport report = simulate(*scheme, x, options);
    EXPECT_TRUE(report.certified()) << summary(*scheme, options, report);
    EXPECT_EQ(report.failures, 0);
    EXPECT_LE(report.solver.mean(), 150.0) << planar;
  }
}

TEST(Belt, ASlackBeltRunsWithEveryScheme) { expect_a_slack_belt_to_run(true, 0.12); }
TEST(Belt, ASlackBeltRunsWithEveryScheme_slow) {
  expect_a_slack_belt_to_run(true, 0.5);
  expect_a_slack_belt_to_run(false, 0.15);
}

}  // namespace
}  // namespace esc
