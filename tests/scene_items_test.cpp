// Every kind of item of a scene gives the same System as the C++ calls that it stands for.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/models/force.hpp>
#include <escapement/models/frame_function.hpp>
#include <escapement/models/gap.hpp>

#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::replaced;

const std::string run = "\n[simulation]\nstep = 1e-3\nuntil = 1\n";

System typed(const std::string& text) {
  return io::compile_scene(io::parse_scene("version = 1\n" + text + run, "scene.toml"));
}

System written(const std::function<void(Model&)>& build) {
  Model model;
  build(model);
  return compile(model);
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-12 * (1.0 + std::abs(b[i]))) << what << "[" << i << "]";
}

// M, F, tangents, joints and contacts at the initial state, a little moved and in motion.
void expect_same(const System& a, const System& b) {
  ASSERT_EQ(a.nq(), b.nq());
  ASSERT_EQ(a.nv(), b.nv());
  expect_near(a.initial_state().q, b.initial_state().q, "q");
  expect_near(a.initial_state().v, b.initial_state().v, "v");
  expect_near(a.initial_state().u, b.initial_state().u, "u");
  State x = b.initial_state();
  std::vector<double> xi(x.v.size()), q = x.q;
  for (std::size_t i = 0; i < xi.size(); ++i) {
    xi[i] = 0.01 * static_cast<double>(i + 1);
    x.v[i] += 0.3 - 0.1 * static_cast<double>(i);
  }
  b.retract(q, xi, x.q);

  struct Values {
    std::vector<double> M, F, A, curvature;
    JointSet joints;
    ContactSet contacts;
  };
  const auto values = [&](const System& system) {
    Values v;
    std::vector<double> scratch(static_cast<std::size_t>(system.scratch_size()));
    const Point at{0.2, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
    v.M.resize(static_cast<std::size_t>(system.matrix_size()));
    v.A.resize(static_cast<std::size_t>(system.tangent_size()));
    v.F.resize(x.v.size());
    v.curvature.resize(static_cast<std::size_t>(system.joint_rows()));
    system.mass(at, v.M, Part::all);
    system.force(at, v.F);
    system.add_tangent(at, 0.7, 0.3, v.A, Part::all);
    system.evaluate(at, v.joints);
    system.joint_curvature(at, v.curvature);
    system.detect(0.2, x.q, everything, v.contacts);
    system.evaluate(0.2, x.q, v.contacts);
    return v;
  };
  const Values ours = values(a), theirs = values(b);
  expect_near(ours.M, theirs.M, "M");
  expect_near(ours.F, theirs.F, "F");
  expect_near(ours.A, theirs.A, "tangent");
  expect_near(ours.joints.g, theirs.joints.g, "g");
  expect_near(ours.joints.G, theirs.joints.G, "G of joints");
  expect_near(ours.joints.g_t, theirs.joints.g_t, "g_t of joints");
  expect_near(ours.curvature, theirs.curvature, "curvature");
  ASSERT_EQ(ours.contacts.size(), theirs.contacts.size());
  for (int i = 0; i < ours.contacts.size(); ++i) {
    const Contact &c = ours.contacts.contacts[i], &d = theirs.contacts.contacts[i];
    EXPECT_NEAR(c.gap, d.gap, 1e-12);
    EXPECT_DOUBLE_EQ(c.law.e, d.law.e);
    EXPECT_DOUBLE_EQ(c.law.mu, d.law.mu);
    EXPECT_EQ(c.key, d.key);
  }
  expect_near(ours.contacts.G, theirs.contacts.G, "G of contacts");
  expect_near(ours.contacts.g_t, theirs.contacts.g_t, "g_t of contacts");
}

const std::string two_planar = R"toml(
[[body]]
name = "p"
kind = "planar"
mass = 2
inertia = 0.5
pose = [0.1, 0.2, 0.3]
velocity = [1, 2, 3]
[[body]]
name = "q"
kind = "planar"
mass = 3
inertia = 0.7
)toml";

std::pair<BlockId, BlockId> add_planar(Model& model) {
  const BlockId p =
      model.add_planar_body("p", {.mass = 2, .inertia = 0.5, .pose = {0.1, 0.2, 0.3}, .velocity = {1, 2, 3}});
  return {p, model.add_planar_body("q", {.mass = 3, .inertia = 0.7})};
}

