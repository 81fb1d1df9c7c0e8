// Bad input to springs, bushings, motors, gears, racks and limits.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <escapement/models/constraint.hpp>
#include <escapement/models/frame_function.hpp>
#include <escapement/models/line_force.hpp>
#include <escapement/system.hpp>

#include "tests/support/expect_refused.hpp"

namespace esc::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr JointCoordinate angle = JointCoordinate::angle, slide = JointCoordinate::slide;

struct Scene {
  BlockId a, b;
  JointId hinge, second, rail, fixed;
};
Scene scene(Model& model) {
  Scene s;
  s.a = model.add_rigid_body("a", {});
  s.b = model.add_rigid_body("b", {.position = {1, 0, 0}});
  const BlockId c = model.add_rigid_body("c", {}), d = model.add_rigid_body("d", {});
  s.hinge = model.add_joint("hinge", Revolute{}, Frame{}, Frame{s.a});
  s.second = model.add_joint("second", Revolute{}, Frame{ground, {1, 0, 0}}, Frame{s.b});
  s.rail = model.add_joint("rail", Prismatic{}, Frame{}, Frame{c});
  s.fixed = model.add_joint("fixed", Fixed{}, Frame{}, Frame{d});
  return s;
}
using Build = std::function<void(Model&, const Scene&)>;
void refused(const Build& build, std::initializer_list<std::string> parts) {
  expect_refused([&](Model& model) { build(model, scene(model)); }, "item", parts);
}

TEST(BadInput, Springs) {
  const auto spring = [](Spring s) {
    return [s](Model& m, const Scene& x) { m.add_spring("item", Frame{x.a}, Frame{x.b}, s); };
  };
  refused(spring({.stiffness = -1.0}), {"stiffness (N/m) is -1", ">= 0"});
  refused(spring({.stiffness = nan}), {"stiffness (N/m) is nan"});
  refused(spring({.stiffness = 1.0, .damping = -2.0}), {"damping (N s/m) is -2"});
  refused(spring({.stiffness = 1.0, .damping = infinity}), {"damping (N s/m) is inf"});
  refused(spring({.stiffness = 1.0, .length = -0.1}), {"length (m) is -0.1"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_spring("item", Frame{x.a}, Frame{x.a, {1, 0, 0}}, {1.0});
      },
      {"both frames sit on 'a'", "two bodies"});
  refused([](Model& m, const Scene&) { m.add_spring("item", Frame{}, Frame{}, {1.0}); }, {"both frames sit on ground"});
  refused([](Model& m, const Scene& x) { m.add_spring("item", Frame{x.a}, Frame{BlockId{99}}, {1.0}); },
          {"body number 99 does not exist"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_spring("item", Frame{x.a, {nan, 0, 0}}, Frame{x.b}, {1.0});
      },
      {"frame position[0] is nan"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_input("item");
        m.add_spring("item", Frame{x.a}, Frame{x.b}, {1.0});
      },
      {"used twice"});
  expect_refused([](Model& m) { m.add_spring("", Frame{}, Frame{}, {1.0}); }, "spring", {"name is empty"});
}

TEST(BadInput, ALineOfNoLengthIsFoundByCompile) {
  const auto law = [](const auto&, const auto& length, const auto&, const double*) { return length; };
  for (const bool user : {false, true})
    expect_refused(
        [&](Model& m) {
          const Frame a{m.add_rigid_body("a", {})}, b{m.add_rigid_body("b", {})};
          if (user) m.add_force("item", {a, b}, line_force(law));
          if (!user) m.add_spring("item", a, b, {.stiffness = 1.0});
        },
        "a.vx", {"the force is", "nan", "at the initial state"});
}

TEST(BadInput, JointSprings) {
  const auto spring = [](JointSpring s) {
    return [s](Model& m, const Scene& x) { m.add_joint_spring("item", x.hinge, angle, s); };
  };
  refused(spring({.stiffness = -1.0}), {"stiffness", "is -1"});
  refused(spring({.damping = nan}), {"damping", "is nan"});
  refused(spring({.rest = infinity}), {"rest", "is inf"});
  refused(spring({.rest = -4.0}), {"rest is -4 rad", "in space", "planar"});
  refused([](Model& m, const Scene& x) { m.add_joint_spring("item", x.hinge, slide, {1.0}); },
          {"a revolute joint has no coordinate 'slide'"});
  refused([](Model& m, const Scene& x) { m.add_joint_spring("item", x.fixed, angle, {1.0}); },
          {"a fixed joint has no coordinate 'angle'"});
  refused([](Model& m, const Scene&) { m.add_joint_spring("item", JointId{}, angle, {1.0}); },
          {"joint number -1 does not exist"});
  refused([](Model& m, const Scene&) { m.add_joint_spring("item", JointId{77}, angle, {1.0}); },
          {"joint number 77 does not exist"});
  refused(
      [](Model& m, const Scene& x) {
        const JointId motor{5};
        m.add_motor("motor", x.hinge, angle, Motor::velocity);
        m.add_joint("function", {Frame{x.b}}, frame_function([](const auto&, const auto& A) { return A.p.y; }));
        m.add_joint_spring("item", motor, angle, {1.0});
      },
      {"joint 'function'", "has no coordinates", "revolute"});
}

