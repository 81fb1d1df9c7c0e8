// Contacts by formulas of where points of bodies are: the same as other ways to say them, and exact motions.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/formula/points.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/expect_refused.hpp"
#include "tests/support/scene_systems.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_near;
using testing::expect_same;
using testing::expect_scene_refused;
using testing::replaced;
using testing::run_table;
using testing::two_in_space;
using testing::two_planar;
using testing::typed;

const std::string bead = R"toml(
[[body]]
name = "bead"
kind = "space"
mass = 0.5
inertia = [1e-3, 2e-3, 3e-3]
position = [0.4, 0.3, 0]
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, -9.81, 0]
)toml";

// On planar bodies a point is a formula of coordinates.
TEST(ScenePoints, AreFormulasOfCoordinatesInThePlane) {
  expect_same(typed(two_planar + R"toml(
[[contact]]
name = "c"
a = { body = "p", position = [0.3, -0.1] }
b = { body = "q", position = [0, 0.2] }
gap = ["a.y - b.y + 1 + sin(a.x)*t", "a.x*b.x + 1"]
slip = ["b.x - a.x", "a.y"]
e = 0.5
mu = 0.25
)toml"),
              typed(two_planar + R"toml(
[[contact]]
name = "c"
gap = ["ay - by + 1 + sin(ax)*t", "ax*bx + 1"]
slip = ["bx - ax", "ay"]
e = 0.5
mu = 0.25
[contact.let]
ax = "p.x + 0.3*cos(p.phi) + 0.1*sin(p.phi)"
ay = "p.y + 0.3*sin(p.phi) - 0.1*cos(p.phi)"
bx = "q.x - 0.2*sin(q.phi)"
by = "q.y + 0.2*cos(q.phi)"
)toml"));
}

// G, g_t and the curvature against differences along the motion, for points away from the centres of turning bodies.
TEST(ScenePoints, DerivativesAreThoseOfTheGap) {
  const System system = typed(two_in_space + R"toml(
[[contact]]
name = "c"
a = { body = "p", position = [0.3, -0.1, 0.2] }
b = { body = "q", position = [0, 0.2, -0.4] }
gap = "a.y*b.z + sin(a.x - b.y) + t*a.z^2"
slip = ["a.x*b.x", "a.z - t*b.y"]
mu = 0.3
)toml");
  State x = system.initial_state();
  for (std::size_t i = 0; i < x.v.size(); ++i) x.v[i] += 0.2 * static_cast<double>(i) - 0.7;
  const auto moved = [&](double s) {
    std::vector<double> step(x.v.size()), q = x.q;
    for (std::size_t i = 0; i < step.size(); ++i) step[i] = s * x.v[i];
    system.retract(x.q, step, q);
    ContactSet set;
    system.detect(0.2 + s, q, any_gap, set);
    system.evaluate(0.2 + s, q, set);
    return set;
  };
  const ContactSet now = moved(0.0);
  ASSERT_EQ(now.size(), 1);
  ASSERT_EQ(now.contacts[0].row_count, 3);
  const auto rates = [&](const ContactSet& set) {
    std::vector<double> U(3);
    velocity(set, set.contacts[0], x.v, U.data());
    return U;
  };
  const double s = 1e-5;
  EXPECT_NEAR(rates(now)[0], (moved(s).contacts[0].gap - moved(-s).contacts[0].gap) / (2 * s), 1e-8);

  std::vector<double> curvature(3);
  system.curvature(0.2, x.q, x.v, now, curvature);
  const std::vector<double> ahead = rates(moved(s)), behind = rates(moved(-s));
  for (int row = 0; row < 3; ++row) EXPECT_NEAR(curvature[row], (ahead[row] - behind[row]) / (2 * s), 1e-7) << row;
}

// A vertex on a half-space, with friction, said both ways: the same motion.
TEST(ScenePoints, AVertexOnAFloorIsTheGapOfItsPoint) {
  const std::string body = R"toml(
[[body]]
name = "b"
kind = "space"
mass = 1
inertia = [0.1, 0.2, 0.3]
position = [0, 0, 0.4]
velocity = [0.5, -0.2, 0]
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, 0, -9.81]
)toml";
  const System points = typed(body + R"toml(
[[contact]]
name = "tip"
a = { body = "b", position = [0.1, 0.2, -0.3] }
gap = "a.z"
slip = ["a.x", "a.y"]
e = 0.5
mu = 0.3
)toml");
  const System shapes = typed(body + R"toml(
[[shape]]
name = "tip"
kind = "vertex"
body = "b"
position = [0.1, 0.2, -0.3]
[[shape]]
name = "floor"
kind = "half-space"
[[contact]]
name = "c"
shapes = ["tip", "floor"]
e = 0.5
mu = 0.3
)toml");
  const auto run = [](const System& system) {
    MoreauJean scheme(system);
    State x = system.initial_state();
    const RunReport report = simulate(scheme, x, {.step = 1e-3, .until = 0.3});
    EXPECT_TRUE(report.certified()) << report.message;
    EXPECT_GT(report.impacts, 0);
    EXPECT_LT(report.total[Work::friction], 0.0);
    return x;
  };
  const State a = run(points), b = run(shapes);
  expect_near(a.q, b.q, "q");
  expect_near(a.v, b.v, "v");
}

