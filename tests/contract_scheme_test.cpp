// What every scheme must keep on every example: all memory of a run is in the State; scratch and caches carry nothing
// from one step to the next.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/registry.hpp>

#include "examples/bouncing_ball.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

using Hashes = std::vector<std::uint64_t>;

struct Nothing {
  void operator()(Scheme&, State&) const {}
};

// The hash of the state after every step, or part of one that ended early; `between` acts before each one.
template <class Between = Nothing>
Hashes trajectory(Scheme& scheme, State x, const examples::Example& example, Between between = {}) {
  Hashes hashes;
  scheme.start(x);
  testing::WholeSteps steps{example.step};
  while (steps.done < testing::contract_steps(example)) {
    between(scheme, x);
    const StepReport report = scheme.step(x, steps.left);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " at t = " << x.t;
    if (!report.ok()) break;
    steps.take(report);
    hashes.push_back(hash(x));
  }
  return hashes;
}

class SchemeContract : public ::testing::TestWithParam<testing::ContractCase> {
 protected:
  const examples::Example& example() const { return testing::example_of(GetParam()); }
  std::unique_ptr<Scheme> new_scheme() const { return testing::scheme_of(GetParam()).make(system); }

  const System system = compile(example().model());
  const std::unique_ptr<Scheme> scheme = new_scheme();
  const Hashes plain = trajectory(*scheme, system.initial_state(), example());
};

TEST_P(SchemeContract, SomethingTouchesWithinTheRunIfItCan) {
  State x = system.initial_state();
  scheme->start(x);
  int impacts = 0;
  testing::WholeSteps steps{example().step};
  while (steps.done < testing::contract_steps(example())) {
    const StepReport report = scheme->step(x, steps.left);
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report.advanced == steps.left || (scheme->traits().changes_step && report.advanced < steps.left));
    steps.take(report);
    for (const Event& event : report.events) impacts += event.kind == EventKind::impact;
    EXPECT_TRUE(example().contacts || (report.active == 0 && report.events.empty()));
  }
  EXPECT_EQ(impacts > 0, example().contacts);
}

TEST_P(SchemeContract, TwoRunsAndTwoSchemesGiveTheSameBits) {
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example()), plain);
  EXPECT_EQ(trajectory(*new_scheme(), system.initial_state(), example()), plain);
}

TEST_P(SchemeContract, PoisonedScratchGivesTheSameBits) {
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example(), [](Scheme& s, State&) { s.poison(); }), plain);
}

TEST_P(SchemeContract, InvalidatedCachesGiveTheSameBits) {
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example(), [](Scheme& s, State&) { s.invalidate(); }), plain);
}

TEST_P(SchemeContract, PoisonedScratchAndInvalidatedCachesGiveTheSameBits) {
  const auto both = [](Scheme& s, State&) {
    s.poison();
    s.invalidate();
  };
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example(), both), plain);
}

TEST_P(SchemeContract, AnotherStepSizeInBetweenLeavesNoTrace) {
  const auto detour = [h = example().step](Scheme& s, State& x) {
    State elsewhere = x;
    EXPECT_TRUE(s.step(elsewhere, 0.37 * h).ok());
  };
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example(), detour), plain);
}

TEST_P(SchemeContract, ACopiedStateContinuesWithTheSameBits) {
  const auto copy = [](Scheme&, State& x) {
    const State other = x;
    x = State{};
    x = other;
  };
  EXPECT_EQ(trajectory(*scheme, system.initial_state(), example(), copy), plain);
}

