// Inertia terms written as polynomials in sines and cosines: same values, fewer terms, nothing unsafe.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <escapement/ad/program.hpp>

#include "src/math/tape_expand.hpp"

using namespace esc::ad;

namespace {

class AdExpand : public testing::Test {
 protected:
  Tape tape;
  std::vector<Expr> x = tape.inputs(4);

  double at(const Expr& f, const std::vector<double>& in) const {
    const Program program = compile(x, {&f, 1});
    std::vector<double> out(1), registers(program.registers);
    program.run(in.data(), out.data(), registers.data());
    return out[0];
  }
  void expect_same_values(const Expr& f) {
    const Expr e = expand(f);
    EXPECT_TRUE(rc::check([&] {
      std::vector<double> in(4);
      for (double& value : in) value = 1e-6 * *rc::gen::inRange(-3000000, 3000000);
      RC_ASSERT(std::abs(at(e, in) - at(f, in)) <= 1e-12);
    }));
  }
};

TEST_F(AdExpand, squares_join) {
  const Expr s = sin(x[0]), c = cos(x[0]);
  EXPECT_TRUE(expand(3.0 * s * s + c * 3.0 * c).is_constant(3.0));
  EXPECT_EQ(expand((s * x[1]) * (x[1] * s) + pow(c * x[1], 2)).index(), (x[1] * x[1]).index());
  EXPECT_TRUE(expand(pow(s, 4) + 2.0 * s * s * c * c + pow(c, 4)).is_constant(1.0));
  EXPECT_TRUE(expand((s + c) * (s - c) - s * s + c * c).is_constant(0.0));
}

TEST_F(AdExpand, unequal_squares_leave_a_rest) {
  const Expr s = sin(x[0]), c = cos(x[0]);
  expect_same_values(2.0 * s * s + 3.0 * c * c);
  expect_same_values(5.0 * s * s * x[1] + 3.0 * c * c * x[1]);
  EXPECT_EQ(expand(s * s - c * c).index(), (s * s - c * c).index());
  expect_same_values(s * s + cos(x[1]) * cos(x[1]));
  expect_same_values(x[1] * s * s + x[2] * c * c);
}

TEST_F(AdExpand, keeps_the_value) {
  const Expr s0 = sin(x[0]), c0 = cos(x[0]), s1 = sin(x[1]), c1 = cos(x[1]);
  expect_same_values(pow(s0 * x[2] + 0.5 * s1 * x[3], 2) + pow(c0 * x[2] + 0.5 * c1 * x[3], 2));
  expect_same_values((s0 - c1) * (x[2] + x[3]) * (0.3 + c0) - x[2] * exp(s1));
  expect_same_values(-(s0 * c1 - 2.0) * (s0 - x[2] * x[3] / 7.0));
  expect_same_values(x[2] + x[3] - 2.0 * x[2]);
}

// Cross terms of a rotating frame: (x s + y c)^2 + (x c - y s)^2 = x^2 + y^2.
TEST_F(AdExpand, rotation_disappears) {
  const Expr s = sin(x[0]), c = cos(x[0]);
  const Expr e = expand(pow(x[2] * s + x[3] * c, 2) + pow(x[2] * c - x[3] * s, 2));
  EXPECT_EQ(e.index(), (x[2] * x[2] + x[3] * x[3]).index());
}

TEST_F(AdExpand, difference_stays_closed) {
  const Expr r = x[1] - 1000.0, s = sin(x[0]), c = cos(x[0]);
  EXPECT_EQ(expand(pow(r * s, 2) + pow(r * c, 2)).index(), (r * r).index());
  EXPECT_EQ(expand(pow(r, 3)).index(), (r * r * r).index());
}

TEST_F(AdExpand, large_expressions_stay_as_they_are) {
  Expr f = 1.0;
  for (int k = 1; k < 12; ++k) f *= sin(k * x[0]) + cos(k * x[1]) + x[2];  // 3^11 terms
  const Expr e = expand(f);
  EXPECT_NEAR(at(e, {0.3, 0.4, 0.5, 0.6}), at(f, {0.3, 0.4, 0.5, 0.6}), 1e-12);
}

}  // namespace
