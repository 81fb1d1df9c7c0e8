// The writer of figures: what a script says is read back by a reader of our own.
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/math/printable.hpp"
#include "src/study/figure.hpp"
#include "src/study/gnuplot.hpp"

namespace esc::study {
namespace {

namespace fs = std::filesystem;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

std::string script_of(const Figure& figure, const std::string& output = "") {
  std::string text;
  write_script(figure, Picture::svg, output, [&](std::string_view part) { text += part; });
  return text;
}

Curve curve(const std::string& title, std::vector<double> x, std::vector<double> y, Style style = Style::lines) {
  return {title, Points{Column::of(std::move(x)), Column::of(std::move(y))}, style};
}

// What a script draws, by the rules of gnuplot: a block ends at its line END, a command at the end of its line, or of
// the next one after a backslash. Texts stand in blocks of one line.
struct ReadCurve {
  std::string title;
  std::vector<std::pair<double, double>> points;
};
struct ReadPanel {
  std::string title, x, y;
  std::vector<ReadCurve> curves;
};

class Reader {
 public:
  explicit Reader(const std::string& script) : in_(script) {}

  std::vector<ReadPanel> panels() {
    std::vector<ReadPanel> all;
    ReadPanel now;
    for (std::string line; std::getline(in_, line);) {
      if (line.starts_with("$label"))
        labels_[line.substr(0, line.find(' '))] = label_block();
      else if (line.ends_with("<< END"))
        blocks_.push_back({line.substr(0, line.find(' ')), block()});
      else if (line.starts_with("set xlabel "))
        now.x = text(line.substr(11));
      else if (line.starts_with("set ylabel "))
        now.y = text(line.substr(11));
      else if (line.starts_with("set title "))
        now.title = text(line.substr(10));
      else if (line.starts_with("plot "))
        now.curves = curves(line.substr(5));
      else
        EXPECT_TRUE(line.empty() || line.starts_with("set ") || line.starts_with("unset ")) << line;
      if (line.starts_with("plot ")) {
        EXPECT_TRUE(blocks_.empty()) << "a block that nothing draws";
        all.push_back(std::exchange(now, {}));
        blocks_.clear();
      }
    }
    return all;
  }

 private:
  using Block = std::vector<std::pair<double, double>>;

  Block block() {
    Block points;
    for (std::string line; std::getline(in_, line) && line != "END";) {
      const auto comma = line.find(',');
      points.emplace_back(std::strtod(line.c_str(), nullptr), std::strtod(line.c_str() + comma + 1, nullptr));
    }
    return points;
  }

  std::string label_block() {
    std::string line, end;
    std::getline(in_, line);
    std::getline(in_, end);
    EXPECT_EQ(end, "END");
    EXPECT_TRUE(line.starts_with(':')) << line;
    return line.substr(1);
  }

  // $label0[1][2:*], or nothing in quotes: a command has no other text.
  std::string text(std::string_view name) const {
    if (name == "''") return "";
    EXPECT_TRUE(name.ends_with("[1][2:*]")) << name;
    const auto found = labels_.find(std::string(name.substr(0, name.find('['))));
    EXPECT_NE(found, labels_.end()) << name;
    return found == labels_.end() ? "" : found->second;
  }

  // $curve0 using 1:2 with lines title $label0[1][2:*], \  and so on, each block once.
  std::vector<ReadCurve> curves(std::string line) {
    std::vector<ReadCurve> found;
    for (;; std::getline(in_, line), line.erase(0, line.find_first_not_of(' '))) {
      const std::string name = line.substr(0, line.find(' '));
      const auto block = std::find_if(blocks_.begin(), blocks_.end(), [&](const auto& b) { return b.first == name; });
      EXPECT_NE(block, blocks_.end()) << line;
      if (block == blocks_.end()) return found;
      ReadCurve one{"", block->second};
      blocks_.erase(block);
      line.erase(0, line.find(" with "));
      if (const auto at = line.find(" title "); at != std::string::npos) {
        line.erase(0, at + 7);
        one.title = text(std::string_view(line).substr(0, line.find(',')));
      }
      found.push_back(std::move(one));
      if (!line.ends_with(", \\")) return found;
    }
  }

