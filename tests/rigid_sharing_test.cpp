// Contacts that are redundant share their load as statics and symmetry say: least norm means that the loads of legs
// are linear in their places, as on equal springs.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/simulate.hpp>

#include "examples/rotations.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

constexpr double step = 1e-3, fall = 9.81;

// The normal forces of all contacts after some steps at rest.
std::vector<double> forces(const testing::SchemeCase& entry, const Model& model) {
  const System system = compile(model);
  const auto scheme = entry.make(system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = step, .until = 20 * step});
  EXPECT_TRUE(report.certified()) << summary(*scheme, {.step = step, .until = 20 * step}, report);
  EXPECT_EQ(report.impacts, 0);
  std::vector<double> N;
  for (const ContactRecord& record : x.contacts) N.push_back(record.P[0] / x.h);
  return N;
}

// A box on its four lower corners; its centre of mass may lie beside the middle.
Model box(double beside, double mu, double turned) {
  Model model;
  model.set_gravity({0.0, 0.0, -fall});
  RigidBody body = solid(Box{0.2, 0.15, 0.1}, 500.0);
  body.position = {0.1, -0.3, 0.1};
  body.rotation = examples::turn({0, 0, 1}, turned);
  const ShapeId skin =
      model.add_shape("skin", {model.add_rigid_body("box", body), {-beside, 0, 0}}, Box{0.2, 0.15, 0.1});
  model.add_contact("rest", skin, model.add_shape("floor", {ground}, HalfSpace{}), {.e = 0.0, .mu = mu});
  return model;
}

class Sharing : public ::testing::TestWithParam<testing::SchemeCase> {};

TEST_P(Sharing, OfABoxOnFourCorners) {
  const double weight = 500.0 * 0.4 * 0.3 * 0.2 * fall;
  for (const double mu : {0.0, 0.6})
    for (const double turned : {0.0, 0.3}) {
      if (mu > 0.0 && !GetParam().friction()) continue;
      const std::vector<double> even = forces(GetParam(), box(0.0, mu, turned));
      ASSERT_EQ(even.size(), 4U);
      for (const double N : even) EXPECT_NEAR(N, 0.25 * weight, 1e-9 * weight) << mu << ", " << turned;
      // Half as much on each side of the middle: 1 -+ beside / half_x of a quarter each.
      std::vector<double> odd = forces(GetParam(), box(0.05, mu, turned));
      ASSERT_EQ(odd.size(), 4U);
      std::sort(odd.begin(), odd.end());
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(odd[i], 0.25 * weight * (i < 2 ? 0.75 : 1.25), 1e-8 * weight) << mu << ", " << turned;
    }
}

// A pin lies in a plate: half its weight on each edge of the bore.
TEST_P(Sharing, OfAPinInAnEye) {
  const Pin pin{0.0199, 0.06};
  const Hole hole{0.02, 0.01};
  Model model;
  model.set_gravity({0.0, -fall, 0.0});
  RigidBody body = solid(Cylinder{pin.radius, pin.half_length}, 7800.0);
  body.position = {0.0, pin.radius - hole.radius, 0.0};
  const ShapeId a = model.add_shape("pin.skin", {model.add_rigid_body("pin", body)}, pin);
  model.add_contact("bore", a, model.add_shape("eye", {ground}, hole), {});
  const std::vector<double> N = forces(GetParam(), model);
  ASSERT_EQ(N.size(), 2U);
  for (const double side : N) EXPECT_NEAR(side, 0.5 * body.mass * fall, 1e-8 * body.mass * fall);
}