const std::string two_in_space = R"toml(
[world]
assembly = "project"
[[body]]
name = "p"
kind = "space"
mass = 2
inertia = [0.4, 0.5, 0.6]
products = [0.01, 0.02, 0.03]
position = [0.1, 0.2, 0.3]
axis = [0, 3, 4]
angle = 0.5
velocity = [1, 2, 3]
angular_velocity = [4, 5, 6]
[[body]]
name = "q"
kind = "space"
density = 1000
solid = { kind = "box", half_sizes = [0.1, 0.2, 0.3] }
)toml";

std::pair<BlockId, BlockId> add_space(Model& model) {
  model.set_assembly(Assembly::project);
  const double s = std::sin(0.25);
  const BlockId p = model.add_rigid_body("p", {.mass = 2,
                                               .inertia = {0.4, 0.5, 0.6},
                                               .products = {0.01, 0.02, 0.03},
                                               .position = {0.1, 0.2, 0.3},
                                               .rotation = {std::cos(0.25), 0.0, 0.6 * s, 0.8 * s},
                                               .velocity = {1, 2, 3},
                                               .angular_velocity = {4, 5, 6}});
  return {p, model.add_rigid_body("q", solid(Box{0.1, 0.2, 0.3}, 1000))};
}

TEST(SceneItems, Bodies) {
  expect_same(typed(two_planar), written([](Model& model) { add_planar(model); }));
  expect_same(typed(two_in_space), written([](Model& model) { add_space(model); }));
}

TEST(SceneItems, PlanarSolidsHaveTheMassOfTheirArea) {
  const System system = typed(R"toml(
[[body]]
name = "disc"
kind = "planar"
density = 3
solid = { kind = "disc", radius = 2 }
[[body]]
name = "plate"
kind = "planar"
density = 3
[[body.shape]]
name = "edge"
kind = "rectangle"
half_length = 1
half_height = 2
)toml");
  std::vector<double> M(static_cast<std::size_t>(system.matrix_size())), scratch(16);
  const State& x = system.initial_state();
  system.mass({0.0, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, M, Part::all);
  const double disc = 3 * std::acos(-1.0) * 4;
  EXPECT_NEAR(M[0], disc, 1e-12);
  EXPECT_NEAR(M[8], disc * 2, 1e-12);               // m r^2 / 2
  EXPECT_NEAR(M[9], 24, 1e-12);                     // 3 * 2 * 4
  EXPECT_NEAR(M[17], 24 * (4 + 16) / 12.0, 1e-12);  // m (a^2 + b^2) / 12
}

TEST(SceneItems, AngularVelocitiesInTheWorldTurnWithTheBody) {
  const std::string body = R"toml(
[[body]]
name = "b"
kind = "space"
mass = 1
inertia = [1, 1, 1]
axis = [0, 0, 1]
angle = "pi/2"
angular_velocity = [1, 2, 3]
)toml";
  const std::vector<double> v = typed(body + "angular_velocity_axes = \"world\"\n").initial_state().v;
  EXPECT_NEAR(v[3], 2, 1e-15);  // x of the body points along y of the world
  EXPECT_NEAR(v[4], -1, 1e-15);
  EXPECT_NEAR(v[5], 3, 1e-15);
}

struct JointCase {
  std::string kind;
  JointType type;
  std::string more = "";
};

TEST(SceneItems, JointsBetweenFrames) {
  const JointCase cases[] = {{"spherical", Spherical{}},
                             {"revolute", Revolute{}},
                             {"prismatic", Prismatic{}},
                             {"cylindrical", Cylindrical{}},
                             {"universal", Universal{}},
                             {"planar", PlanarJoint{}},
                             {"fixed", Fixed{}},
                             {"distance", Distance{0.4}, "length = 0.4\n"},
                             {"screw", Screw{-0.02}, "lead = -0.02\n"}};
  for (const JointCase& joint : cases) {
    SCOPED_TRACE(joint.kind);
    const std::string text = "[[joint]]\nname = \"j\"\nkind = \"" + joint.kind + "\"\n" + joint.more +
                             "a = { body = \"p\", position = [0.1, 0, 0.2] }\n"
                             "b = { body = \"q\", axes = \"world\", position = [0.1, 0.3, 0.5], angle = 0.1 }\n";
    expect_same(typed(two_in_space + text), written([&](Model& model) {
                  const auto [p, q] = add_space(model);
                  const Frame b = model.frame_at(q, {0.1, 0.3, 0.5}, {std::cos(0.05), 0, 0, std::sin(0.05)});
                  model.add_joint("j", joint.type, {p, {0.1, 0, 0.2}}, b);
                }));
  }
}