  std::istringstream in_;
  std::vector<std::pair<std::string, Block>> blocks_;
  std::map<std::string, std::string> labels_;
};

// Characters that end a text or a line, or mean something to gnuplot or to a shell.
std::string hostile() {
  return *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::element('\'', '"', '\\', '`', '$', '{', '}', '_', '^', '@', '\n', '\r', '#', ';', ',', ' ', '%'),
      rc::gen::arbitrary<char>()));
}

TEST(Figure, EverySeriesAndEveryTextReachTheScriptOnce) {
  EXPECT_TRUE(rc::check("read back", [] {
    Figure figure{.layout = *rc::gen::element(Layout::tiles, Layout::stacked)};
    const int panels = *rc::gen::inRange(1, 4);
    for (int i = 0; i < panels; ++i) {
      Panel panel{hostile(), {.label = hostile(), .unit = hostile()}, {.label = hostile(), .unit = hostile()}, {}};
      const int curves = *rc::gen::inRange(1, 5);
      for (int j = 0; j < curves; ++j) {
        const double mark = 10.0 * i + j + 1.0;  // tells the series from all others
        panel.curves.push_back(curve(hostile(), {0.0, 1.0, 2.0}, {mark, 2.0 * mark, mark}, Style::points));
      }
      figure.panels.push_back(std::move(panel));
    }
    const auto labelled = [](const Axis& axis) {
      return printable(axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]");
    };
    const std::vector<ReadPanel> read = Reader(script_of(figure)).panels();
    RC_ASSERT(read.size() == figure.panels.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const Panel& panel = figure.panels[i];
      const bool has_x = figure.layout == Layout::tiles || i + 1 == read.size();
      RC_ASSERT(read[i].title == printable(panel.title));
      RC_ASSERT(read[i].y == labelled(panel.y));
      RC_ASSERT(read[i].x == (has_x ? labelled(panel.x) : ""));
      RC_ASSERT(read[i].curves.size() == panel.curves.size());
      for (std::size_t j = 0; j < panel.curves.size(); ++j) {
        const double mark = 10.0 * static_cast<double>(i) + static_cast<double>(j) + 1.0;
        const std::vector<std::pair<double, double>> points{{0.0, mark}, {1.0, 2.0 * mark}, {2.0, mark}};
        RC_ASSERT(read[i].curves[j].title == printable(panel.curves[j].title));
        RC_ASSERT(read[i].curves[j].points == points);
      }
    }
  }));
}

TEST(Figure, WhatCannotBeDrawnIsOpenOrErased) {
  const std::vector<double> t{0.0, 1.0, 2.0};
  Figure figure{.panels = {{"", {.label = "t"}, {.label = "y"}, {}}, {"", {.label = "t"}, {.label = "y"}, {}}}};
  figure.panels[0].curves = {curve("nan", t, {nan, nan, nan}), curve("open", t, {1.0, infinity, 3.0}),
                             curve("empty", {}, {}), curve("largest", t, {1.7e308, -1.7e308, 1e301}),
                             curve("short", {0.0, 1.0}, {1.0, 2.0, 3.0}, Style::points)};
  figure.panels[1].curves = {curve("nan", t, {nan, nan, nan}), {"none", Points{}}};
  const std::vector<ReadPanel> read = Reader(script_of(figure)).panels();
  ASSERT_EQ(read.size(), 1U);
  ASSERT_EQ(read[0].curves.size(), 2U);
  EXPECT_EQ(read[0].curves[0].title, "open");
  ASSERT_EQ(read[0].curves[0].points.size(), 3U);
  EXPECT_TRUE(std::isnan(read[0].curves[0].points[1].second));
  EXPECT_EQ(read[0].curves[1].points.size(), 2U);
}

