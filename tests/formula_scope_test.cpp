// What the formulas of an item may use, and which text an error is in.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/formula/leaves.hpp>

namespace esc {
namespace {

std::string error_of(const std::function<void()>& build) {
  try {
    build();
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "no error";
}

const FormulaScope scope{.coordinates = {"crank.phi", "rod.phi", "slider.x"},
                         .inputs = {{"motor", 0}},
                         .parameters = {{"l", 2.0}},
                         .definitions = {{"height", "l*sin(crank.phi)"}, {"twice", "2*height"}}};

TEST(FormulaScope, ShortNamesOfCoordinates) {
  EXPECT_EQ(error_of([] { (void)formula_gap(scope, {{"x - twice"}}); }), "no error");
  EXPECT_EQ(error_of([] { (void)formula_gap(scope, {{"x - phi"}}); }),
            "gap, character 5: unknown name 'phi'; did you mean 'crank.phi' or 'rod.phi'?");
  const FormulaScope taken{.coordinates = {"slider.x"}, .parameters = {{"x", 3.0}}};
  EXPECT_EQ(error_of([&] { (void)formula_gap(taken, {{"slider.x - x"}}); }), "no error");  // x is the parameter
}

TEST(FormulaScope, UsedCoordinates) {
  const auto used = [](std::vector<std::string> texts) { return used_coordinates(scope, texts); };
  EXPECT_EQ(used({"1 + l"}), std::vector<int>{});
  EXPECT_EQ(used({"twice + l"}), std::vector<int>{0});
  EXPECT_EQ(used({"dot(x)", "twice"}), (std::vector<int>{0, 2}));
  EXPECT_EQ(used({"sin(rod.phi)*x"}), (std::vector<int>{1, 2}));
}

TEST(FormulaScope, ErrorsNameTheText) {
  using Contacts = std::vector<FormulaContact>;
  const auto gap = [](const Contacts& contacts) { return error_of([&] { (void)formula_gap(scope, contacts); }); };
  EXPECT_EQ(gap({{"x +"}}), "gap, character 4: a number, a name or '(' is missing at the end");
  EXPECT_EQ(gap({{"x", {"x", "y"}}}), "slip[1], character 1: unknown name 'y'");
  EXPECT_EQ(gap({{"x"}, {"x + motor"}}), "gap[1], character 5: a gap must not contain the input 'motor'");
  EXPECT_EQ(gap({{"x", {"x"}}, {"x", {"dot(x)"}}}),
            "slip[1][0], character 1: a slip must not contain velocities: dot(...)");
  EXPECT_EQ(gap({}), "gap, character 1: a contact has at least one gap");
  EXPECT_EQ(gap({{"x", {"x", "x", "x"}}}), "slip, character 1: a contact has at most two slips, not 3");
  EXPECT_EQ(gap({{"x", {"x"}}, {"x"}}), "slip[1], character 1: all gaps of a contact have the same number of slips");

  const auto force = [](const FormulaForce& f) { return error_of([&] { (void)formula_force(scope, f); }); };
  EXPECT_EQ(force({}), "force, character 1: a force has a formula for each coordinate, or a potential");
  EXPECT_EQ(force({.force = {"1", "2"}}), "force, character 1: 2 formulas for 3 coordinates; each coordinate has one");
  EXPECT_EQ(force({.force = {"1", "2", "3*"}}), "force[2], character 3: a number, a name or '(' is missing at the end");
  EXPECT_EQ(force({.potential = "dot(x)"}),
            "potential, character 1: a potential must not contain velocities: dot(...)");

  const auto joint = [](const std::vector<std::string>& rows) {
    return error_of([&] { (void)formula_joint(scope, rows); });
  };
  EXPECT_EQ(joint({}), "joint, character 1: a joint has 1 to 6 rows, not 0");
  EXPECT_EQ(joint({"x", "x - motor"}), "joint[1], character 5: a joint must not contain the input 'motor'");

  const auto energies = [](const FormulaEnergies& e) { return error_of([&] { (void)formula_block(scope, e); }); };
  EXPECT_EQ(energies({.kinetic = ""}), "kinetic, character 1: the formula is empty");
  EXPECT_EQ(energies({.kinetic = "dot(x)^3"}),
            "kinetic, character 1: the kinetic energy is not quadratic in the velocities");
  EXPECT_EQ(energies({.kinetic = "motor*dot(x)^2"}),
            "kinetic, character 1: the kinetic energy must not contain the input 'motor'");

  const auto equations = [](const FormulaEquations& e) { return error_of([&] { (void)formula_block(scope, e); }); };
  EXPECT_EQ(equations({}), "mass, character 1: a block has either the rows of its mass matrix or its diagonal");
  EXPECT_EQ(equations({.mass = {{"1"}}}), "mass, character 1: the mass matrix has 1 rows for 3 coordinates");
  EXPECT_EQ(equations({.mass = {{"1", "0", "0"}, {"0", "1", "0)"}, {"0", "0", "1"}}}),
            "mass[1][2], character 2: there is a ')' without a '('");
  EXPECT_EQ(equations({.diagonal = {"1", "dot(x)", "1"}}),
            "mass[1], character 1: a mass must not contain velocities: dot(...)");
}

TEST(FormulaScope, ItsOwnErrors) {
  const auto build = [](const FormulaScope& s) { return error_of([&] { (void)formula_joint(s, {"1"}); }); };
  EXPECT_EQ(build({.coordinates = {}}), "coordinates, character 1: the formulas have no coordinates");
  EXPECT_EQ(build({.coordinates = {"x", "x"}}), "x, character 1: the name 'x' is given twice");
  EXPECT_EQ(build({.coordinates = {"x"}, .parameters = {{"x", 1.0}}}), "x, character 1: the name 'x' is given twice");
  EXPECT_EQ(build({.coordinates = {"x"}, .definitions = {{"a", "b"}, {"b", "x"}}}),
            "definitions.a, character 1: 'b' is defined after 'a'; a definition may use those before it: put it first");
  EXPECT_EQ(build({.coordinates = {"x"}, .definitions = {{"sin", "x"}}}),
            "definitions.sin, character 1: 'sin' already means something in formulas; choose another name");
}

// A sum over many coordinates has dense second derivatives.
TEST(FormulaScope, WhatDoesNotFitTheStackIsRefused) {
  FormulaScope wide;
  std::string product = "0";
  for (int i = 0; i < 60; ++i) wide.coordinates.push_back(std::string("q").append(std::to_string(i)));
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < i; ++j) product += " + sin(q" + std::to_string(i) + "*q" + std::to_string(j) + ")";
  EXPECT_NE(error_of([&] { (void)formula_gap(wide, {{product}}); }).find("gap, character 1: the formulas are too long"),
            std::string::npos);
}

}  // namespace
}  // namespace esc
