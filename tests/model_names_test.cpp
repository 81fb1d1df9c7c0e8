// Names, pair filters, combination rules, inputs and outputs: how a model becomes a system.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/force.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/system.hpp>

#include "examples/rocking_block.hpp"
#include "examples/slider_on_roller.hpp"

namespace esc {
namespace {

std::vector<std::string> coordinate_names(const System& system) {
  std::vector<std::string> names;
  for (const CoordinateName& coordinate : system.coordinates()) names.push_back(coordinate.name);
  return names;
}

TEST(Names, CoordinatesAreItemAndCoordinateWithTheirUnits) {
  Model model;
  model.add_planar_body("disc", {.pose = {1.0, 2.0, 3.0}, .velocity = {4.0, 5.0, 6.0}});
  model.add_bar("rod", {.elements = 2, .displacement = 7.0, .velocity = 8.0});
  const System system = compile(model);
  EXPECT_EQ(coordinate_names(system),
            (std::vector<std::string>{"disc.x", "disc.y", "disc.phi", "rod.u0", "rod.u1", "rod.u2"}));
  EXPECT_EQ(system.coordinates()[2].unit, "rad");
  EXPECT_EQ(system.coordinates()[4].unit, "m");
  EXPECT_EQ(system.coordinate("rod.u1"), 4);
  EXPECT_EQ(system.initial_state().q, (std::vector<double>{1.0, 2.0, 3.0, 7.0, 7.0, 7.0}));
  EXPECT_EQ(system.initial_state().v, (std::vector<double>{4.0, 5.0, 6.0, 8.0, 8.0, 8.0}));
  for (const char* wrong : {"disc", "disc.z", "", "rod.u3"})
    EXPECT_THROW(static_cast<void>(system.coordinate(wrong)), ModelError) << wrong;
}

TEST(Names, UnknownOnesAreRefusedWithTheKnownOnes) {
  const System system = compile(examples::SliderOnRoller{}.model());
  const auto message = [](auto ask) -> std::string {
    try {
      ask();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([&] { system.coordinate("y"); }),
            "y: there is no coordinate of this name; known are pair.y, pair.phi");
  EXPECT_EQ(message([&] { system.input("tork"); }), "tork: there is no input of this name; known are torque");
  EXPECT_EQ(message([&] { system.output("s"); }), "s: there is no output of this name; known are slip");
  EXPECT_EQ(message([&] { system.contact_key("c"); }), "c: there is no contact of this name; known are contact");
}

TEST(Names, ContactsByNameAndFeature) {
  const System system = compile(examples::RockingBlock{}.model());
  const ContactKey key = system.contact_key("floor", 2);
  EXPECT_EQ(key.feature, 2u);
  EXPECT_EQ(system.contact_name(key), "floor#2");
  EXPECT_EQ(system.contact_name(system.contact_key("floor")), "floor");
  EXPECT_EQ(system.pairs(), 1);
  EXPECT_THROW(static_cast<void>(system.contact_key("wall")), ModelError);
  EXPECT_THROW(static_cast<void>(system.contact_name({1, 0})), ModelError);
}

// Contacts of several kinds in any order: every key leads back to its name, and sets are sorted by key.
TEST(Names, KeysAreSortedWhateverTheOrderOfContacts) {
  Model model;
  const BlockId body = model.add_planar_body("body", {.pose = {0.0, 5.0, 0.0}});
  const ShapeId plane = model.add_shape("plane", {}, HalfPlane{});
  const ShapeId disc = model.add_shape("disc", planar_frame(body, 0, 0), Disc{1.0});
  const ShapeId box = model.add_shape("box", planar_frame(body, 0, 0), Rectangle{});
  const auto high = [](const auto&, const auto* q) { return q[1]; };
  model.add_contact("c", {body}, gap<3>(high), {});
  model.add_contact("a", box, plane, {});
  model.add_contact("d", {body}, gap<3>(high), {});
  model.add_contact("b", disc, plane, {});
  const System system = compile(model);
  ContactSet set;
  system.detect(0.0, system.initial_state().q, any_gap, set);
  ASSERT_EQ(set.size(), 1 + 1 + 1 + 4);
  for (int i = 1; i < set.size(); ++i) EXPECT_LT(set.contacts[i - 1].key, set.contacts[i].key);
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(system.contact_name(system.contact_key(name)), name);
}

Model two_discs(const Material& a, const Material& b, const PairFilter& filter_a = {},
                const PairFilter& filter_b = {}) {
  Model model;
  const BlockId left = model.add_planar_body("left", {.pose = {-2.0, 0.0, 0.0}});
  const BlockId right = model.add_planar_body("right", {.pose = {2.0, 0.0, 0.0}});
  model.add_shape("a", planar_frame(left, 0, 0), Disc{1.0}, a, filter_a);
  model.add_shape("b", planar_frame(right, 0, 0), Disc{1.0}, b, filter_b);
  return model;
}

ContactLaw combined(Combination restitution, Combination friction) {
  Model model = two_discs({.e = 0.25, .mu = 0.5}, {.e = 0.75, .mu = 0.125});
  model.add_contacts(restitution, friction);
  const System system = compile(model);
  EXPECT_EQ(system.contact_name({0, 0}), "a/b");
  ContactSet set;
  system.detect(0.0, system.initial_state().q, any_gap, set);
  return set.contacts.at(0).law;
}

TEST(Combination, OfTwoMaterials) {
  EXPECT_EQ(combined(Combination::minimum, Combination::minimum).e, 0.25);
  EXPECT_EQ(combined(Combination::mean, Combination::minimum).e, 0.5);
  EXPECT_EQ(combined(Combination::maximum, Combination::minimum).e, 0.75);
  EXPECT_EQ(combined(Combination::minimum, Combination::minimum).mu, 0.125);
  EXPECT_EQ(combined(Combination::minimum, Combination::mean).mu, 0.3125);
  EXPECT_EQ(combined(Combination::minimum, Combination::maximum).mu, 0.5);
}

int admitted(const PairFilter& a, const PairFilter& b) {
  Model model = two_discs({}, {}, a, b);
  model.add_contacts(Combination::mean, Combination::mean);
  return compile(model).pairs();
}

TEST(PairFilter, EachGroupMustBeInTheOthersMask) {
  EXPECT_EQ(admitted({}, {}), 1);
  EXPECT_EQ(admitted({.group = 2, .mask = 4}, {.group = 4, .mask = 2}), 1);
  EXPECT_EQ(admitted({.group = 2, .mask = 4}, {.group = 4, .mask = 8}), 0);
  EXPECT_EQ(admitted({.group = 2, .mask = 8}, {.group = 4, .mask = 2}), 0);
  EXPECT_EQ(admitted({.group = 6, .mask = 1}, {.group = 1, .mask = 4}), 1);
  EXPECT_EQ(admitted({.mask = 0}, {}), 0);
}

TEST(PairFilter, ShapesOfOneBodyAndOfGroundAreNotPaired) {
  Model model = two_discs({}, {});
  model.add_shape("c", planar_frame(BlockId{0}, -3.0, 0), Disc{0.5});
  model.add_shape("floor", planar_frame(ground, 0.0, -9.0), HalfPlane{});
  model.add_shape("post", planar_frame(ground, 0.0, 9.0), Disc{0.5});
  model.add_contacts(Combination::mean, Combination::mean);
  const System system = compile(model);
  // a, b and c with floor and post: 6; a with b, c with b: 2; not a with c, not floor with post.
  EXPECT_EQ(system.pairs(), 8);
  for (const char* name : {"a/b", "b/c", "a/floor", "b/floor", "c/floor", "a/post", "b/post", "c/post"})
    EXPECT_NO_THROW(static_cast<void>(system.contact_key(name))) << name;
}

TEST(Inputs, AreNamedAndDriveForces) {
  const examples::SliderOnRoller roller;
  const System system = compile(roller.model());
  EXPECT_EQ(system.input("torque"), 0);
  EXPECT_THROW(static_cast<void>(system.input("slip")), ModelError);
  EXPECT_EQ(system.initial_state().u, (std::vector<double>{roller.torque()}));

  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  x.u[system.input("torque")] = 3.0;
  ASSERT_TRUE(scheme.step(x, 1e-3).ok());
  EXPECT_NEAR(x.v[system.coordinate("pair.phi")], 3.0 / roller.inertia * 1e-3, 1e-15);
  EXPECT_EQ(x.u[0], 3.0);
}

TEST(Outputs, AreNamedFunctionsOfTheState) {
  Model model;
  model.add_planar_body("disc", {.pose = {1.0, 2.0, 3.0}, .velocity = {4.0, 5.0, 6.0}});
  model.add_input("u", 0.5);
  const auto first = [](double t, std::span<const double> q, std::span<const double> v, std::span<const double> u) {
    return t + 10.0 * q[1] + 100.0 * v[2] + 1000.0 * u[0];
  };
  model.add_output("first", first);
  model.add_output("second", [](auto...) { return -1.0; });
  const System system = compile(model);
  EXPECT_EQ(system.output("second"), 1);
  EXPECT_EQ(system.output_names().size(), 2u);
  EXPECT_THROW(static_cast<void>(system.output("u")), ModelError);
  State x = system.initial_state();
  x.t = 0.25;
  std::vector<double> y(2);
  system.outputs(x, y);
  EXPECT_EQ(y, (std::vector<double>{0.25 + 20.0 + 600.0 + 500.0, -1.0}));
}

// Gravity acts on bodies and bars, and is the gradient of the potential.
TEST(Gravity, ActsOnBodiesAndAlongBars) {
  Model model;
  model.set_gravity({1.5, -9.81, 100.0});
  model.add_planar_body("disc", {.mass = 2.0, .pose = {3.0, 4.0, 0.5}});
  model.add_bar("rod", {.length = 2.0, .section = 0.5, .density = 3.0, .elements = 2});
  const System system = compile(model);
  const State& x = system.initial_state();
  std::vector<double> F(system.nv());
  const Point at{x.t, x.q.data(), x.v.data(), x.u.data(), nullptr};
  system.force(at, F);
  const double weight = 2.0 * 0.5 * 3.0 * 1.5;  // of the bar along itself
  const std::vector<double> expected{3.0, -19.62, 0.0, 0.25 * weight, 0.5 * weight, 0.25 * weight};
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(F[i], expected[i]) << i;
  EXPECT_DOUBLE_EQ(system.energy(at).potential, -2.0 * (1.5 * 3.0 - 9.81 * 4.0));
}

}  // namespace
}  // namespace esc