const std::string hinges = two_planar + R"toml(
[[joint]]
name = "hinge"
kind = "revolute"
a = { position = [0.1, 0.2] }
b = { body = "p" }
[[joint]]
name = "slide"
kind = "prismatic"
a = {}
b = { body = "q" }
)toml";

struct Hinges {
  JointId hinge, slide;
};

Hinges add_hinges(Model& model) {
  model.set_assembly(Assembly::project);
  const auto [p, q] = add_planar(model);
  return {model.add_joint("hinge", Revolute{}, Frame{ground, {0.1, 0.2, 0}}, Frame{p}),
          model.add_joint("slide", Prismatic{}, Frame{}, Frame{q})};
}

void expect_same_with_hinges(const std::string& text, const std::function<void(Model&, const Hinges&)>& build) {
  SCOPED_TRACE(text);
  expect_same(typed("[world]\nassembly = \"project\"\n" + hinges + text),
              written([&](Model& model) { build(model, add_hinges(model)); }));
}

TEST(SceneItems, RacksAndGears) {
  expect_same_with_hinges(
      "[[joint]]\nname = \"r\"\nkind = \"rack\"\npinion = \"hinge\"\nslider = \"slide\"\nradius = -0.3",
      [](Model& m, const Hinges& h) { m.add_rack("r", h.hinge, -0.3, h.slide); });
  const std::string two_hinges = replaced(replaced(hinges, "slide", "other"), "prismatic", "revolute");
  expect_same(typed("[world]\nassembly = \"project\"\n" + two_hinges +
                    "[[joint]]\nname = \"g\"\nkind = \"gear\"\njoints = [\"hinge\", \"other\"]\nteeth = [20, -31]\n"),
              written([](Model& model) {
                model.set_assembly(Assembly::project);
                const auto [p, q] = add_planar(model);
                const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{ground, {0.1, 0.2, 0}}, Frame{p});
                const JointId other = model.add_joint("other", Revolute{}, Frame{}, Frame{q});
                model.add_gear("g", hinge, 20, other, -31);
              }));
}

TEST(SceneItems, MotorsAndJointSprings) {
  const std::string motor = "[[force]]\nname = \"m\"\nkind = \"motor\"\n";
  expect_same_with_hinges(motor + "joint = \"hinge\"\nvelocity = 3\n", [](Model& m, const Hinges& h) {
    m.set_input(m.add_motor("m", h.hinge, JointCoordinate::angle, Motor::velocity), 3.0);
  });
  expect_same_with_hinges(motor + "joint = \"slide\"\ncoordinate = \"slide\"\ntorque = 4\n",
                          [](Model& m, const Hinges& h) {
                            m.set_input(m.add_motor("m", h.slide, JointCoordinate::slide, Motor::torque), 4.0);
                          });
  expect_same_with_hinges(motor + "joint = \"hinge\"\nposition = \"0.3 + 2*t + 0.1*sin(t)\"\n",
                          [](Model& m, const Hinges& h) {
                            m.add_motor("m", h.hinge, JointCoordinate::angle, position_motor([](const auto& t) {
                                          using std::sin;
                                          return 0.3 + 2.0 * t + 0.1 * sin(t);
                                        }));
                          });
  expect_same_with_hinges(
      "[[force]]\nname = \"s\"\nkind = \"joint-spring\"\njoint = \"hinge\"\nstiffness = 5\ndamping = 2\nrest = 0.1\n",
      [](Model& m, const Hinges& h) {
        m.add_joint_spring("s", h.hinge, JointCoordinate::angle, {.stiffness = 5, .damping = 2, .rest = 0.1});
      });
}

