// Bad input to a model: refused with a ModelError whose text names the item, the value and what is allowed.
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/system.hpp>

#include "tests/support/expect_refused.hpp"

namespace esc {
namespace {

using testing::expect_refused;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const auto unit_mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
const auto height = [](const auto&, const auto* q) { return q[0]; };
const auto nothing = [](const auto&, const auto*, const auto*, const double*, auto* Q) { Q[0] = 0.0; };

auto point_mass() { return lagrangian<1>(unit_mass, no_force); }
BlockId add_point(Model& model, double q = 1.0) {
  return model.add_coordinates("ball", {"y"}, point_mass(), {q}, {0.0});
}

struct BadValue {
  double value;
  std::string text;
};
const std::vector<BadValue> not_positive{{0.0, "0"}, {-2.5, "-2.5"}, {nan, "nan"}, {infinity, "inf"}};
const std::vector<BadValue> not_finite{{nan, "nan"}, {infinity, "inf"}, {-infinity, "-inf"}};

TEST(BadModel, ThereIsNothingInIt) {
  expect_refused([](Model&) {}, "model", {"no body", "add at least one"});
}

TEST(BadModel, PlanarBodyData) {
  for (const BadValue& wrong : not_positive) {
    const double value = wrong.value;
    const std::string& text = wrong.text;
    expect_refused([&](Model& m) { m.add_planar_body("disc", {.mass = value}); }, "disc",
                   {"mass (kg) is " + text, "positive and finite"});
    expect_refused([&](Model& m) { m.add_planar_body("disc", {.inertia = value}); }, "disc",
                   {"inertia (kg m^2) is " + text, "positive and finite"});
  }
  for (const BadValue& wrong : not_finite) {
    const double value = wrong.value;
    const std::string& text = wrong.text;
    expect_refused(
        [&](Model& m) {
          m.add_planar_body("disc", {.pose = {0.0, value, 0.0}});
        },
        "disc", {"q[1] is " + text, "must be finite"});
    expect_refused(
        [&](Model& m) {
          m.add_planar_body("disc", {.velocity = {0.0, 0.0, value}});
        },
        "disc", {"v[2] is " + text, "must be finite"});
  }
}

TEST(BadModel, BarData) {
  for (const auto& [value, text] : not_positive)
    for (const auto& [member, what] :
         std::vector<std::pair<double Bar::*, std::string>>{{&Bar::length, "length (m)"},
                                                            {&Bar::section, "section (m^2)"},
                                                            {&Bar::young, "young (Pa)"},
                                                            {&Bar::density, "density (kg/m^3)"}}) {
      Bar bar;
      bar.*member = value;
      expect_refused([&](Model& m) { m.add_bar("rod", bar); }, "rod", {what + " is " + text, "positive and finite"});
    }
  for (const BadValue& wrong : not_finite) {
    const double value = wrong.value;
    const std::string& text = wrong.text;
    expect_refused([&](Model& m) { m.add_bar("rod", {.displacement = value}); }, "rod",
                   {"displacement", text, "finite"});
    expect_refused([&](Model& m) { m.add_bar("rod", {.velocity = value}); }, "rod", {"velocity", text, "finite"});
  }
  for (const int elements : {0, -3, std::numeric_limits<int>::max()})
    expect_refused([&](Model& m) { m.add_bar("rod", {.elements = elements}); }, "rod",
                   {"elements is " + std::to_string(elements), "1 to 10000000"});
}

TEST(BadModel, InitialValuesThatAreNotFinite) {
  for (const BadValue& wrong : not_finite) {
    const double value = wrong.value;
    const std::string& text = wrong.text;
    expect_refused([&](Model& m) { m.add_coordinates("ball", {"y"}, point_mass(), {value}, {0.0}); }, "ball",
                   {"initial q[0] is " + text, "must be finite"});
    expect_refused([&](Model& m) { m.add_coordinates("ball", {"y"}, point_mass(), {0.0}, {value}); }, "ball",
                   {"initial v[0] is " + text, "must be finite"});
    expect_refused([&](Model& m) { m.add_input("motor", value); }, "motor", {text, "must be finite"});
    expect_refused(
        [&](Model& m) {
          m.set_gravity({0.0, value, 0.0});
        },
        "gravity", {"[1] is " + text, "must be finite"});
  }
}

TEST(BadModel, SizesThatDoNotFit) {
  expect_refused(
      [](Model& m) {
        m.add_coordinates("ball", {"y", "z"}, point_mass(), {0.0}, {0.0});
      },
      "ball", {"coordinate names has 2", "1 coordinates"});
  expect_refused(
      [](Model& m) {
        m.add_coordinates("ball", {"y"}, point_mass(), {0.0, 0.0}, {0.0});
      },
      "ball", {"initial q has 2", "1 coordinates"});
  expect_refused([](Model& m) { m.add_coordinates("ball", {"y"}, point_mass(), {0.0}, {}); }, "ball",
                 {"initial v has 0", "1 coordinates"});
  expect_refused([](Model& m) { m.add_contact("floor", {add_point(m)}, gap<2>(height), {}); }, "floor",
                 {"takes 2 coordinates", "1 were given"});
  expect_refused([](Model& m) { m.add_force("push", {add_point(m)}, force<2>(nothing)); }, "push",
                 {"takes 2 coordinates", "1 were given"});
  expect_refused([](Model& m) { m.add_contact("floor", {Coordinates(add_point(m), 0, 2)}, gap<2>(height), {}); },
                 "floor", {"coordinates 0..1 of 'ball'", "it has 1"});
  expect_refused([](Model& m) { m.add_force("push", {Coordinates(add_point(m), -1, 1)}, force<1>(nothing)); }, "push",
                 {"of 'ball'", "it has 1"});
  expect_refused([](Model& m) { m.add_force("push", {Coordinates(add_point(m), 1)}, force<1>(nothing)); }, "push",
                 {"of 'ball'", "it has 1"});
  expect_refused([](Model& m) { m.add_force("push", std::vector<Coordinates>{}, force<1>(nothing)); }, "push",
                 {"takes 1", "0 were given"});
}

TEST(BadModel, ThingsLeftOut) {
  expect_refused([](Model& m) { m.add_coordinates("ball", {"y"}, nullptr, {0.0}, {0.0}); }, "ball",
                 {"no mass and force"});
  expect_refused([](Model& m) { m.add_contact("floor", {add_point(m)}, nullptr, {}); }, "floor", {"no gap function"});
  expect_refused([](Model& m) { m.add_force("push", {add_point(m)}, nullptr); }, "push", {"no force function"});
  expect_refused([](Model& m) { m.add_output("speed", {}); }, "speed", {"no function"});
}

TEST(BadModel, NamesUsedTwice) {
  expect_refused([](Model& m) { add_point(m), add_point(m); }, "ball", {"used twice", "must differ"});
  expect_refused([](Model& m) { m.add_contact("ball", {add_point(m)}, gap<1>(height), {}); }, "ball", {"used twice"});
  expect_refused([](Model& m) { m.add_force("ball", {add_point(m)}, force<1>(nothing)); }, "ball", {"used twice"});
  expect_refused([](Model& m) { add_point(m), m.add_planar_body("ball", {}); }, "ball", {"used twice"});
  expect_refused([](Model& m) { add_point(m), m.add_bar("ball", {}); }, "ball", {"used twice"});
  expect_refused([](Model& m) { add_point(m), m.add_input("ball"); }, "ball", {"used twice"});
  expect_refused([](Model& m) { add_point(m), m.add_shape("ball", {}, Vertex{}); }, "ball", {"used twice"});
  expect_refused([](Model& m) { m.add_input("u"), m.add_output("u", [](auto...) { return 0.0; }); }, "u",
                 {"used twice"});
  const auto two_masses = [](double, const double*, MatrixView M) {
    M(0, 0) = M(1, 1) = 1.0;
    M(0, 1) = M(1, 0) = 0.0;
  };
  const auto two_zeros = [](const auto&, const auto*, const auto*, auto* F) { F[0] = F[1] = 0.0; };
  expect_refused(
      [&](Model& m) {
        m.add_coordinates("pair", {"x", "x"}, lagrangian<2>(two_masses, two_zeros), {0.0, 0.0}, {0.0, 0.0});
      },
      "pair", {"two coordinates are called 'x'"});
}

TEST(BadModel, EmptyNames) {
  expect_refused([](Model& m) { m.add_planar_body("", {}); }, "planar body", {"name is empty"});
  expect_refused([](Model& m) { m.add_bar("", {}); }, "bar", {"name is empty"});
  expect_refused([](Model& m) { m.add_contact("", {add_point(m)}, gap<1>(height), {}); }, "contact", {"name is empty"});
  expect_refused([](Model& m) { m.add_shape("", {}, Vertex{}); }, "shape", {"name is empty"});
  expect_refused([](Model& m) { m.add_force("", {add_point(m)}, force<1>(nothing)); }, "force", {"name is empty"});
  expect_refused([](Model& m) { m.add_input(""); }, "input", {"name is empty"});
  expect_refused([](Model& m) { m.add_output("", [](auto...) { return 0.0; }); }, "output", {"name is empty"});
  expect_refused([](Model& m) { m.add_coordinates("ball", {""}, point_mass(), {0.0}, {0.0}); }, "ball", {"empty"});
}

TEST(BadModel, TwoCoordinatesWithOneFullName) {
  expect_refused(
      [](Model& m) {
        m.add_coordinates("a", {"b.c"}, point_mass(), {0.0}, {0.0});
        m.add_coordinates("a.b", {"c"}, point_mass(), {0.0}, {0.0});
      },
      "a.b.c", {"full name", "rename"});
}

// What was refused leaves nothing behind: the corrected item may have the name.
TEST(BadModel, ARefusedItemCanBeCorrected) {
  Model model;
  EXPECT_THROW(model.add_planar_body("disc", {.mass = -1.0}), ModelError);
  EXPECT_NO_THROW(model.add_planar_body("disc", {.mass = 1.0}));
  EXPECT_THROW(model.add_bar("rod", {.length = -1.0}), ModelError);
  EXPECT_NO_THROW(model.add_bar("rod", {.length = 1.0}));
  EXPECT_THROW(model.add_shape("round", {}, Disc{-1.0}), ModelError);
  EXPECT_NO_THROW(model.add_shape("round", {}, Disc{1.0}));
  EXPECT_EQ(compile(model).nq(), 3 + 2);
}

TEST(BadModel, BodiesOfAnotherModel) {
  Model other;
  other.add_planar_body("a", {});
  const BlockId stranger = other.add_planar_body("b", {});
  expect_refused([&](Model& m) { add_point(m), m.add_contact("floor", {stranger}, gap<3>(height), {}); }, "floor",
                 {"body number 1", "another model"});
  expect_refused([&](Model& m) { add_point(m), m.add_force("push", {stranger}, force<3>(nothing)); }, "push",
                 {"body number 1", "another model"});
  expect_refused([&](Model& m) { add_point(m), m.add_force("push", {ground}, force<1>(nothing)); }, "push",
                 {"body number -1", "does not exist"});
  expect_refused([&](Model& m) { add_point(m), m.add_shape("tip", planar_frame(stranger, 0, 0), Vertex{}); }, "tip",
                 {"body number 1", "another model"});
}

template <class Mass>
void expect_bad_mass(Mass mass, std::initializer_list<std::string> parts) {
  expect_refused(
      [&](Model& m) {
        const auto zeros = [](const auto&, const auto*, const auto*, auto* F) { F[0] = F[1] = 0.0; };
        m.add_coordinates("pair", {"x", "y"}, lagrangian<2>(mass, zeros), {0.0, 0.0}, {0.0, 0.0});
      },
      "pair", parts);
}

TEST(BadModel, MassesThatAreNotSymmetricPositiveDefinite) {
  const auto mass = [](double a, double b, double c, double d) {
    return [=](double, const double*, MatrixView M) {
      M(0, 0) = a;
      M(0, 1) = b;
      M(1, 0) = c;
      M(1, 1) = d;
    };
  };
  expect_bad_mass(mass(2.0, 0.5, 0.25, 2.0), {"not symmetric", "M(1,0) = 0.25", "M(0,1) = 0.5"});
  expect_bad_mass(mass(1.0, 2.0, 2.0, 1.0), {"not positive definite", "pivot 1 is -3", "positive and finite"});
  expect_bad_mass(mass(1.0, 1.0, 1.0, 1.0), {"not positive definite", "pivot 1 is 0"});
  expect_bad_mass(mass(-1.0, 0.0, 0.0, 1.0), {"not positive definite", "pivot 0 is -1"});
  expect_bad_mass(mass(nan, 0.0, 0.0, 1.0), {"mass matrix", "nan"});
  expect_bad_mass(mass(1.0, nan, nan, 1.0), {"mass matrix", "nan"});
  expect_bad_mass(mass(1.0, 0.0, 0.0, infinity), {"mass matrix", "inf"});
}

TEST(BadModel, ForcesThatAreNotFiniteAtTheStart) {
  for (const BadValue& wrong : not_finite) {
    const double value = wrong.value;
    const std::string& text = wrong.text;
    expect_refused(
        [&, v = value](Model& m) {
          const auto bad = [v](const auto&, const auto*, const auto*, auto* F) { F[0] = v; };
          m.add_coordinates("ball", {"y"}, lagrangian<1>(unit_mass, bad), {0.0}, {0.0});
        },
        "ball.y", {"force is " + text});
    expect_refused(
        [&, v = value](Model& m) {
          const auto bad = [v](const auto&, const auto*, const auto*, const double*, auto* Q) { Q[0] = v; };
          m.add_force("push", {add_point(m)}, force<1>(bad));
        },
        "ball.y", {"force is " + text});
  }
}

TEST(BadModel, ImplicitForcesOnBandedBlocks) {
  expect_refused(
      [](Model& m) {
        const BlockId bar = m.add_bar("rod", {.elements = 4});
        m.add_force("tie", {Coordinates(bar, 0, 1), Coordinates(add_point(m))}, force<2>(nothing));
      },
      "rod", {"banded", "Tangents::none"});
  expect_refused(
      [](Model& m) {
        const BlockId bar = m.add_bar("rod", {.elements = 4});
        m.add_force("tie", {Coordinates(bar, 0, 1), Coordinates(bar, 3, 1)}, force<2>(nothing));
      },
      "tie", {"coordinates 0 and 3", "Tangents::none"});
}

}  // namespace
}  // namespace esc