TEST_P(SchemeContract, ASavedStateContinuesInANewSchemeWithTheSameBits) {
  const auto next = [](Scheme& with, State& x, testing::WholeSteps& steps) {
    const StepReport report = with.step(x, steps.left);
    steps.take(report);
    return report.ok();
  };
  const int parts = static_cast<int>(plain.size());
  for (const int stop : {1, parts / 3, parts / 2, parts - 1}) {
    State x = system.initial_state();
    testing::WholeSteps steps{example().step};
    scheme->start(x);
    for (int k = 0; k < stop; ++k) ASSERT_TRUE(next(*scheme, x, steps));
    std::stringstream file;
    save(x, file);

    State restored = load(file);
    EXPECT_EQ(hash(restored), hash(x));
    const auto fresh = new_scheme();
    for (int k = stop; k < parts; ++k) {
      ASSERT_TRUE(next(*fresh, restored, steps));
      ASSERT_EQ(hash(restored), plain[k]) << "saved after step " << stop << ", differs after step " << k + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchemeContract, testing::every_scheme_on_every_example(), testing::contract_name);

TEST(SchemeList, NamesTheExamplesWithoutFriction) {
  for (const examples::Example& example : examples::all())
    EXPECT_EQ(testing::without_friction(example), !testing::has_friction(compile(example.model()))) << example.name;
}

// A scheme either takes a system or says at once why it does not.
TEST(SchemeList, ASchemeWithoutFrictionRefusesIt) {
  for (const examples::Example& example : examples::all()) {
    const System system = compile(example.model());
    for (const testing::SchemeCase& entry : testing::schemes) {
      if (testing::takes(entry, system))
        EXPECT_NO_THROW((void)entry.make(system)) << entry.name << " on " << example.name;
      else
        EXPECT_THROW((void)entry.make(system), ModelError) << entry.name << " on " << example.name;
    }
  }
}

// Two blocks of which one has a varying mass, tied by an implicit spring: their off-diagonal masses are zero for ever,
// and nobody writes them in a step.
Model tied_blocks() {
  Model model;
  const auto varying_mass = [](double, const double* q, MatrixView M) { M(0, 0) = 2.0 + q[0] * q[0]; };
  const auto inertia_force = [](const auto&, const auto* q, const auto* v, auto* F) { F[0] = -q[0] * v[0] * v[0]; };
  const auto unit_mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  const BlockId a = model.add_coordinates("a", {"x"}, lagrangian<1>(varying_mass, inertia_force), {0.2}, {1.0});
  const BlockId b = model.add_coordinates("b", {"x"}, lagrangian<1>(unit_mass, no_force), {0.0}, {-0.5});
  model.add_force("spring", {a, b}, force<2>([](const auto&, const auto* q, const auto*, const double*, auto* Q) {
                    Q[0] = 30.0 * (q[1] - q[0]);
                    Q[1] = 30.0 * (q[0] - q[1]);
                  }));
  return model;
}

TEST(TiedBlocks, PoisonedScratchGivesTheSameBits) {
  const System system = compile(tied_blocks());
  const examples::Example example{"tied", "", tied_blocks, 1e-2, 0.5};
  for (const testing::SchemeCase& entry : testing::schemes) {
    const auto scheme = entry.make(system);
    const Hashes plain = trajectory(*scheme, system.initial_state(), example);
    EXPECT_EQ(trajectory(*scheme, system.initial_state(), example, [](Scheme& s, State&) { s.poison(); }), plain)
        << entry.name;
  }
}

TEST(SchemeRegistry, NamesAreThoseOfTheSchemes) {
  const System system = compile(examples::BouncingBall{}.model());
  for (const SchemeEntry& entry : schemes()) EXPECT_EQ(make_scheme(entry.name, system)->name(), entry.name);
  EXPECT_THROW(static_cast<void>(make_scheme("moreau", system)), OptionError);
}

// Where nothing fails, a scheme that holds another one has its motion.
TEST(Halve, HasTheBitsOfItsInnerScheme) {
  for (const examples::Example& example : examples::all()) {
    const System system = compile(example.model());
    const auto plain = make_scheme("combined-projection", system), held = make_scheme("halve", system);
    State x = system.initial_state(), y = x;
    plain->start(x);
    held->start(y);
    EXPECT_EQ(y.histories.size(), 2u);
    EXPECT_EQ(y.histories[1].owner, "halve/combined-projection");
    for (int k = 0; k < testing::contract_steps(example); ++k) {
      ASSERT_TRUE(plain->step(x, example.step).ok());
      ASSERT_TRUE(held->step(y, example.step).ok());
      ASSERT_EQ(x.q, y.q) << example.name << ", step " << k;
      ASSERT_EQ(x.v, y.v) << example.name << ", step " << k;
    }
  }
}

}  // namespace
}  // namespace esc
