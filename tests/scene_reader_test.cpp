// Scenes that fit no model are refused where they are wrong. What each key takes is in scene_tables_test.cpp.
#include <string>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>

#include "tests/support/scenes.hpp"

namespace esc {
namespace {

using testing::expect_scene_refused;
using testing::replaced;

const std::string mechanism = R"toml(version = 1

[parameters]
l = 0.5
m = "2*l"

[[material]]
name = "steel"
e = 0.3
mu = 0.2

[[body]]
name = "crank"
kind = "planar"
mass = "m"
inertia = 0.02
pose = ["l/2", 0, 0]

[[body.shape]]
name = "tip"
kind = "disc"
radius = 0.01
material = "steel"

[[body]]
name = "rod"
kind = "planar"
density = 100.0
solid = { kind = "rectangle", half_length = 0.25, half_height = 0.01 }
pose = ["l + 0.25", 0, 0]

[[coordinates]]
name = "lift"
names = ["h"]
start = [0.3]
kinetic = "m/2*dot(h)^2"
potential = "m*9.81*h"

[[shape]]
name = "floor"
kind = "half-plane"
position = [0, -0.4]
material = "steel"

[[joint]]
name = "pivot"
kind = "revolute"
a = {}
b = { body = "crank", position = ["-l/2", 0] }

[[joint]]
name = "pin"
kind = "revolute"
a = { body = "crank", position = ["l/2", 0] }
b = { body = "rod", position = [-0.25, 0] }

[[contact]]
name = "landing"
shapes = ["crank.tip", "floor"]

[[contact]]
name = "ceiling"
gap = "1 - h"

[[contact]]
name = "stops"
joint = "pin"
lower = -2
upper = 2

[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, -9.81]

[[force]]
name = "coil"
kind = "spring"
a = { position = [0, 1] }
b = { body = "rod" }
stiffness = 10

[[force]]
name = "drag"
kind = "formula"
coordinates = ["crank.phi"]
force = "-0.1*dot(crank.phi)"

[simulation]
scheme = "combined-projection"
step = 1e-3
until = 0.1

[simulation.options]
theta = 0.6
)toml";

void refuse(const std::string& from, const std::string& to, const std::string& at,
            std::initializer_list<std::string> parts) {
  expect_scene_refused(replaced(mechanism, from, to), at, parts);
}

TEST(SceneReader, ReadsAWholeMechanism) {
  const io::Scene scene = io::parse_scene(mechanism, "folder/mechanism.toml");
  EXPECT_EQ(scene.name, "mechanism");
  EXPECT_EQ(scene.text, mechanism);
  EXPECT_EQ(scene.scheme, "combined-projection");
  ASSERT_EQ(scene.scheme_options.size(), 1U);
  EXPECT_EQ(scene.scheme_options[0].name, "theta");
  EXPECT_EQ(scene.scheme_options[0].value, "0.6");
  EXPECT_EQ(scene.run.step, 1e-3);
  EXPECT_EQ(scene.run.until, 0.1);
  EXPECT_EQ(scene.frames, 2000);
  EXPECT_TRUE(scene.run.certify);
  EXPECT_FALSE(
      io::parse_scene(replaced(mechanism, "until = 0.1", "until = 0.1\ncertify = false"), "m.toml").run.certify);
  ASSERT_EQ(scene.parameters.size(), 2U);
  EXPECT_EQ(scene.parameters[1].name, "m");
  EXPECT_EQ(scene.parameters[1].value, 1.0);
  EXPECT_EQ(scene.parameters[1].text, "2*l");
  EXPECT_TRUE(scene.parameters[0].used && scene.parameters[1].used);
  EXPECT_TRUE(scene.warnings.empty());

  const System system = io::compile_scene(scene);
  EXPECT_EQ(system.nv(), 7);
  EXPECT_EQ(system.coordinate("lift.h"), 6);
  EXPECT_EQ(system.joint_rows(), 4);
  EXPECT_EQ(system.pairs(), 3);
  const auto scheme = make_scheme(scene.scheme, system, scene.scheme_options);
  State x = system.initial_state();
  EXPECT_TRUE(simulate(*scheme, x, scene.run).certified());
}

TEST(SceneReader, RefusesTextThatIsNoScene) {
  expect_scene_refused("", "", {"'version' is missing"});
  expect_scene_refused("version = 1", "version", {"'simulation' is missing"});
  expect_scene_refused("version = 2\n[simulation]\nstep = 1\nuntil = 1", "2", {"version is 2"});
  expect_scene_refused("version = 1\n[[body]x\n", "x", {"not TOML"});
}

TEST(SceneReader, RefusesNamesThatAreNotThere) {
  refuse("body = \"crank\", position = [\"-l/2\"", "body = \"crnk\", position = [\"-l/2\"", "\"crnk\"",
         {"joint 'pivot', b", "there is no body 'crnk'", "did you mean 'crank'"});
  refuse("body = \"crank\", position = [\"-l/2\"", "body = \"lift\", position = [\"-l/2\"", "\"lift\", position",
         {"there is no body 'lift'", "something else"});
  refuse("joint = \"pin\"", "joint = \"pinn\"", "\"pinn\"", {"contact 'stops'", "did you mean 'pin'"});
  refuse("\"crank.tip\"", "\"crank.tap\"", "[\"crank.tap\"", {"contact 'landing'", "did you mean 'crank.tip'"});
  refuse("material = \"steel\"\n\n[[body]]", "material = \"stel\"\n\n[[body]]", "\"stel\"",
         {"shape 'tip' of body 'crank'", "did you mean 'steel'"});
  refuse("[\"crank.phi\"]", "[\"crank.psi\"]", "[\"crank.psi\"]", {"force 'drag'", "did you mean 'crank.phi'"});
  refuse("[\"crank.phi\"]", "[\"phi\"]", "[\"phi\"]", {"several items have a coordinate 'phi'"});
  refuse("combined-projection", "combined-projecton", "\"combined-projecton\"",
         {"simulation", "did you mean 'combined-projection'"});
  refuse("theta = 0.6", "theta = 1.6", "1.6", {"combined-projection", "theta is 1.6", "[0"});
  refuse("theta = 0.6", "thta = 0.6", "thta", {"did you mean 'theta'"});
}

TEST(SceneReader, RefusesNamesUsedTwice) {
  refuse("name = \"rod\"", "name = \"crank\"", "\"crank\"\nkind = \"planar\"\ndensity",
         {"body 'crank'", "used twice", "line 12"});
  refuse("name = \"ceiling\"", "name = \"pin\"", "\"pin\"\ngap", {"contact 'pin'", "used twice"});
  refuse("name = \"rod\"", "name = \"my rod\"", "\"my rod\"", {"'my rod' is no name"});
  refuse("name = \"rod\"", "name = \"\"", "\"\"", {"'' is no name"});
  refuse("name = \"rod\"", "name = \"ground\"", "\"ground\"", {"is the name of what does not move"});
  refuse("names = [\"h\"]", "names = [\"m\"]", "[\"m\"]", {"coordinates 'lift'", "parameter and a coordinate"});
  refuse("names = [\"h\"]", "names = [\"sin\"]", "[\"sin\"]", {"'sin' cannot be a coordinate"});
  refuse("l = 0.5\n", "l = 0.5\nl = 0.5\n", "0.5\nm =", {"not TOML"});
}

TEST(SceneReader, PointsAtTheCharacterOfAFormula) {
  refuse("\"l/2\", 0, 0]", "\"l/2 + q\", 0, 0]", "q\", 0, 0]", {"body 'crank': pose", "unknown name 'q'"});
  refuse("gap = \"1 - h\"", "gap = \"1 - lift.hh\"", "lift.hh\"",
         {"contact 'ceiling'", "unknown name 'lift.hh'", "did you mean 'lift.h'"});
  refuse("gap = \"1 - h\"", "gap = \"1 - phi\"", "phi\"",
         {"contact 'ceiling'", "coordinate of several items", "'crank.phi' or 'rod.phi'"});
  refuse("gap = \"1 - h\"", "gap = \"1 - (h\"", "\"\n\n[[contact]]\nname = \"stops\"", {"contact 'ceiling'", "')'"});
  refuse("gap = \"1 - h\"", "gap = \"1 - l\"", "\"1 - l\"", {"contact 'ceiling'", "no coordinate"});
  refuse("gap = \"1 - h\"", "gap = \"\"", "\"\"", {"the formula is empty"});
  refuse("gap = \"1 - h\"", "gap = \"1 - ?\"", "?", {"contact 'ceiling'", "'?'"});
  refuse("gap = \"1 - h\"", "gap = \"\"\"\n  1\n  - hh\"\"\"", "hh\"", {"unknown name 'hh'"});
  refuse("gap = \"1 - h\"", "gap = \"\"\"1 \\\n     - hh\"\"\"", "hh\"", {"unknown name 'hh'"});
  refuse("gap = \"1 - h\"", "gap = '1 - hh'", "hh'", {"unknown name 'hh'"});
  refuse("gap = \"1 - h\"", "gap = \"\\u0031 - hh\"", "hh\"", {"unknown name 'hh'"});
  refuse("kinetic = \"m/2*dot(h)^2\"", "kinetic = \"m/2*dot(h)^3\"", "m/2*dot(h)^3", {"coordinates 'lift'"});
  refuse("kinetic = \"m/2*dot(h)^2\"", "kinetic = \"m/2*dot(h)^2 + lift.h\"", "lift.h\"", {"unknown name 'lift.h'"});
  refuse("force = \"-0.1*dot(crank.phi)\"", "force = [\"-0.1\", \"1\"]", "[\"-0.1\"",
         {"force 'drag'", "1 coordinates, but 2 forces"});
  refuse("m = \"2*l\"", "m = \"2*k\"", "k\"", {"parameter 'm'", "unknown name 'k'"});
}

TEST(SceneReader, RefusesParametersThatNeedThemselves) {
  refuse("l = 0.5", "l = \"m + 1\"", "m + 1", {"parameter 'l'", "l -> m -> l"});
  refuse("l = 0.5", "l = nan", "nan", {"parameter 'l'", "finite"});
  refuse("l = 0.5", "l = [1]", "[1]", {"parameter 'l'", "a number or a formula"});
  refuse("l = 0.5", "l = 0.5\nsin = 2", "sin = 2", {"parameter 'sin'", "formulas cannot use this name"});
  refuse("l = 0.5", "l = 0.5\n\"a b\" = 2", "\"a b\"", {"parameter 'a b'", "formulas cannot use this name"});
}

TEST(SceneReader, TakesParametersFromTheCommandLine) {
  const io::Scene scene = io::parse_scene(mechanism, "m.toml", {{"l", "0.25 + 0.25"}, {"m", "3*l"}});
  EXPECT_EQ(scene.parameters[0].value, 0.5);
  EXPECT_EQ(scene.parameters[1].value, 1.5);
  EXPECT_EQ(scene.parameters[1].text, "3*l");
  const auto refused = [](const io::Override& change, const std::string& part) {
    try {
      static_cast<void>(io::parse_scene(mechanism, "m.toml", {change}));
      ADD_FAILURE() << change.name << "=" << change.text;
    } catch (const io::SceneError& error) {
      EXPECT_EQ(error.file(), "command line");
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused({"length", "1"}, "no parameter 'length'");
  refused({"l", "1 + k"}, "command line:1:5: parameter 'l': unknown name 'k'");
  refused({"l", ""}, "parameter 'l'");
  refused({"l", "m"}, "needs itself");
}

TEST(SceneReader, SaysWhichParametersAreNotUsed) {
  const io::Scene scene =
      io::parse_scene(replaced(mechanism, "l = 0.5", "l = 0.5\nspare = 1\nneeds_spare = \"spare\""), "m.toml");
  ASSERT_EQ(scene.warnings.size(), 2U);
  EXPECT_EQ(scene.warnings[0], "parameter 'spare' is not used");
  EXPECT_FALSE(scene.parameters[1].used);
}

TEST(SceneReader, RefusesWhatTheModelRefuses) {
  refuse("density = 100.0", "mass = 1\ndensity = 100.0", "1\ndensity", {"body 'rod'", "density and also mass"});
  refuse("solid = { kind = \"rectangle\", half_length = 0.25, half_height = 0.01 }\n", "", "100.0",
         {"body 'rod'", "needs 'solid'"});
  refuse("mass = \"m\"\n", "", "[[body]]", {"body 'crank'", "'mass' is missing"});
  refuse("mass = \"m\"", "mass = \"-m\"", "\"-m\"", {"body 'crank'", "mass is -1 kg", "> 0"});
  refuse("a = {}", "a = { body = \"crank\" }", "[[joint]]", {"joint 'pivot'", "both frames"});
  refuse("lower = -2", "lower = 3", "[[contact]]\nname = \"stops\"", {"contact 'stops'", "lower"});
  refuse("lower = -2\nupper = 2\n", "", "[[contact]]\nname = \"stops\"", {"need 'lower', 'upper'"});
  refuse("material = \"steel\"\n\n[[joint]]", "\n[[joint]]", "[[contact]]\nname = \"landing\"",
         {"contact 'landing'", "'e' is missing", "'floor' has no material"});
  refuse("gap = \"1 - h\"", "gap = \"1 - h\"\nmu = 0.5", "[[contact]]\nname = \"ceiling\"", {"slip"});
  refuse("shapes = [\"crank.tip\", \"floor\"]", "shapes = [\"crank.tip\", \"floor\"]\ngap = \"h\"",
         "[[contact]]\nname = \"landing\"", {"both 'shapes' and 'gap'"});
  refuse("start = [0.3]", "start = [0.3, 1]", "[0.3, 1]", {"coordinates 'lift'", "2 entries"});
  refuse("[[force]]\nname = \"coil\"",
         "[[force]]\nname = \"g2\"\nkind = \"gravity\"\nacceleration = [0, 1]\n[[force]]\nname = \"coil\"",
         "[[force]]\nname = \"g2\"", {"gravity already"});
}

TEST(SceneReader, RefusesKeysWithoutEffect) {
  refuse("a = {}", "a = { axis = [0, 0, 1] }", "[0, 0, 1]", {"joint 'pivot', a", "no angle"});
  refuse("a = {}", "a = { rotation = [1, 0, 0, 0], angle = 1 }", "[1, 0, 0, 0]", {"give one of them"});
  refuse("a = {}", "a = { rotation = [1, 1, 0, 0] }", "[1, 1, 0, 0]", {"norm"});
  refuse("a = {}", "a = { axis = [0, 0, 0], angle = 1 }", "[0, 0, 0], angle", {"no direction"});
  refuse("solid = {", "inertia = 1\nsolid = {", "1\nsolid", {"density and also inertia"});
  refuse("inertia = 0.02", "inertia = 0.02\nsolid = { kind = \"disc\", radius = 1 }", "solid = { kind = \"disc\"",
         {"body 'crank'", "'solid' has no effect"});
  refuse("shapes = [\"crank.tip\", \"floor\"]", "shapes = [\"crank.tip\", \"floor\"]\ne = 0\ncombine_e = \"mean\"",
         "\"mean\"", {"nothing to combine"});
  refuse("radius = 0.01\n", "radius = 0.01\nbody = \"rod\"\n", "\"rod\"\nmaterial", {"shape within a body"});
}

TEST(SceneReader, PointsAtTheItemThatDoesNotCompile) {
  refuse("position = [0, -0.4]", "position = [0, 0.4]", "[[contact]]\nname = \"landing\"", {"penetration"});
  refuse("pose = [\"l + 0.25\", 0, 0]", "pose = [\"l + 0.2\", 0, 0]", "[[joint]]\nname = \"pin\"",
         {"pin", "miss the joint"});
  refuse("potential = \"m*9.81*h\"", "potential = \"m*9.81*sqrt(h - 1)\"", "[[coordinates]]", {"lift"});
}

}  // namespace
}  // namespace esc
