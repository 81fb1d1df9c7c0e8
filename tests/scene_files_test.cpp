// Files: includes, round trips, and input that nobody should send.
#include <sys/stat.h>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>

#include "tests/support/repository.hpp"
#include "tests/support/scenes.hpp"

namespace esc {
namespace {

namespace fs = std::filesystem;
using testing::expect_scene_refused;
using testing::place_of;
using testing::replaced;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string numbered(const std::string& name, int i) { return name + std::to_string(i); }

// A folder of its own for each test, removed afterwards.
class SceneFiles : public ::testing::Test {
 protected:
  SceneFiles()
      : folder(fs::path(::testing::TempDir()) /
               (std::string("scene_files_") + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder);
    fs::create_directories(folder / "parts");
  }
  ~SceneFiles() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  // Reading the first file fails in the second one, where `at` stands.
  void expect_refused(const std::string& file, const std::string& in, const std::string& at,
                      const std::string& part) const {
    try {
      static_cast<void>(io::read_scene((folder / file).string()));
      ADD_FAILURE() << file << " was accepted";
    } catch (const io::SceneError& error) {
      EXPECT_EQ(fs::path(error.file()).filename(), fs::path(in).filename()) << error.what();
      const auto place = place_of(content(folder / in), at);
      EXPECT_EQ(error.line(), place.line) << error.what();
      EXPECT_EQ(error.column(), place.column) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  const fs::path folder;
};

const std::string ball = R"toml(version = 1
[parameters]
e = 0.5
height = 2
[[coordinates]]
name = "ball"
names = ["y"]
start = ["height"]
kinetic = "0.5*dot(y)^2"
[[contact]]
name = "floor"
gap = "y"
e = "e"
)toml";

const std::string main_file = R"toml(version = 1
include = ["parts/ball.toml"]
[parameters]
height = 3
[[coordinates]]
name = "weight"
names = ["z"]
mass = 2
[simulation]
step = 0.01
until = 0.5
)toml";

// Neither waits for a writer that never comes, nor reads without end.
TEST_F(SceneFiles, PipesAndDevicesAreRefused) {
  const std::string pipe = (folder / "pipe.toml").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      static_cast<void>(io::read_scene(path));
    } catch (const io::SceneError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const std::string& path : {pipe, std::string("/dev/zero")})
    EXPECT_NE(refusal(path).find("pipe or a device"), std::string::npos) << refusal(path);
  const fs::path large = folder / "large.toml";
  std::ofstream(large).put('\n');
  fs::resize_file(large, std::uintmax_t{1} << 40);  // a hole: it takes no room
  EXPECT_NE(refusal(large.string()).find("larger than 64 MiB"), std::string::npos);
}

TEST_F(SceneFiles, IncludeOthersFirst) {
  write("parts/ball.toml", ball);
  const io::Scene scene = io::read_scene(write("main.toml", main_file));
  const System system = io::compile_scene(scene);
  ASSERT_EQ(system.nq(), 2);
  EXPECT_EQ(system.coordinates()[0].name, "ball.y");
  EXPECT_EQ(system.initial_state().q[0], 3.0);  // the including file's value holds
  EXPECT_EQ(scene.parameters.size(), 2U);

  // The text has everything: it needs no other file and gives the same system.
  const io::Scene again = io::parse_scene(scene.text, "elsewhere/main.toml");
  EXPECT_EQ(again.text, scene.text);
  EXPECT_EQ(hash(io::compile_scene(again).initial_state()), hash(system.initial_state()));
}

TEST_F(SceneFiles, PutIncludesOfIncludesIn) {
  write("parts/ball.toml", replaced(ball, "version = 1", "version = 1\ninclude = [\"floor.toml\"]"));
  write("parts/floor.toml", "version = 1\n[parameters]\nmu = 0\ne = 0.25\n");
  const io::Scene scene = io::read_scene(write("main.toml", main_file));
  EXPECT_EQ(scene.parameters.size(), 3U);
  EXPECT_EQ(scene.parameters[1].name, "e");  // the order is that of the first file that has it
  EXPECT_EQ(scene.parameters[1].value, 0.5);
}

TEST_F(SceneFiles, RefuseIncludesThatCannotBe) {
  write("parts/ball.toml", ball);
  write("main.toml", replaced(main_file, "parts/ball", "parts/bal"));
  expect_refused("main.toml", "main.toml", "\"parts/bal.toml\"", "does not exist");
  write("main.toml", replaced(main_file, "parts/ball.toml", "parts"));
  expect_refused("main.toml", "main.toml", "\"parts\"", "is a folder");
  write("main.toml", replaced(main_file, "[\"parts/ball.toml\"]", "\"parts/ball.toml\""));
  expect_refused("main.toml", "main.toml", "\"parts/ball.toml\"", "takes a list of files");
  write("main.toml", replaced(main_file, "\"parts/ball.toml\"", "3"));
  expect_refused("main.toml", "main.toml", "3", "takes names of files");
  write("main.toml", replaced(main_file, "parts/ball.toml", "/etc/hostname"));
  expect_refused("main.toml", "main.toml", "\"/etc/hostname\"", "relative");

  write("main.toml", main_file);
  write("parts/ball.toml", replaced(ball, "version = 1", "version = 1\ninclude = [\"../main.toml\"]"));
  expect_refused("main.toml", "parts/ball.toml", "\"../main.toml\"", "includes itself");
  write("main.toml", replaced(main_file, "parts/ball.toml", "main.toml"));
  expect_refused("main.toml", "main.toml", "\"main.toml\"", "includes itself");
}

TEST_F(SceneFiles, PointIntoTheFileThatIsWrong) {
  write("main.toml", main_file);
  write("parts/ball.toml", replaced(ball, "gap = \"y\"", "gap = \"yy\""));
  expect_refused("main.toml", "parts/ball.toml", "yy\"", "unknown name 'yy'");
  write("parts/ball.toml", replaced(ball, "[[contact]]", "[[contact]"));
  expect_refused("main.toml", "parts/ball.toml", "\nname = \"floor\"", "not TOML");
  write("parts/ball.toml", ball);
  write("main.toml", replaced(main_file, "\"weight\"", "\"ball\""));
  expect_refused("main.toml", "main.toml", "\"ball\"", "used twice, first in line 5");
}

TEST_F(SceneFiles, BoundTheChainOfIncludes) {
  for (int i = 0; i < 40; ++i)
    write(numbered("f", i) + ".toml", "version = 1\ninclude = [\"" + numbered("f", i + 1) + ".toml\"]\n");
  write("f40.toml", "version = 1\n");
  EXPECT_THROW(static_cast<void>(io::read_scene((folder / "f0.toml").string())), io::SceneError);
  // 2^20 files by twos: the number of files is bounded as well.
  for (int i = 0; i < 12; ++i) {
    const std::string next = "\"" + numbered("g", i + 1) + ".toml\"";
    write(numbered("g", i) + ".toml", "version = 1\ninclude = [" + next + ", " + next + "]\n");
  }
  write("g12.toml", "version = 1\n");
  EXPECT_THROW(static_cast<void>(io::read_scene((folder / "g0.toml").string())), io::SceneError);
}

TEST_F(SceneFiles, AreNoFolders) {
  for (const std::string& path : {folder.string(), (folder / "nothing.toml").string()}) try {
      static_cast<void>(io::read_scene(path));
      ADD_FAILURE() << path;
    } catch (const io::SceneError& error) {
      EXPECT_EQ(error.file(), path);
    }
}

// Whatever it is, it is read or refused.
void read_or_refuse(const std::string& text) {
  try {
    static_cast<void>(io::parse_scene(text, "scene.toml"));
  } catch (const io::SceneError&) {
  }
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(HostileScenes, AreRefusedInGoodTime) {
  const int many = 100'000;
  const std::string end = "\n[simulation]\nstep = 1\nuntil = 1\n";
  const std::string body = "[[body]]\nname = \"b\"\nkind = \"planar\"\nmass = 1\ninertia = 1\n";
  const auto refused = [](const std::string& text) {
    EXPECT_THROW(static_cast<void>(io::parse_scene(text, "s.toml")), io::SceneError);
  };
  refused("version = " + repeated("[", many));
  refused("version = " + repeated("{a=", many));
  refused("[" + repeated("a.", many) + "a]");
  refused(repeated("a.", many) + "a = 1");
  refused("x = {" + repeated("a.", many) + "a = 1}");
  refused("[" + repeated("\"a\" . ", many) + "a]");
  refused("version = 1\n" + repeated(body, 2000) + end);
  refused("version = 1\n" + body + "pose = [" + repeated("1,", many) + "1]" + end);
  refused("version = 1\n" + body + "pose = [\"" + repeated("(", many) + "\", 0, 0]" + end);
  refused("version = 1\n" + body + "pose = [\"" + repeated("(", 1000) + "\", 0, 0]" + end);
  refused("version = 1\n" + body + repeated("k", many) + " = 1" + end);
  refused("version = 1\n" + body + "\"\" = 1" + end);
  refused("version = 1\n[parameters]\n" + repeated("p", many) + " = \"" + repeated("p", many) + "\"" + end);
  refused("version = 1\n[[bar]]\nname=\"b\"\nlength=1\nsection=1\nyoung=1\ndensity=1\nelements=2000000000" + end);
  refused("version = 1\ntitle = \"\xff\xfe\"" + end);
  std::string with_nul = "version = 1\ntitle = \"a b\"\n";
  with_nul[with_nul.find("a b") + 1] = '\0';
  refused(with_nul + end);
  refused(std::string(1000, '\0'));
  refused(repeated("\xff", 1000));
  refused("version = 1\nwhen = 2020-01-01" + end);
  refused("version = 9223372036854775807" + end);
  refused("version = 1\n" + body + "pose = [1e308, \"1e308*10\", 0]" + end);
  refused("version = 1\n" + body + "pose = [1, 99999999999999999999999, 0]" + end);
}

TEST(HostileScenes, ChainsOfParametersAreLong) {
  std::string text = "version = 1\n[parameters]\np0 = 1\n";
  for (int i = 1; i < 20000; ++i) text += numbered("p", i) + " = \"" + numbered("p", i - 1) + "\"\n";
  const io::Scene scene = io::parse_scene(text + "[simulation]\nstep = \"p19999\"\nuntil = 1\n", "scene.toml");
  EXPECT_EQ(scene.run.step, 1.0);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(HostileScenes, EveryBeginningOfASceneIsReadOrRefused) {
  for (const char* name : {"ring-pendulum", "sphere-pile", "slider-crank-planar", "bead-on-wire"}) {
    const std::string text = content(testing::scene_path(name));
    for (std::size_t length = 0; length <= text.size(); length += 7) read_or_refuse(text.substr(0, length));
  }
}

TEST(HostileScenes, ChangedBytesAreReadOrRefused) {
  std::uint64_t state = 1;
  const auto next = [&](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  const std::string interesting = "\"'[]{}=.,#\n\\ -1eE()*^\t\x80";
  for (const char* name : {"bouncing-ball", "slider-crank-energies", "four-bar", "tippe-top"}) {
    const std::string text = content(testing::scene_path(name));
    for (int i = 0; i < 500; ++i) {
      std::string changed = text;
      for (std::size_t k = 0; k <= next(3); ++k) changed[next(changed.size())] = interesting[next(interesting.size())];
      read_or_refuse(changed);
    }
  }
}

}  // namespace
}  // namespace esc
