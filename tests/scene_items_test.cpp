// Bodies, joints and forces of a scene give the same System as the C++ calls that they stand for.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>

#include "tests/support/scene_systems.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::add_planar;
using testing::add_space;
using testing::expect_same;
using testing::replaced;
using testing::two_in_space;
using testing::two_planar;
using testing::typed;
using testing::written;

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
}  // namespace
}  // namespace esc
