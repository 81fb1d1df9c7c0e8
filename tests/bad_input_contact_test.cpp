// Bad contacts, laws and shapes: refused with a ModelError whose text names the item, the value and what is allowed.
#include <array>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/system.hpp>

#include "tests/support/expect_refused.hpp"

namespace esc {
namespace {

using testing::expect_refused;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

BlockId add_point(Model& model, double q) {
  const auto unit_mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  return model.add_coordinates("ball", {"y"}, lagrangian<1>(unit_mass, no_force), {q}, {0.0});
}

const auto height = [](const auto&, const auto* q) { return q[0]; };

TEST(BadLaw, RestitutionAndFrictionOutsideTheirRange) {
  struct Bad {
    ContactLaw law;
    std::string what, allowed;
  };
  const std::vector<Bad> list{{{.e = -0.1}, "e is -0.1", "[0, 1]"},     {{.e = 1.5}, "e is 1.5", "[0, 1]"},
                              {{.e = nan}, "e is nan", "[0, 1]"},       {{.e = infinity}, "e is inf", "[0, 1]"},
                              {{.mu = -0.25}, "mu is -0.25", ">= 0"},   {{.mu = nan}, "mu is nan", ">= 0"},
                              {{.mu = infinity}, "mu is inf", "finite"}};
  for (const Bad& bad : list) {
    expect_refused([&](Model& m) { m.add_contact("floor", {add_point(m, 1.0)}, gap<1>(height, height), bad.law); },
                   "floor", {bad.what, bad.allowed});
    expect_refused(
        [&](Model& m) {
          m.add_shape("round", {}, Disc{1.0}, {bad.law.e, bad.law.mu});
        },
        "round", {bad.what, bad.allowed});
    expect_refused(
        [&](Model& m) {
          const BlockId body = m.add_planar_body("body", {.pose = {0.0, 2.0, 0.0}});
          const ShapeId disc = m.add_shape("round", planar_frame(body, 0, 0), Disc{1.0});
          m.add_contact("floor", disc, m.add_shape("plane", {}, HalfPlane{}), bad.law);
        },
        "floor", {bad.what, bad.allowed});
  }
}

TEST(BadLaw, FrictionWithoutASlipFunction) {
  expect_refused([](Model& m) { m.add_contact("floor", {add_point(m, 1.0)}, gap<1>(height), {.mu = 0.5}); }, "floor",
                 {"mu is 0.5", "no slip function", "set mu = 0"});
}

TEST(BadGap, PenetrationAtTheStart) {
  const auto model_at = [](double q, double tolerance) {
    return [=](Model& m) {
      if (tolerance >= 0.0) m.set_penetration_tolerance(tolerance);
      m.add_contact("floor", {add_point(m, q)}, gap<1>(height), {});
    };
  };
  expect_refused(model_at(-0.25, -1.0), "floor", {"penetration is 0.25 m", "1e-09 m", "move the bodies apart"});
  expect_refused(model_at(-2e-9, -1.0), "floor", {"penetration is 2e-09 m"});
  expect_refused(model_at(-0.25, 0.125), "floor", {"allowed is 0.125 m"});
  expect_refused(model_at(-1e-300, 0.0), "floor", {"allowed is 0 m"});
  for (const auto& [q, tolerance] : std::vector<std::array<double, 2>>{{-5e-10, -1.0}, {-0.25, 0.5}, {0.0, 0.0}}) {
    Model model;
    model_at(q, tolerance)(model);
    EXPECT_NO_THROW(static_cast<void>(compile(model))) << q;
  }
  for (const double tolerance : {-1.0, nan, infinity}) {
    Model model;
    EXPECT_THROW(model.set_penetration_tolerance(tolerance), ModelError) << tolerance;
  }
}

TEST(BadGap, ValuesThatAreNotFiniteAtTheStart) {
  for (const double value : {nan, infinity, -infinity}) {
    expect_refused(
        [value](Model& m) {
          m.add_contact("floor", {add_point(m, 1.0)},
                        gap<1>([value](const auto&, const auto* q) { return q[0] + value; }), {});
        },
        "floor", {"the gap is", "must be finite"});
  }
  expect_refused(
      [](Model& m) {
        m.add_contact("floor", {add_point(m, 0.0)}, gap<1>([](const auto&, const auto* q) {
                        using std::sqrt;
                        return 1.0 + sqrt(q[0]);  // the gap is finite, its slope is not
                      }),
                      {});
      },
      "floor", {"gradient", "not finite"});
}

TEST(BadGap, TheTangentialRowsAreCheckedToo) {
  expect_refused(
      [](Model& m) {
        m.add_contact("floor", {add_point(m, 0.0)},
                      gap<1>(height,
                             [](const auto&, const auto* q) {
                               using std::sqrt;
                               return sqrt(q[0]);
                             }),
                      {.mu = 0.5});
      },
      "floor", {"not finite"});
}

TEST(BadGap, AGradientOfZeroAtContact) {
  const auto square = [](const auto&, const auto* q) { return q[0] * q[0]; };
  expect_refused([&](Model& m) { m.add_contact("floor", {add_point(m, 0.0)}, gap<1>(square), {}); }, "floor",
                 {"gradient is zero", "must change with q"});
  Model apart;
  apart.add_contact("floor", {add_point(apart, 1.0)}, gap<1>(square), {});
  EXPECT_NO_THROW(static_cast<void>(compile(apart)));
}

TEST(BadGap, OneCoordinateGivenTwice) {
  expect_refused(
      [](Model& m) {
        const BlockId ball = add_point(m, 1.0);
        m.add_contact("floor", {ball, ball}, gap<2>([](const auto&, const auto* q) { return q[0] + q[1]; }), {});
      },
      "floor", {"twice"});
}

TEST(BadShape, SizesThatAreNotPositive) {
  for (const double size : {0.0, -1.0, nan, infinity}) {
    const auto refused = [&](const Geometry& geometry, const std::string& what) {
      expect_refused([&](Model& m) { m.add_shape("shape", {}, geometry); }, "shape",
                     {what + " is ", " m; ", "positive and finite"});
    };
    refused(Disc{size}, "radius");
    refused(Ring{size}, "radius");
    refused(Rectangle{size, 1.0}, "half_length");
    refused(Rectangle{1.0, size}, "half_height");
  }
}

TEST(BadShape, Frames) {
  const auto refused = [](const Frame& frame, std::initializer_list<std::string> parts) {
    expect_refused(
        [&](Model& m) {
          const BlockId body = m.add_planar_body("body", {.pose = {0.0, 2.0, 0.0}});
          const ShapeId disc = m.add_shape("disc", planar_frame(body, 0, 0), Disc{});
          m.add_contact("pair", disc, m.add_shape("plane", frame, HalfPlane{}), {});
        },
        "plane", parts);
  };
  refused({ground, {0.0, nan, 0.0}, {1, 0, 0, 0}}, {"position[1] is nan", "must be finite"});
  refused({ground, {0.0, 0.0, 0.0}, {1, 0, 0, infinity}}, {"rotation[3] is inf", "must be finite"});
  refused({ground, {0.0, 0.0, 0.0}, {2, 0, 0, 0}}, {"norm 2", "must be 1"});
  refused({ground, {0.0, 0.0, 0.0}, {0, 0, 0, 0}}, {"norm 0", "must be 1"});
  refused({ground, {0.0, 0.0, 0.5}, {1, 0, 0, 0}}, {"leaves the plane", "z = 0"});
  refused({ground, {0.0, 0.0, 0.0}, {0, 1, 0, 0}}, {"leaves the plane", "rotation about z"});
}

TEST(BadShape, PairsThatCannotTouch) {
  struct Pair {
    Geometry a, b;
    std::string name_a, name_b;
  };
  const std::vector<Pair> pairs{{HalfPlane{}, HalfPlane{}, "half-plane", "half-plane"},
                                {Vertex{}, Vertex{}, "vertex", "vertex"},
                                {Ring{}, Ring{}, "ring", "ring"},
                                {Ring{}, HalfPlane{}, "ring", "half-plane"},
                                {Rectangle{}, Rectangle{}, "rectangle", "rectangle"},
                                {Rectangle{}, Disc{}, "rectangle", "disc"},
                                {Rectangle{}, Ring{}, "rectangle", "ring"}};
  for (const Pair& pair : pairs)
    expect_refused(
        [&](Model& m) {
          const BlockId body = m.add_planar_body("body", {.pose = {0.0, 2.0, 0.0}});
          const ShapeId a = m.add_shape("first", planar_frame(body, 0, 0), pair.a);
          m.add_contact("pair", a, m.add_shape("second", {}, pair.b), {});
        },
        "pair",
        {"no contact between a " + pair.name_a + " ('first') and a " + pair.name_b + " ('second')",
         "a " + pair.name_a + " touches "});
}

TEST(BadShape, PairsOnOneBody) {
  expect_refused(
      [](Model& m) {
        const BlockId body = m.add_planar_body("body", {});
        const ShapeId a = m.add_shape("first", planar_frame(body, 0, 0), Disc{});
        m.add_contact("pair", a, m.add_shape("second", planar_frame(body, 5, 0), Disc{}), {});
      },
      "pair", {"'first' and 'second'", "same body"});
  expect_refused(
      [](Model& m) {
        m.add_planar_body("body", {});
        const ShapeId a = m.add_shape("first", {}, Disc{});
        m.add_contact("pair", a, m.add_shape("second", {}, HalfPlane{}), {});
      },
      "pair", {"same body"});
}

TEST(BadShape, ShapesThatAreNotInTheModel) {
  for (const int index : {-1, 1, 7})
    expect_refused(
        [&](Model& m) {
          const BlockId body = m.add_planar_body("body", {});
          m.add_contact("pair", m.add_shape("first", planar_frame(body, 0, 0), Disc{}), ShapeId{index}, {});
        },
        "pair", {"shape number " + std::to_string(index), "does not exist"});
}

TEST(BadShape, ShapesOnCoordinatesThatAreNotABody) {
  expect_refused([](Model& m) { m.add_shape("first", planar_frame(add_point(m, 1.0), 0, 0), Disc{}); }, "first",
                 {"sits on 'ball'", "not a body"});
}

}  // namespace
}  // namespace esc
