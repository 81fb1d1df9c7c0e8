// Derivatives and equations of motion cost what they have to say: refused where that is too much, never endless.
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/ad/lagrange.hpp>

#include "src/math/tape_expand.hpp"
#include "src/math/tape_walk.hpp"
#include "tests/support/cpu_time.hpp"

namespace esc::ad {
namespace {

using testing::cpu_seconds;

// 0.5 (v . v) (2 + sin q_0) (2 + sin q_1) ...: a polynomial of 2^n terms where it is multiplied out.
void many_factors(LagrangeRecording& r) {
  Expr squares = 0.0, product = 0.5;
  for (std::size_t i = 0; i < r.q.size(); ++i) {
    squares += r.v[i] * r.v[i];
    product *= 2.0 + sin(r.q[i]);
  }
  r.kinetic = squares * product;
  r.potential = 0.0;
}

// n rods that hang on each other, by the velocities of their ends: the sums grow with every rod.
void rods(LagrangeRecording& r) {
  Expr vx = 0.0, vy = 0.0;
  r.kinetic = r.potential = 0.0;
  for (std::size_t i = 0; i < r.q.size(); ++i) {
    vx += cos(r.q[i]) * r.v[i];
    vy += sin(r.q[i]) * r.v[i];
    r.kinetic += 0.5 * (vx * vx + vy * vy);
  }
}

// The outcome of lagrange(): operations of a step, or why there are none.
std::string outcome(void (*energies)(LagrangeRecording&), int n) {
  LagrangeRecording r(n, 0);
  energies(r);
  try {
    return std::to_string(lagrange(r).dynamics.code.size());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(AdBounds, WalksVisitTheNodesBelowAnExpressionOnly_slow) {
  Tape tape;
  const std::vector<Expr> x = tape.inputs(3);
  Expr other = x[0];
  for (int i = 0; i < 100'000; ++i) other = sin(other) + 1.0;
  const Expr f = x[1] * x[2] + sin(x[1] * x[2]);
  EXPECT_EQ(nodes_below(tape, f.index()).size(), 5u);
  const double seconds = cpu_seconds([&] {
    for (int i = 0; i < 3000; ++i) {
      static_cast<void>(gradient(f, x));
      static_cast<void>(depends_on(f, {&x[0], 1}));
      static_cast<void>(expand(f));
    }
  });
  EXPECT_LT(seconds, 0.5);  // 3000 walks over the whole tape take longer
}

TEST(AdBounds, ExpandStopsWhereItsEffortIsSpent_slow) {
  LagrangeRecording r(40, 0);
  many_factors(r);
  std::int64_t effort = 1000;
  EXPECT_EQ(expand(r.kinetic, effort).index(), r.kinetic.index());
  EXPECT_LE(effort, 0);
  EXPECT_GT(effort, -20'000);  // it ends with the product that it is at
}

// Multiplied out as far as the effort goes, then left as they are.
TEST(AdBounds, EnergiesOfManyFactorsAreTaken_slow) {
  std::string found;
  EXPECT_LT(cpu_seconds([&] { found = outcome(many_factors, 50); }), 1.5);
  EXPECT_GT(std::stoi(found), 0);
}

TEST(AdBounds, EnergiesOfTooManyRodsAreRefused_slow) {
  std::string found;
  EXPECT_LT(cpu_seconds([&] { found = outcome(rods, 200); }), 3.0);
  EXPECT_NE(found.find("more than 300000 operations"), std::string::npos) << found;
}

}  // namespace
}  // namespace esc::ad
