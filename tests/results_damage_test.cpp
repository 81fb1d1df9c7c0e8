// Files that are damaged, cut short or of somebody else, and disks that are full: a clear error, never a crash.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "examples/rocking_block.hpp"
#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using testing::bytes_of;
using testing::Folder;
using testing::refusal;
using testing::run_info;
using testing::write_bytes;

void make_file(const std::string& path, double until = 0.05) {
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  static_cast<void>(testing::run_to_file(scheme, {.step = 1e-3, .until = until}, path));
}

void read_everything(const std::string& path) {
  const io::ResultsReader reader(path);
  static_cast<void>(reader.frames(0, reader.frame_count()));
  static_cast<void>(reader.steps(0, reader.frame_count()));
  static_cast<void>(reader.contacts(0, reader.contact_count()));
  static_cast<void>(reader.events(0, reader.event_count()));
  for (std::int64_t i = 0; i < reader.checkpoint_count(); ++i) static_cast<void>(reader.checkpoint(i));
  static_cast<void>(reader.states(0, reader.frame_count()));
  if (reader.finished()) static_cast<void>(reader.totals());
}

enum class Outcome { read, refused, crashed };

// Reads the file in a process of its own, which may take ten seconds.
Outcome outcome_of(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(refusal([&] { read_everything(path); }).empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return Outcome::crashed;
  return WEXITSTATUS(status) == 0 ? Outcome::read : Outcome::refused;
}

TEST(Damage, ForeignFilesAreNamedAsSuch) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  const auto message = [&] { return refusal([&] { read_everything(path); }); };
  EXPECT_NE(message().find("r.h5: cannot be opened: No such file"), std::string::npos) << message();
  write_bytes(path, "");
  EXPECT_NE(message().find("not an HDF5 file"), std::string::npos) << message();
  write_bytes(path, "t,x\n0,1\n");
  EXPECT_NE(message().find("not an HDF5 file"), std::string::npos) << message();
  EXPECT_NE(refusal([&] { read_everything(folder.path().string()); }).find("not a plain file"), std::string::npos);
  const std::string pipe = folder.file("pipe");  // does not wait for a writer that never comes
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal([&] { read_everything(pipe); }).find("not a plain file"), std::string::npos);

  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "frames", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  EXPECT_NE(message().find("not written by escapement"), std::string::npos) << message();
}

TEST(Damage, ANewerVersionIsNamed) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  make_file(path, 0.01);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t version = H5Aopen(file, "version", H5P_DEFAULT);
  const std::int64_t newer = io::results_version + 1;
  H5Awrite(version, H5T_NATIVE_INT64, &newer);
  H5Aclose(version);
  H5Fclose(file);
  EXPECT_NE(refusal([&] { read_everything(path); }).find("the file has version " + std::to_string(newer)),
            std::string::npos);
}

TEST(Damage, AMissingColumnIsNamed) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  make_file(path, 0.01);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "contacts/gap", H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_NE(refusal([&] { read_everything(path); }).find("contacts/gap"), std::string::npos);
}

// At every length: refused, or whole.
TEST(Damage, TruncatedFilesAreRefused_slow) {
  const Folder folder;
  const std::string whole = folder.file("whole"), path = folder.file("r.h5");
  make_file(whole);
  const std::string bytes = bytes_of(whole);
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    const std::size_t length = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
    write_bytes(path, bytes.substr(0, length));
    const Outcome outcome = outcome_of(path);
    EXPECT_NE(outcome, Outcome::crashed) << length;
    refused += outcome == Outcome::refused;
  }
  EXPECT_EQ(refused, 150);
}

TEST(Damage, FlippedBitsNeverCrash_slow) {
  const Folder folder;
  const std::string whole = folder.file("whole"), path = folder.file("r.h5");
  make_file(whole);
  const std::string bytes = bytes_of(whole);
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    const int flips = 1 + i % 3;
    for (int k = 0; k < flips; ++k) {
      const std::size_t at = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
    }
    write_bytes(path, damaged);
    const Outcome outcome = outcome_of(path);
    EXPECT_NE(outcome, Outcome::crashed) << "file " << i;
    refused += outcome == Outcome::refused;
  }
  EXPECT_GT(refused, 30);  // much of a small file is room that nobody has used yet
}

