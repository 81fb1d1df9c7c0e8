// A run that stops and is resumed is bitwise the run that did not stop, and so is its file.
#include <cmath>

#include <gtest/gtest.h>

#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/box_stack.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "src/io/results_layout.hpp"
#include "tests/support/results_files.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

using testing::Folder;
using testing::run_info;

template <class Table>
void expect_same(Table a, Table b, const io::Widths& widths) {
  std::vector<std::string> names;
  std::vector<std::string> bytes;
  const auto collect = [&](auto& values, const char* name, int, auto&&...) {
    names.emplace_back(name);
    bytes.emplace_back(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  io::each_column(a, widths, collect);
  const std::size_t n = names.size();
  io::each_column(b, widths, collect);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_TRUE(bytes[i] == bytes[i + n]) << io::table_name(a) << "/" << names[i] << " differs";
}

// All tables and totals; checkpoints differ, they stand where blocks were flushed.
void expect_same_results(const std::string& one, const std::string& other) {
  const io::ResultsReader a(one), b(other);
  ASSERT_EQ(a.frame_count(), b.frame_count());
  ASSERT_EQ(a.contact_count(), b.contact_count());
  ASSERT_EQ(a.event_count(), b.event_count());
  const io::Widths widths(a.names(), a.promises());
  expect_same(a.frames(0, a.frame_count()), b.frames(0, a.frame_count()), widths);
  expect_same(a.steps(0, a.frame_count()), b.steps(0, a.frame_count()), widths);
  expect_same(a.contacts(0, a.contact_count()), b.contacts(0, a.contact_count()), widths);
  expect_same(a.events(0, a.event_count()), b.events(0, a.event_count()), widths);
  ASSERT_TRUE(a.finished() && b.finished());
  const RunReport x = a.totals(), y = b.totals();
  EXPECT_EQ(x.steps, y.steps);
  EXPECT_EQ(x.impacts, y.impacts);
  EXPECT_EQ(x.newton.sum, y.newton.sum);
  EXPECT_EQ(x.max_energy, y.max_energy);
  EXPECT_EQ(x.total.balance_error(), y.total.balance_error());
  EXPECT_EQ(x.worst_ratio, y.worst_ratio);
  EXPECT_EQ(x.certified_steps, y.certified_steps);
  EXPECT_EQ(x.initial.kinetic + x.initial.potential, y.initial.kinetic + y.initial.potential);
}

std::uint64_t resume_to(const System& system, const SimulateOptions& options, const std::string& path) {
  MoreauJean scheme(system);
  io::Checkpoint from;
  io::ResultsWriter writer(system, path, options.until, from);
  SimulateOptions on = options;
  on.continued = &from.continued;
  State x = from.state;
  static_cast<void>(io::record_run(scheme, x, on, writer));
  return hash(x);
}

// Neither the start nor the step is a binary fraction: a grid that starts anew at the stop would have other times.
class Resume : public ::testing::TestWithParam<int> {};

TEST_P(Resume, StoppedAndResumedIsTheSameRun) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  const SimulateOptions options{.step = 1e-3 / 3.0, .until = 0.6};
  MoreauJean scheme(system);
  State whole = system.initial_state();
  whole.t = 0.1;
  const auto write = [&](State& x, const SimulateOptions& its, const std::string& path) {
    io::ResultsWriter writer(scheme, run_info(scheme, options, GetParam()), path);
    return io::record_run(scheme, x, its, writer);
  };
  EXPECT_TRUE(write(whole, options, folder.file("whole")).ok());

  State part = system.initial_state();
  part.t = 0.1;
  SimulateOptions stopping = options;
  stopping.keep_going = [](const State& x) { return x.t < 0.3; };
  EXPECT_EQ(write(part, stopping, folder.file("part")).status, RunStatus::stopped);
  EXPECT_TRUE(io::ResultsReader(folder.file("part")).finished());
  EXPECT_EQ(resume_to(system, options, folder.file("part")), hash(whole));
  expect_same_results(folder.file("whole"), folder.file("part"));
}

TEST_P(Resume, AFinishedRunIsExtended) {
  const Folder folder;
  const System system = compile(examples::SliderCrank{}.model());
  const SimulateOptions options{.step = 1e-5, .until = 0.02};
  MoreauJean scheme(system);
  EXPECT_TRUE(testing::run_to_file(scheme, options, folder.file("whole"), GetParam()).ok());
  EXPECT_TRUE(testing::run_to_file(scheme, {.step = 1e-5, .until = 0.00777}, folder.file("part"), GetParam()).ok());
  static_cast<void>(resume_to(system, options, folder.file("part")));
  expect_same_results(folder.file("whole"), folder.file("part"));
  EXPECT_EQ(io::ResultsReader(folder.file("part")).info().run.until, 0.02);
}

INSTANTIATE_TEST_SUITE_P(EveryStepAndSome, Resume, ::testing::Values(1, 7));

// A stiff cubic spring: at this step four Newton iterations are not enough everywhere.
Model stiff_spring() {
  Model model;
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto spring = [](const auto&, const auto* q, const auto*, auto* F) { F[0] = -1e4 * q[0] * q[0] * q[0]; };
  const auto potential = [](double, const double* q) { return 2500.0 * q[0] * q[0] * q[0] * q[0]; };
  model.add_coordinates("mass", {"x"}, lagrangian<1>(mass, spring, potential), {1.0}, {0.0});
  return model;
}

// A request to stop between the parts of a halved step is met at the next grid time, whence the run can go on.
TEST(Halved, StepsAreResumedOnTheGrid) {
  const Folder folder;
  const System system = compile(stiff_spring());
  const SimulateOptions options{.step = 0.02, .until = 2.0};
  Halve scheme(system, {.inner = {"moreau-jean", {{"newton_max", "4"}}}});
  const auto run = [&](const SimulateOptions& its, const std::string& path) {
    State x = system.initial_state();
    io::ResultsWriter writer(scheme, run_info(scheme, options), path);
    return io::record_run(scheme, x, its, writer);
  };
  EXPECT_GT(run(options, folder.file("whole")).failures, 0);
  bool between = false;  // whether the stop was asked for off the grid
  SimulateOptions stopping = options;
  stopping.observe = [&](const Progress& progress) { between = between || !progress.on_grid; };
  stopping.keep_going = [&](const State&) { return !between; };
  EXPECT_EQ(run(stopping, folder.file("part")).status, RunStatus::stopped);
  ASSERT_TRUE(between);

  io::Checkpoint from;
  {
    io::ResultsWriter writer(system, folder.file("part"), options.until, from);
    SimulateOptions on = options;
    on.continued = &from.continued;
    State x = from.state;
    EXPECT_TRUE(io::record_run(scheme, x, on, writer).ok());
  }
  EXPECT_EQ(from.state.t, static_cast<double>(from.continued.grid) * options.step);
  expect_same_results(folder.file("whole"), folder.file("part"));
  EXPECT_EQ(io::ResultsReader(folder.file("whole")).frame_count(), 101);  // grid times only
}

// The last frame is there only because the run ended: a run that goes on replaces it by a regular one.
TEST(Finished, RunsKeepTheirFramesWhenThereIsNoStepToGoOnWith) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  const SimulateOptions options{.step = 1e-3, .until = 0.025};
  EXPECT_TRUE(testing::run_to_file(scheme, options, folder.file("whole"), 10).ok());
  EXPECT_TRUE(testing::run_to_file(scheme, options, folder.file("again"), 10).ok());
  EXPECT_EQ(io::ResultsReader(folder.file("again")).frame_count(), 4);  // 0, 10, 20, 25
  static_cast<void>(resume_to(system, options, folder.file("again")));
  expect_same_results(folder.file("whole"), folder.file("again"));

  const std::string bytes = testing::bytes_of(folder.file("again"));
  io::Checkpoint from;
  const auto earlier = [&] { const io::ResultsWriter writer(system, folder.file("again"), 0.02, from); };
  EXPECT_NE(testing::refusal(earlier).find("has come to t = 0.025 s, beyond 0.02 s"), std::string::npos);
  EXPECT_EQ(testing::bytes_of(folder.file("again")), bytes);
}

