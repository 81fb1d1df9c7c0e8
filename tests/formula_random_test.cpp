// Random formulas: written as text and evaluated on the side; random bytes and damaged formulas.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <escapement/ad/program.hpp>
#include <escapement/formula.hpp>

namespace esc {
namespace {

// A formula, its value by C++ arithmetic, and a bound for what other orders of rounding may change.
struct Term {
  std::string text;
  int binds;  // of its outermost operator: 1 +-, 2 */, 3 sign, 4 ^, 5 none
  double value;
  double error;
};

constexpr double unit = 16.0 * std::numeric_limits<double>::epsilon();
constexpr int formulas_a_case = 30;
constexpr double hopeless = std::numeric_limits<double>::infinity();

class Writer {
 public:
  Writer(unsigned seed, std::vector<Term> names) : random_(seed), names_(std::move(names)) {}

  Term term(int depth) {
    if (depth == 0 || below(8) == 0) return leaf();
    switch (below(8)) {
      case 0:
      case 1:
        return sum(term(depth - 1), term(depth - 1));
      case 2:
      case 3:
        return product(term(depth - 1), term(depth - 1));
      case 4:
        return negative(term(depth - 1));
      case 5:
        return power(term(depth - 1));
      case 6:
        return branch(depth);
      default:
        return function(term(depth - 1));
    }
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  const char* space() { return below(4) == 0 ? " " : ""; }

  // In parentheses where the grammar needs them, and sometimes where it does not.
  std::string inside(const Term& x, int least) {
    return x.binds < least || below(6) == 0 ? std::string("(") + space() + x.text + ")" : x.text;
  }

  Term leaf() {
    if (!names_.empty() && below(2) == 0) return names_[below(static_cast<int>(names_.size()))];
    const double value = below(3) == 0 ? below(5) : std::uniform_real_distribution<double>(0.0, 3.0)(random_);
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {{digits, end}, 5, value, 0.0};
  }

  Term sum(const Term& a, const Term& b) {
    const bool plus = below(2) == 0;
    const double value = plus ? a.value + b.value : a.value - b.value;
    return {inside(a, 1) + space() + (plus ? "+" : "-") + space() + inside(b, 2), 1, value,
            a.error + b.error + unit * (std::abs(a.value) + std::abs(b.value))};
  }

  Term product(const Term& a, const Term& b) {
    const bool times = below(2) == 0;
    const double value = times ? a.value * b.value : a.value / b.value;
    const double error = times ? std::abs(a.value) * b.error + std::abs(b.value) * a.error
                               : (a.error + std::abs(value) * b.error) / std::abs(b.value);
    return {inside(a, 2) + space() + (times ? "*" : "/") + space() + inside(b, 3), 2, value,
            error + unit * std::abs(value)};
  }

  Term negative(const Term& a) { return {std::string("-") + space() + inside(a, 3), 3, -a.value, a.error}; }

  Term power(const Term& a) {
    if (below(2) == 0)
      return {inside(a, 5) + "^2", 4, a.value * a.value, 2.0 * std::abs(a.value) * a.error + unit * a.value * a.value};
    const double cube = a.value * (a.value * a.value);
    return {inside(a, 5) + space() + "^3", 4, cube, 3.0 * a.value * a.value * a.error + unit * std::abs(cube)};
  }

  Term branch(int depth) {
    const Term a = term(depth - 1), b = term(depth - 1), c = term(depth - 1), d = term(depth - 1);
    const bool less = below(2) == 0;
    const bool taken = less ? a.value < b.value : !(a.value <= b.value);
    const bool clear = std::abs(a.value - b.value) > 2.0 * (a.error + b.error);
    return {"if(" + a.text + (less ? "<" : " > ") + b.text + "," + c.text + space() + ", " + d.text + ")", 5,
            taken ? c.value : d.value, clear || names_.empty() ? (taken ? c.error : d.error) : hopeless};
  }

  Term function(const Term& a) {
    const double x = a.value;
    switch (below(7)) {
      case 0:
        return {"sin(" + a.text + ")", 5, std::sin(x), a.error + unit};
      case 1:
        return {"cos(" + a.text + ")", 5, std::cos(x), a.error + unit};
      case 2:
        return {"atan(" + a.text + ")", 5, std::atan(x), a.error + unit};
      case 3:
        return {"tanh(" + a.text + ")", 5, std::tanh(x), a.error + unit};
      case 4:
        return {"abs(" + a.text + ")", 5, std::abs(x), a.error};
      case 5:
        return {"exp(" + a.text + ")", 5, std::exp(x), std::exp(x) * (2.0 * a.error + unit)};
      default: {
        const double root = std::sqrt(std::abs(x));
        return {"sqrt(abs(" + a.text + "))", 5, root,
                a.error < 0.5 * std::abs(x) ? a.error / root + unit * root : hopeless};
      }
    }
  }

  std::mt19937 random_;
  std::vector<Term> names_;
};

// With constants alone the tape folds by the same operations, in the order of the text: the same bits.
TEST(RandomFormulas, ConstantsAreEvaluatedAsWritten) {
  EXPECT_TRUE(rc::check([] {
    Writer writer(*rc::gen::arbitrary<unsigned>(), {});
    const int depth = *rc::gen::inRange(0, 6);
    for (int i = 0; i < formulas_a_case; ++i) {
      const Term term = writer.term(depth);
      try {
        if (evaluate_constant(term.text, {}) != term.value) RC_FAIL(term.text);
      } catch (const FormulaError& error) {
        const bool not_finite = error.message.find("infinite") != std::string::npos ||
                                error.message.find("not a number") != std::string::npos;
        if (!not_finite) RC_FAIL(term.text + ": " + error.what());
      }
    }
  }));
}

const std::vector<double> point{0.7, -1.3, 2.1};
const std::vector<Term> coordinates{
    {"x", 5, point[0], 0.0}, {"crank.phi", 5, point[1], 0.0}, {"z_1", 5, point[2], 0.0}};

// The value of a formula of the three coordinates, by a compiled program.
double compiled_value(const std::string& text) {
  ad::Tape tape;
  FormulaNames names(tape);
  const std::vector<ad::Expr> q = tape.inputs(3), v = tape.inputs(3);
  for (int i = 0; i < 3; ++i) names.add_coordinate(coordinates[i].text, q[i], v[i]);
  const ad::Expr f = parse(text, names).value;
  const ad::Program program = ad::compile(q, {&f, 1});
  std::vector<double> registers(program.registers);
  double value = 0.0;
  program.run(point.data(), &value, registers.data());
  return value;
}

// The tape simplifies formulas of coordinates, which may change last digits.
TEST(RandomFormulas, OfCoordinates) {
  int compared = 0;
  EXPECT_TRUE(rc::check([&] {
    Writer writer(*rc::gen::arbitrary<unsigned>(), coordinates);
    const int depth = *rc::gen::inRange(0, 6);
    for (int i = 0; i < formulas_a_case; ++i) {
      const Term term = writer.term(depth);
      if (!std::isfinite(term.value) || !(term.error < 1e-6)) continue;
      double value = 0.0;
      try {
        value = compiled_value(term.text);
      } catch (const FormulaError&) {  // a constant part that is infinite, though the whole is not
        continue;
      }
      ++compared;
      if (!(std::abs(value - term.value) <= term.error + unit * std::abs(term.value)))
        RC_FAIL(term.text + " gives " + std::to_string(value) + ", not " + std::to_string(term.value));
    }
  }));
  EXPECT_GT(compared, 1000);
}

// Parses, or says where: never anything else.
bool well_behaved(const std::string& text) {
  ad::Tape tape;
  FormulaNames names(tape);
  names.set_time(tape.input());
  const ad::Expr q = tape.input(), v = tape.input();
  names.add_coordinate("x", q, v);
  names.add_parameter("crank.l", 2.0);
  try {
    (void)parse(text, names);
    return true;
  } catch (const FormulaError& error) {
    return error.position + error.length <= text.size() && !error.message.empty();
  }
}

TEST(HostileInput, RandomBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 10'000; ++i) {
    std::string text(std::uniform_int_distribution<std::size_t>(0, 30)(random), ' ');
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_TRUE(well_behaved(text));
  }
  EXPECT_TRUE(well_behaved(std::string("x\0+1", 4)));
}

TEST(HostileInput, RandomWords) {
  const std::vector<std::string> words{"x",   "crank.l", "1",     ".5", "1e3", "+",  "-",   "*",  "/",    "^",   "(",
                                       ")",   ",",       "<",     "<=", "==",  "!=", "and", "or", "not",  "if",  "dot",
                                       "sin", "min",     "atan2", "pi", "t",   " ",  "1e",  "zz", "\xCE", "\xB8"};
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto k = random() % 15; k > 0; --k) text += words[random() % words.size()] + (random() % 2 == 0 ? " " : "");
    EXPECT_TRUE(well_behaved(text)) << text;
  }
}

TEST(HostileInput, DamagedFormulas) {
  const std::string good = "if(x > crank.l and not x == 1, min(sin(x)^2, dot(x*t), 3e-2), -crank.l/(1 + hypot(x, 2)))";
  ASSERT_TRUE(well_behaved(good));
  std::mt19937 random(3);
  for (int i = 0; i < 10'000; ++i) {
    std::string text = good;
    for (auto k = 1 + random() % 3; k > 0; --k) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1);
      else
        text[at] = static_cast<char>(random() % 128);
    }
    EXPECT_TRUE(well_behaved(text)) << text;
  }
}

}  // namespace
}  // namespace esc