TEST(Refused, WhatExistsIsNotOverwrittenUnlessTold) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  write_bytes(path, "precious");
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  const SimulateOptions options{.step = 1e-3, .until = 0.01};
  const auto write = [&](io::Overwrite overwrite) {
    State x = system.initial_state();
    io::ResultsWriter writer(scheme, run_info(scheme, options), path, {.overwrite = overwrite});
    static_cast<void>(io::record_run(scheme, x, options, writer));
  };
  EXPECT_NE(refusal([&] { write(io::Overwrite::refuse); }).find("exists"), std::string::npos);
  EXPECT_EQ(bytes_of(path), "precious");
  EXPECT_EQ(refusal([&] { write(io::Overwrite::allow); }), "");
  EXPECT_EQ(io::ResultsReader(path).frame_count(), 11);
}

TEST(Refused, AFileThatAnotherRunWrites) {
  const Folder folder;
  const std::string path = folder.file("r.h5");
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  const auto info = run_info(scheme, {.step = 1e-3, .until = 0.01});
  const io::ResultsWriter first(scheme, info, path);
  const std::string message =
      refusal([&] { const io::ResultsWriter second(scheme, info, path, {.overwrite = io::Overwrite::allow}); });
  EXPECT_NE(message.find("another run is writing this file"), std::string::npos) << message;
  const std::string other = folder.file("other.h5");
  make_file(other, 0.01);
  io::Checkpoint from;
  const io::ResultsWriter going_on(system, other, 0.02, from);
  EXPECT_NE(refusal([&] { const io::ResultsWriter second(system, other, 0.02, from); }).find("another run is writing"),
            std::string::npos);
  EXPECT_EQ(io::ResultsReader(path).frame_count(), 0);  // reading is allowed
}

TEST(Refused, FoldersThatCannotBeWritten) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  const auto write = [&](const std::string& path) {
    return refusal([&] { const io::ResultsWriter writer(scheme, run_info(scheme, {}), path); });
  };
  EXPECT_NE(write(folder.file("gone/r.h5")).find("No such file or directory"), std::string::npos);
  EXPECT_NE(write("/dev/full").find("not a plain file"), std::string::npos);
  EXPECT_NE(write("/proc/r.h5").find("cannot be created"), std::string::npos);
  if (geteuid() == 0) return;  // root may write everywhere
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_NE(write(folder.file("r.h5")).find("Permission denied"), std::string::npos);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

// No file may grow beyond a limit, as on a disk with so much room: in a process of its own, which tells what it got.
TEST(FullDisk, ThereIsAClearErrorAndEarlierBlocksAreReadable) {
  const Folder folder;
  const System system = compile(examples::RockingBlock{}.model());
  int told = 0;
  for (const rlim_t limit : {0, 40'000, 200'000, 300'000, 400'000}) {
    const std::string path = folder.file(std::to_string(limit));
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit room{limit, limit};
      setrlimit(RLIMIT_FSIZE, &room);
      MoreauJean scheme(system);
      const SimulateOptions options{.step = 1e-3, .until = 3.0};
      State x = system.initial_state();
      const std::string message = refusal([&] {
        io::ResultsWriter writer(scheme, run_info(scheme, options), path, {.flush_after = 0.0});
        static_cast<void>(io::record_run(scheme, x, options, writer));
      });
      const bool clear = message.find("writing failed: File too large") != std::string::npos;
      _exit(message.empty() ? 0 : clear ? 1 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1) << "limit " << limit;
    ++told;
    if (!std::filesystem::exists(path)) continue;
    const io::ResultsReader reader(path);
    EXPECT_FALSE(reader.finished());
    read_everything(path);
    if (limit == 400'000) {
      EXPECT_GT(reader.frame_count(), 3);
    }
  }
  EXPECT_EQ(told, 5);
}

}  // namespace
}  // namespace esc
