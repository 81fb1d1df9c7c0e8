// Anderson's mixing solves a linear fixed point of n unknowns in n + 1 iterations, also where the iteration alone
// diverges.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "src/schemes/parts/mixing.hpp"

namespace esc {
namespace {

// x -> (2 x_0 - 1, -x_1 + 2, -3 x_2 + 4) is solved by (1, 1, 1): it flees, swings between two points, and swings away.
std::vector<double> image(const std::vector<double>& x) { return {2.0 * x[0] - 1.0, -x[1] + 2.0, -3.0 * x[2] + 4.0}; }

TEST(Mixing, SolvesALinearFixedPointThatDiverges) {
  Scratch scratch;
  Mixing mixing(scratch);
  for (const double weight : {1.0, 1e-6}) {
    mixing.begin();
    mixing.weights() = {1.0, weight, 1.0};
    std::vector<double> x{0.3, -0.2, 0.7};
    for (int n = 0; n < 4; ++n) {
      mixing.start(x);
      x = image(x);
      mixing.mix(x);
    }
    for (const double value : x) EXPECT_NEAR(value, 1.0, 1e-7) << weight;
  }
}

// Velocities and corrections are one iterate in two parts.
TEST(Mixing, TakesAnIterateInTwoParts) {
  Scratch scratch;
  Mixing mixing(scratch);
  mixing.begin();
  mixing.weights() = {1.0, 1.0, 1.0};
  std::vector<double> x{0.3, -0.2, 0.7};
  for (int n = 0; n < 4; ++n) {
    mixing.start(std::span(x).first(1), std::span(x).last(2));
    x = image(x);
    mixing.mix(std::span(x).first(1), std::span(x).last(2));
  }
  for (const double value : x) EXPECT_NEAR(value, 1.0, 1e-7);
}

}  // namespace
}  // namespace esc
