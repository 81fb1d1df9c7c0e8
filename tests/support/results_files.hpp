// Files of results tests: each test has its own folder, which it leaves empty.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <escapement/io/results.hpp>
#include <escapement/schemes/moreau_jean.hpp>

namespace esc::testing {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("escapement_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline io::RunInfo run_info(const Scheme& scheme, const SimulateOptions& options, std::int64_t every = 1) {
  io::RunInfo info;
  info.scene = "test";
  info.scene_text = "version = 1\n";
  info.scheme = std::string(scheme.name());
  info.run = options;
  info.program = io::program_version();
  info.git = io::git_version();
  info.every = every;
  return info;
}

// A run of the scheme from the initial state, with its results in a file.
inline RunReport run_to_file(Scheme& scheme, const SimulateOptions& options, const std::string& path,
                             std::int64_t every = 1) {
  State x = scheme.system().initial_state();
  io::ResultsWriter writer(scheme, run_info(scheme, options, every), path);
  return io::record_run(scheme, x, options, writer);
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The message of the ResultsError that the call throws, empty if it throws none.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const io::ResultsError& error) {
    return error.what();
  }
  return "";
}

}  // namespace esc::testing
