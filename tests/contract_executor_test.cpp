// Threads come in through an Executor only, and do not change a bit of the result.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/executor.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/bouncing_ball.hpp"

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

template <class S = MoreauJean>
std::vector<std::uint64_t> run(const System& system, Executor& executor, const typename S::Options& options) {
  S scheme(system, options, executor);
  State x = system.initial_state();
  scheme.start(x);
  std::vector<std::uint64_t> hashes;
  for (int k = 0; k < 200; ++k) {
    const StepReport report = scheme.step(x, 1e-2);
    EXPECT_TRUE(report.ok()) << to_string(report.status);
    hashes.push_back(hash(x));
    EXPECT_EQ(report.islands, report.active);  // every ball is an island of its own
  }
  return hashes;
}

TEST(Executor, TwoThreadsGiveTheBitsOfOne) {
  const System system = compile(examples::BouncingBall{.count = 64}.model());
  for (const ConeSolver solver : {ConeSolver::automatic, ConeSolver::enumerate, ConeSolver::lemke, ConeSolver::nsgs}) {
    Threads two(2), three(3);
    const auto expected = run(system, serial(), {.solver = solver});
    EXPECT_EQ(run(system, two, {.solver = solver}), expected);
    EXPECT_EQ(run(system, three, {.solver = solver}), expected);
    EXPECT_GT(two.calls, 0);
    EXPECT_EQ(two.widest, 64);
  }
}

template <class S>
void expect_the_bits_of_one_thread() {
  const System system = compile(examples::BouncingBall{.count = 64}.model());
  Threads two(2);
  EXPECT_EQ(run<S>(system, two, {}), run<S>(system, serial(), {}));
  EXPECT_EQ(two.widest, 64);
}

TEST(Executor, TwoThreadsGiveTheBitsOfOneToProjectedSchemes) {
  expect_the_bits_of_one_thread<DirectProjected>();
  expect_the_bits_of_one_thread<CombinedProjection>();
}

TEST(Executor, TwoThreadsGiveTheBitsOfOneToSchemesAtPositionLevel) {
  expect_the_bits_of_one_thread<SchatzmanPaoli>();
  expect_the_bits_of_one_thread<PositionTheta>();
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
  const System system = compile(examples::BouncingBall{.count = 64}.model());
  const auto expected = run(system, serial(), {});
  std::vector<std::vector<std::uint64_t>> found(3);
  std::vector<std::thread> threads;
  for (auto& hashes : found) threads.emplace_back([&] { hashes = run(system, serial(), {}); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& hashes : found) EXPECT_EQ(hashes, expected);
}

}  // namespace
}  // namespace esc