TEST(Figure, ALogarithmicAxisHasNoPlaceForZero) {
  const Axis axis{.label = "y", .logarithmic = true};
  Figure figure{.panels = {{"", axis, axis, {curve("a", {1.0, 2.0, 0.0}, {1.0, 0.0, 1.0}, Style::linespoints)}}}};
  figure.panels[0].curves.push_back(curve("zeros", {1.0, 2.0}, {0.0, -1.0}, Style::linespoints));
  const std::vector<ReadPanel> read = Reader(script_of(figure)).panels();
  ASSERT_EQ(read.size(), 1U);
  ASSERT_EQ(read[0].curves.size(), 1U);
  EXPECT_EQ(read[0].curves[0].points, (std::vector<std::pair<double, double>>{{1.0, 1.0}}));
}

// A million points share their list with the caller, and the script has only those that can be seen.
TEST(Figure, AMillionPointsAreNeitherCopiedNorAllWritten) {
  constexpr int count = 1'000'000;
  std::vector<double> table;  // rows of (t, y)
  for (int i = 0; i < count; ++i) {
    table.push_back(1e-5 * i);
    table.push_back(std::sin(1e-5 * i));
  }
  const auto shared = std::make_shared<const std::vector<double>>(std::move(table));
  const Column t{shared, 0, 2}, y{shared, 1, 2};
  ASSERT_EQ(t.size(), std::size_t{count});
  const Figure figure{.panels = {{"", {.label = "t"}, {.label = "y"}, {{"a", Points{t, y}}}}}};
  const std::vector<ReadPanel> read = Reader(script_of(figure)).panels();
  ASSERT_EQ(read.size(), 1U);
  const auto& points = read[0].curves[0].points;
  EXPECT_LT(points.size(), 1000U);
  ASSERT_GE(points.size(), 2U);
  std::size_t segment = 0;
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    while (segment + 2 < points.size() && points[segment + 1].first < t[i]) ++segment;
    const auto [t0, y0] = points[segment];
    const auto [t1, y1] = points[segment + 1];
    worst = std::max(worst, std::abs(y0 + (y1 - y0) * (t[i] - t0) / (t1 - t0) - y[i]));
  }
  EXPECT_LE(worst, 2.01 * 2e-3);  // 0.2 % of a height of 2
}

TEST(Figure, BarsStandOnZeroAndRoundOffIsNotEnlarged) {
  const auto y_range = [](const Curve& one) {
    const std::string script = script_of({.panels = {{"", {.label = "t"}, {.label = "y"}, {one}}}});
    const auto at = script.find("set yrange ") + 11;
    return script.substr(at, script.find('\n', at) - at);
  };
  EXPECT_EQ(y_range(curve("a", {0.0, 1.0}, {3.0, 4.0}, Style::impulses)), "[0:*]");
  EXPECT_EQ(y_range(curve("a", {0.0, 1.0}, {3.0, 4.0})), "[*:*]");
  EXPECT_EQ(y_range(curve("a", {0.0, 1.0}, {0.0, 1e-12})), "[-1e-09:1.001e-09]");
}

class Drawing : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(::testing::TempDir()) / ("study_figure_" + name + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "bin");
    path_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  // A program in the place of gnuplot.
  void put_gnuplot(const std::string& text) {
    std::ofstream(folder_ / "bin" / "gnuplot") << "#!/bin/sh\n" << text;
    fs::permissions(folder_ / "bin" / "gnuplot", fs::perms::owner_all);
  }
  static std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string refusal(const Figure& figure, const fs::path& file) {
    try {
      draw(figure, file.string());
    } catch (const FigureError& error) {
      return error.what();
    }
    return "";
  }
  const Figure figure_{.panels = {{"", {.label = "t"}, {.label = "it's `echo a`"}, {curve("b_{c}", {0, 1}, {0, 1})}}}};
  fs::path folder_;
  std::string path_;
};

