// A run may be killed at any moment: its file opens and holds every block that was flushed.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "examples/rocking_block.hpp"
#include "src/io/results_hdf5.hpp"
#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using io::ColumnShape;
using io::Store;
using testing::Folder;

// Columns that grow by blocks of five rows, which fill no chunk; every value says where it stands. There are so many of
// them that a commit changes several pages.
constexpr int columns = 12, width = 7, rows_a_block = 5;

ColumnShape shape(int column) { return {std::to_string(column), width, 16, "", "a text that takes room"}; }

double value_at(int column, std::int64_t row, int j) { return column + 1e-3 * static_cast<double>(row) + 1e-9 * j; }

// Writes blocks and a byte to the pipe for each one that is flushed; dies before the call number `calls` that changes
// the file.
[[noreturn]] void write_until(const std::string& path, int blocks, int calls, int pipe) {
  Store store(path, Store::Mode::create);
  store.before_call = [&calls] {
    if (calls-- == 0) _exit(7);
  };
  io::File file(store);
  std::vector<io::Column> grown;
  for (int c = 0; c < columns; ++c) grown.push_back(file.make_column<double>(shape(c)));
  for (int block = 0; block < blocks; ++block) {
    for (int c = 0; c < columns; ++c) {
      std::vector<double> values;
      for (std::int64_t row = block * rows_a_block; row < (block + 1) * rows_a_block; ++row)
        for (int j = 0; j < width; ++j) values.push_back(value_at(c, row, j));
      file.append(grown[c], block * rows_a_block, values);
    }
    file.flush();
    store.commit();
    const char done = 1;
    if (write(pipe, &done, 1) != 1) _exit(8);
  }
  _exit(0);
}

// Rows of the columns; all of them must hold what was written.
std::int64_t check_file(const std::string& path) {
  const io::Quiet quiet;
  Store store(path, Store::Mode::read);
  const io::File file(store);
  const std::int64_t rows = file.rows("0", width);
  int wrong = 0;
  for (int c = 0; c < columns; ++c) {
    EXPECT_EQ(file.rows(shape(c).name, width), rows);
    const auto values = file.read<double>(shape(c).name, width, {0, rows});
    for (std::int64_t row = 0; row < rows; ++row)
      for (int j = 0; j < width; ++j) wrong += values[row * width + j] != value_at(c, row, j);
  }
  EXPECT_EQ(wrong, 0);
  return rows;
}

// Between any two calls by which a commit changes the file, its state is that of the last commit or of this one.
TEST(Store, DeathBeforeAnyCallOfACommitLeavesAllFlushedBlocks) {
  const Folder folder;
  constexpr int blocks = 2;
  bool ended = false;
  int died = 0;
  for (int calls = 0; !ended; ++calls) {
    const std::string path = folder.file(std::to_string(calls));
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) write_until(path, blocks, calls, ends[1]);
    close(ends[1]);
    char byte = 0;
    int flushed = 0;
    while (read(ends[0], &byte, 1) == 1) ++flushed;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ended = WEXITSTATUS(status) == 0;
    died += !ended;
    if (flushed == 0 && !std::filesystem::exists(path)) continue;  // it is not seen before its first commit
    const std::int64_t rows = check_file(path);
    EXPECT_TRUE(rows == flushed * rows_a_block || rows == (flushed + 1) * rows_a_block) << calls << ": " << rows;
    Store repaired(path, Store::Mode::append);  // writes a journal to its places
    EXPECT_EQ(check_file(path), rows);
    std::filesystem::remove(path);
  }
  EXPECT_GT(died, 6 * blocks);  // a commit changes several pages
}

// The number of frames that the child says are safe lies in memory that it shares with its parent.
struct Shared {
  std::atomic<std::int64_t>* safe =
      new (mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          std::atomic<std::int64_t>(0);
  ~Shared() { munmap(safe, sizeof *safe); }
};

[[noreturn]] void run_and_tell(const System& system, const SimulateOptions& options, const std::string& path,
                               std::atomic<std::int64_t>& safe) {
  MoreauJean scheme(system);
  State x = system.initial_state();
  const auto info = testing::run_info(scheme, options);
  io::ResultsWriter writer(scheme, info, path, {.flush_after = 0.0});
  SimulateOptions telling = options;
  telling.keep_going = [&](const State&) {
    safe = writer.flushed_frames();
    return true;
  };
  static_cast<void>(io::record_run(scheme, x, telling, writer));
  safe = writer.flushed_frames();
  _exit(0);
}

// Two hundred runs of which most do not reach their end. Every file that there is opens, holds at least the frames that
// were safe, and each of its frames is the one of the run.
TEST(Kill, TwoHundredKillsLeaveAllFlushedBlocks_slow) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  const SimulateOptions options{.step = 1e-3, .until = 0.02};
  MoreauJean scheme(system);
  const std::string whole = folder.file("whole");
  static_cast<void>(testing::run_to_file(scheme, options, whole));
  const io::ResultsReader reference(whole);
  const io::FrameTable expected = reference.frames(0, reference.frame_count());

  std::mt19937 random(1);
  int cut_short = 0, without_file = 0;
  double longest = 0.05;  // s, of a whole run; measured below
  for (int i = 0; i < 200; ++i) {
    const std::string path = folder.file(std::to_string(i));
    const Shared shared;
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) run_and_tell(system, options, path, *shared.safe);
    const double wait = i == 0 ? 60.0 : std::uniform_real_distribution(0.0, longest)(random);
    int status = 0;
    if (i == 0) {
      waitpid(child, &status, 0);
      longest = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    } else {
      std::this_thread::sleep_for(std::chrono::duration<double>(wait));
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
    cut_short += WIFSIGNALED(status);
    if (!std::filesystem::exists(path)) {
      EXPECT_EQ(*shared.safe, 0);
      ++without_file;
      continue;
    }
    const io::ResultsReader reader(path);
    const std::int64_t frames = reader.frame_count();
    EXPECT_GE(frames, *shared.safe);
    const io::FrameTable found = reader.frames(0, frames);
    EXPECT_TRUE(std::equal(found.t.begin(), found.t.end(), expected.t.begin()));
    EXPECT_TRUE(std::equal(found.q.begin(), found.q.end(), expected.q.begin()));
    EXPECT_TRUE(std::equal(found.v.begin(), found.v.end(), expected.v.begin()));
    EXPECT_TRUE(reader.finished() || WIFSIGNALED(status));
    EXPECT_TRUE(!reader.finished() || found.t.size() == expected.t.size());
    static_cast<void>(reader.contacts(0, reader.contact_count()));
    static_cast<void>(reader.steps(0, frames));
    if (reader.checkpoint_count() > 0) {
      EXPECT_EQ(reader.checkpoint(reader.checkpoint_count() - 1).state.t, found.t.back());
    }
    std::filesystem::remove(path);
  }
  EXPECT_GT(cut_short, 100);
  EXPECT_LT(without_file, 100);
}

}  // namespace
}  // namespace esc
