// The table steps/ sums up what every step reported, recorded or not; and its columns together are the run's report.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>

#include "examples/box_stack.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "src/io/results_rows.hpp"
#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using testing::Folder;
using testing::run_info;

struct SeenStep {
  StepReport step;
  Certificate certificate;
};

struct Record {
  std::vector<SeenStep> seen;
  RunReport report;
  io::StepTable steps;
};

Record run_of(const System& system, const SimulateOptions& options, std::int64_t every) {
  const Folder folder;
  Record run;
  CombinedProjection scheme(system);
  State x = system.initial_state();
  SimulateOptions watched = options;
  watched.observe = [&](const Progress& p) { run.seen.push_back({p.step, *p.certificate}); };
  io::ResultsWriter writer(scheme, run_info(scheme, options, every), folder.file("r.h5"));
  run.report = io::record_run(scheme, x, watched, writer);
  const io::ResultsReader reader(folder.file("r.h5"));
  run.steps = reader.steps(0, reader.frame_count());
  return run;
}

double ratio(const Certificate& certificate) {
  const Finding& worst = certificate[certificate.worst()];
  return worst.allowed > 0.0 ? worst.value / worst.allowed : 0.0;
}

// Row i of a column is the largest value of the steps since the frame before; some step has one that is not zero.
template <class T>
void expect_largest(const Record& run, const std::vector<T>& column, std::int64_t every, const char* name,
                    const std::function<T(const SeenStep&)>& value) {
  T overall{};
  ASSERT_GT(column.size(), 2u);
  EXPECT_EQ(column[0], T{}) << name;
  for (std::size_t i = 1; i < column.size(); ++i) {
    const auto first = run.seen.begin() + static_cast<std::ptrdiff_t>(i - 1) * every;
    const auto last = run.seen.end() - first > every ? first + every : run.seen.end();
    T largest{};
    for (auto seen = first; seen != last; ++seen) largest = std::max(largest, value(*seen));
    EXPECT_EQ(column[i], largest) << name << " of frame " << i;
    overall = std::max(overall, largest);
  }
  EXPECT_GT(overall, T{}) << name;
}

template <class T>
T sum(const std::vector<T>& column) {
  return std::accumulate(column.begin(), column.end(), T{});
}
template <class T>
T largest(const std::vector<T>& column) {
  return *std::max_element(column.begin(), column.end());
}

void expect_columns_make_the_report(const Record& run) {
  const io::StepTable& s = run.steps;
  EXPECT_EQ(sum(s.steps), run.report.steps);
  EXPECT_EQ(sum(s.impacts), run.report.impacts);
  EXPECT_EQ(static_cast<double>(sum(s.of<&StepReport::iterations>())), run.report.newton.sum);
  EXPECT_EQ(static_cast<double>(sum(s.of<&StepReport::solver_iterations>())), run.report.solver.sum);
  EXPECT_EQ(sum(s.certificate_failed), run.report.failed_certificates);
  EXPECT_EQ(largest(s.of<&StepReport::solver_residual>()), run.report.worst_residual);
  EXPECT_EQ(largest(s.penetration), run.report.max_penetration);
  EXPECT_EQ(largest(s.joint_drift), run.report.max_joint_drift);
  EXPECT_EQ(largest(s.certificate_ratio), run.report.worst_ratio);
  const auto worst = std::max_element(s.certificate_ratio.begin(), s.certificate_ratio.end());
  EXPECT_EQ(s.certificate_check[static_cast<std::size_t>(worst - s.certificate_ratio.begin())],
            static_cast<int>(run.report.worst_check));
}

class Steps : public ::testing::TestWithParam<int> {};

TEST_P(Steps, OfAMechanismWithJointsAndClearance) {
  const Record run = run_of(compile(examples::SliderCrank{}.planar_model()), {.step = 1e-5, .until = 2e-3}, GetParam());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const auto every = GetParam();
  const io::StepTable& s = run.steps;
  expect_largest<double>(run, s.of<&StepReport::residual>(), every, "residual",
                         [](const SeenStep& x) { return x.step.residual; });
  expect_largest<double>(run, s.of<&StepReport::frame_change>(), every, "frame_change",
                         [](const SeenStep& x) { return x.step.frame_change; });
  expect_largest<double>(run, s.of<&StepReport::gap_residual>(), every, "gap_residual",
                         [](const SeenStep& x) { return x.step.gap_residual; });
  expect_largest<int>(run, s.of<&StepReport::projections>(), every, "projections",
                      [](const SeenStep& x) { return x.step.projections; });
  expect_largest<double>(run, s.joint_drift, every, "joint_drift",
                         [](const SeenStep& x) { return x.certificate[Check::joint_position].value; });
  expect_columns_make_the_report(run);
}

TEST_P(Steps, OfBlocksThatTouch) {
  const Record run = run_of(compile(examples::RockingBlock{}.model()), {.step = 1e-3, .until = 0.3}, GetParam());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const auto every = GetParam();
  const io::StepTable& s = run.steps;
  expect_largest<int>(run, s.of<&StepReport::index_sets>(), every, "index_sets",
                      [](const SeenStep& x) { return x.step.index_sets; });
  expect_largest<int>(run, s.of<&StepReport::islands>(), every, "islands",
                      [](const SeenStep& x) { return x.step.islands; });
  expect_largest<int>(run, s.of<&StepReport::active>(), every, "active",
                      [](const SeenStep& x) { return x.step.active; });
  expect_largest<double>(run, s.certificate_ratio, every, "certificate_ratio",
                         [](const SeenStep& x) { return ratio(x.certificate); });
  EXPECT_GT(largest(s.of<&StepReport::index_sets>()), 1);
  expect_columns_make_the_report(run);
}

// The check that is named is the one whose ratio stands beside it.
TEST_P(Steps, NameTheirWorstCheck) {
  const Record run = run_of(compile(examples::BoxStack{.boxes = 2}.model()), {.step = 1e-3, .until = 0.03}, GetParam());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const io::StepTable& s = run.steps;
  for (std::size_t i = 1; i < s.steps.size(); ++i) {
    bool named = false;
    for (const SeenStep& seen : run.seen)
      named = named || (ratio(seen.certificate) == s.certificate_ratio[i] &&
                        static_cast<int>(seen.certificate.worst()) == s.certificate_check[i]);
    EXPECT_TRUE(named) << "frame " << i;
  }
  expect_columns_make_the_report(run);
}

// A row of steps/ keeps what is not a number, whatever follows.
TEST(StepsThatAreNoNumber, StayInTheirRow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const State x;
  const Continuation so_far;
  io::StepTable row = io::empty_steps();
  StepReport step;
  Certificate certificate;
  certificate.findings.fill({0.5, 1.0, {}, -1});
  for (const double value : {0.25, nan, 0.75}) {
    step.residual = step.solver_residual = value;
    for (const Check check : {Check::penetration, Check::joint_position, Check::momentum})
      certificate.findings[static_cast<std::size_t>(check)].value = value;
    io::add_step(row, {x, x, step, &certificate, so_far, true});
  }
  for (const double stored : {row.of<&StepReport::residual>()[0], row.of<&StepReport::solver_residual>()[0],
                              row.certificate_ratio[0], row.penetration[0], row.joint_drift[0]})
    EXPECT_TRUE(std::isnan(stored)) << stored;
  EXPECT_EQ(row.certificate_failed[0], 1);
}

INSTANTIATE_TEST_SUITE_P(EveryStepAndSome, Steps, ::testing::Values(1, 7));

}  // namespace
}  // namespace esc