TEST(BadInput, Bushings) {
  const auto bushing = [](Bushing b) {
    return [b](Model& m, const Scene& x) { m.add_bushing("item", Frame{x.a}, Frame{x.b}, b); };
  };
  const auto with = [](int i, int j, double value, bool both = true) {
    Bushing b = diagonal_bushing({1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1});
    b.stiffness[6 * i + j] = value;
    if (both) b.stiffness[6 * j + i] = value;
    return b;
  };
  refused(bushing(with(2, 2, -3.0)), {"stiffness(2,2) is -3", ">= 0"});
  refused(bushing(with(1, 4, nan)), {"stiffness(1,4) is nan"});
  refused(bushing(with(1, 4, 0.5, false)), {"stiffness(1,4) is 0.5", "stiffness(4,1) is 0", "symmetric"});
  refused(bushing(with(1, 4, 1.5)), {"not positive semidefinite", "stiffness(4,4)"});
  Bushing coupled = diagonal_bushing({1, 0, 1, 1, 1, 1});
  coupled.stiffness[1] = coupled.stiffness[6] = 0.1;
  refused(bushing(coupled), {"stiffness(0,1) is 0.1", "zero"});
  refused(bushing(diagonal_bushing({}, {0, 0, 0, 0, -1, 0})), {"damping(4,4) is -1"});
  refused([](Model& m, const Scene& x) { m.add_bushing("item", Frame{x.a}, Frame{x.a}, {}); },
          {"both frames sit on 'a'"});

  Model model;  // a singular but semidefinite one is allowed: two directions as one
  const Scene s = scene(model);
  Bushing line = diagonal_bushing({4, 9, 0, 0, 0, 0});
  line.stiffness[1] = line.stiffness[6] = 6.0;
  model.add_bushing("line", Frame{s.a}, Frame{s.b}, line);
  EXPECT_NO_THROW(static_cast<void>(compile(model)));
}

TEST(BadInput, Motors) {
  refused([](Model& m, const Scene& x) { m.add_motor("item", x.rail, angle, Motor::velocity); },
          {"a prismatic joint has no coordinate 'angle'"});
  refused([](Model& m, const Scene&) { m.add_motor("item", JointId{40}, angle, Motor::torque); },
          {"joint number 40 does not exist"});
  refused([](Model& m, const Scene& x) { m.add_motor("item", x.hinge, angle, static_cast<Motor>(9)); },
          {"velocity, position or torque"});
  refused([](Model& m, const Scene& x) { m.add_motor("item", x.hinge, angle, PositionMotor{}); },
          {"no function of time", "position_motor"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_motor("item", x.hinge, angle, position_motor([](const auto& t) { return 0.5 + t; }));
      },
      {"miss the joint by 0.5"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_motor("item", x.hinge, angle, position_motor([](const auto& t) { return 0.5 * t; }));
      },
      {"initial velocities miss the joint by 0.5"});
  refused(
      [](Model& m, const Scene& x) {
        m.add_motor("item", x.hinge, angle, position_motor([](const auto& t) { return 1.0 / t; }));
      },
      {"not finite"});
  const auto taken = [](Model& m) {
    const Scene x = scene(m);
    m.add_input("drive.torque");
    m.add_motor("drive", x.hinge, angle, Motor::torque);
  };
  expect_refused(taken, "drive.torque", {"used twice"});
  Model model;  // and the refused motor left nothing behind
  EXPECT_THROW(taken(model), ModelError);
  EXPECT_NO_THROW(model.add_input("drive"));
}

TEST(BadInput, FunctionsOfTime) {
  refused([](Model& m, const Scene& x) { m.add_motor("item", x.hinge, angle, VelocityMotor{}); },
          {"no function of time"});
  refused([](Model& m, const Scene& x) { m.add_motor("item", x.hinge, angle, TorqueMotor{}); },
          {"no function of time"});
  refused([](Model& m, const Scene& x) { m.add_wrench("item", Frame{x.a}, GivenWrench{}); }, {"no function of time"});
  const VelocityMotor velocity{[](double t, const double*) -> std::array<double, 2> { return {1.0 / t, 0.0}; }};
  const TorqueMotor torque{[](double t, const double*) { return std::log(t); }};
  const GivenWrench wrench{[](double, const double*) -> std::array<double, 6> { return {0, nan, 0, 0, 0, 0}; }};
  refused([&](Model& m, const Scene& x) { m.add_motor("item", x.rail, angle, velocity); }, {"'angle'"});
  refused([&](Model& m, const Scene& x) { m.add_motor("item", x.rail, angle, torque); }, {"'angle'"});
  refused([&](Model& m, const Scene&) { m.add_wrench("item", Frame{}, wrench); }, {"ground"});
  refused([&](Model& m, const Scene& x) { m.add_motor("item", x.hinge, angle, velocity); }, {"not finite"});
  for (const bool motor : {true, false}) {
    Model model;
    const Scene x = scene(model);
    if (motor)
      model.add_motor("item", x.hinge, angle, torque);
    else
      model.add_wrench("item", Frame{x.a}, wrench);
    EXPECT_THROW(static_cast<void>(compile(model)), ModelError) << motor;
  }
}

