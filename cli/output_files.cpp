#include "cli/output_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace esc::cli {

namespace {

namespace fs = std::filesystem;

// Also through links and other spellings of a path. Devices and pipes take from everybody.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (fs::exists(a, failed) && fs::exists(b, failed))
    return fs::is_regular_file(a, failed) && fs::equivalent(a, b, failed);
  const auto known = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, failed), failed); };
  return !known(a).empty() && known(a) == known(b);
}

void require_writable(const Arguments& arguments, const std::string& path) {
  std::error_code ignored;
  const auto found = fs::status(path, ignored);
  const bool there = fs::exists(found);
  if (fs::is_directory(found)) throw UsageError(path + " is a folder; give the name of a file");
  if (there && !arguments.has("--force")) throw UsageError(path + " exists; give --force to overwrite it");
  // A pipe that was opened stays so until the end of the program: whoever reads it would see it close.
  if (fs::is_fifo(found) && open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0)
    throw UsageError(path + " is a pipe that nobody reads; start its reader first, or give the name of a file");
  if (there && !fs::is_regular_file(found)) return;
  // Nothing is made for a trial: another run may be about to give its file this name.
  const fs::path folder = fs::path(path).parent_path();
  const std::string asked = there ? path : folder.empty() ? "." : folder.string();
  if (faccessat(AT_FDCWD, asked.c_str(), there ? W_OK : W_OK | X_OK, AT_EACCESS) != 0)
    throw UsageError(path + " cannot be written: " + std::generic_category().message(errno));
}

}  // namespace

void require_writable(const Arguments& arguments, std::span<const OutputFile> outputs,
                      const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    for (const std::string& input : inputs)
      if (same_file(path, input))
        throw UsageError(std::string(option) + " " + path + " would overwrite " + input +
                         ", which this command reads; give another name");
    for (const auto& [other, taken] : outputs.first(i))
      if (!taken.empty() && same_file(path, taken))
        throw UsageError(std::string(other) + " and " + std::string(option) + " are the same file, " + path +
                         "; give two names");
    require_writable(arguments, path);
  }
}

}  // namespace esc::cli