// A gap that is no distance: on the slope y = -x the bead slides with g sin cos, whatever the scale of the gap.
TEST(ScenePoints, ASlopeOfAnyScale) {
  const std::string slope = replaced(bead, "[0.4, 0.3, 0]", "[0.4, -0.4, 0]");
  for (const char* gap : {"a.y + a.x", "7*(a.y + a.x)"}) {
    const System system = typed(slope + "[[contact]]\nname = \"c\"\na = { body = \"bead\" }\ngap = \"" + gap + "\"\n");
    MoreauJean scheme(system);
    State x = system.initial_state();
    const RunReport report = simulate(scheme, x, {.step = 1e-2, .until = 0.5});
    ASSERT_TRUE(report.certified()) << report.message;
    const double along = 9.81 / 2;  // of x and of -y
    EXPECT_NEAR(x.v[0], along * 0.5, 1e-10);
    EXPECT_NEAR(x.v[1], -along * 0.5, 1e-10);
    EXPECT_NEAR(x.q[0], 0.4 + along * 0.5 * 0.5 / 2, 1e-2 * along * 0.5);  // the first step makes contact
  }
}

// From rest on a wavy floor without friction: the bead stays on it, and the height it lost is its speed.
TEST(ScenePoints, ABeadOnASineShapedFloor) {
  const System system = typed(replaced(bead, "[0.4, 0.3, 0]", "[0.4, \"0.1*cos(2)\", 0]") + R"toml(
[[contact]]
name = "floor"
a = { body = "bead" }
gap = "a.y - 0.1*cos(5*a.x)"
)toml");
  CombinedProjection scheme(system);
  State x = system.initial_state();
  double farthest = 0.0, fastest = 0.0;
  SimulateOptions options{.step = 5e-4, .until = 1.0};
  options.observe = [&](const Progress& p) {
    const auto& [q, v] = std::pair(p.after.q, p.after.v);
    EXPECT_NEAR(q[1], 0.1 * std::cos(5 * q[0]), 1e-9) << p.after.t;
    const double lost = 0.1 * std::cos(2.0) - q[1];
    EXPECT_NEAR(0.5 * (v[0] * v[0] + v[1] * v[1]), 9.81 * lost, 5e-3) << p.after.t;  // of 0.57 J/kg
    farthest = std::max(farthest, std::abs(q[0] - 0.2 * std::acos(-1.0)));
    fastest = std::max(fastest, std::abs(v[0]));
  };
  const RunReport report = simulate(scheme, x, options);
  ASSERT_TRUE(report.certified()) << report.message;
  EXPECT_NEAR(farthest, 0.2 * std::acos(-1.0) - 0.4, 2e-3);  // it swings as high on the other side
  EXPECT_NEAR(fastest, std::sqrt(2 * 9.81 * 0.1 * (1 + std::cos(2.0))), 2e-3);
}

// Two beads on one line, equal and elastic, change their velocities.
TEST(ScenePoints, TwoPointsThatMeet) {
  std::string text;
  for (const char* name : {"l", "r"})
    text += std::string("[[body]]\nname = \"") + name +
            "\"\nkind = \"space\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [" + (*name == 'l' ? "-1" : "1") +
            ", 0, 0]\nvelocity = [" + (*name == 'l' ? "3" : "-0.5") + ", 0, 0]\n";
  const System system = typed(text + R"toml(
[[contact]]
name = "c"
a = { body = "l", position = [0.1, 0, 0] }
b = { body = "r", position = [-0.1, 0, 0] }
gap = "b.x - a.x"
e = 1
)toml");
  MoreauJean scheme(system);
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1.1e-2, .until = 1.0});
  ASSERT_TRUE(report.certified()) << report.message;
  EXPECT_EQ(report.impacts, 1);
  EXPECT_NEAR(x.v[0], -0.5, 1e-12);
  EXPECT_NEAR(x.v[6], 3.0, 1e-12);
}

TEST(ScenePoints, RefuseWhatTheyCannotUse) {
  const auto refused = [](const std::string& keys, const std::string& at, std::initializer_list<std::string> parts) {
    expect_scene_refused("version = 1\n" + two_planar + "[[contact]]\nname = \"c\"\n" + keys + run_table, at, parts);
  };
  const std::string a = "a = { body = \"p\" }\n", b = "b = { body = \"q\" }\n";
  refused(a + "gap = \"a.y - b.y\"\n", "b.y", {"contact 'c'", "unknown name 'b.y'"});
  refused(b + "gap = \"b.y\"\n", "[[contact]]\nname = \"c\"", {"contact 'c'", "'a' is missing"});
  refused(a + "gap = \"p.y\"\n", "p.y", {"contact 'c'", "'p.y'"});
  refused(a + "gap = \"dot(a.y)\"\n", "dot", {"contact 'c'", "a gap"});
  refused(a + "gap = \"a.y\"\nmu = 0.5\n", "[[contact]]\nname = \"c\"", {"contact 'c'", "slip"});
  refused("a = { body = \"x\" }\ngap = \"a.y\"\n", "\"x\"", {"x"});
  refused("a = { body = \"ground\" }\ngap = \"a.y\"\n", "[[contact]]\nname = \"c\"", {"ground"});
}

TEST(ScenePoints, TheModelRefusesTheWrongNumberOfFrames) {
  testing::expect_refused(
      [](Model& model) {
        const auto [p, q] = testing::add_planar(model);
        model.add_contact("c", {Frame{p}, Frame{q}}, formula_point_gap({}, 1, {{"a.y"}}), {.e = 0.5});
      },
      "c", {"1 frames", "2 were given"});
}

}  // namespace
}  // namespace esc
