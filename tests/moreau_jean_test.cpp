// The Moreau-Jean scheme against exact solutions and the reference values of acary's examples.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"

namespace esc {
namespace {

double position_error(const examples::BouncingBall& ball, double h) {
  const System system = compile(ball.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  double worst = 0.0;
  for (int k = 1; k * h <= 4.0; ++k) {
    EXPECT_TRUE(scheme.step(x, h).ok());
    worst = std::max(worst, std::abs(x.q[0] - ball.exact(k * h).q));
  }
  return worst;
}

TEST(BouncingBall, PositionErrorAtTheReferenceSteps) {
  // Uniform error in q, v0 = -0.3, steps h0 / sqrt 2.
  const std::vector<std::pair<double, double>> reference{{50e-3, 1.2002e-1}, {20e-3, 2.5717e-2}, {10e-3, 1.5158e-2},
                                                         {5e-3, 9.8406e-3},  {2e-3, 2.5609e-3},  {1e-3, 1.3158e-3},
                                                         {.5e-3, 7.4432e-4}};
  for (const auto& [h0, error] : reference)
    EXPECT_NEAR(position_error({}, h0 / std::sqrt(2.0)), error, 1e-3 * error) << "h0 = " << h0;
}

}  // namespace
}  // namespace esc
