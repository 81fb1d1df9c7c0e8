// What belongs to one Model or System is refused by another, with an error that says so.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"

namespace esc::testing {
namespace {

template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

// A pendulum on a hinge, with an input and an output.
struct Pendulum {
  Model model;
  BlockId body;
  ShapeId bob;
  JointId hinge;
  InputId wind;
};

Pendulum pendulum(const std::string& name = "rod", double mass = 1.0) {
  Pendulum p;
  p.body = p.model.add_rigid_body(name, {.mass = mass, .position = {0, 0, -1}});
  p.bob = p.model.add_shape(name + ".bob", {p.body}, Sphere{0.1});
  p.model.add_shape("floor", {ground, {0, 0, -2}}, HalfSpace{});
  p.hinge = p.model.add_joint("hinge", Revolute{}, Frame{}, Frame{p.body, {0, 0, 1}});
  p.wind = p.model.add_input("wind", 0.0);
  p.model.add_output("height", [](double, auto q, auto, auto) { return q[2]; });
  return p;
}

TEST(Identity, AModelThatWasMovedFromIsRefusedByEveryFunction) {
  Pendulum p = pendulum();
  Model m = std::move(p.model);
  const Frame frame{p.body};
  const std::vector<std::function<void()>> calls{
      [&] {
        p.model.set_gravity({0, 0, -9.81});
      },
      [&] { p.model.set_penetration_tolerance(1e-9); },
      [&] { p.model.set_joint_tolerance(1e-9); },
      [&] { p.model.set_assembly(Assembly::project); },
      [&] { p.model.add_coordinates("x", {"x"}, masses_with_weight<1>(0.0), {0}, {0}); },
      [&] { p.model.add_planar_body("x", {}); },
      [&] { p.model.add_rigid_body("x", {}); },
      [&] { p.model.add_bar("x", {}); },
      [&] { p.model.add_shape("x", frame, Sphere{}); },
      [&] { p.model.add_contact("x", p.bob, p.bob, {}); },
      [&] { p.model.add_contacts(Combination::mean, Combination::mean); },
      [&] { p.model.add_joint("x", Revolute{}, Frame{}, frame); },
      [&] { p.model.add_spring("x", Frame{}, frame, {}); },
      [&] { p.model.add_wrench("x", frame); },
      [&] { p.model.add_bushing("x", Frame{}, frame, {}); },
      [&] { p.model.add_joint_spring("x", p.hinge, JointCoordinate::angle, {}); },
      [&] { p.model.add_motor("x", p.hinge, JointCoordinate::angle, Motor::torque); },
      [&] { p.model.add_gear("x", p.hinge, 1, p.hinge, 2); },
      [&] { p.model.add_rack("x", p.hinge, 1.0, p.hinge); },
      [&] { p.model.add_limits("x", p.hinge, JointCoordinate::angle, 0.0, 1.0, {}); },
      [&] {
        static_cast<void>(p.model.frame_at(p.body, {0, 0, 0}));
      },
      [&] { p.model.add_input("x"); },
      [&] { p.model.set_input(p.wind, 1.0); },
      [&] { p.model.add_output("x", [](double, auto, auto, auto) { return 0.0; }); },
      [&] { static_cast<void>(p.model.parts()); },
      [&] { static_cast<void>(compile(p.model)); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_NE(refusal_of(calls[i]).find("moved"), std::string::npos) << "call " << i << ": " << refusal_of(calls[i]);

  m.set_input(p.wind, 2.0);  // ids go with what they name
  EXPECT_EQ(compile(m).initial_state().u[0], 2.0);
  p.model = Model();
  p.model.add_planar_body("fresh", {});
  EXPECT_EQ(compile(p.model).nv(), 3);
}

TEST(Identity, IdsOfAnotherModelAreRefused) {
  Pendulum p = pendulum();
  const Pendulum other = pendulum();
  Model& m = p.model;
  const Frame foreign{other.body}, own{p.body};
  const std::vector<std::function<void()>> calls{
      [&] { m.add_shape("x", foreign, Sphere{}); },
      [&] { m.add_contact("x", p.bob, other.bob, {}); },
      [&] { m.add_contact("x", other.bob, p.bob, {}); },
      [&] { m.add_joint("x", Spherical{}, Frame{}, foreign); },
      [&] { m.add_spring("x", foreign, Frame{}, {}); },
      [&] { m.add_wrench("x", foreign); },
      [&] { m.add_bushing("x", Frame{}, foreign, {}); },
      [&] { m.add_joint_spring("x", other.hinge, JointCoordinate::angle, {}); },
      [&] { m.add_motor("x", other.hinge, JointCoordinate::angle, Motor::torque); },
      [&] { m.add_gear("x", p.hinge, 1, other.hinge, 2); },
      [&] { m.add_limits("x", other.hinge, JointCoordinate::angle, 0.0, 1.0, {}); },
      [&] {
        static_cast<void>(m.frame_at(other.body, {0, 0, 0}));
      },
      [&] { m.set_input(other.wind, 1.0); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_NE(refusal_of(calls[i]).find("another model"), std::string::npos)
        << "call " << i << ": " << refusal_of(calls[i]);
  m.add_shape("eye", own, Sphere{});
  m.add_shape("nose", Frame{BlockId{0}}, Sphere{});  // a number written by hand counts in this model
}

// Two bodies with one name less in common: all sizes are equal.
TEST(Identity, AStateOfAnotherSystemOfEqualSizeIsRefused) {
  const System system = compile(pendulum("rod").model), other = compile(pendulum("bar").model);
  const State x = other.initial_state();
  ASSERT_EQ(x.q.size(), system.initial_state().q.size());
  std::vector<Reaction> reactions(1);
  std::vector<double> y(1);
  const std::vector<std::function<void(const State&)>> calls{
      [&](const State& s) { system.require(s); },
      [&](const State& s) { static_cast<void>(system.reaction(s, 0)); },
      [&](const State& s) { system.reactions(s, reactions); },
      [&](const State& s) { static_cast<void>(system.joint_coordinate(s, 0, JointCoordinate::angle)); },
      [&](const State& s) { static_cast<void>(system.joint_rate(s, 0, JointCoordinate::angle)); },
      [&](const State& s) { system.outputs(s, y); },
  };
  for (const auto& call : calls) {
    expect_says(refusal_of([&] { call(x); }), "another system");
    expect_says(refusal_of([&] { call(State{}); }), "no system");
    State cut = system.initial_state();
    cut.q.pop_back();
    expect_says(refusal_of([&] { call(cut); }), "q has 6 entries; the system has 7");
    EXPECT_EQ(refusal_of([&] { call(system.initial_state()); }), "accepted");
  }
  expect_says(refusal_of([&] { system.reactions(system.initial_state(), {}); }), "room for 0");
  expect_says(refusal_of([&] { system.outputs(system.initial_state(), {}); }), "room for 0");
}

TEST(Identity, ALayoutIsMadeOfNamesUnitsAndTheirOrder) {
  const auto layout = [](auto change) {
    Pendulum p = pendulum();
    change(p);
    return compile(p.model).layout();
  };
  const std::uint64_t plain = layout([](Pendulum&) {});
  EXPECT_EQ(compile(pendulum().model).layout(), plain);
  EXPECT_EQ(compile(pendulum("rod", 2.0).model).layout(), plain);  // a number
  EXPECT_EQ(layout([](Pendulum& p) { p.model.add_spring("s", Frame{}, Frame{p.body}, {.stiffness = 1.0}); }), plain);
  EXPECT_NE(compile(pendulum("bar").model).layout(), plain);
  EXPECT_NE(layout([](Pendulum& p) { p.model.add_input("rain"); }), plain);
  EXPECT_NE(layout([](Pendulum& p) { p.model.add_planar_body("ball", {}); }), plain);
  EXPECT_NE(layout([](Pendulum& p) { p.model.add_contact("landing", p.bob, ShapeId{1}, {}); }), plain);
  EXPECT_NE(layout([](Pendulum& p) { p.model.add_motor("m", p.hinge, JointCoordinate::angle, Motor::velocity); }),
            plain);
  const auto pair = [](const char* first, const char* second) {
    Model model;
    model.add_planar_body(first, {});
    model.add_planar_body(second, {});
    return compile(model).layout();
  };
  EXPECT_NE(pair("a", "b"), pair("b", "a"));
}

TEST(Identity, ASystemThatWasMovedFromHasNoStates) {
  System system = compile(pendulum().model);
  const State x = system.initial_state();
  const System moved = std::move(system);
  EXPECT_TRUE(fits(moved, x));
  EXPECT_FALSE(fits(system, x));
  EXPECT_FALSE(fits(system, State{}));
  expect_says(refusal_of([&] { system.require(x); }), "moved");
  system = compile(pendulum().model);
  EXPECT_TRUE(fits(system, x));
  EXPECT_EQ(system.coordinate("rod.z"), 2);  // names stay with the arrays that they name
  EXPECT_EQ(moved.velocity("rod.wx"), 3);
}

}  // namespace
}  // namespace esc::testing
