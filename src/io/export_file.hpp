// A file that an export writes.
#pragma once

#include <cerrno>
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
    out_.open(path_, std::ios::binary);
    if (!out_) fail("cannot be created");
  }
  std::ostream& stream() { return out_; }
  // All is written, or this throws ResultsError.
  void close() {
    out_.close();
    if (!out_) fail("writing failed");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ResultsError(path_, what + ": " + std::generic_category().message(errno));
  }

  std::string path_;
  std::ofstream out_;
};

}  // namespace esc::io
