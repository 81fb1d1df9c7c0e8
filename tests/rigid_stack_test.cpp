// Ten boxes at rest on each other, and the tippe top: friction in space over long runs.
#include <array>
#include <cmath>
#include <vector>

#include "examples/box_stack.hpp"
#include "examples/tippe_top.hpp"
#include "tests/support/norms.hpp"
#include "tests/support/rigid_state.hpp"

namespace esc {
namespace {

using examples::BoxStack;
using examples::TippeTop;
using test::rigid_state;
using test::RigidState;

// A little below the surface: a gap of zero is a tie.
constexpr double just_below = -5e-11;  // m

void expect_rest(double h) {
  const BoxStack stack{.clearance = just_below};
  const System system = compile(stack.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  for (int k = 0; k < std::lround(5.0 / h); ++k) {
    const StepReport report = scheme.step(x, h);
    ASSERT_TRUE(report.ok()) << to_string(report.status) << " in step " << k;
  }
  std::vector<double> scratch(system.scratch_size());
  EXPECT_LE(system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}).kinetic, 1e-12);
  for (int i = 0; i < stack.boxes; ++i)
    EXPECT_LE(norm(rigid_state(x, i).x - rigid_state(system.initial_state(), i).x), 1e-9) << "box " << i;
}

TEST(BoxStack, RestsForFiveSeconds) { expect_rest(1e-2); }
TEST(BoxStack, RestsForFiveSecondsInSmallerSteps) { expect_rest(5e-3); }

// Every interface carries the weight of the boxes above it.
TEST(BoxStack, EveryInterfaceCarriesTheWeightAbove) {
  const BoxStack stack{.boxes = 5, .clearance = just_below};
  const System system = compile(stack.model());
  const double weight = solid(stack.box, stack.density).mass * stack.g;
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  ASSERT_TRUE(scheme.step(x, 1e-2).ok());
  std::vector<double> force(stack.boxes, 0.0);
  for (const ContactRecord& record : x.contacts) force[record.key.pair] += to_world(record)[2] / x.h;
  for (int i = 0; i < stack.boxes; ++i) EXPECT_NEAR(force[i], (stack.boxes - i) * weight, 1e-9 * weight) << i;
}

struct TopRun {
  double jellett = 0.0;  // largest change relative to the start
  double lowest = 1.0;   // least e_3 . n
  double end = 1.0;      // the last one
};

TopRun spin(const TippeTop& top, double h, double until) {
  TopRun run;
  const System system = compile(top.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  const auto jellett = [&] {
    const RigidState s = rigid_state(x);
    return dot(s.R * test::times(top.inertia(), s.w), top.offset * s.R.z - Vec3<double>{0.0, 0.0, top.radius});
  };
  const double before = jellett();
  for (int k = 0; k < std::lround(until / h); ++k) {
    const StepReport report = scheme.step(x, h);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " in step " << k;
    if (!report.ok()) break;
    run.jellett = std::max(run.jellett, std::abs(jellett() / before - 1.0));
    run.end = rigid_state(x).R.z.z;
    run.lowest = std::min(run.lowest, run.end);
  }
  return run;
}

TEST(TippeTop, TurnsUpsideDownByFrictionOnly) {
  const TippeTop rough{.clearance = just_below}, smooth{.clearance = just_below, .mu = 0.0};
  const TopRun inverted = spin(rough, 1e-4, 1.5), upright = spin(smooth, 1e-4, 1.5);
  EXPECT_LE(inverted.end, -0.98);
  EXPECT_GE(upright.lowest, std::cos(rough.tilt) - 0.05);
}

// Slipping, then rolling: L . r is the same.
TEST(TippeTop, JellettsInvariantIsKeptToFirstOrder) {
  constexpr std::array<double, 3> steps{2e-4, 1e-4, 5e-5};
  std::vector<double> errors;
  for (const double h : steps) {
    errors.push_back(spin({.clearance = just_below}, h, 1.2).jellett);
  }
  EXPECT_NEAR(test::slope(steps, errors), 1.0, 0.2);
  EXPECT_LE(errors.back(), 1e-3);
}

}  // namespace
}  // namespace esc