// A bench on three legs at -1, 0 and 1 m whose centre of mass is at d. Linear in the place, N_i = m g (1/3 + d x_i /
// 2), as long as none pulls; beyond d = 2/3 the far leg is free and two carry 1 - d and d.
TEST_P(Sharing, OfABenchOnThreeLegs) {
  for (const double d : {0.0, 0.3, 0.8}) {
    Model model;
    const BlockId bench = model.add_planar_body("bench", {.mass = 2.0, .inertia = 1.0});
    model.set_gravity({0.0, -fall, 0.0});
    for (const double leg : {-1.0, 0.0, 1.0}) {
      const double place = leg - d;
      const auto height = [place](const auto&, const auto* q) {
        using std::sin;
        return q[1] + place * sin(q[2]);
      };
      model.add_contact("leg" + std::to_string(static_cast<int>(leg) + 1), {bench}, gap<3>(height), {.e = 0.0});
    }
    const std::vector<double> N = forces(GetParam(), model);
    ASSERT_EQ(N.size(), 3U);
    const bool two = d > 2.0 / 3.0;
    for (int i = 0; i < 3; ++i) {
      const double share = two ? std::array{0.0, 1.0 - d, d}[i] : 1.0 / 3.0 + 0.5 * d * (i - 1);
      EXPECT_NEAR(N[i], share * 2.0 * fall, 1e-8) << d << ", leg " << i;
    }
  }
}

// One blow, though four corners close.
TEST_P(Sharing, OfABlowIsOneImpact) {
  Model model;
  model.set_gravity({0.0, 0.0, -fall});
  RigidBody body = solid(Box{0.2, 0.15, 0.1}, 500.0);
  body.position = {0.0, 0.0, 0.1 + 0.01};
  const ShapeId skin = model.add_shape("skin", {model.add_rigid_body("box", body)}, Box{0.2, 0.15, 0.1});
  model.add_contact("landing", skin, model.add_shape("floor", {ground}, HalfSpace{}), {.e = 0.5});
  const System system = compile(model);
  const auto scheme = GetParam().make(system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = step, .until = 0.06});  // it lands at 0.0452 s
  EXPECT_TRUE(report.certified());
  EXPECT_EQ(report.impacts, 1);
}

// A ball slides off a block without friction, slowly enough to stay on the edge: it falls over it without a blow, and
// keeps its energy as the step goes to zero. These two schemes close contacts at the end of a step; those that forecast
// may lose the ball for one step at the edge.
TEST(RollingOver, AnEdgeIsNoImpact) {
  constexpr double radius = 0.05;
  Model model;
  model.set_gravity({0.0, 0.0, -fall});
  RigidBody body = solid(Sphere{radius}, 1000.0);
  body.position = {0.0937, 0.0, radius};
  body.velocity = {0.1, 0.0, 0.0};
  const ShapeId ball = model.add_shape("skin", {model.add_rigid_body("ball", body)}, Sphere{radius});
  model.add_contact("block", ball, model.add_shape("top", {ground, {0, 0, -0.1}}, Box{0.1, 0.1, 0.1}), {});
  const System system = compile(model);
  for (const char* name : {"combined-projection", "schatzman-paoli"})
    for (const double h : {step, 0.25 * step}) {
      const auto scheme = make_scheme(name, system, {});
      State x = system.initial_state();
      const SimulateOptions run{.step = h, .until = 0.15};
      const RunReport report = simulate(*scheme, x, run);
      EXPECT_TRUE(report.certified()) << summary(*scheme, run, report);
      EXPECT_GT(x.q[0], 0.105);
      EXPECT_LT(x.q[2], radius - 1e-4);
      EXPECT_EQ(report.impacts, 0) << name << ", " << h;
      const double change =
          report.final.kinetic + report.final.potential - report.initial.kinetic - report.initial.potential;
      EXPECT_LT(std::abs(change), 40.0 * h * report.initial.kinetic) << name << ", " << h;  // of first order
    }
}

// Schemes without an impact law pick one of the solutions, as their pages say.
std::vector<testing::SchemeCase> sharing_schemes() {
  std::vector<testing::SchemeCase> cases = testing::schemes;
  std::erase_if(cases, [](const auto& entry) { return !scheme_traits(entry.scheme, entry.options).impacts; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Sharing, ::testing::ValuesIn(sharing_schemes()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace esc