TEST(BadInput, GearsAndRacks) {
  const auto gear = [](int a, int b) {
    return [a, b](Model& m, const Scene& x) { m.add_gear("item", x.hinge, a, x.second, b); };
  };
  refused(gear(0, 10), {"a gear has 0 teeth", "1 to"});
  refused(gear(10, 0), {"a gear has 0 teeth"});
  refused(gear(10, std::numeric_limits<int>::min()), {"teeth", "allowed"});
  refused([](Model& m, const Scene& x) { m.add_gear("item", x.hinge, 1, x.hinge, 2); }, {"'hinge'", "two different"});
  refused([](Model& m, const Scene& x) { m.add_gear("item", x.hinge, 1, x.rail, 2); },
          {"a prismatic joint has no coordinate 'angle'"});
  refused([](Model& m, const Scene& x) { m.add_gear("item", x.hinge, 1, JointId{50}, 2); }, {"joint number 50"});
  const auto rack = [](double radius) {
    return [radius](Model& m, const Scene& x) { m.add_rack("item", x.hinge, radius, x.rail); };
  };
  refused(rack(0.0), {"the radius is 0", "not zero"});
  refused(rack(nan), {"the radius is nan"});
  refused([](Model& m, const Scene& x) { m.add_rack("item", x.rail, 1.0, x.rail); }, {"no coordinate 'angle'"});
  refused([](Model& m, const Scene& x) { m.add_rack("item", x.hinge, 1.0, x.second); }, {"no coordinate 'slide'"});
  refused(
      [](Model& m, const Scene& x) {
        const JointId both = m.add_joint("both", Cylindrical{}, Frame{x.a}, Frame{x.b, {-1, 0, 0}});
        m.add_rack("item", both, 1.0, both);
      },
      {"same joint 'both'", "screw"});
}

TEST(BadInput, Limits) {
  const auto limits = [](double lower, double upper, ContactLaw law = {}) {
    return [=](Model& m, const Scene& x) { m.add_limits("item", x.hinge, angle, lower, upper, law); };
  };
  refused(limits(1.0, 1.0), {"lower is 1", "upper is 1", "below"});
  refused(limits(1.0, -1.0), {"below"});
  refused(limits(nan, 1.0), {"lower is nan"});
  refused(limits(-1.0, nan), {"upper is nan"});
  refused(limits(-infinity, infinity), {"both limits are infinite"});
  refused(limits(-4.0, 4.0), {"less than a turn apart"});
  refused(limits(-1.0, infinity), {"in space", "give both limits"});
  refused(limits(-1.0, 1.0, {.mu = 0.3}), {"friction mu is 0.3", "set mu = 0"});
  refused(limits(-1.0, 1.0, {.e = 1.5}), {"restitution e is 1.5"});
  refused(limits(0.5, 1.0), {"initial penetration is 0.5 rad"});
  refused([](Model& m, const Scene& x) { m.add_limits("item", x.fixed, slide, 0.0, 1.0, {}); },
          {"no coordinate 'slide'"});
  refused([](Model& m, const Scene&) { m.add_limits("item", JointId{9}, slide, 0.0, 1.0, {}); }, {"joint number 9"});
}

TEST(BadInput, UserFunctions) {
  const auto row = [](const auto&, const auto& A, const auto& B) { return A.p.x - B.p.x; };
  refused([&](Model& m, const Scene& x) { m.add_joint("item", {Frame{x.a}}, frame_function(row)); },
          {"takes 2 frames, but 1"});
  const auto root = [](const auto&, const auto& A) {
    using std::sqrt;
    return sqrt(A.p.x - 5.0);
  };
  refused([&](Model& m, const Scene& x) { m.add_joint("item", {Frame{x.a}}, frame_function(root)); }, {"not finite"});
  const auto nothing = [](const auto& t, const auto&) { return 0.0 * t; };
  refused([&](Model& m, const Scene& x) { m.add_joint("item", {Frame{x.a}}, frame_function(nothing)); },
          {"does not change with q"});
  const auto plain = [](const auto&, const auto* q) { return q[0]; };
  refused([&](Model& m, const Scene& x) { m.add_joint("item", {Coordinates(x.a)}, constraint<1>(plain)); },
          {"'a' is a body in space"});
}

}  // namespace
}  // namespace esc::testing