TEST(SceneItems, Limits) {
  expect_same_with_hinges(
      "[[contact]]\nname = \"l\"\njoint = \"hinge\"\nlower = -0.5\nupper = 1.5\ne = 0.4\n",
      [](Model& m, const Hinges& h) { m.add_limits("l", h.hinge, JointCoordinate::angle, -0.5, 1.5, {.e = 0.4}); });
  expect_same_with_hinges("[[contact]]\nname = \"l\"\njoint = \"slide\"\nupper = 1.5\n", [](Model& m, const Hinges& h) {
    m.add_limits("l", h.slide, JointCoordinate::slide, -std::numeric_limits<double>::infinity(), 1.5, {});
  });
}

TEST(SceneItems, ForcesBetweenFrames) {
  const std::string frames =
      "a = { body = \"p\", position = [0.3, 0.1, 0] }\nb = { body = \"q\", position = [1, 2, 3], axis = [1, 0, 0], "
      "angle = 0.2 }\n";
  const auto a = [](BlockId p) { return Frame{p, {0.3, 0.1, 0}}; };
  const auto b = [](BlockId q) { return Frame{q, {1, 2, 3}, {std::cos(0.1), std::sin(0.1), 0, 0}}; };
  const auto check = [&](const std::string& text, const std::function<void(Model&, const Frame&, const Frame&)>& add) {
    SCOPED_TRACE(text);
    expect_same(typed(two_in_space + "[[force]]\nname = \"f\"\n" + text), written([&](Model& model) {
                  const auto [p, q] = add_space(model);
                  add(model, a(p), b(q));
                }));
  };
  check("kind = \"spring\"\nstiffness = 10\ndamping = 2\nlength = 0.5\n" + frames,
        [](Model& m, const Frame& A, const Frame& B) {
          m.add_spring("f", A, B, {.stiffness = 10, .damping = 2, .length = 0.5});
        });
  check("kind = \"damper\"\ndamping = 2\ntangents = \"none\"\n" + frames, [](Model& m, const Frame& A, const Frame& B) {
    m.add_spring("f", A, B, {.damping = 2, .tangents = Tangents::none});
  });
  check("kind = \"bushing\"\nstiffness = [1, 2, 3, 4, 5, 6]\ndamping = [6, 5, 4, 3, 2, 1]\n" + frames,
        [](Model& m, const Frame& A, const Frame& B) {
          m.add_bushing("f", A, B, diagonal_bushing({1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}));
        });
  check(
      "kind = \"bushing\"\nstiffness = [[2,1,0,0,0,0],[1,2,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],"
      "[0,0,0,0,0,1]]\n" +
          frames,
      [](Model& m, const Frame& A, const Frame& B) {
        Bushing bushing = diagonal_bushing({2, 2, 1, 1, 1, 1});
        bushing.stiffness[1] = bushing.stiffness[6] = 1;
        m.add_bushing("f", A, B, bushing);
      });
  check("kind = \"wrench\"\nat = { body = \"p\", position = [0.3, 0.1, 0] }\nforce = [1, 2, 3]\nmoment = [4, 5, 6]\n",
        [](Model& m, const Frame& A, const Frame&) {
          const InputId first = m.add_wrench("f", A);
          for (int i = 0; i < 6; ++i) m.set_input({first.index + i}, i + 1.0);
        });
  check("kind = \"gravity\"\nacceleration = [1, 2, 3]\n", [](Model& m, const Frame&, const Frame&) {
    m.set_gravity({1, 2, 3});
  });
}

TEST(SceneItems, FormulasOfCoordinates) {
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
TEST(SceneItems, FormulasOfPoints) {
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

TEST(SceneItems, EveryShape) {
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

TEST(SceneItems, PinsHolesAndPlanarShapes) {
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
TEST(SceneItems, EveryPair) {
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
  system.detect(0.0, system.initial_state().q, everything, set);
  EXPECT_EQ(system.contact_name(set.contacts[0].key), "floor/a.skin");
  EXPECT_DOUBLE_EQ(set.contacts[0].law.e, 0.65);
  EXPECT_DOUBLE_EQ(set.contacts[0].law.mu, 0.6);
  EXPECT_EQ(system.contact_name(set.contacts[1].key), "a.skin/b.skin");
}

}  // namespace
}  // namespace esc
