// Starts that no gap shows as wrong: a pin beside its hole, and what else may stand outside of what should enclose it.
#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_refused.hpp"

namespace esc {
namespace {

using testing::expect_refused;

constexpr std::array<double, 4> upright{1, 0, 0, 0};

void add_pair(Model& model, const Geometry& a, std::array<double, 3> at, const Geometry& b,
              std::array<double, 4> rotation = upright) {
  const BlockId body = model.add_rigid_body("body", {.position = at, .rotation = rotation});
  model.add_contact("fit", model.add_shape("inner", {body}, a), model.add_shape("outer", {ground}, b), {});
}

TEST(Start, APinThroughThePlateBesideItsHoleIsRefused) {
  for (const double off : {0.025, 0.035, 0.045, 0.2, 5.0}) {
    expect_refused(
        [&](Model& model) {
          add_pair(model, Pin{0.01, 0.05}, {off, 0, 0}, Hole{0.02, 0.01});
        },
        "fit#2", {"initial penetration", "m"});
    expect_refused(
        [&](Model& model) {
          add_pair(model, Pin{0.01, 0.05, 0.012}, {0, -off, 0}, Hole{0.02, 0.01});
        },
        "fit#2", {"initial penetration"});
    expect_refused(
        [&](Model& model) {
          add_pair(model, Pin{0.01, 0.005}, {off, 0, 0}, Hole{0.02, 0.01});
        },
        "fit", {"initial penetration"});
  }
}

TEST(Start, APinBeyondTheFacesBesideItsHoleIsRefused) {
  for (const double height : {-0.2, 0.07, 3.0})
    expect_refused(
        [&](Model& model) {
          add_pair(model, Pin{0.01, 0.05}, {0.03, 0, height}, Hole{0.02, 0.01});
        },
        "fit", {"starts outside its hole", "place the pin in the hole or in line with it"});
  expect_refused(
      [&](Model& model) {
        add_pair(model, Cylinder{0.01, 0.05}, {0.5, 0, 0.5}, Hole{0.02, 0.01});
      },
      "fit", {"starts outside its hole"});
}

// The shoulders of a pin the wrong way round would let it pass.
TEST(Start, APinWhoseShouldersLookAwayFromTheirPlateIsRefused) {
  expect_refused(
      [&](Model& model) {
        add_pair(model, Pin{0.01, 0.05, 0.012}, {0, 0, 0}, Hole{0.02, 0.01}, {0, 1, 0, 0});
      },
      "fit", {"point away from each other", "half a turn"});
  Model without_shoulders;
  add_pair(without_shoulders, Pin{0.01, 0.05}, {0, 0, 0}, Hole{0.02, 0.01}, {0, 1, 0, 0});
  EXPECT_NO_THROW(static_cast<void>(compile(without_shoulders)));
}

Model disc_in_ring(double radius, double x) {
  Model model;
  const BlockId disc = model.add_planar_body("disc", {.pose = {x, 0, 0}});
  model.add_contact("fit", model.add_shape("inner", planar_frame(disc, 0, 0), Disc{radius}),
                    model.add_shape("outer", planar_frame(ground, 0, 0), Ring{0.02}), {});
  return model;
}

// A journal in the middle of its bearing: the gap is the clearance, and its rows are of size one.
TEST(Start, ADiscInTheMiddleOfItsRingIsNot) {
  for (const double x : {0.0, 1e-300, 1e-14}) {
    const System system = compile(disc_in_ring(0.015, x));
    const State& start = system.initial_state();
    ContactSet set;
    system.detect(0.0, start.q, any_gap, set);
    system.evaluate(0.0, start.q, set);
    ASSERT_EQ(set.size(), 1);
    EXPECT_NEAR(set.contacts[0].gap, 0.005, 1e-12);
    EXPECT_NEAR(std::hypot(set.G[0], set.G[1]), 1.0, 1e-12);
  }
  expect_refused([](Model& model) { model = disc_in_ring(0.02, 0.0); }, "fit", {"have no normal", "correct sizes"});
}

TEST(Start, APinInItsHoleOrInLineWithItIsNot) {
  for (const double height : {-0.2, -0.03, 0.0, 0.058, 0.07, 3.0}) {
    Model model;
    add_pair(model, Pin{0.01, 0.05}, {0.005, 0, height}, Hole{0.02, 0.01});
    EXPECT_NO_THROW(static_cast<void>(compile(model))) << height;
  }
}

// Beside the edge the gap is how deep the pin is in the plate: it falls as the pin moves on.
TEST(Start, TheGapOfAPinInThePlateIsNegative) {
  Model model;
  add_pair(model, Pin{0.01, 0.05}, {0.005, 0, 0}, Hole{0.02, 0.01});
  const System system = compile(model);
  std::vector<double> q = system.initial_state().q;
  ContactSet set;
  double last = 1.0;
  for (const double x : {0.005, 0.0095, 0.015, 0.0195, 0.0205, 0.03, 0.1, 1.0}) {
    q[0] = x;
    system.detect(0.0, q, any_gap, set);
    ASSERT_GE(set.size(), 1);
    EXPECT_NEAR(set.contacts[0].gap, 0.01 - x, 1e-12) << x;
    EXPECT_LT(set.contacts[0].gap, last);
    last = set.contacts[0].gap;
  }
}

TEST(Start, WhateverStandsOutsideOfWhatEnclosesItIsRefused) {
  expect_refused(
      [](Model& model) {
        add_pair(model, Sphere{0.01}, {0.5, 0, 0}, Hole{0.02});
      },
      "fit", {"initial penetration"});
  expect_refused(
      [](Model& model) {
        add_pair(model, Rim{0.01}, {0.5, 0, 0}, Hole{0.02});
      },
      "fit", {"initial penetration"});
  expect_refused(
      [](Model& model) {
        add_pair(model, Pin{0.01, 0.05}, {0.5, 0, 0}, Hole{0.02});
      },
      "fit", {"initial penetration"});
  expect_refused(
      [](Model& model) {
        add_pair(model, Box{0.01, 0.01, 0.01}, {0, 5.0, 0}, Channel{0.02});
      },
      "fit#1", {"initial penetration"});
  expect_refused(
      [](Model& model) {
        add_pair(model, Sphere{0.01}, {0.5, 0, 0}, Hole{0.02, 0.1});
      },
      "fit", {"there is no contact between"});
  expect_refused(
      [](Model& model) {
        const BlockId disc = model.add_planar_body("disc", {.pose = {3, 0, 0}});
        model.add_contact("fit", model.add_shape("inner", planar_frame(disc, 0, 0), Disc{0.01}),
                          model.add_shape("outer", planar_frame(ground, 0, 0), Ring{0.02}), {});
      },
      "fit", {"initial penetration"});
}

}  // namespace
}  // namespace esc