TEST(Failed, RunsEndWithTheirLastStateAndTheReason) {
  const Folder folder;
  Model model;
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto force = [](const auto&, const auto* q, const auto*, auto* F) {
    using std::sqrt;
    F[0] = sqrt(0.3 - q[0]);  // not a number beyond 0.3 m
  };
  model.add_coordinates("mass", {"x"}, lagrangian<1>(mass, force), {0.0}, {1.0});
  const System system = compile(model);
  const SimulateOptions options{.step = 0.003, .until = 2.0};
  MoreauJean scheme(system);
  State x = system.initial_state();
  RunReport report;
  {
    io::ResultsWriter writer(scheme, run_info(scheme, options, 1000), folder.file("r"));
    report = io::record_run(scheme, x, options, writer);
  }
  ASSERT_EQ(report.status, RunStatus::failed);
  ASSERT_GT(report.steps, 0);
  const io::ResultsReader reader(folder.file("r"));
  ASSERT_EQ(reader.frame_count(), 2);
  const io::FrameTable frames = reader.frames(0, 2);
  EXPECT_EQ(frames.t[1], x.t);
  EXPECT_EQ(frames.q[1], x.q[0]);
  EXPECT_EQ(reader.steps(1, 1).steps[0], report.steps);
  EXPECT_EQ(reader.totals().status, RunStatus::failed);
  EXPECT_EQ(reader.totals().message, report.message);
  EXPECT_FALSE(report.message.empty());
}

// Every checkpoint is exact: the rest of the run from any of them ends in the same bits.
TEST(Checkpoints, EachOneLeadsToTheSameEnd) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  const SimulateOptions options{.step = 1e-3 / 3.0, .until = 0.2};
  MoreauJean scheme(system);
  State x = system.initial_state();
  {
    io::ResultsWriter writer(scheme, run_info(scheme, options, 40), folder.file("r"), {.flush_after = 0.0});
    EXPECT_TRUE(io::record_run(scheme, x, options, writer).ok());
  }
  const io::ResultsReader reader(folder.file("r"));
  ASSERT_GT(reader.checkpoint_count(), 10);
  for (std::int64_t i = 0; i < reader.checkpoint_count(); ++i) {
    const io::Checkpoint from = reader.checkpoint(i);
    State y = from.state;
    SimulateOptions on = options;
    on.continued = &from.continued;
    MoreauJean fresh(system);
    const RunReport report = simulate(fresh, y, on);
    EXPECT_EQ(hash(y), hash(x)) << i;
    EXPECT_EQ(report.steps, 600) << i;
  }
}

TEST(Checkpoints, AnotherModelIsRefused) {
  const Folder folder;
  const System block = compile(examples::RockingBlock{}.model()), crank = compile(examples::BoxStack{}.model());
  MoreauJean scheme(block);
  EXPECT_TRUE(testing::run_to_file(scheme, {.step = 1e-3, .until = 0.01}, folder.file("r")).ok());
  io::Checkpoint from;
  const std::string message =
      testing::refusal([&] { const io::ResultsWriter writer(crank, folder.file("r"), 1.0, from); });
  EXPECT_NE(message.find("do not fit the model"), std::string::npos) << message;
}

}  // namespace
}  // namespace esc
