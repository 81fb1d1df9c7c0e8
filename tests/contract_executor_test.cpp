// Threads come in through an Executor only, and change no bit of the result.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/executor.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/registry.hpp>

#include "examples/bouncing_ball.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

class Threads final : public Executor {
 public:
  explicit Threads(int workers) : workers_(workers) {}
  int workers() const override { return workers_; }
  void for_each(int n, const std::function<void(int, int)>& task) override {
    ++calls;
    widest = std::max(widest, n);
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    for (int worker = 0; worker < workers_; ++worker)
      threads.emplace_back([&, worker] {
        for (int i = next++; i < n; i = next++) task(i, worker);
      });
    for (std::thread& thread : threads) thread.join();
  }

  int calls = 0;
  int widest = 0;

 private:
  int workers_;
};

using Hashes = std::vector<std::uint64_t>;

struct Trajectory {
  Hashes hashes;    // of the state after each step
  int widest = 0;   // contacts of the step with most of them
  int coupled = 0;  // contacts of that step less its islands
  int most_islands = 0;
};

Trajectory run(const System& system, Scheme& scheme, double h, int steps) {
  Trajectory found;
  State x = system.initial_state();
  scheme.start(x);
  testing::WholeSteps taken{h};
  while (taken.done < steps) {
    const StepReport report = scheme.step(x, taken.left);
    EXPECT_TRUE(report.ok()) << to_string(report.status);
    if (!report.ok()) break;
    taken.take(report);
    found.hashes.push_back(hash(x));
    found.widest = std::max(found.widest, report.active);
    found.coupled = std::max(found.coupled, report.active - report.islands);
    found.most_islands = std::max(found.most_islands, report.islands);
  }
  return found;
}

// Every ball is an island of its own.
System balls() { return compile(examples::BouncingBall{.count = 64}.model()); }

// Columns of boxes that slide and settle, each column an island of coupled contacts. Without friction they stand. They
// begin `apart`.
System columns(double mu, double apart) {
  constexpr int count = 3, boxes = 2;
  Model model;
  model.set_gravity({0.6, 0.0, -9.81});
  RigidBody body = solid(Box{0.1, 0.1, 0.05}, 1000.0);
  const ShapeId floor = model.add_shape("floor", {}, HalfSpace{});
  for (int c = 0; c < count; ++c) {
    ShapeId below = floor;
    for (int i = 0; i < boxes; ++i) {
      const std::string name = "box" + std::to_string(c) + "_" + std::to_string(i);
      body.position = {1.0 * c, 0.0, 0.05 + 0.1 * i + apart * (i + 1)};
      const BlockId id = model.add_rigid_body(name, body);
      model.add_contact(name + ".below", model.add_shape(name + ".sides", {id}, Box{0.1, 0.1, 0.05}), below,
                        {.e = 0.1 * c, .mu = mu});
      below = model.add_shape(name + ".top", {id, {0.0, 0.0, 0.05}}, HalfSpace{});
    }
  }
  return compile(model);
}

// Two columns of balls, each with a weight inside that a joint holds: W of an island of more than 50 contacts is by
// blocks, and every block passes through the joints.
System weighted_columns() {
  constexpr int count = 2, balls_each = 52;
  constexpr double radius = 0.01;
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const Material smooth{.e = 0.0, .mu = 0.0};
  model.add_shape("floor", {}, HalfSpace{}, smooth, {.group = 2, .mask = 1});
  RigidBody body = solid(Sphere{radius}, 1000.0);
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < balls_each; ++i) {
      const std::string name = "ball" + std::to_string(c) + "_" + std::to_string(i);
      body.position = {1.0 * c, 0.0, (2 * i + 1) * radius - 1e-12 * (i + 1)};
      const BlockId ball = model.add_rigid_body(name, body);
      const BlockId weight = model.add_rigid_body(name + ".weight", body);
      model.add_joint(name + ".holds", Fixed{}, {ball}, {weight});
      model.add_shape(name + ".skin", {ball}, Sphere{radius}, smooth);
    }
  model.add_contacts(Combination::minimum, Combination::minimum);
  return compile(model);
}

