// A file that an export writes.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <escapement/io/results.hpp>

namespace esc::io {

class ExportFile {
 public:
  // Throws ResultsError if it cannot be made, or exists and may not be overwritten.
  ExportFile(const std::string& path, Overwrite overwrite) : path_(path) {
    std::error_code ignored;
    const auto found = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(found)) throw ResultsError(path_, "this is a folder; give the name of a file");
    if (overwrite == Overwrite::refuse && std::filesystem::exists(found))
      throw ResultsError(path_, "the file exists; it is overwritten only on request (--force, Overwrite::allow)");
    const bool plain = !std::filesystem::exists(found) || std::filesystem::is_regular_file(found);
    if (plain) temporary_ = path + "." + std::to_string(getpid()) + ".new";
    out_.open(plain ? temporary_ : path_, std::ios::binary);
    if (!out_) fail("cannot be created");
  }
  ~ExportFile() {
    std::error_code ignored;
    if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
  }
  ExportFile(const ExportFile&) = delete;
  std::ostream& stream() { return out_; }
  // All is written, or this throws ResultsError.
  void close() {
    out_.close();
    if (!out_) fail("writing failed");
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be given its name");
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ResultsError(path_, what + ": " + std::generic_category().message(errno));
  }

  std::string path_, temporary_;  // written under another name first, so that nobody sees half of one
  std::ofstream out_;
};

}  // namespace esc::io
