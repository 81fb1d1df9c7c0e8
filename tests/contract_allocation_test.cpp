// No allocation in repeated work: a trajectory run a second time with the same scheme allocates nothing, and with a
// fixed contact set nothing after the first step.
#include "tests/support/malloc_count.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/executor.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

using testing::allocations;

class AllocationContract : public ::testing::TestWithParam<testing::ContractCase> {
 protected:
  void SetUp() override {
    if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  }
};

TEST(MallocCount, SeesEveryWayToAllocate) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  EXPECT_EQ(allocations([] {}), 0);
  EXPECT_EQ(allocations([] {
              std::vector<double> x(100, 1.0);
              asm volatile("" : : "r"(x.data()) : "memory");  // a compiler may remove an allocation that nobody sees
            }),
            1);
  void* volatile block = nullptr;  // keeps the compiler from dropping the calls
  EXPECT_EQ(allocations([&] { block = std::malloc(100); }), 1);
  EXPECT_EQ(allocations([&] { block = std::realloc(block, 100'000); }), 1);
  std::free(block);
  EXPECT_EQ(allocations([&] { block = std::calloc(10, 10); }), 1);
  std::free(block);
  EXPECT_EQ(allocations([&] { block = std::aligned_alloc(64, 128); }), 1);
  std::free(block);
  EXPECT_EQ(allocations([&] { block = ::operator new (128, std::align_val_t{64}); }), 1);
  ::operator delete (block, std::align_val_t{64});
}

TEST_P(AllocationContract, ASecondRunAllocatesNothing) {
  const examples::Example& example = testing::example_of(GetParam());
  const System system = compile(example.model());
  const auto scheme = testing::scheme_of(GetParam()).make(system);
  Certifier certifier(system);
  State x = system.initial_state();
  State before = x;
  bool ok = true;
  const auto begin = [&] {
    x = system.initial_state();
    scheme->start(x);
    before = x;
  };
  const auto run = [&] {
    testing::WholeSteps steps{example.step};
    while (ok && steps.done < testing::contract_steps(example)) {
      before = x;
      const StepReport report = scheme->step(x, steps.left);
      steps.take(report);
      ok = report.ok();
      ok = certifier.certify(before, x, scheme->promise()).ok() && ok;
    }
  };
  begin();
  const std::int64_t first = allocations(run);
  begin();                                      // lays out the histories, which may allocate
  EXPECT_TRUE(first > 0 || !example.contacts);  // without contacts nothing grows
  EXPECT_EQ(allocations(run), 0);
  EXPECT_TRUE(ok);
}

INSTANTIATE_TEST_SUITE_P(All, AllocationContract, testing::every_scheme_on_every_example(), testing::contract_name);

// Contact sets that do not change from the first step on; a little below the surface, since a gap of zero is a tie.
constexpr double below = -5e-10;  // m

std::vector<Model> resting_models() {
  using namespace examples;
  std::vector<Model> models;
  models.push_back(BouncingBall{.height = below, .velocity = 0.0}.model());
  models.push_back(BouncingBall{.height = below, .velocity = 0.0, .count = 64}.model());
  models.push_back(RockingBlock{.mu = 0.3, .pose = {0.0, 0.75 + below, 0.0}, .velocity = {0.0, 0.0, 0.0}}.model());
  models.push_back(SliderOnRoller{.height = below}.model());
  return models;
}

TEST(FixedContactSet, NothingIsAllocatedAfterTheFirstStep) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  for (const Model& model : resting_models()) {
    const System system = compile(model);
    for (const testing::SchemeCase& entry : testing::schemes) {
      if (!testing::takes(entry, system)) continue;
      const auto scheme = entry.make(system);
      Certifier certifier(system);  // not counted here: by round-off it sees a closed contact as penetrating or not
      State x = system.initial_state();
      scheme->start(x);
      State before = x;
      int first = -1;
      std::int64_t allocated = 0;
      for (int k = 0; k <= 50; ++k) {
        before = x;
        StepReport report;
        const std::int64_t here = allocations([&] { report = scheme->step(x, 1e-3); });
        EXPECT_TRUE(report.ok());
        EXPECT_TRUE(certifier.certify(before, x, scheme->promise()).ok());
        if (k == 0) first = report.active;
        if (k > 0) allocated += here;
        EXPECT_EQ(report.active, first);
      }
      EXPECT_GT(first, 0);
      EXPECT_EQ(allocated, 0) << entry.name << " with " << first << " contacts";
    }
  }
}

// Two workers by turns in one thread: an Executor that allocates nothing itself.
class ByTurns final : public Executor {
 public:
  int workers() const override { return 2; }
  void for_each(int n, const std::function<void(int, int)>& task) override {
    for (int i = n - 1; i >= 0; --i) task(i, i % 2);
  }
};

TEST(FixedContactSet, NothingIsAllocatedWithSeveralWorkers) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  const System system = compile(examples::BouncingBall{.height = below, .velocity = 0.0, .count = 64}.model());
  ByTurns executor;
  MoreauJean scheme(system, {}, executor);
  State x = system.initial_state();
  scheme.start(x);
  ASSERT_TRUE(scheme.step(x, 1e-3).ok());
  EXPECT_EQ(allocations([&] { EXPECT_TRUE(scheme.step(x, 1e-3).ok()); }), 0);
}

TEST(FixedContactSet, AFailedStepAllocatesNothing) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system, {.newton_max = 1});
  State x = system.initial_state();
  scheme.start(x);
  ASSERT_FALSE(scheme.step(x, 1e-3).ok());
  EXPECT_EQ(allocations([&] { EXPECT_FALSE(scheme.step(x, 1e-3).ok()); }), 0);
}

}  // namespace
}  // namespace esc
