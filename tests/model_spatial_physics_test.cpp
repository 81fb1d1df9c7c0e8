// Bodies with shapes in space at work: gaps by hand, rest, impact; which pairs the model makes, and what it refuses.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/system.hpp>

#include "tests/support/expect_refused.hpp"

namespace esc {
namespace {

using testing::expect_refused;
using Vec = Vec3<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr double gravity = 9.81, density = 1000.0, h = 1e-3;

RigidBody at(RigidBody body, std::array<double, 3> position, std::array<double, 3> velocity = {0, 0, 0}) {
  body.position = position;
  body.velocity = velocity;
  return body;
}

// One body with one shape against one shape on ground.
struct Scene {
  Geometry shape;
  Geometry on_ground;
  RigidBody body;
  ContactLaw law;
  std::array<double, 3> gravity{0, 0, 0};

  System compiled() const {
    Model model;
    model.set_gravity(gravity);
    const BlockId id = model.add_rigid_body("body", body);
    model.add_contact("contact", model.add_shape("shape", {id}, shape), model.add_shape("solid", {}, on_ground), law);
    return compile(model);
  }
};

State run(const System& system, int steps, double step = h) {
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = scheme.step(x, step);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " in step " << i;
    if (!report.ok()) break;
  }
  return x;
}

Vec total_force(const State& x) {
  Vec sum{};
  for (const ContactRecord& record : x.contacts) sum = sum + (1.0 / x.h) * vec3(to_world(record));
  return sum;
}

void expect_vec(const Vec& a, const Vec& b, double tolerance) { EXPECT_NEAR(norm(a - b), 0.0, tolerance); }

ContactSet evaluated(const System& system, double reach = any_gap) {
  ContactSet set;
  system.detect(0.0, system.initial_state().q, reach, set);
  system.evaluate(0.0, system.initial_state().q, set);
  return set;
}

// Every pair once, in a pose whose least gap is plain arithmetic: the sizes reach the pair in their places.
TEST(SpatialGaps, AreThoseWorkedOutByHand) {
  struct Entry {
    Geometry a, b;
    std::array<double, 3> position;  // of A
    double gap;
    std::array<double, 4> rotation{1, 0, 0, 0};
  };
  const std::array<double, 4> z_to_x{std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0};
  const HeightField ramp{2, 3, 1.0, 2.0, {0, 0, 1, 1, 2, 2}};  // z = y / 2
  const std::vector<Entry> entries{
      {Vertex{}, HalfSpace{}, {3, 2, 1}, 1.0},
      {Sphere{0.4}, HalfSpace{}, {3, 2, 1}, 0.6},
      {Capsule{0.3, 0.8}, HalfSpace{}, {0, 0, 2}, 0.9},
      {Box{0.3, 0.4, 0.6}, HalfSpace{}, {0, 0, 2}, 1.7, z_to_x},
      {Cylinder{0.5, 0.3}, HalfSpace{}, {0, 0, 1}, 0.7},
      {Vertex{}, Sphere{0.7}, {2, 0, 0}, 1.3},
      {Sphere{0.4}, Sphere{0.7}, {2, 0, 0}, 0.9},
      {Sphere{0.4}, Capsule{0.3, 0.8}, {0, 0, 2}, 0.5},
      {Vertex{}, Capsule{0.3, 0.8}, {2, 0, 0.5}, 1.7},
      {Capsule{0.4, 1.0}, Capsule{0.3, 1.2}, {2, 0, 0}, 0.3, z_to_x},
      {Sphere{0.4}, Box{0.3, 0.5, 0.6}, {0, 2, 0}, 1.1},
      {Vertex{}, Box{0.3, 0.5, 0.6}, {0, 0, 2}, 1.4},
      {Sphere{0.4}, Cylinder{0.7, 0.9}, {2, 0, 0}, 0.9},
      {Vertex{}, Cylinder{0.7, 0.9}, {0, 0, 2}, 1.1},
      {Sphere{0.4}, Hole{2.5}, {1, 0, 7}, 1.1},
      {Vertex{}, Hole{2.5}, {1, 0, 7}, 1.5},
      {Rim{0.4}, Hole{0.7}, {0.1, 0, 7}, 0.2},
      {Cylinder{0.4, 0.6}, Hole{0.5}, {0.05, 0, 7}, 0.05},
      {Cylinder{0.4, 0.6}, Hole{0.5, 0.3}, {0.05, 0, 0.1}, 0.05},
      {Pin{0.4, 0.6, 0.35}, Hole{0.5, 0.3}, {0.01, 0, 0.02}, 0.03},
      {Box{0.3, 0.4, 0.6}, Channel{1.0}, {0, 0.2, 7}, 0.4},
      {Sphere{0.4}, ramp, {0.5, 2.0, 2.0}, 1.0 / std::sqrt(1.25) - 0.4},
      {Vertex{}, ramp, {0.5, 2.0, 2.0}, 1.0 / std::sqrt(1.25)},
  };
  for (const Entry& entry : entries) {
    const RigidBody body{.position = entry.position, .rotation = entry.rotation};
    const ContactSet set = evaluated(Scene{entry.a, entry.b, body, {}}.compiled());
    double least = infinity;
    for (const Contact& contact : set.contacts) least = std::min(least, contact.gap);
    EXPECT_NEAR(least, entry.gap, 1e-12) << geometry_name(entry.a) << " and " << geometry_name(entry.b);
  }
}

// Many pairs in one pool, without offsets: every contact has the pose of its own bodies, and reach is exact.
TEST(SpatialGaps, OfManySpheres) {
  constexpr int count = 12;
  const auto place_of = [](int i) { return Vec{1.1 * i, std::sin(3.0 * i), std::cos(5.0 * i)}; };
  Model model;
  for (int i = 0; i < count; ++i) {
    const Vec p = place_of(i);
    const BlockId body = model.add_rigid_body("body" + std::to_string(i), {.position = {p.x, p.y, p.z}});
    model.add_shape("ball" + std::to_string(i), {body}, Sphere{0.01 * (i + 1)});
  }
  model.add_contacts(Combination::mean, Combination::mean);
  const System system = compile(model);
  const ContactSet set = evaluated(system);
  ASSERT_EQ(set.size(), count * (count - 1) / 2);
  int k = 0;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j, ++k) {
      const Contact& contact = set.contacts[k];
      const Vec d = place_of(i) - place_of(j);
      EXPECT_EQ(contact.segments[0].first, 6 * i);
      EXPECT_EQ(contact.segments[1].first, 6 * j);
      EXPECT_NEAR(contact.gap, norm(d) - 0.01 * (i + j + 2), 1e-14);
      expect_vec(vec3(contact.normal), (1.0 / norm(d)) * d, 1e-14);

      const auto kept = [&](double reach) {
        const ContactSet some = evaluated(system, reach);
        return std::any_of(some.contacts.begin(), some.contacts.end(),
                           [&](const Contact& c) { return c.key == contact.key; });
      };
      EXPECT_TRUE(kept(contact.gap));
      EXPECT_FALSE(kept(std::nextafter(contact.gap, -1.0)));
    }
}

