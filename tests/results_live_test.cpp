// A file may be read while its run goes on: every reader sees the blocks that were flushed, whole.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "examples/rocking_block.hpp"
#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using testing::Folder;

// After every tenth step it waits for a byte from the gate, one that a look at the file gives.
[[noreturn]] void write_blocks(const System& system, SimulateOptions options, const std::string& path, int gate) {
  options.observe = [gate](const Progress& progress) {
    char byte;
    if (progress.so_far.grid % 10 == 0 && read(gate, &byte, 1) != 1) _exit(1);
  };
  MoreauJean scheme(system);
  State x = system.initial_state();
  io::ResultsWriter writer(scheme, testing::run_info(scheme, options), path, {.flush_after = 0.0});
  static_cast<void>(io::record_run(scheme, x, options, writer));
  _exit(0);
}

// Of the file as it is now: how many frames it has. All of it is read.
std::int64_t look(const std::string& path, double step) {
  const io::ResultsReader reader(path);
  const std::int64_t frames = reader.frame_count();
  const io::FrameTable table = reader.frames(0, frames);
  for (std::int64_t i = 0; i < frames; ++i) EXPECT_EQ(table.t[i], static_cast<double>(i) * step);
  EXPECT_EQ(reader.states(0, frames).size(), table.t.size());
  static_cast<void>(reader.steps(0, frames));
  static_cast<void>(reader.events(0, reader.event_count()));
  if (frames > 0) {
    EXPECT_EQ(table.contact_begin.back() + table.contact_count.back(), reader.contact_count());
    EXPECT_EQ(reader.checkpoint(reader.checkpoint_count() - 1).state.t, table.t.back());
  }
  return frames;
}

TEST(Live, AFileIsWholeAtEveryMomentOfItsRun) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  const System system = compile(examples::RockingBlock{}.model());
  const SimulateOptions options{.step = 1e-3, .until = 0.06};
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  const pid_t child = fork();
  if (child == 0) write_blocks(system, options, path, gate[0]);
  int looks = 0, status = 0;
  std::int64_t before = 0;
  std::string trouble;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!std::filesystem::exists(path)) continue;
    std::int64_t frames = 0;
    const std::string said = testing::refusal([&] { frames = look(path, options.step); });
    if (trouble.empty()) trouble = said;
    EXPECT_GE(frames, before);
    before = frames;
    ++looks;
    ASSERT_EQ(write(gate[1], "+", 1), 1);
  }
  close(gate[0]);
  close(gate[1]);
  EXPECT_EQ(trouble, "");
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_GE(looks, 6);
  EXPECT_EQ(look(path, options.step), 61);
}

// A run whose steps take long: its last frame is safe all the same.
TEST(Live, ABlockIsFlushedThoughNoFrameFollows) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  io::ResultsWriter writer(scheme, testing::run_info(scheme, {}), path, {.flush_after = 0.2});
  writer.start(system.initial_state());
  const auto begin = std::chrono::steady_clock::now();
  while (writer.flushed_frames() == 0 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(5))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(writer.flushed_frames(), 1);
  EXPECT_EQ(io::ResultsReader(path).frame_count(), 1);
}

// The reader keeps what it saw, whatever the run does to the file later.
TEST(Live, AReaderKeepsWhatItSaw) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  SimulateOptions options{.step = 1e-3, .until = 0.06};
  State x = system.initial_state();
  io::ResultsWriter writer(scheme, testing::run_info(scheme, options), path, {.flush_after = 0.0});
  std::unique_ptr<io::ResultsReader> reader;
  options.observe = [&](const Progress& progress) {
    if (progress.so_far.grid == 30) reader = std::make_unique<io::ResultsReader>(path);
  };
  EXPECT_TRUE(io::record_run(scheme, x, options, writer).ok());
  ASSERT_TRUE(reader);
  const std::int64_t frames = reader->frame_count();
  EXPECT_LT(frames, 61);
  EXPECT_EQ(reader->states(0, frames).size(), static_cast<std::size_t>(frames));
  EXPECT_FALSE(reader->finished());
  EXPECT_EQ(io::ResultsReader(path).frame_count(), 61);
}

}  // namespace
}  // namespace esc
