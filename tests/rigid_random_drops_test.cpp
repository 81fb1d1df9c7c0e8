// Two hundred random heaps fall on a floor and on each other: no run fails, and every step holds what it promises.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/random_drops.hpp"

namespace esc {
namespace {

void expect_certified(std::uint64_t seed) {
  const testing::RandomDrop drop = testing::random_drop(seed);
  const System system = compile(drop.model);
  const auto scheme = make_scheme("halve", system, std::vector<OptionText>{{"inner.scheme", "combined-projection"}});
  State x = system.initial_state();
  const SimulateOptions options{.step = drop.h, .until = drop.until};
  const RunReport report = simulate(*scheme, x, options);
  // Not certified(): Newton's law with friction or at several contacts can add energy, which the run then tells.
  EXPECT_TRUE(report.ok() && report.certified_steps == report.steps) << drop.name << "\n"
                                                                     << summary(*scheme, options, report);
}

TEST(RandomDrops, AreCertified_slow) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) expect_certified(seed);
}

// Drops of their own: a cylinder rolls on its rim past a point that is fixed to it.
TEST(RandomDrops, ACylinderRollsOnItsRim_slow) {
  for (const std::uint64_t seed : {223, 289, 447, 550}) expect_certified(seed);
}

// ... an impact pushes the end of a capsule beyond the shaft that it hit.
TEST(RandomDrops, AnImpactLeavesItsFeature) {
  for (const std::uint64_t seed : {314, 360, 837, 923}) expect_certified(seed);
}

// ... four corners without friction, of which one carries a thousandth of the others.
TEST(RandomDrops, ABoxLandsOnFourCorners) { expect_certified(141); }

}  // namespace
}  // namespace esc
