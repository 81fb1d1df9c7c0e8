// papers/acary: every reproduction's verdicts hold, and its predicates fail with the wrong scheme.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "examples/bouncing_ball.hpp"
#include "papers/acary/acary.hpp"
#include "papers/acary/ball.hpp"
#include "papers/acary/bar.hpp"
#include "papers/acary/block.hpp"
#include "papers/acary/crank.hpp"
#include "papers/acary/cycling.hpp"
#include "papers/acary/efficiency.hpp"
#include "papers/acary/ring.hpp"
#include "papers/acary/roller.hpp"
#include "papers/reproduce/command.hpp"
#include "tests/support/reproductions.hpp"

namespace esc::papers {

namespace {

using namespace acary;

const SchemeChoice moreau_jean{"moreau-jean"}, direct{"direct-projected"}, combined{"combined-projection"};

class AcaryReproduction : public ::testing::TestWithParam<Reproduction> {};
TEST_P(AcaryReproduction, VerdictsHold) { testing::expect_no_failure(GetParam(), "papers_acary.md"); }
INSTANTIATE_TEST_SUITE_P(Fast, AcaryReproduction, ::testing::ValuesIn(testing::items(paper(), false)),
                         testing::item_name);

class AcarySlowReproduction : public ::testing::TestWithParam<Reproduction> {};
TEST_P(AcarySlowReproduction, VerdictsHold_slow) { testing::expect_no_failure(GetParam(), "papers_acary.md"); }
INSTANTIATE_TEST_SUITE_P(Slow, AcarySlowReproduction, ::testing::ValuesIn(testing::items(paper(), true)),
                         testing::item_name);

// Figs 4 and 5.
TEST(AcaryPredicates, ChatteringIsThatOfTheDirectSchemeAlone) {
  const BallCase ball{.h = 5e-2 / std::numbers::sqrt2, .until = 8.0};
  const Cycle cycle = direct_cycle(ball, 0.0, 0.5);
  EXPECT_TRUE(chatters(ball_run(direct, ball), cycle, ball).holds);
  EXPECT_FALSE(chatters(ball_run(combined, ball), cycle, ball).holds);
  EXPECT_FALSE(chatters(ball_run(moreau_jean, ball), cycle, ball).holds);
  EXPECT_FALSE(chatters(ball_run({"direct-projected", {{"gamma", "1"}}}, ball), cycle, ball).holds);
  EXPECT_TRUE(comes_to_rest(ball_run(combined, ball), 6.0, 1e-10).holds);
  EXPECT_FALSE(comes_to_rest(ball_run(direct, ball), 6.0, 1e-6).holds);
}

// Figs 6 and 7.
TEST(AcaryPredicates, OnlyTheDirectSchemeGainsEnergy) {
  const BallCase ball{.h = 5e-2 / std::numbers::sqrt2, .until = 10.0};
  EXPECT_FALSE(projection_gains(energy_steps(ball_run(combined, ball))).holds);
  EXPECT_FALSE(projection_gains(energy_steps(ball_run(moreau_jean, ball))).holds);
  EXPECT_FALSE(never_gains(energy_steps(ball_run(direct, ball))).holds);
}

// Fig. 8.
TEST(AcaryPredicates, RollerRestsUnlessProjectedDirectly) {
  EXPECT_FALSE(roller_rests(roller_run(direct, 1e-2)).holds);
  EXPECT_FALSE(roller_slips(roller_run(combined, 1e-2), {1.308e-1, 0.1457}).holds);
  EXPECT_FALSE(roller_slips(roller_run(moreau_jean, 1e-2), {1.308e-1, 0.1457}).holds);
}

// Fig. 9.
TEST(AcaryPredicates, BlockRestsWithTheCombinedSchemeAlone) {
  const auto one = block_run(direct), two = block_run(combined);
  EXPECT_TRUE(block_rests(two).holds);
  EXPECT_FALSE(block_rests(one).holds);
  EXPECT_FALSE(block_rests(block_run(moreau_jean)).holds);  // it rests below the floor
  EXPECT_FALSE(block_chatters(two).holds);
  EXPECT_FALSE(dissipates_more(one, two).holds);
}

// Figs 12 to 18.
TEST(AcaryPredicates, BarPenetratesWithMoreauJean) {
  const BarCase bar{.elements = 100};
  const auto run = bar_run(moreau_jean, bar);
  EXPECT_FALSE(never_penetrates(run).holds);
  EXPECT_FALSE(velocity_alternates(run, bar).holds);
  EXPECT_TRUE(never_penetrates(bar_run(combined, bar)).holds);
}

TEST(AcaryPredicates, BarOscillatesWithThePositionLevelConstraint) {
  const BarCase bar{.elements = 100};
  const auto run = bar_run({"position-theta"}, bar);
  EXPECT_TRUE(velocity_alternates(run, bar).holds);
  EXPECT_FALSE(velocity_is_steady(measure(run, bar)).holds);
  EXPECT_FALSE(velocity_alternates(bar_run(combined, bar), bar).holds);
}

TEST(AcaryPredicates, BarHasAnotherForceWithAnotherMesh) {
  const BarCase coarse{.elements = 10};
  const BarFigures f = measure(bar_run(moreau_jean, coarse), coarse);
  EXPECT_FALSE(has_plateau(f).holds);
  EXPECT_FALSE(has_duration(f).holds);
  EXPECT_FALSE(is_released(f).holds);
  const BarCase elastic{.elements = 100, .e = 0.95};
  EXPECT_FALSE(velocity_is_steady(measure(bar_run(moreau_jean, elastic), elastic)).holds);
}

// Fig. 20.
TEST(AcaryPredicates, RodStaysInContactWithTheCombinedSchemeAlone) {
  const auto one = ring_run(moreau_jean, 2.0), two = ring_run(direct, 2.0), three = ring_run(combined, 2.0);
  EXPECT_FALSE(keeps_contact(one).holds);
  EXPECT_FALSE(keeps_contact(two).holds);
  EXPECT_TRUE(keeps_contact(three).holds);
  EXPECT_FALSE(drifts_through_the_ring(one).holds);
  EXPECT_FALSE(drifts_through_the_ring(three).holds);
  EXPECT_FALSE(keeps_first_penetration(three).holds);
}

// Figs 24 to 26.
TEST(AcaryPredicates, CornerOscillatesWithTheDirectSchemeAlone) {
  const Grid grid{.step = 1e-4, .until = 0.02};
  const auto one = crank_run(direct, grid), two = crank_run(combined, grid);
  EXPECT_FALSE(is_smooth(corner_velocity(one)).holds);
  EXPECT_FALSE(oscillates(corner_velocity(two)).holds);
  EXPECT_FALSE(oscillates(corner_velocity(crank_run(moreau_jean, grid))).holds);
  EXPECT_FALSE(violates_in_proportion(two, 1e-4).holds);
}

TEST(AcaryPredicates, EndpointFormGainsEnergyAndTurnsTooFar) {
  const auto run = crank_run({"moreau-jean", {{"quadrature", "endpoints"}}}, {.step = 1e-4, .until = 0.2});
  EXPECT_FALSE(energy_never_exceeds_start(run).holds);
  EXPECT_FALSE(reaches_revolutions(run, 5e-3).holds);
}

// Table 3.
TEST(AcaryPredicates, CountsBelongToTheirScheme) {
  const Efficiency one = efficiency(moreau_jean, 1e-4), two = efficiency(combined, 1e-4);
  EXPECT_GT(one.violation, 1e-5);
  EXPECT_LE(two.violation, 1e-10);
  EXPECT_EQ(one.index_sets.max, 1.0);
  EXPECT_EQ(two.index_sets.max, 2.0);
}

// Remark 4: in flight every rule settles at once; before an impact only the growing set does.
TEST(AcaryPredicates, SetsThatFollowThePositionCycleOnlyAtImpacts) {
  const System system = compile(examples::BouncingBall{}.model());
  State x = system.initial_state();
  const double h = 1e-2;
  EXPECT_TRUE(settle(system, x, h, Following::solutions).settled);
  EXPECT_EQ(settle(system, x, h, Following::solutions).sets.size(), 1U);
  x.q[0] = 0.6 * h;  // m; the step goes 1 h down, and with e = 1/2 a quarter of it after the impact
  x.v[0] = -1.0;
  EXPECT_FALSE(settle(system, x, h, Following::iterates).settled);
  EXPECT_FALSE(settle(system, x, h, Following::solutions).settled);
  EXPECT_TRUE(settle(system, x, h, Following::growing).settled);
  x.q[0] = 0.2 * h;
  EXPECT_TRUE(settle(system, x, h, Following::solutions).settled);
}

TEST(PapersReport, VerdictsComeFromTheJudgements) {
  Report report;
  report.claim("a", "b", {"c", true});
  report.deviation("a", "b", {"c", true}, {"d", false}, "why");
  report.deviation("a", "b", {"c", false}, {"d", true}, "why");
  report.show("a", "b", "c", "why");
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.lines[0].verdict, Verdict::agrees);
  EXPECT_EQ(report.lines[1].verdict, Verdict::agrees);
  EXPECT_EQ(report.lines[1].here, "c");
  EXPECT_EQ(report.lines[2].verdict, Verdict::deviates);
  EXPECT_EQ(report.lines[2].here, "d");
  EXPECT_EQ(report.lines[3].verdict, Verdict::shown);
  report.deviation("a", "b", {"c", false}, {"d", false}, "why");
  EXPECT_EQ(report.lines[4].verdict, Verdict::fails);
  EXPECT_FALSE(report.holds());
}

TEST(PapersReport, NoNumberIsNearNothing) {
  EXPECT_FALSE(near(std::nan(""), 1.0, 1.0).holds);
  EXPECT_FALSE(within(std::nan(""), 0.0, 1.0).holds);
  EXPECT_FALSE(at_most(std::nan(""), 1.0).holds);
  EXPECT_FALSE(at_least(std::nan(""), 1.0).holds);
}

TEST(PapersTable, CsvReadsBackExactly) {
  const Table table{"t", {{"a", "m", {0.1, 2.0}}, {"b", "1", {-1e-300, 1.0 / 3.0}}}};
  std::ostringstream out;
  write_csv(table, out);
  EXPECT_EQ(out.str(), "a [m],b [1]\n0.1,-1e-300\n2,0.3333333333333333\n");
}

TEST(PapersTable, ThinningKeepsThePeaks) {
  Table table{"t", {{"k", "1", {}}, {"y", "1", {}}}};
  for (int k = 0; k < 10000; ++k) {
    table.columns[0].values.push_back(k);
    table.columns[1].values.push_back(k == 4321 ? 100.0 : k == 777 ? -50.0 : std::sin(k));
  }
  const Table thin = thinned(table, "y", 50);
  EXPECT_LE(thin.rows(), 102);
  EXPECT_EQ(*std::max_element(thin["y"].begin(), thin["y"].end()), 100.0);
  EXPECT_EQ(*std::min_element(thin["y"].begin(), thin["y"].end()), -50.0);
  EXPECT_TRUE(std::is_sorted(thin["k"].begin(), thin["k"].end()));
}

TEST(PapersPlot, CurvesAreColumnsOfTables) {
  const std::vector<Table> tables{{"t", {{"a", "m", {}}, {"b", "1", {}}, {"c", "N", {}}}}};
  const auto drawn = [&](const Curve& curve) {
    Plot plot{"p"};
    plot.add("", {.label = "x"}, {.label = "y"}, {curve});
    return std::get<study::FileColumns>(figure_of(plot, tables).panels.at(0).curves.at(0).data);
  };
  const study::FileColumns columns = drawn({"t", "c", "a"});
  EXPECT_EQ(columns.file, "t.csv");
  EXPECT_EQ(columns.x, 3);
  EXPECT_EQ(columns.y, 1);
  EXPECT_THROW(static_cast<void>(drawn({"u", "a", "b"})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(drawn({"t", "a", "d"})), std::out_of_range);
}

TEST(PapersRuns, RefuseWhatASchemeDoesNotKnow) {
  const Model model = examples::BouncingBall{}.model();
  const Grid grid{.step = 1e-2, .until = 0.1};
  const auto nothing = [](const System&, Recorder&) {};
  EXPECT_EQ(run(model, combined, grid, nothing).data.rows(), 11);
  EXPECT_THROW(run(model, {"euler"}, grid, nothing), OptionError);
  EXPECT_THROW(run(model, {"combined-projection", {{"gamma", "1"}}}, grid, nothing), OptionError);
}

struct Answer {
  bool ok;
  std::string out;
};

Answer ask(const std::vector<Paper>& papers, const std::vector<std::string>& words) {
  std::ostringstream out;
  const bool ok = reproduce(select(papers, words), {.markdown = true}, out);
  return {ok, out.str()};
}

TEST(PapersCommand, SaysWhetherTheVerdictsHold) {
  const std::vector<Paper> papers{
      {"p",
       "a paper",
       {{"good", "g", "says",
         [](Report& report) {
           report.claim("quantity one", "1", {"1", true});
         }},
        {"bad", "b", "says",
         [](Report& report) {
           report.claim("quantity two", "1", {"2", false});
         }},
        {"broken", "c", "says", [](Report&) { throw std::runtime_error("no convergence"); }}}}};
  EXPECT_TRUE(ask(papers, {"p", "good"}).ok);
  EXPECT_FALSE(ask(papers, {"p", "bad"}).ok);
  EXPECT_FALSE(ask(papers, {"p", "broken"}).ok);
  EXPECT_NE(ask(papers, {"p", "broken"}).out.find("no convergence"), std::string::npos);
  EXPECT_FALSE(ask(papers, {"p"}).ok);
  EXPECT_NE(ask(papers, {"p", "good"}).out.find("| quantity one | 1 | 1 | agrees |"), std::string::npos);
  std::ostringstream list;
  print_list(papers, list);
  EXPECT_NE(list.str().find("broken"), std::string::npos);
}

TEST(PapersCommand, NamesThatMeanNothingAreRefused) {
  const std::vector<Paper> papers{{"p", "a paper", {}}};
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{}, {"q"}, {"p", "fig-1"}})
    EXPECT_THROW(static_cast<void>(select(papers, words)), std::invalid_argument);
}

TEST(PapersCommand, FilesAreNotOverwrittenUnasked) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "papers_command_files";
  std::filesystem::remove_all(folder);
  Report report;
  report.tables.push_back({"t", {{"a", "m", {0.1}}}});
  EXPECT_NE(write_files(report, folder.string(), false).find("t.csv"), std::string::npos);
  report.tables.push_back({"u", {{"a", "m", {0.2}}}});
  EXPECT_THROW(static_cast<void>(write_files(report, folder.string(), false)), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder / "u.csv"));
  EXPECT_NE(write_files(report, folder.string(), true).find("u.csv"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace esc::papers
