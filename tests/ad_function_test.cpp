// Every function of the two differentiating scalars: against closed forms, against central differences, and dual
// numbers (nested three deep) against derivatives taken on the tape.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <escapement/ad/dual.hpp>
#include <escapement/ad/program.hpp>

using namespace esc::ad;

namespace {

double number_in(double lo, double hi) { return lo + (hi - lo) * 1e-6 * *rc::gen::inRange(1, 1000000); }

bool close(double a, double b, double tol) {
  return std::abs(a - b) <= tol * std::max({1.0, std::abs(a), std::abs(b)});
}

struct Domain {
  double lo, hi;
};

// f, f', f'', f''' of a generic f, by three nested duals and by three derivatives on the tape.
template <class F>
std::array<double, 4> by_duals(const F& f, double x) {
  const auto y = f(seed<1>(seed<1>(seed<1>(x, 0), 0), 0));
  return {value(y), y.value.value.d[0], y.value.d[0].d[0], y.d[0].d[0].d[0]};
}

template <class F>
Program on_tape(const F& f) {
  Tape tape;
  const Expr x = tape.input();
  std::vector<Expr> derivatives{f(x)};
  for (int k = 0; k < 3; ++k) derivatives.push_back(derivative(derivatives.back(), x));
  return compile({&x, 1}, derivatives);
}

template <class F>
void check(const char* name, const F& f, const std::function<double(double)>& slope, Domain domain) {
  SCOPED_TRACE(name);
  const Program program = on_tape(f);
  std::vector<double> registers(program.registers);
  const bool ok = rc::check([&] {
    const double x = number_in(domain.lo, domain.hi), h = 1e-5;
    const auto dual = by_duals(f, x);
    std::array<double, 4> tape{};
    program.run(&x, tape.data(), registers.data());

    RC_ASSERT(close(dual[0], f(x), 1e-15));
    RC_ASSERT(close(dual[1], slope(x), 1e-13));
    RC_ASSERT(close(dual[1], (f(x + h) - f(x - h)) / (2 * h), 1e-7));
    RC_ASSERT(close(dual[2], (slope(x + h) - slope(x - h)) / (2 * h), 1e-6));
    RC_ASSERT(close(dual[3], (slope(x + 1e-4) - 2 * slope(x) + slope(x - 1e-4)) / 1e-8, 1e-4));
    for (int k = 0; k < 4; ++k) RC_ASSERT(close(dual[k], tape[k], 1e-12));
  });
  EXPECT_TRUE(ok);
}

TEST(AdFunctions, trigonometric) {
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan;
  check(
      "sin", [](const auto& x) { return sin(x); }, [](double x) { return cos(x); }, {-4, 4});
  check(
      "cos", [](const auto& x) { return cos(x); }, [](double x) { return -sin(x); }, {-4, 4});
  check(
      "tan", [](const auto& x) { return tan(x); }, [](double x) { return 1 / (cos(x) * cos(x)); }, {-1, 1});
  check(
      "asin", [](const auto& x) { return asin(x); }, [](double x) { return 1 / cos(asin(x)); }, {-0.8, 0.8});
  check(
      "acos", [](const auto& x) { return acos(x); }, [](double x) { return -1 / sin(acos(x)); }, {-0.8, 0.8});
  check(
      "atan", [](const auto& x) { return atan(x); }, [](double x) { return std::pow(cos(atan(x)), 2); }, {-3, 3});
}

TEST(AdFunctions, exponential) {
  using std::exp, std::log, std::sinh, std::cosh, std::tanh, std::sqrt;
  check(
      "exp", [](const auto& x) { return exp(x); }, [](double x) { return exp(x); }, {-2, 2});
  check(
      "log", [](const auto& x) { return log(x); }, [](double x) { return 1 / x; }, {0.5, 5});
  check(
      "sinh", [](const auto& x) { return sinh(x); }, [](double x) { return cosh(x); }, {-2, 2});
  check(
      "cosh", [](const auto& x) { return cosh(x); }, [](double x) { return sinh(x); }, {-2, 2});
  check(
      "tanh", [](const auto& x) { return tanh(x); }, [](double x) { return 1 / (cosh(x) * cosh(x)); }, {-3, 3});
  check(
      "sqrt", [](const auto& x) { return sqrt(x); }, [](double x) { return 0.5 / sqrt(x); }, {0.5, 9});
}

TEST(AdFunctions, powers) {
  using std::pow, std::log;
  check(
      "x^3", [](const auto& x) { return pow(x, 3); }, [](double x) { return 3 * x * x; }, {-2, 2});
  check(
      "x^-2", [](const auto& x) { return pow(x, -2); }, [](double x) { return -2 / (x * x * x); }, {-2, -0.5});
  check(
      "x^1", [](const auto& x) { return pow(x, 1); }, [](double) { return 1.0; }, {-2, 2});
  check(
      "x^0", [](const auto& x) { return pow(x, 0); }, [](double) { return 0.0; }, {-2, 2});
  check(
      "x^4.0", [](const auto& x) { return pow(x, 4.0); }, [](double x) { return 4 * x * x * x; }, {-2, 2});
  check(
      "x^2.5", [](const auto& x) { return pow(x, 2.5); }, [](double x) { return 2.5 * x * std::sqrt(x); }, {0.5, 3});
  check(
      "x^x", [](const auto& x) { return pow(x, x); }, [](double x) { return pow(x, x) * (1 + log(x)); }, {0.5, 3});
  check(
      "3^x", [](const auto& x) { return pow(3.0, x); }, [](double x) { return pow(3.0, x) * log(3.0); }, {-1, 2});
}

TEST(AdFunctions, arithmetic) {
  check(
      "x+1-x*3", [](const auto& x) { return x + 1 - x * 3; }, [](double) { return -2.0; }, {-2, 2});
  check(
      "-(2-x)*(x+1)", [](const auto& x) { return -(2 - x) * (x + 1); }, [](double x) { return 2 * x - 1; }, {-2, 2});
  check(
      "(x*x+1)/x", [](const auto& x) { return (x * x + 1) / x; }, [](double x) { return 1 - 1 / (x * x); }, {0.5, 3});
  check(
      "1/x/2", [](const auto& x) { return 1 / x / 2; }, [](double x) { return -0.5 / (x * x); }, {0.5, 3});
  const auto assigned = [](const auto& x) {
    auto y = x;
    y += 1.0, y *= x, y -= 3, y /= x;
    return y;
  };
  check("((x+1)*x-3)/x", assigned, [](double x) { return 1 + 3 / (x * x); }, {0.5, 3});
}

TEST(AdFunctions, piecewise) {
  using std::abs, std::min, std::max;
  check(
      "abs", [](const auto& x) { return abs(x * x * x); }, [](double x) { return -3 * x * x; }, {-2, -0.1});
  check(
      "abs", [](const auto& x) { return abs(x * x * x); }, [](double x) { return 3 * x * x; }, {0.1, 2});
  check(
      "min", [](const auto& x) { return min(x * x, x); }, [](double x) { return 2 * x; }, {0.1, 0.9});
  check(
      "min", [](const auto& x) { return min(x * x, 1.0); }, [](double) { return 0.0; }, {1.1, 2});
  check(
      "max", [](const auto& x) { return max(x * x, x); }, [](double) { return 1.0; }, {0.1, 0.9});
  check(
      "max", [](const auto& x) { return max(0.25, x * x); }, [](double x) { return 2 * x; }, {0.6, 2});
  const auto ramp = [](const auto& x) { return where(x > 0.5 && !(x >= 2.0), x * x, 1.0 * x); };
  const auto ramp_of_double = [&](double x) { return value(ramp(Dual<1>(x))); };
  EXPECT_EQ(ramp_of_double(1.0), 1.0);
  EXPECT_EQ(ramp_of_double(3.0), 3.0);
  const auto both = [](const auto& x) { return where(x < 0.5 || x == 7.0, 1.0 * x, x * x); };
  Tape tape;
  const Expr x = tape.input();
  const Program program = compile({&x, 1}, std::vector<Expr>{ramp(x), derivative(ramp(x), x), derivative(both(x), x)});
  std::vector<double> registers(program.registers);
  for (double at : {0.1, 0.6, 1.9, 2.1, 7.0}) {
    double out[3];
    program.run(&at, out, registers.data());
    EXPECT_EQ(out[0], at > 0.5 && at < 2.0 ? at * at : at);
    EXPECT_EQ(out[1], ramp(seed<1>(at, 0)).d[0]);
    EXPECT_EQ(out[2], both(seed<1>(at, 0)).d[0]);
  }
}

TEST(AdFunctions, sincos_is_sine_and_cosine) {
  const auto f = [](const auto& x) {
    auto s = x, c = x;
    sincos(x * x, s, c);
    return s + 2.0 * c;
  };
  const auto slope = [](double x) { return 2 * x * (std::cos(x * x) - 2 * std::sin(x * x)); };
  check("sincos", [&](const auto& x) { return f(x); }, slope, {-2, 2});
}

// Gradient and Hessian of a function of two variables.
template <class F>
void check2(const char* name, const F& f, const std::function<std::array<double, 2>(double, double)>& slopes, Domain dx,
            Domain dy) {
  SCOPED_TRACE(name);
  Tape tape;
  const std::vector<Expr> x = tape.inputs(2);
  std::vector<Expr> outputs{f(x[0], x[1])};
  for (int i = 0; i < 2; ++i) outputs.push_back(gradient(outputs[0], x)[i]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) outputs.push_back(gradient(outputs[1 + i], x)[j]);
  const Program program = compile(x, outputs);
  std::vector<double> registers(program.registers);
  const bool ok = rc::check([&] {
    const double at[2] = {number_in(dx.lo, dx.hi), number_in(dy.lo, dy.hi)};
    const auto y = f(seed<2>(seed<2>(at[0], 0), 0), seed<2>(seed<2>(at[1], 1), 1));
    std::array<double, 7> out{};
    program.run(at, out.data(), registers.data());
    const auto closed = slopes(at[0], at[1]);
    RC_ASSERT(close(out[0], value(y), 1e-15));
    for (int i = 0; i < 2; ++i) {
      RC_ASSERT(close(y.value.d[i], closed[i], 1e-13));
      RC_ASSERT(close(y.value.d[i], out[1 + i], 1e-12));
      for (int j = 0; j < 2; ++j) RC_ASSERT(close(y.d[i].d[j], out[3 + 2 * i + j], 1e-12));
    }
  });
  EXPECT_TRUE(ok);
}

TEST(AdFunctions, two_arguments) {
  using std::atan2, std::hypot, std::pow;
  using Pair = std::array<double, 2>;
  check2(
      "atan2", [](const auto& y, const auto& x) { return atan2(y, x); },
      [](double y, double x) {
        return Pair{x / (x * x + y * y), -y / (x * x + y * y)};
      },
      {-3, -0.5}, {-3, 3});
  check2(
      "atan2(y,2)+atan2(-1,x)", [](const auto& y, const auto& x) { return atan2(y, 2.0) + atan2(-1.0, x); },
      [](double y, double x) {
        return Pair{2 / (4 + y * y), 1 / (x * x + 1)};
      },
      {-3, 3}, {-3, 3});
  check2(
      "hypot", [](const auto& x, const auto& y) { return hypot(x, y) + hypot(x, 1.0) + hypot(2.0, y); },
      [](double x, double y) {
        const double r = std::sqrt(x * x + y * y);
        return Pair{x / r + x / std::sqrt(x * x + 1), y / r + y / std::sqrt(y * y + 4)};
      },
      {0.5, 3}, {-3, 3});
  check2(
      "pow", [](const auto& x, const auto& y) { return pow(x, y); },
      [](double x, double y) {
        return Pair{y * std::pow(x, y) / x, std::pow(x, y) * std::log(x)};
      },
      {0.5, 3}, {-2, 2});
  check2(
      "x/y", [](const auto& x, const auto& y) { return x / y; },
      [](double x, double y) {
        return Pair{1 / y, -x / (y * y)};
      },
      {-3, 3}, {0.5, 3});
}

TEST(AdDual, is_a_constant_expression) {
  constexpr auto y = [] {
    const auto x = seed<2>(3.0, 0), z = seed<2>(2, 1);
    return (x * z + 1) / (z - 4.0) - pow(x, 3) + max(x, z);
  }();
  static_assert(y.value == 7.0 / -2.0 - 27.0 + 3.0);
  static_assert(y.d[0] == -1.0 - 27.0 + 1.0);
  static_assert(y.d[1] == 3.0 / -2.0 - 7.0 / 4.0);
}

TEST(AdDual, singular_points_as_documented) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto zero = seed<1>(0.0, 0), one = seed<1>(1.0, 0);
  EXPECT_EQ(sqrt(zero).d[0], inf);
  EXPECT_EQ(asin(one).d[0], inf);
  EXPECT_EQ(acos(-one).d[0], inf);
  EXPECT_EQ(abs(zero).d[0], 0.0);
  EXPECT_TRUE(std::isnan(atan2(zero, zero).d[0]));
  EXPECT_TRUE(std::isnan(hypot(zero, zero).d[0]));
  EXPECT_EQ(min(one, Dual<1>(1.0)).d[0], 1.0);
  EXPECT_EQ(max(Dual<1>(1.0), one).d[0], 0.0);
  EXPECT_EQ((1.0 / zero).value, inf);
}

TEST(AdDual, compares_by_value) {
  const auto x = seed<1>(seed<3>(2.0, 1), 0);
  EXPECT_TRUE(x < 3 && x > 1.5 && x <= 2 && x >= 2.0 && x == 2 && x != 1 && 1 < x && Dual<3>(3.0) > x);
  EXPECT_FALSE(x < 2 || x > 2.0 || x == 3.0);
}

}  // namespace
