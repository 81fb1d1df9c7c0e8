// Islands beyond what is solved exactly, and beyond what is kept as a dense W, with and without joints.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/box_stack.hpp"

namespace esc {
namespace {

using examples::BoxStack;

constexpr double step = 1e-2;  // s

bool is_law(Check check) { return check == Check::impact_law || check == Check::friction_law; }

struct Worst {
  double laws = 0.0;                // m/s or N s, of the two laws of contact
  bool laws_hold = true;            // in every step, as promised
  std::vector<std::string> others;  // checks that failed, but for the laws
};

// The boxes come to rest on each other; all contacts are one island.
Worst settle(const Model& model, const MoreauJeanOptions& options, int contacts) {
  const System system = compile(model);
  MoreauJean scheme(system, options);
  Certifier certifier(system);
  State x = system.initial_state();
  scheme.start(x);
  Worst worst;
  for (int k = 0; k < 20; ++k) {
    const State before = x;
    const StepReport report = scheme.step(x, step);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " in step " << k;
    EXPECT_EQ(report.active, contacts);
    EXPECT_EQ(report.islands, 1);
    const Certificate certificate = certifier.certify(before, x, scheme.promise());
    for (int i = 0; i < check_count; ++i) {
      const Finding& finding = certificate.findings[static_cast<std::size_t>(i)];
      const auto check = static_cast<Check>(i);
      if (is_law(check)) {
        worst.laws = std::max(worst.laws, finding.value);
        worst.laws_hold = worst.laws_hold && finding.ok();
      } else if (!finding.ok()) {
        worst.others.emplace_back(to_string(check));
      }
    }
  }
  return worst;
}

const BoxStack high{.boxes = 14, .clearance = -5e-11};
constexpr int high_contacts = 4 * 14;  // more than 50: large_island_tol counts

TEST(LargeIsland, OnlyTheLawsOfContactAreCoarser) {
  const Worst worst = settle(high.model(), {}, high_contacts);
  EXPECT_EQ(worst.others, std::vector<std::string>{});
  EXPECT_LE(worst.laws, 1e-2 * high.g * step);  // of the speed that a step of free fall gives
}

TEST(LargeIsland, ASmallerToleranceKeepsTheLawsAsPromised) {
  const Worst worst = settle(high.model(), {.large_island_tol = 1e-11}, high_contacts);
  EXPECT_EQ(worst.others, std::vector<std::string>{});
  EXPECT_TRUE(worst.laws_hold) << worst.laws;
}

// W of 32 contacts is kept by blocks, and joints couple boxes that do not touch each other.
TEST(LargeIsland, JointsBesideABlockSparseW) {
  const BoxStack stack{.boxes = 8, .clearance = -5e-11};
  const double apart = 1.5 * (2.0 * stack.box.half_z + stack.clearance);  // half of three boxes
  Model model = stack.model();
  model.add_joint("link", Spherical{}, {BlockId{1}, {0.0, 0.0, apart}}, {BlockId{4}, {0.0, 0.0, -apart}});
  model.add_joint("guide", Cylindrical{}, {BlockId{2}}, {BlockId{6}});
  const Worst worst = settle(model, {}, 4 * stack.boxes);
  EXPECT_EQ(worst.others, std::vector<std::string>{});
  EXPECT_TRUE(worst.laws_hold) << worst.laws;
}

}  // namespace
}  // namespace esc
