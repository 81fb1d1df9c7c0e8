// Shapes, contacts and what formulas describe give the same System as the C++ calls that they stand for.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/models/force.hpp>
#include <escapement/models/frame_function.hpp>
#include <escapement/models/gap.hpp>

#include "tests/support/scene_systems.hpp"

namespace esc {
namespace {

using testing::add_planar;
using testing::add_space;
using testing::expect_near;
using testing::expect_same;
using testing::two_in_space;
using testing::two_planar;
using testing::typed;
using testing::written;

TEST(SceneFormulas, OfCoordinates) {
  expect_same(typed(two_planar + R"toml(
[parameters]
k = 3.0
[[input]]
name = "push"
value = 0.5
[[joint]]
name = "rod"
kind = "formula"
equations = ["hypot(p.x - q.x, p.y - q.y) - hypot(0.1, 0.2) - 0*t"]
[world]
assembly = "project"
[[force]]
name = "f"
kind = "formula"
coordinates = ["q.phi", "p.x"]
force = ["push*cos(q.phi) - k*dot(q.phi)", "-k*p.x*q.phi"]
[[contact]]
name = "c"
gap = "u + 2 - t"
slip = "q.phi*k"
e = 0.5
mu = 0.25
let = { u = "p.x*cos(p.phi)" }
)toml"),
              written([](Model& model) {
                model.set_assembly(Assembly::project);
                const auto [p, q] = add_planar(model);
                const InputId push = model.add_input("push", 0.5);
                model.add_joint("rod", {Coordinates(p, 0, 2), Coordinates(q, 0, 2)},
                                constraint<4>([](const auto&, const auto* x) {
                                  using std::sqrt;
                                  const auto dx = x[0] - x[2], dy = x[1] - x[3];
                                  return sqrt(dx * dx + dy * dy) - std::hypot(0.1, 0.2);
                                }));
                model.add_force(
                    "f", {Coordinates(q, 2, 1), Coordinates(p, 0, 1)},
                    force<2>([i = push.index](const auto&, const auto* x, const auto* v, const double* u, auto* Q) {
                      using std::cos;
                      Q[0] = u[i] * cos(x[0]) - 3.0 * v[0];
                      Q[1] = -3.0 * x[1] * x[0];
                    }));
                model.add_contact("c", {Coordinates(p, 0, 1), Coordinates(p, 2, 1), Coordinates(q, 2, 1)},
                                  gap<3>(
                                      [](const auto& t, const auto* x) {
                                        using std::cos;
                                        return x[0] * cos(x[1]) + 2.0 - t;
                                      },
                                      [](const auto&, const auto* x) { return 3.0 * x[2]; }),
                                  {.e = 0.5, .mu = 0.25});
              }));
}

// Formulas of points against dual numbers: G, g_t, curvature and stiffness, for a point away from the centre.
TEST(SceneFormulas, OfPoints) {
  const System ours = typed(two_in_space + R"toml(
[parameters]
w = 0.7
[[joint]]
name = "cam"
kind = "points"
a = { body = "p", position = [0.3, 0.1, -0.2] }
b = { body = "q", position = [0.2, 0, 0.1] }
equations = ["a.x*b.y + sin(w*t)*a.z - 0.05", "(a.x - b.x)^2 + a.y*b.z - 0.1"]
)toml");
  const System theirs = written([](Model& model) {
    const auto [p, q] = add_space(model);
    const auto cam = [](const auto& t, const auto& A, const auto& B, auto* g) {
      using std::sin;
      g[0] = A.p.x * B.p.y + sin(0.7 * t) * A.p.z - 0.05;
      g[1] = (A.p.x - B.p.x) * (A.p.x - B.p.x) + A.p.y * B.p.z - 0.1;
    };
    model.add_joint("cam", {Frame{p, {0.3, 0.1, -0.2}}, Frame{q, {0.2, 0, 0.1}}}, frame_function<2>(cam));
  });
  expect_same(ours, theirs);
  const State& x = theirs.initial_state();
  const std::vector<double> lambda{0.4, -1.3};
  std::vector<double> w(12), a(12, 0.0), b(12, 0.0), scratch(64);
  for (int i = 0; i < 12; ++i) w[i] = 0.1 * i - 0.4;
  const Point at{0.2, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
  ours.add_joint_stiffness(at, lambda, w, a);
  theirs.add_joint_stiffness(at, lambda, w, b);
  expect_near(a, b, "stiffness");
}

TEST(SceneShapes, EveryShape) {
  const std::pair<std::string, Geometry> in_space[] = {
      {"vertex\"\n", Vertex{}},
      {"sphere\"\nradius = 0.2\n", Sphere{0.2}},
      {"capsule\"\nradius = 0.2\nhalf_length = 0.1\n", Capsule{0.2, 0.1}},
      {"box\"\nhalf_sizes = [0.1, 0.2, 0.3]\n", Box{0.1, 0.2, 0.3}},
      {"cylinder\"\nradius = 0.2\nhalf_length = 0.1\n", Cylinder{0.2, 0.1}}};
  for (const auto& [text, geometry] : in_space) {
    SCOPED_TRACE(text);
    const std::string scene = two_in_space +
                              "[[shape]]\nname = \"s\"\nbody = \"p\"\nposition = [0.1, 0, 0]\nkind = \"" + text +
                              "[[shape]]\nname = \"plane\"\nkind = \"half-space\"\nposition = [0, 0, -2]\n"
                              "[[contact]]\nname = \"c\"\nshapes = [\"s\", \"plane\"]\ne = 0.1\nmu = 0.2\n";
    expect_same(typed(scene), written([&, shape = geometry](Model& model) {
                  const auto [p, q] = add_space(model);
                  const ShapeId s = model.add_shape("s", {p, {0.1, 0, 0}}, shape);
                  const ShapeId plane = model.add_shape("plane", {ground, {0, 0, -2}}, HalfSpace{});
                  model.add_contact("c", s, plane, {.e = 0.1, .mu = 0.2});
                }));
  }
  const std::pair<std::string, Geometry> around[] = {
      {"height-field\"\nspacing = [2, 3]\ncolumns = 2\nheights = [-2, -2.1, -2.2, -2.3]\nposition = [-1, -1, 0]\n",
       HeightField{2, 2, 2, 3, {-2, -2.1, -2.2, -2.3}}},
  };
  for (const auto& [text, geometry] : around) {
    const std::string scene = two_in_space +
                              "[[shape]]\nname = \"ball\"\nbody = \"p\"\nkind = \"sphere\"\nradius = 0.1\n" +
                              "[[shape]]\nname = \"land\"\nkind = \"" + text +
                              "[[contact]]\nname = \"c\"\nshapes = [\"ball\", \"land\"]\ne = 0\nmu = 0\n";
    expect_same(typed(scene), written([&, shape = geometry](Model& model) {
                  const auto [p, q] = add_space(model);
                  const ShapeId ball = model.add_shape("ball", {p}, Sphere{0.1});
                  const ShapeId land = model.add_shape("land", {ground, {-1, -1, 0}}, shape);
                  model.add_contact("c", ball, land, {});
                }));
  }
}

TEST(SceneShapes, PinsHolesAndPlanarShapes) {
  const auto pair = [](const std::string& first, const std::string& second) {
    return "[[shape]]\nname = \"s\"\nbody = \"q\"\nkind = \"" + first +
           "[[shape]]\nname = \"w\"\nposition = [0.05, 0.03]\nkind = \"" + second +
           "[[contact]]\nname = \"c\"\nshapes = [\"s\", \"w\"]\ne = 0\nmu = 0\n";
  };
  const Frame beside{ground, {0.05, 0.03, 0.0}};
  const auto space = [&](const std::string& text, const Geometry& s, const Geometry& w) {
    SCOPED_TRACE(text);
    expect_same(typed(two_in_space + text), written([&](Model& model) {
                  const auto [p, q] = add_space(model);
                  const ShapeId id = model.add_shape("s", {q}, s);
                  model.add_contact("c", id, model.add_shape("w", beside, w), {});
                }));
  };
  space(pair("pin\"\nradius = 0.1\nhalf_length = 0.2\nshoulder = 0.5\n", "hole\"\nradius = 0.3\nhalf_length = 0.1\n"),
        Pin{0.1, 0.2, 0.5}, Hole{0.3, 0.1});
  space(pair("pin\"\nradius = 0.1\nhalf_length = 0.2\n", "hole\"\nradius = 0.3\n"), Pin{0.1, 0.2}, Hole{0.3});
  space(pair("rim\"\nradius = 0.1\n", "hole\"\nradius = 0.3\n"), Rim{0.1}, Hole{0.3});
  space(pair("box\"\nhalf_sizes = [0.1, 0.2, 0.3]\n", "channel\"\nhalf_width = 0.3\n"), Box{0.1, 0.2, 0.3},
        Channel{0.3});

  const auto planar = [&](const std::string& text, const Geometry& s, const Geometry& w) {
    SCOPED_TRACE(text);
    expect_same(typed(two_planar + text), written([&](Model& model) {
                  model.set_penetration_tolerance(1.0);
                  const auto [p, q] = add_planar(model);
                  const ShapeId id = model.add_shape("s", {q}, s);
                  model.add_contact("c", id, model.add_shape("w", beside, w), {});
                }));
  };
  planar(pair("disc\"\nradius = 0.1\n", "ring\"\nradius = 0.5\n"), Disc{0.1}, Ring{0.5});
  planar("[world]\npenetration_tolerance = 1\n" +
             pair("rectangle\"\nhalf_length = 0.1\nhalf_height = 0.2\n", "half-plane\"\n"),
         Rectangle{0.1, 0.2}, HalfPlane{});
}

// Laws of materials, groups, and jointed neighbours left out.
TEST(SceneShapes, EveryPair) {
  const System system = typed(R"toml(
[[material]]
name = "steel"
e = 0.4
mu = 0.9
[[material]]
name = "rubber"
e = 0.9
mu = 0.4
[[shape]]
name = "floor"
kind = "half-plane"
position = [0, -3]
material = "steel"
group = 2
touches = [1]
[[body]]
name = "a"
kind = "planar"
density = 1
[[body.shape]]
name = "skin"
kind = "disc"
radius = 1
material = "rubber"
[[body]]
name = "b"
kind = "planar"
density = 1
pose = [3, 0, 0]
[[body.shape]]
name = "skin"
kind = "disc"
radius = 1
material = "rubber"
group = 3
[[contact]]
every_pair = true
combine_e = "mean"
combine_mu = "geometric-mean"
)toml");
  ASSERT_EQ(system.pairs(), 2);  // floor and b are not for each other
  ContactSet set;
  system.detect(0.0, system.initial_state().q, any_gap, set);
  EXPECT_EQ(system.contact_name(set.contacts[0].key), "floor/a.skin");
  EXPECT_DOUBLE_EQ(set.contacts[0].law.e, 0.65);
  EXPECT_DOUBLE_EQ(set.contacts[0].law.mu, 0.6);
  EXPECT_EQ(system.contact_name(set.contacts[1].key), "a.skin/b.skin");
}

}  // namespace
}  // namespace esc