class ExecutorContract : public ::testing::TestWithParam<testing::SchemeCase> {
 protected:
  Trajectory run_with(const System& system, Executor& executor, double h, int steps) const {
    const auto scheme = make_scheme(GetParam().scheme, system, GetParam().options, executor);
    return run(system, *scheme, h, steps);
  }
  // The coupled implementation solves velocities and positions of all contacts as one problem.
  bool asks_the_executor() const {
    if (GetParam().scheme == "alpha-ggl-monolithic") return false;  // one matrix for all islands
    return std::none_of(GetParam().options.begin(), GetParam().options.end(),
                        [](const OptionText& option) { return option.value == "coupled"; });
  }
};

TEST_P(ExecutorContract, TwoThreadsGiveTheBitsOfOneToSingleContacts) {
  const System system = balls();
  Threads two(2);
  const Trajectory expected = run_with(system, serial(), 1e-2, 200);
  EXPECT_EQ(run_with(system, two, 1e-2, 200).hashes, expected.hashes);
  EXPECT_EQ(two.widest, asks_the_executor() ? 64 : 0);
  EXPECT_EQ(expected.most_islands, 64);
  EXPECT_EQ(expected.coupled, 0);
}

TEST_P(ExecutorContract, TwoThreadsGiveTheBitsOfOneToCoupledIslands) {
  // Where e has no effect, boxes may bounce for ever without two impacts at a time: those begin at rest.
  const SchemeTraits traits = scheme_traits(GetParam().scheme, GetParam().options);
  const System system = columns(traits.friction ? 0.3 : 0.0, traits.restitution ? 1e-4 : -1e-9);
  Threads two(2), three(3);
  const Trajectory expected = run_with(system, serial(), 1e-3, 20);
  EXPECT_EQ(run_with(system, two, 1e-3, 20).hashes, expected.hashes);
  EXPECT_EQ(run_with(system, three, 1e-3, 20).hashes, expected.hashes);
  EXPECT_EQ(expected.most_islands, 3);
  EXPECT_GE(expected.coupled,
            3 * (4 - 1) + 1);  // four corners below each box: more than the lowest ones, three islands
  EXPECT_EQ(two.widest, asks_the_executor() ? 3 : 0);
}

TEST(Executor, TwoThreadsGiveTheBitsOfOneToLargeIslandsWithJoints) {
  const System system = weighted_columns();
  Threads two(2);
  MoreauJean alone(system, {}), pair(system, {}, two);
  const Trajectory expected = run(system, alone, 1e-3, 3);
  EXPECT_EQ(run(system, pair, 1e-3, 3).hashes, expected.hashes);
  EXPECT_EQ(expected.widest, 104);
  EXPECT_EQ(expected.most_islands, 2);
  EXPECT_EQ(two.widest, 2);
}

INSTANTIATE_TEST_SUITE_P(All, ExecutorContract, ::testing::ValuesIn(testing::schemes),
                         [](const auto& entry) { return entry.param.name; });

TEST(Executor, TwoThreadsGiveTheBitsOfOneWithEverySolver) {
  const System system = balls();
  for (const ConeSolver solver : {ConeSolver::automatic, ConeSolver::enumerate, ConeSolver::lemke, ConeSolver::nsgs}) {
    Threads two(2), three(3);
    const MoreauJeanOptions options{.solver = solver};
    MoreauJean alone(system, options), pair(system, options, two), triple(system, options, three);
    const Hashes expected = run(system, alone, 1e-2, 200).hashes;
    EXPECT_EQ(run(system, pair, 1e-2, 200).hashes, expected);
    EXPECT_EQ(run(system, triple, 1e-2, 200).hashes, expected);
    EXPECT_GT(two.calls, 0);
    EXPECT_EQ(two.widest, 64);
  }
}

TEST(Executor, SerialHasOneWorkerAndCountsUp) {
  std::vector<int> seen;
  serial().for_each(4, [&](int i, int worker) {
    EXPECT_EQ(worker, 0);
    seen.push_back(i);
  });
  EXPECT_EQ(serial().workers(), 1);
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3}));
}

// One System serves several schemes in several threads at once.
TEST(Executor, OneSystemServesManySchemesAtOnce) {
  const System system = balls();
  const auto run_alone = [&system] {
    MoreauJean scheme(system);
    return run(system, scheme, 1e-2, 200).hashes;
  };
  const Hashes expected = run_alone();
  std::vector<Hashes> found(3);
  std::vector<std::thread> threads;
  for (Hashes& hashes : found) threads.emplace_back([&] { hashes = run_alone(); });
  for (std::thread& thread : threads) thread.join();
  for (const Hashes& hashes : found) EXPECT_EQ(hashes, expected);
}

}  // namespace
}  // namespace esc