TEST(SpatialPhysics, ASphereRestsOnAPlaneWithItsWeight) {
  const RigidBody ball = at(solid(Sphere{0.1}, density), {0.2, 0.3, 0.1});
  const System system = Scene{Sphere{0.1}, HalfSpace{}, ball, {.mu = 0.3}, {0, 0, -gravity}}.compiled();
  const State x = run(system, 50);
  ASSERT_EQ(x.contacts.size(), 1u);
  expect_vec(total_force(x), {0, 0, ball.mass * gravity}, 1e-8 * ball.mass * gravity);
  EXPECT_NEAR(x.q[2], 0.1, 1e-12);
  for (const double v : x.v) EXPECT_NEAR(v, 0.0, 1e-12);
}

TEST(SpatialPhysics, ABoxRestsOnFourCorners) {
  const Box box{0.1, 0.2, 0.3};
  const RigidBody body = at(solid(box, density), {0, 0, 0.3});
  const System system = Scene{box, HalfSpace{}, body, {.mu = 0.5}, {1.0, 0.5, -gravity}}.compiled();
  const State x = run(system, 100);
  EXPECT_EQ(x.contacts.size(), 4u);  // sticking: the slope is below mu
  expect_vec(total_force(x), body.mass * Vec{-1.0, -0.5, gravity}, 1e-6 * body.mass * gravity);
  for (const double v : x.v) EXPECT_NEAR(v, 0.0, 1e-9);
  for (const ContactRecord& record : x.contacts) EXPECT_GT(to_world(record)[2], 0.0);
}

