// Recording, simplification and programs: random straight-line code, sharing, no allocation, hostile use.
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <escapement/ad/dual.hpp>
#include <escapement/ad/program.hpp>

#include "tests/support/malloc_count.hpp"

using namespace esc::ad;

namespace {

std::vector<double> run(const Program& program, const std::vector<double>& in) {
  std::vector<double> out(program.outputs), registers(program.registers, std::nan(""));
  program.run(in.data(), out.data(), registers.data());
  return out;
}

// Straight-line code: line k computes value k from two earlier values. All operations keep values of order one.
struct Line {
  int op, a, b;
};

template <class T>
T execute(const std::vector<Line>& lines, const T* x, int inputs) {
  using std::sin, std::cos, std::exp, std::tanh, std::sqrt, std::atan2, std::hypot, std::abs, std::min, std::max,
      std::log;
  std::vector<T> values(x, x + inputs);
  for (const Line& line : lines) {
    const int count = static_cast<int>(values.size());
    const T a = values[line.a % count], b = values[line.b % count];
    switch (line.op) {
      case 0:
        values.push_back(0.5 * (a + b));
        break;
      case 1:
        values.push_back(0.5 * (a - b));
        break;
      case 2:
        values.push_back(0.5 * (a * b));
        break;
      case 3:
        values.push_back(a / (2.0 + b * b));
        break;
      case 4:
        values.push_back(sin(a));
        break;
      case 5:
        values.push_back(cos(a));
        break;
      case 6:
        values.push_back(-a);
        break;
      case 7:
        values.push_back(a * 2.0 - a);
        break;
      case 8:
        values.push_back(tanh(a));
        break;
      case 9:
        values.push_back(sqrt(1.0 + a * a) - b * 0.25);
        break;
      case 10:
        values.push_back(0.5 * atan2(a, 2.0 + b * b));
        break;
      case 11:
        values.push_back(hypot(a, 1.0) - 1.0);
        break;
      case 12:
        values.push_back(a * sin(b) - b * cos(a));
        break;
      case 13:
        values.push_back(a * 0.5 * b * -1.0 + b * 0.25 * a);
        break;
      case 14:
        values.push_back(exp(-(a * a)));
        break;
      case 15:
        values.push_back(where(a < b, 0.5 * a, 0.5 * b * b));
        break;
      case 16:
        values.push_back(max(a, b) - min(0.5 * a, b));
        break;
      default:
        values.push_back(log(1.0 + abs(a)));
        break;
    }
  }
  return values.back() + values[values.size() / 2];
}

// The value and the Hessian: twice forward by duals, twice on the tape.
RC_GTEST_PROP(AdTape, agrees_with_nested_duals_on_random_code, ()) {
  constexpr int n = 3;
  const int length = *rc::gen::inRange(1, 25);
  std::vector<Line> lines(length);
  for (Line& line : lines) line = {*rc::gen::inRange(0, 18), *rc::gen::inRange(0, 997), *rc::gen::inRange(0, 997)};
  std::vector<double> at(n);
  for (double& x : at) x = 1e-6 * *rc::gen::inRange(-1500000, 1500000) + 1e-8;

  Tape tape;
  const std::vector<Expr> x = tape.inputs(n);
  std::vector<Expr> outputs{execute(lines, x.data(), n)};
  const std::vector<Expr> slopes = gradient(outputs[0], x);
  for (const Expr& slope : slopes) outputs.push_back(slope);
  for (const Expr& slope : slopes)
    for (const Expr& second : gradient(slope, x)) outputs.push_back(second);
  const Program program = compile(x, outputs);
  const std::vector<double> out = run(program, at);

  std::array<Dual<n, Dual<n>>, n> d;
  for (int i = 0; i < n; ++i) d[i] = seed<n>(seed<n>(at[i], i), i);
  const auto y = execute(lines, d.data(), n);
  double scale = 1.0;
  for (double o : out) scale = std::max(scale, std::abs(o));
  RC_ASSERT(std::abs(out[0] - value(y)) <= 1e-12 * scale);
  for (int i = 0; i < n; ++i) {
    RC_ASSERT(std::abs(out[1 + i] - y.value.d[i]) <= 1e-12 * scale);
    for (int j = 0; j < n; ++j) RC_ASSERT(std::abs(out[1 + n + n * i + j] - y.d[i].d[j]) <= 1e-12 * scale);
  }
}

TEST(AdTape, shares_and_simplifies) {
  Tape tape;
  const Expr x = tape.input(), y = tape.input();
  const auto same = [](const Expr& a, const Expr& b) { return a.index() == b.index() && a.constant() == b.constant(); };
  EXPECT_TRUE(same(x * y, y * x));
  EXPECT_TRUE(same(sin(x + y), sin(y + x)));
  EXPECT_TRUE(same(x + 0, x));
  EXPECT_TRUE(same(x - 0.0, x));
  EXPECT_TRUE(same(1 * x, x));
  EXPECT_TRUE(same(x / 1, x));
  EXPECT_TRUE(same(-(-x), x));
  EXPECT_TRUE(same(x + (-y), x - y));
  EXPECT_TRUE(same(-(x - y), y - x));
  EXPECT_TRUE(same(x - (-y), x + y));
  EXPECT_TRUE(same((-x) * (-y), x * y));
  EXPECT_TRUE(same(2 * (3 * x), 6 * x));
  EXPECT_TRUE(same(3 * x - x, 2 * x));
  EXPECT_TRUE(same(sqrt(x) * sqrt(x), x));
  EXPECT_TRUE(same(cos(-x), cos(x)));
  EXPECT_TRUE((0 * x).is_constant(0.0));
  EXPECT_TRUE((x - x).is_constant(0.0));
  EXPECT_TRUE((x * y - y * x).is_constant(0.0));
  EXPECT_TRUE((Expr(2.0) * 3.0).is_constant(6.0));
  EXPECT_TRUE(where(Expr(1.0) < 2.0, x, y).index() == x.index());
  EXPECT_FALSE((1.0 / (0.0 * x)).constant() < std::numeric_limits<double>::infinity());
}

template <class A>
concept CanBranch = requires(A a) {
  a ? 1 : 0;
};
static_assert(!CanBranch<Condition> && !CanBranch<Expr> && CanBranch<bool>);
static_assert(!std::convertible_to<Condition, Expr> && !std::convertible_to<Expr, double>);
static_assert(std::is_trivially_copyable_v<Instruction>);

TEST(AdTape, programs_are_short) {
  Tape tape;
  const std::vector<Expr> x = tape.inputs(3);
  const auto length = [&](const Expr& f) { return compile(x, {&f, 1}).code.size(); };
  EXPECT_EQ(length(sin(x[0]) * cos(x[0])), 2u);      // one sincos, one product
  EXPECT_EQ(length(x[0] * x[1] + x[2]), 1u);         // fused
  EXPECT_EQ(length(x[0] * x[1] - x[1] * x[2]), 1u);  // fused
  EXPECT_EQ(length(pow(x[0] + x[1], 2)), 2u);        // shared
  EXPECT_EQ(length(Expr(3.0)), 0u);                  // a constant
  EXPECT_EQ(length(derivative(sin(x[0]) + x[1], x[1])), 0u);

  Expr chain = x[0];  // registers are used again: a chain needs one
  for (int k = 0; k < 50; ++k) chain = exp(chain) / x[1];
  const Program program = compile(x, {&chain, 1});
  EXPECT_EQ(program.registers - static_cast<int>(program.loads.size() + program.constants.size()), 1);
}

// a*b + c is rounded twice: with a*b = 1 + 2^-26 + 2^-54 the last part is lost.
TEST(AdTape, fused_instructions_round_like_separate_ones) {
  Tape tape;
  const std::vector<Expr> x = tape.inputs(2);
  const Expr f = x[0] * x[0] - x[1];
  const double a = 1.0 + std::ldexp(1.0, -27);
  EXPECT_EQ(run(compile(x, {&f, 1}), {a, 1.0 + std::ldexp(1.0, -26)})[0], 0.0);
}

// e is read twice by one instruction and its register is free once: p must survive exp(p).
TEST(AdTape, operand_read_twice_frees_one_register) {
  Tape tape;
  const Expr x = tape.input();
  const Expr e = exp(x), p = e * e, f = exp(p) / p;
  EXPECT_NEAR(run(compile({&x, 1}, {&f, 1}), {0.5})[0], std::exp(std::exp(1.0)) / std::exp(1.0), 1e-14);
}

TEST(AdTape, outputs_may_be_inputs_constants_and_repeated) {
  Tape tape;
  const std::vector<Expr> x = tape.inputs(2);
  const Expr s = sin(x[1]);
  const Program program = compile(x, std::vector<Expr>{x[1], 4.0, s, s, cos(x[1]), x[0], 4.0});
  const Program copy = program;
  EXPECT_EQ(run(copy, {1.0, 2.0}),
            (std::vector<double>{2.0, 4.0, std::sin(2.0), std::sin(2.0), std::cos(2.0), 1.0, 4.0}));
}

TEST(AdTape, run_does_not_allocate) {
  if (!esc::testing::counts_malloc) GTEST_SKIP() << esc::testing::why_no_count;
  Tape tape;
  const std::vector<Expr> x = tape.inputs(2);
  const Expr f = atan2(sin(x[0]) * x[1], exp(x[1])) + pow(x[0], 2.5);
  const std::vector<Expr> g = gradient(f, x);
  const Program program = compile(x, g);
  std::vector<double> out(2), registers(program.registers);
  const double in[2] = {0.3, 0.4};
  const auto run_often = [&] {
    for (int k = 0; k < 10; ++k) program.run(in, out.data(), registers.data());
  };
  EXPECT_EQ(esc::testing::allocations(run_often), 0);
}

TEST(AdTape, division_by_zero_is_ieee) {
  Tape tape;
  const std::vector<Expr> x = tape.inputs(2);
  const Program program =
      compile(x, std::vector<Expr>{x[0] / x[1], derivative(x[0] / x[1], x[1]), log(x[1]), sqrt(x[0])});
  const std::vector<double> out = run(program, {-1.0, 0.0});
  EXPECT_EQ(out[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(out[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(out[2], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(out[3]));
}

// The slope of sqrt at 0 is infinite, but that branch is not taken.
TEST(AdTape, branch_not_taken_does_not_spoil_the_derivative) {
  Tape tape;
  const Expr x = tape.input();
  const Expr f = where(x > 0.0, sqrt(x), 3.0 * x);
  const Expr slope = derivative(f, x);
  const Program program = compile({&x, 1}, {&slope, 1});
  EXPECT_EQ(run(program, {0.0})[0], 3.0);
  EXPECT_EQ(run(program, {-1.0})[0], 3.0);
  EXPECT_EQ(run(program, {4.0})[0], 0.25);
}

TEST(AdTape, deep_expressions_need_no_stack) {
  constexpr int depth = 34000;  // three nodes each
  const auto f = [](const auto& x) {
    using std::sin;
    auto y = x;
    for (int k = 0; k < depth; ++k) y = 0.999 * sin(y) + 1e-3 * x;
    return y;
  };
  Tape tape;
  const Expr x = tape.input();
  const Expr y = f(x);
  EXPECT_GT(tape.size(), 100000);
  const Program program = compile({&x, 1}, std::vector<Expr>{y, derivative(y, x)});
  const std::vector<double> out = run(program, {0.7});
  const auto dual = f(seed<1>(0.7, 0));
  EXPECT_NEAR(out[0], dual.value, 1e-12);
  EXPECT_NEAR(out[1], dual.d[0], 1e-12);
}

TEST(AdTape, misuse_throws_while_recording) {
  Tape one, two;
  const Expr x = one.input(), y = two.input(), z = one.input();
  EXPECT_THROW(x + y, std::invalid_argument);
  EXPECT_THROW(where(x < 0.0, y, 1.0), std::invalid_argument);
  EXPECT_THROW(derivative(x, y), std::invalid_argument);
  EXPECT_THROW(derivative(x * x, x * x), std::invalid_argument);
  EXPECT_THROW(derivative(x, 1.0), std::invalid_argument);
  EXPECT_THROW(compile({&x, 1}, {&y, 1}), std::invalid_argument);
  EXPECT_THROW(compile({&x, 1}, {&z, 1}), std::invalid_argument);
  const Expr square = x * x;
  EXPECT_THROW(compile({&square, 1}, {&x, 1}), std::invalid_argument);
  EXPECT_NO_THROW(x + 1.0 + x);
}

}  // namespace
