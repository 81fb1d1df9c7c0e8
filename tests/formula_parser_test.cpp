// Formulas as text: values against the same arithmetic in C++, errors with their places, hostile input.
#include <escapement/formula.hpp>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/ad/program.hpp>

namespace esc {
namespace {

// Coordinates x, y and crank.phi, the input drive, parameters l and m, the formula reach = x + l.
struct Names {
  Names() {
    names.set_time(t);
    names.add_coordinate("x", in[0], in[1]);
    names.add_coordinate("y", in[2], in[3]);
    names.add_coordinate("crank.phi", in[4], in[5]);
    names.add_input("drive", in[6]);
    names.add_parameter("l", 2.0);
    names.add_parameter("mass_1", 0.25);
    names.add_formula("reach", parse("x + l", names));
    names.add_formula("speed", parse("dot(x)", names));
  }

  ad::Tape tape;
  ad::Expr t = tape.input();
  std::vector<ad::Expr> in = tape.inputs(7);
  FormulaNames names{tape};

  double at(const std::string& text, const std::vector<double>& values) {
    std::vector<ad::Expr> inputs{t};
    inputs.insert(inputs.end(), in.begin(), in.end());
    const ad::Expr f = parse(text, names).value;
    const ad::Program program = ad::compile(inputs, {&f, 1});
    std::vector<double> registers(program.registers);
    double out = 0.0;
    program.run(values.data(), &out, registers.data());
    return out;
  }
};

const std::vector<double> here{0.3, 0.7, -1.2, -0.4, 0.9, 1.1, 2.3, -5.0};  // t, x, dot(x), y, dot(y), phi, dot(phi), u
const double t = 0.3, x = 0.7, dx = -1.2, y = -0.4, phi = 1.1, dphi = 2.3, drive = -5.0, l = 2.0;

TEST(Formula, NumbersAreThoseOfTheStandardLibrary) {
  for (const char* text : {"0", "7", "1.5", ".5", "2.", "1e-3", "1E+4", "6.02214076e23", "0.1", "5e-324", "2.e3"})
    EXPECT_EQ(evaluate_constant(text, {}), std::strtod(text, nullptr)) << text;
  EXPECT_EQ(evaluate_constant("pi", {}), std::numbers::pi);
}

struct Case {
  const char* text;
  double value;
};

TEST(Formula, PrecedenceAndAssociativity) {
  const std::vector<Case> table{
      {"2 + 3*4", 14},
      {"(2 + 3)*4", 20},
      {"10 - 4 - 3", 3},
      {"24/4/3", 2},
      {"24/4*3", 18},
      {"2^3^2", 512},
      {"(2^3)^2", 64},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-2", 0.25},
      {"2^-1^2", 0.5},
      {"-2^-2", -0.25},
      {"2*-3", -6},
      {"2 - -3", 5},
      {"--3", 3},
      {"+-+3", -3},
      {"2*3^2", 18},
      {"-3*-2", 6},
      {"1 - 2 + 3", 2},
      {"2^0.5", std::pow(2.0, 0.5)},
      {" 1\t+\n2\r\n", 3},
      {"if(1 < 2, 3, 4)", 3},
      {"if(1 + 1 < 2, 3, 4)", 4},
      {"if(1 < 2 and 2 < 1, 3, 4)", 4},
      {"if(1 < 2 or 2 < 1, 3, 4)", 3},
      {"if(1 < 2 or 2 < 3 and 2 < 1, 3, 4)", 3},
      {"if((1 < 2 or 2 < 3) and 2 < 1, 3, 4)", 4},
      {"if(not 1 < 2, 3, 4)", 4},
      {"if(not 1 < 2 or 1 < 2, 3, 4)", 3},
      {"if(not (1 < 2 or 1 < 2), 3, 4)", 4},
      {"if(not not 1 < 2, 3, 4)", 3},
      {"if(2 <= 2, 1, 0) + if(2 >= 2, 1, 0) + if(2 == 2, 1, 0) + if(2 != 2, 1, 0) + if(2 > 2, 1, 0)", 3},
      {"if(1 > 0, if(1 > 2, 5, 6), 7)", 6},
      {"1 + if(1 > 0, 1, sqrt(-1))", 2},  // the branch not taken may be anything
  };
  for (const auto& [text, value] : table) EXPECT_EQ(evaluate_constant(text, {}), value) << text;
}

TEST(Formula, FunctionsAreThoseOfTheStandardLibrary) {
  const double a = 0.37, b = -1.9;
  const ParameterValues parameters{{"a", a}, {"b", b}};
  const std::vector<Case> table{
      {"sin(a)", std::sin(a)},
      {"cos(a)", std::cos(a)},
      {"tan(a)", std::tan(a)},
      {"asin(a)", std::asin(a)},
      {"acos(a)", std::acos(a)},
      {"atan(b)", std::atan(b)},
      {"atan2(a, b)", std::atan2(a, b)},
      {"sqrt(a)", std::sqrt(a)},
      {"exp(b)", std::exp(b)},
      {"log(a)", std::log(a)},
      {"abs(b)", 1.9},
      {"sinh(b)", std::sinh(b)},
      {"cosh(b)", std::cosh(b)},
      {"tanh(b)", std::tanh(b)},
      {"hypot(a, b)", std::hypot(a, b)},
      {"min(a, b)", b},
      {"max(a, b)", a},
      {"min(3, a, b, 2)", b},
      {"max(a, 1, b, 2, -3)", 2},
      {"sin(cos(a*b) - sqrt(a))", std::sin(std::cos(a * b) - std::sqrt(a))},
  };
  for (const auto& [text, value] : table) EXPECT_DOUBLE_EQ(evaluate_constant(text, parameters), value) << text;
}

TEST(Formula, NamesStandForCoordinatesVelocitiesInputsAndTime) {
  Names n;
  const std::vector<Case> table{
      {"x", x},
      {"dot(x)", dx},
      {"crank.phi - dot(crank.phi)", phi - dphi},
      {"drive*t", drive * t},
      {"mass_1*x", 0.25 * x},
      {"reach", x + l},
      {"reach^2", (x + l) * (x + l)},
      {"speed", dx},
      {"dot(reach)", dx},
      {"dot(x*t)", dx * t + x},
      {"dot(l*cos(crank.phi))", -l * std::sin(phi) * dphi},
      {"if(x > y, sqrt(x - y), 0)", std::sqrt(x - y)},
      {"y - l/2*cos(crank.phi) + 1/2*sin(crank.phi)", y - std::cos(phi) + 0.5 * std::sin(phi)},
      {"min(x, y, t)", y},
  };
  for (const auto& [text, value] : table) EXPECT_NEAR(n.at(text, here), value, 4e-16 * (1.0 + std::abs(value))) << text;
}

TEST(Formula, SaysWhatItContains) {
  Names n;
  const auto contents = [&](const char* text) { return parse(text, n.names).contents; };
  EXPECT_EQ(contents("2*l"), FormulaContents{});
  EXPECT_EQ(contents("t"), FormulaContents{.time = true});
  EXPECT_EQ(contents("0*reach"), FormulaContents{.coordinates = true});
  EXPECT_EQ(contents("drive"), FormulaContents{.inputs = true});
  EXPECT_EQ(contents("sin(t)*dot(x)"), (FormulaContents{.time = true, .coordinates = true, .velocities = true}));
  EXPECT_EQ(contents("drive + speed"), (FormulaContents{.coordinates = true, .velocities = true, .inputs = true}));
}

// The error that a text gives, or one that no text gives.
FormulaError error_of(const std::string& text, const FormulaRequest& request = {}) {
  Names n;
  try {
    (void)parse(text, n.names, request);
  } catch (const FormulaError& error) {
    return error;
  }
  return {999'999, 0, "no error"};
}

struct Refusal {
  const char* text;
  std::size_t position, length;
  const char* says;
};

TEST(FormulaErrors, HaveTheirPlaceAndSayWhatToDo) {
  const std::vector<Refusal> table{
      {"", 0, 0, "the formula is empty"},
      {"  ", 0, 2, "the formula is empty"},
      {"1 +", 3, 0, "a number, a name or '(' is missing at the end"},
      {"1 + * 2", 4, 1, "a number, a name or '(' is missing before '*'"},
      {"()", 1, 1, "is missing before ')'"},
      {"(1 + 2", 6, 0, "')' is missing: the '(' at character 1 is not closed"},
      {"sin(x", 5, 0, "')' is missing: the '(' at character 4 is not closed"},
      {"1 + 2)", 5, 1, "there is a ')' without a '('"},
      {"x y", 2, 1, "an operator is missing before 'y'; a product is written x*y"},
      {"(x)(y)", 3, 1, "an operator is missing before '('"},
      {"2x", 0, 2, "a '*' is missing: write 2*x"},
      {"3 + 2pi", 4, 3, "write 2*pi"},
      {"1e", 0, 2, "'1e' is no number: an exponent has digits"},
      {"1.2.3", 0, 5, "'1.2.3' is no number: it has a point too many"},
      {"1e999", 0, 5, "too large or too small"},
      {"0,5", 1, 1, "a decimal number is written with a point"},
      {"(0,5)", 2, 1, "a decimal number is written with a point"},
      {"1 + crank.phy", 4, 9, "unknown name 'crank.phy'; did you mean 'crank.phi'?"},
      {"phi", 0, 3, "unknown name 'phi'; did you mean 'crank.phi'?"},
      {"raech", 0, 5, "unknown name 'raech'; did you mean 'reach'?"},
      {"Reach", 0, 5, "did you mean 'reach'?"},
      {"sni(x)", 0, 3, "unknown function 'sni'; did you mean 'sin'?"},
      {"zzzzzzzz", 0, 8, "unknown name 'zzzzzzzz'"},
      {"crank.", 0, 6, "'crank.' is no name"},
      {"a..b", 0, 4, "'a..b' is no name"},
      {"ln(x)", 0, 2, "the natural logarithm is log(x)"},
      {"pow(x, 2)", 0, 3, "a power is written x^y"},
      {"x**2", 1, 2, "a power is written x^y"},
      {"x = 2", 2, 1, "to compare, write =="},
      {"if(x > 0 && y > 0, 1, 2)", 9, 2, "write 'and'"},
      {"if(!(x > 0), 1, 2)", 3, 1, "write 'not'"},
      {"x'", 1, 1, "a time derivative is written dot(x)"},
      {"l(x + 1)", 0, 1, "'l' is no function; a product is written l*(...)"},
      {"sin x", 0, 3, "'sin' is a function: write sin(...)"},
      {"sin", 0, 3, "'sin' is a function"},
      {"1 + sin(x, y)", 4, 9, "sin takes one argument, not 2"},
      {"sin()", 0, 5, "sin takes one argument, not 0"},
      {"atan2(x)", 0, 8, "atan2 takes two arguments, not 1"},
      {"min(x)", 0, 6, "min takes two or more arguments, not 1"},
      {"if(x > 0, 1)", 0, 12, "if takes three arguments, not 2"},
      {"x > 0", 0, 5, "gives a condition, not a number; use if(condition, a, b)"},
      {"2*(x > 0)", 2, 7, "'(x > 0)' is a comparison: it gives a condition, not a number"},
      {"sin(x < y)", 4, 5, "gives a condition, not a number"},
      {"-(x < y)", 1, 7, "gives a condition, not a number"},
      {"if(x, 1, 2)", 3, 1, "the first argument of if takes a condition, such as x > 0; 'x' is a number"},
      {"if(x and y > 0, 1, 2)", 3, 1, "'and' takes a condition"},
      {"if(not x, 1, 2)", 7, 1, "'not' takes a condition"},
      {"if(0 < x < 1, 1, 2)", 9, 1, "comparisons cannot be chained: write a < b and b < c"},
      {"and", 0, 3, "'and' stands between two conditions"},
      {"1/0", 0, 3, "'1/0' is infinite"},
      {"x + sqrt(-1)", 4, 8, "'sqrt(-1)' is not a number"},
      {"dot(l)", 4, 1, "dot(...) takes a coordinate or a formula of coordinates; 'l' is constant"},
      {"dot(dot(x))", 4, 6, "would be an acceleration"},
      {"dot(speed)", 4, 5, "would be an acceleration"},
      {"dot(drive)", 4, 5, "dot(...) of an input is not known"},
      {"l \xC2\xB7 x", 2, 2, "a product is written x*y"},
      {"2*\xCE\xB8", 2, 2, "'\xCE\xB8' cannot stand in a formula; names are made of the letters"},
      {"x \xE2\x88\x92 1", 2, 3, "write the minus of the keyboard"},
      {"x + \xFF", 4, 1, "the character 0xFF cannot stand in a formula"},
      {"x \x01", 2, 1, "the character 0x01 cannot stand in a formula"},
      {"x $ y", 2, 1, "'$' cannot stand in a formula"},
  };
  for (const auto& [text, position, length, says] : table) {
    const FormulaError error = error_of(text);
    EXPECT_EQ(error.position, position) << text << ": " << error.message;
    EXPECT_EQ(error.length, length) << text << ": " << error.message;
    EXPECT_NE(error.message.find(says), std::string::npos) << text << ": " << error.message;
  }
  EXPECT_STREQ(error_of("1 + thta").what(), "character 5: unknown name 'thta'");
}

TEST(FormulaErrors, AFormulaContainsOnlyWhatItMay) {
  const FormulaRequest gap{"a gap", {.time = true, .coordinates = true}};
  EXPECT_EQ(error_of("x + reach*t", gap).message, "no error");
  const std::vector<Refusal> table{
      {"x + dot(x)", 4, 3, "a gap must not contain velocities: dot(...)"},
      {"x + speed", 4, 5, "a gap must not contain 'speed', which contains velocities"},
      {"x + drive", 4, 5, "a gap must not contain the input 'drive'"},
  };
  for (const auto& [text, position, length, says] : table) {
    const FormulaError error = error_of(text, gap);
    EXPECT_EQ(error.position, position) << text;
    EXPECT_EQ(error.length, length) << text;
    EXPECT_EQ(error.message, says);
  }
  EXPECT_EQ(error_of("dot(t)", {"a thing", {.time = true}}).message, "no error");  // 1, and no velocity
  EXPECT_EQ(error_of("2*x", {"a constant", {}}).message, "a constant must not contain the coordinate 'x'");
  EXPECT_EQ(error_of("2*t", {"a constant", {}}).message, "a constant must not contain the time t");
  EXPECT_THROW((void)evaluate_constant("t", {}), FormulaError);
}

TEST(FormulaErrors, NamesThatCannotBeNames) {
  ad::Tape tape;
  FormulaNames names(tape);
  names.add_parameter("a", 1.0);
  for (const char* name : {"", "a", "sin", "pi", "t", "and", "dot", "2a", "a b", "a-b", ".a", "a.", "\xCE\xB8"})
    EXPECT_THROW(names.add_parameter(name, 1.0), FormulaError) << name;
}

// --- parameters ---

std::vector<Parameter> table(std::initializer_list<std::pair<const char*, const char*>> texts) {
  std::vector<Parameter> list;
  for (const auto& [name, text] : texts) list.push_back({name, text});
  return list;
}

TEST(Parameters, AreResolvedInAnyOrder) {
  std::vector<Parameter> list = table({{"c", "2*b + a"}, {"b", "a^2"}, {"d", "sqrt(c)"}});
  list.push_back({"a", 3.0});
  const ParameterValues values = resolve_parameters(list);
  EXPECT_EQ(values.at("a"), 3.0);
  EXPECT_EQ(values.at("b"), 9.0);
  EXPECT_EQ(values.at("c"), 21.0);
  EXPECT_EQ(values.at("d"), std::sqrt(21.0));
}

TEST(Parameters, ErrorsNameTheParameter) {
  const auto error = [](const std::vector<Parameter>& list) {
    try {
      (void)resolve_parameters(list);
    } catch (const FormulaError& e) {
      return e;
    }
    return FormulaError(0, 0, "no error");
  };
  const FormulaError cycle = error(table({{"z", "b"}, {"a", "1 + b"}, {"b", "2*c"}, {"c", "a - 1"}}));
  EXPECT_EQ(cycle.formula, "b");
  EXPECT_EQ(cycle.position, 2u);
  EXPECT_EQ(cycle.message, "the parameter needs itself: b -> c -> a -> b");
  EXPECT_EQ(error(table({{"a", "2*a"}})).message, "the parameter needs itself: a -> a");

  const FormulaError unknown = error(table({{"a", "1 + lenght"}, {"length", "2"}}));
  EXPECT_STREQ(unknown.what(), "a, character 5: unknown name 'lenght'; did you mean 'length'?");
  EXPECT_EQ(error(table({{"a", "t"}})).message, "the time t cannot be used here: a parameter is constant");
  EXPECT_EQ(error(table({{"a", "1"}, {"a", "2"}})).message, "the parameter is given twice");
  EXPECT_EQ(error({{"a", std::nan("")}}).message, "the parameter must be a finite number");
  EXPECT_EQ(error(table({{"sin", "1"}})).formula, "sin");
}

TEST(Parameters, ALongChainNeedsNoStack) {
  const auto name = [](int i) { return std::string("p").append(std::to_string(i)); };
  std::vector<Parameter> list;
  const int count = 20'000;
  for (int i = 0; i < count; ++i) list.push_back({name(i), name(i + 1).append(" + 1")});
  list.push_back({name(count), 0.5});
  EXPECT_EQ(resolve_parameters(list).at("p0"), count + 0.5);
  list.back().value = "p0";
  EXPECT_THROW((void)resolve_parameters(list), FormulaError);
}

TEST(Parameters, NamesInAText) {
  EXPECT_EQ(names_in("a*sin(b.c) + pi*dot(d) - if(t > a, 1, 2)"), (std::vector<std::string>{"a", "b.c", "d", "a"}));
  EXPECT_EQ(names_in("a + \xFF + b"), std::vector<std::string>{"a"});
}

// --- limits ---

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(FormulaLimits, NestingIsBounded) {
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{
           {"(", ")"}, {"-", ""}, {"sin(", ")"}, {"2^", ""}, {"min(1,", ")"}, {"1+(", ")"}}) {
    const auto nested = [&, first = open, last = close](int depth) {
      return repeated(first, depth) + "x" + repeated(last, depth);
    };
    EXPECT_EQ(error_of(nested(max_formula_nesting)).message, "no error") << open;
    EXPECT_NE(error_of(nested(max_formula_nesting + 1)).message.find("nested more than 256 levels"), std::string::npos);
    EXPECT_NE(error_of(nested(20'000 / static_cast<int>(open.size()))).message.find("nested"), std::string::npos);
  }
  EXPECT_NE(error_of("if(" + repeated("not ", 10'000) + "x > 0, 1, 2)").message.find("nested"), std::string::npos);
}

TEST(FormulaLimits, LengthAndOperationsAreBounded) {
  const std::string longest = repeated(" ", static_cast<int>(max_formula_length) - 1) + "x";
  EXPECT_EQ(error_of(longest).message, "no error");
  EXPECT_EQ(error_of(" " + longest).position, max_formula_length);
  EXPECT_NE(error_of(" " + longest).message.find("at most 65536"), std::string::npos);

  EXPECT_EQ(error_of("x" + repeated("+x", 5'000)).message, "no error");
  std::string many = "x";
  for (int i = 0; i < 12'000; ++i) many += "*y+x";
  EXPECT_NE(error_of(many).message.find("more than 20000 operations"), std::string::npos) << error_of(many).message;
  const std::string name(60'000, 'a');
  EXPECT_LT(error_of(name).message.size(), 100u);
}

// Each dot(...) walks over what it is taken of: the product of both lengths is bounded too.
TEST(FormulaLimits, DerivativesOfLongFormulasAreBounded) {
  std::string many = "x";
  for (int i = 0; i < 3'000; ++i) many += "*y+x";
  EXPECT_EQ(error_of("dot(" + many + ")").message, "no error");
  std::string dots = "0*(" + many + ")";
  for (int i = 0; i < 6'000; ++i) dots += "+dot(x)";
  EXPECT_NE(error_of(dots).message.find("too many dot(...)"), std::string::npos) << error_of(dots).message;
}

}  // namespace
}  // namespace esc