TEST(SpatialPhysics, ASphereReboundsAtHalfItsSpeed) {
  const RigidBody ball = at(solid(Sphere{0.1}, density), {0, 0, 0.1507}, {0.3, 0.0, -1.0});
  const State x = run(Scene{Sphere{0.1}, HalfSpace{}, ball, {.e = 0.5}}.compiled(), 100);
  EXPECT_NEAR(x.v[2], 0.5, 1e-10);
  EXPECT_NEAR(x.v[0], 0.3, 1e-12);
  for (int i = 3; i < 6; ++i) EXPECT_EQ(x.v[i], 0.0);
}

// Equal spheres, central impact, e = 1: they exchange velocities.
TEST(SpatialPhysics, SpheresExchangeVelocities) {
  Model model;
  const RigidBody ball = solid(Sphere{0.1}, density);
  const BlockId a = model.add_rigid_body("a", at(ball, {0, 0, 0}, {1, 1, 0}));
  const BlockId b = model.add_rigid_body("b", at(ball, {0.1713, 0.1713, 0}));
  model.add_contact("pair", model.add_shape("a's", {a}, Sphere{0.1}), model.add_shape("b's", {b}, Sphere{0.1}),
                    {.e = 1.0});
  const State x = run(compile(model), 60);
  expect_vec({x.v[0], x.v[1], x.v[2]}, {0, 0, 0}, 1e-9);
  expect_vec({x.v[6], x.v[7], x.v[8]}, {1, 1, 0}, 1e-9);
}

// Gravity along the normal of a wall: the box falls through the play and lies on that wall.
TEST(SpatialPhysics, ABoxRestsInAChannel) {
  const Box box{0.3, 0.1, 0.2};
  const RigidBody body = at(solid(box, density), {0, 0, 0});
  const System system = Scene{box, Channel{0.101}, body, {.mu = 0.4}, {0, -gravity, 0}}.compiled();
  const State x = run(system, 200);
  EXPECT_EQ(x.contacts.size(), 4u);
  expect_vec(total_force(x), {0, body.mass * gravity, 0}, 1e-6 * body.mass * gravity);
  const double speed = std::sqrt(2.0 * gravity * 1e-3);
  EXPECT_NEAR(x.q[1], -1e-3, 1.5 * speed * h);  // found up to one step late, and half a step to stop (theta = 1/2)
  for (const double v : x.v) EXPECT_NEAR(v, 0.0, 1e-9);
}

// A valley of two slopes of 45 degrees: each side carries m g / sqrt(2).
TEST(SpatialPhysics, ABallRestsInAValleyOfAHeightField) {
  const HeightField valley{3, 2, 1.0, 1.0, {1.0, 0.0, 1.0, 1.0, 0.0, 1.0}};
  const double r = 0.1;
  const RigidBody ball = at(solid(Sphere{r}, density), {1.0, 0.4, r * std::sqrt(2.0)});
  const State x = run(Scene{Sphere{r}, valley, ball, {}, {0, 0, -gravity}}.compiled(), 50);
  ASSERT_EQ(x.contacts.size(), 2u);
  for (const ContactRecord& record : x.contacts)
    EXPECT_NEAR(norm((1.0 / x.h) * vec3(to_world(record))), ball.mass * gravity / std::sqrt(2.0), 1e-6);
}

// The pin lies in its bore on both rims, and slides along it until a shoulder stops it.
TEST(SpatialPhysics, APinStopsAtItsShoulder) {
  const Pin pin{0.1, 0.5, 0.32};
  const RigidBody body = at(solid(Cylinder{0.1, 0.5}, density), {0, 0, 0}, {0, 0, 0.5});
  const System system = Scene{pin, Hole{0.11, 0.3}, body, {}}.compiled();
  const State x = run(system, 200);
  EXPECT_NEAR(x.v[2], 0.0, 1e-10);
  EXPECT_NEAR(x.q[2], 0.02, 0.5 * h);
}