TEST_F(Drawing, FilesMayHaveAnyName) {
  if (!gnuplot_installed()) GTEST_SKIP() << "there is no gnuplot";
  for (const std::string name : {"a b.svg", "it's.svg", "\"q\".svg", "two\nlines.svg", "-e.svg", "back\\slash.svg",
                                 "`touch x`.svg", "$(touch x).svg"}) {
    draw(figure_, (folder_ / name).string());
    const std::string picture = content(folder_ / name);
    EXPECT_TRUE(picture.ends_with("</svg>\n\n") || picture.ends_with("</svg>\n")) << name;
    EXPECT_NE(picture.find("it's `echo a`"), std::string::npos) << name;
    EXPECT_NE(picture.find("b_{c}"), std::string::npos) << name;
  }
  draw(figure_, (folder_ / "a.png").string());
  EXPECT_TRUE(content(folder_ / "a.png").starts_with("\x89PNG"));
}

// Files are found from their folder, and what is drawn is the scaled column.
TEST_F(Drawing, CurvesMayStandInFiles) {
  if (!gnuplot_installed()) GTEST_SKIP() << "there is no gnuplot";
  std::ofstream(folder_ / "it's.csv") << "t [s],a [m],b [m]\n0,7,0.25\n1,7,0.5\n";
  const Axis y{.label = "b", .unit = "mm", .scale = 1e3};
  const Figure figure{.panels = {{"", {.label = "t"}, y, {{"c", FileColumns{"it's.csv", 1, 3}}}}}};
  draw(figure, (folder_ / "file.svg").string(), folder_.string());
  const std::string picture = content(folder_ / "file.svg");
  for (const char* text : {"b [mm]", ">250<", ">500<"}) EXPECT_NE(picture.find(text), std::string::npos) << text;
  EXPECT_EQ(picture.find(">7<"), std::string::npos);
  EXPECT_NE(refusal(figure, folder_ / "none.svg").find("gnuplot cannot draw"), std::string::npos);  // no such file here
}

TEST_F(Drawing, AFailureLeavesTheOldPicture) {
  const fs::path file = folder_ / "old.svg";
  std::ofstream(file) << "old";
  setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
  put_gnuplot("echo half a picture\necho '\"-\" line 3: undefined variable: a' >&2\nexit 1\n");
  EXPECT_EQ(refusal(figure_, file), "gnuplot cannot draw " + file.string() + ": undefined variable: a");
  put_gnuplot("kill -9 $$\n");
  EXPECT_EQ(refusal(figure_, file), "gnuplot cannot draw " + file.string());
  EXPECT_NE(refusal({}, file).find("nothing to draw"), std::string::npos);
  EXPECT_EQ(content(file), "old");
  put_gnuplot("while read -r line; do :; done\necho drawn\n");
  EXPECT_EQ(refusal(figure_, file), "");
  EXPECT_EQ(content(file), "drawn\n");
}

// Whatever it is told to do: a curve whose "file" is a command, and a program in its place that starts another.
TEST_F(Drawing, GnuplotStartsNothing) {
  const Figure piped{
      .panels = {{"", {.label = "t"}, {.label = "y"}, {{"c", FileColumns{"< touch owned; echo 1,2", 1, 2}}}}}};
  if (gnuplot_installed()) {
    EXPECT_THROW(draw(piped, (folder_ / "a.svg").string(), folder_.string()), FigureError);
    EXPECT_FALSE(fs::exists(folder_ / "owned"));
  }
  setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
  put_gnuplot("touch owned\necho drawn\n");
  EXPECT_NE(refusal(figure_, folder_ / "a.svg"), "");
  EXPECT_FALSE(fs::exists(folder_ / "owned") || fs::exists("owned"));
}

TEST_F(Drawing, WithoutGnuplotTheRemedyIsNamed) {
  setenv("PATH", (folder_ / "bin").c_str(), 1);
  fs::create_directory(folder_ / "bin" / "gnuplot");  // a folder is no program
  EXPECT_FALSE(gnuplot_installed());
  EXPECT_THROW(require_gnuplot(), FigureError);
  fs::remove(folder_ / "bin" / "gnuplot");
  EXPECT_NE(refusal(figure_, folder_ / "a.svg").find("apt install gnuplot-nox"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "a.svg"));
}

}  // namespace
}  // namespace esc::study
