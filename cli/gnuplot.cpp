#include "cli/gnuplot.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/arguments.hpp"

namespace esc::cli {

void require_gnuplot(const std::string& picture) {
  for (const char c : picture)
    if (c == '\'' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      throw UsageError("the name of a picture cannot contain quotes, backslashes or control characters");
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const auto end = std::min(folders.find(':', begin), folders.size());
    if (access((folders.substr(begin, end - begin) + "/gnuplot").c_str(), X_OK) == 0) return;
    begin = end + 1;
  }
  throw UsageError("gnuplot is not installed; pictures need it (Debian: apt install gnuplot-nox)");
}

void gnuplot(const std::string& script, const std::string& picture) {
  std::FILE* pipe = popen("gnuplot -", "w");
  if (!pipe) throw UsageError("gnuplot could not be started");
  const bool written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  const int status = pclose(pipe);
  if (!written || !WIFEXITED(status) || WEXITSTATUS(status) != 0) throw UsageError("gnuplot could not draw " + picture);
}

}  // namespace esc::cli