int pairs_of(const std::function<void(Model&, BlockId, BlockId)>& tie) {
  Model model;
  const BlockId a = model.add_rigid_body("a", {.position = {0, 0, 2}});
  const BlockId b = model.add_rigid_body("b", {.position = {3, 0, 2}});
  model.add_shape("ball", {a}, Sphere{0.5});
  model.add_shape("capsule", {b}, Capsule{0.5, 0.5});
  model.add_shape("floor", {}, HalfSpace{});
  tie(model, a, b);
  model.add_contacts(Combination::mean, Combination::mean);
  return compile(model).pairs();
}

TEST(AutomaticPairs, LeaveOutBodiesThatShareAJoint) {
  EXPECT_EQ(pairs_of([](Model&, BlockId, BlockId) {}), 3);
  const auto at_middle = [](const Model& m, BlockId body) { return m.frame_at(body, {1.5, 0, 2}); };
  EXPECT_EQ(pairs_of([&](Model& m, BlockId a, BlockId b) {
              m.add_joint("hinge", Revolute{}, at_middle(m, a), at_middle(m, b));
            }),
            2);
  // Ground is no neighbour: what hangs from it may fall on it.
  EXPECT_EQ(pairs_of([&](Model& m, BlockId a, BlockId) {
              m.add_joint("hinge", Revolute{}, at_middle(m, ground), at_middle(m, a));
            }),
            3);
}

TEST(AutomaticPairs, CombineTheirMaterials) {
  const auto law = [](Combination rule) {
    Model model;
    const BlockId body = model.add_rigid_body("body", {.position = {0, 0, 2}});
    model.add_shape("ball", {body}, Sphere{0.5}, {.e = 0.25, .mu = 0.5});
    model.add_shape("floor", {}, HalfSpace{}, {.e = 1.0, .mu = 0.125});
    model.add_contacts(rule, rule);
    return evaluated(compile(model)).contacts.at(0).law;
  };
  EXPECT_EQ(law(Combination::geometric_mean).e, 0.5);
  EXPECT_EQ(law(Combination::geometric_mean).mu, 0.25);
  EXPECT_EQ(law(Combination::product).e, 0.25);
  EXPECT_EQ(law(Combination::product).mu, 0.0625);
}

TEST(BadSpatialShape, Sizes) {
  const auto refused = [](const Geometry& geometry, std::initializer_list<std::string> parts) {
    expect_refused([&](Model& m) { m.add_shape("shape", {}, geometry); }, "shape", parts);
  };
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    const std::string allowed = "it must be positive and finite";
    refused(Sphere{bad}, {"radius is ", allowed});
    refused(Capsule{bad, 1.0}, {"radius is ", allowed});
    refused(Capsule{1.0, bad}, {"half_length is ", allowed});
    refused(Box{bad, 1.0, 1.0}, {"half_x is ", allowed});
    refused(Box{1.0, bad, 1.0}, {"half_y is ", allowed});
    refused(Box{1.0, 1.0, bad}, {"half_z is ", allowed});
    refused(Cylinder{bad, 1.0}, {"radius is ", allowed});
    refused(Cylinder{1.0, bad}, {"half_length is ", allowed});
    refused(Pin{bad, 1.0}, {"radius is ", allowed});
    refused(Pin{1.0, bad}, {"half_length is ", allowed});
    refused(Hole{bad}, {"radius is ", allowed});
    refused(Rim{bad}, {"radius is ", allowed});
    refused(Channel{bad}, {"half_width is ", allowed});
    refused(HeightField{2, 2, bad, 1.0, {0, 0, 0, 0}}, {"dx is ", allowed});
    refused(HeightField{2, 2, 1.0, bad, {0, 0, 0, 0}}, {"dy is ", allowed});
  }
  for (const double bad : {0.0, -1.0, nan}) {
    refused(Hole{1.0, bad}, {"half_length is ", "it must be positive"});
    refused(Pin{1.0, 1.0, bad}, {"shoulder is ", "it must be positive"});
  }
  refused(HeightField{1, 2, 1.0, 1.0, {0, 0}}, {"1 x 2", "2 to 16384"});
  refused(HeightField{2, 20000, 1.0, 1.0, {}}, {"2 x 20000", "2 to 16384"});
  refused(HeightField{2, 3, 1.0, 1.0, {0, 0, 0, 0}}, {"4 heights", "2 x 3", "needs 6"});
  for (const double bad : {nan, infinity})
    refused(HeightField{2, 2, 1.0, 1.0, {0, 0, bad, 0}}, {"heights[2] is ", "must be finite"});
}

void add_pair(Model& m, const Geometry& a, const Geometry& b, std::array<double, 3> position = {0, 0, 9}) {
  const BlockId body = m.add_rigid_body("body", {.position = position});
  m.add_contact("pair", m.add_shape("first", {body}, a), m.add_shape("second", {}, b), {});
}

TEST(BadSpatialPair, PairsThatCannotTouch) {
  struct Pair {
    Geometry a, b;
    std::string name_a, name_b;
  };
  const std::vector<Pair> pairs{{HalfSpace{}, HalfSpace{}, "half-space", "half-space"},
                                {Vertex{}, Vertex{}, "vertex", "vertex"},
                                {Box{}, Box{}, "box", "box"},
                                {Hole{}, Channel{}, "hole", "channel"},
                                {Rim{}, HalfSpace{}, "rim", "half-space"},
                                {HeightField{}, Capsule{}, "height field", "capsule"},
                                {Sphere{}, Hole{2.0, 1.0}, "sphere", "hole of finite length"},
                                {Hole{2.0, 1.0}, Rim{}, "hole of finite length", "rim"}};
  for (const Pair& pair : pairs)
    expect_refused([&](Model& m) { add_pair(m, pair.a, pair.b); }, "pair",
                   {"no contact between a " + pair.name_a + " ('first') and a " + pair.name_b + " ('second')"});
}

TEST(BadSpatialPair, PlaneAndSpaceDoNotMix) {
  expect_refused([](Model& m) { add_pair(m, Sphere{}, HalfPlane{}); }, "pair",
                 {"a half-plane ('second') is planar", "a sphere ('first') is in space", "one kind"});
  expect_refused([](Model& m) { add_pair(m, Disc{}, HalfSpace{}); }, "pair",
                 {"a disc ('first') is planar", "a half-space ('second') is in space"});
  expect_refused([](Model& m) { add_pair(m, Disc{}, HalfPlane{}); }, "pair", {"'body' is a body in space"});
  expect_refused([](Model& m) { add_pair(m, Vertex{}, HalfPlane{}); }, "pair", {"'body' is a body in space"});
  for (const Geometry& shape : {Geometry(Sphere{}), Geometry(Vertex{})})
    expect_refused(
        [&](Model& m) {
          const BlockId body = m.add_planar_body("slider", {.pose = {0, 9, 0}});
          m.add_contact("pair", m.add_shape("first", {body}, shape), m.add_shape("second", {}, HalfSpace{}), {});
        },
        "pair", {"in space", "'first' sits on 'slider'", "a planar body"});
  Model both;
  const BlockId flat = both.add_planar_body("flat", {.pose = {0, 9, 0}});
  const BlockId body = both.add_rigid_body("body", {.position = {0, 0, 9}});
  both.add_contact("in the plane", both.add_shape("v", {flat}, Vertex{}), both.add_shape("line", {}, HalfPlane{}), {});
  both.add_contact("in space", both.add_shape("w", {body}, Vertex{}), both.add_shape("wall", {}, HalfSpace{}), {});
  EXPECT_EQ(compile(both).pairs(), 2);
}

TEST(BadSpatialPair, StartsThatHaveNoNormalOrOverlap) {
  expect_refused(
      [](Model& m) {
        add_pair(m, Sphere{0.5}, HalfSpace{}, {0, 0, 0.25});
      },
      "pair", {"initial penetration is 0.25 m"});
  expect_refused(
      [](Model& m) {
        m.set_penetration_tolerance(10.0);
        add_pair(m, Sphere{0.5}, Sphere{0.5}, {0, 0, 0});
      },
      "pair", {"gradient of the gap is not finite"});
  // Shoulders closer than the plate is thick.
  expect_refused(
      [](Model& m) {
        add_pair(m, Pin{0.5, 1.0, 0.25}, Hole{0.75, 0.5}, {0, 0, 0});
      },
      "pair#4", {"initial penetration is 0.25 m"});
}

}  // namespace
}  // namespace esc
