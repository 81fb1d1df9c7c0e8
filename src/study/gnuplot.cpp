#include "src/study/gnuplot.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "src/study/lone_process.hpp"

namespace esc::study {

namespace {

constexpr const char* not_installed = "gnuplot is not installed; pictures need it (Debian: apt install gnuplot-nox)";

[[noreturn]] void refuse(const std::string& what, int code) {
  throw FigureError(what + ": " + std::generic_category().message(code));
}

// A file without a name: it is gone when the program is, however that ends.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    if (!file_) refuse("a picture needs a temporary file, and there is none", errno);
  }
  ~Scratch() { std::fclose(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
      refuse("the temporary file of a picture", errno);
  }
  void rewind() {
    if (std::fflush(file_) != 0) refuse("the temporary file of a picture", errno);
    std::rewind(file_);
  }
  // Calls take(part) for all of it.
  template <class Take>
  void read(const Take& take) {
    std::rewind(file_);
    char buffer[1 << 14];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file_)) take(std::string_view(buffer, count));
  }
  int descriptor() const { return fileno(file_); }

 private:
  std::FILE* file_;
};

struct Streams {
  Scratch script, picture, said;
};

// Whether gnuplot has drawn all of the script. It reads no settings of its user, so that a picture is the same
// everywhere, and can start nothing, so that not even a script of somebody else's could.
bool run_gnuplot(Streams& streams, const std::string& folder) {
  const char* const arguments[] = {"gnuplot", "-d", "-", nullptr};
  const ProcessEnd end =
      run_alone("gnuplot", arguments,
                {streams.script.descriptor(), streams.picture.descriptor(), streams.said.descriptor(), folder});
  if (end.reason == ENOENT) require_gnuplot();  // or the folder is not there
  if (end.status < 0) refuse("gnuplot cannot be started", end.reason);
  return WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0;
}

// What gnuplot says is wrong, of `"-" line 3: undefined variable: a`.
std::string reason(Streams& streams) {
  std::string said;
  streams.said.read([&](std::string_view part) { said += part; });
  const auto line = said.rfind(" line ");
  if (line == std::string::npos) return "";
  const auto begin = said.find(": ", line);
  return begin == std::string::npos ? "" : said.substr(begin, said.find('\n', begin) - begin);
}

}  // namespace

bool gnuplot_installed() {
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/bin:/usr/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const auto end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path program = std::filesystem::path(folders.substr(begin, end - begin)) / "gnuplot";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

void require_gnuplot() {
  if (!gnuplot_installed()) throw FigureError(not_installed);
}

std::optional<Picture> picture_of(const std::string& path) {
  if (path.ends_with(".svg")) return Picture::svg;
  if (path.ends_with(".png")) return Picture::png;
  return std::nullopt;
}

void draw(const Figure& figure, const std::string& path, const std::string& folder) {
  if (drawable(figure).panels.empty()) throw FigureError("there is nothing to draw; " + path + " is not written");
  Streams streams;
  write_script(figure, picture_of(path).value_or(Picture::svg), "",
               [&](std::string_view text) { streams.script.write(text); });
  streams.script.rewind();
  if (!run_gnuplot(streams, folder)) throw FigureError("gnuplot cannot draw " + path + reason(streams));
  std::ofstream out(path, std::ios::binary);
  streams.picture.read([&](std::string_view part) { out << part; });
  if (!out.flush()) throw FigureError(path + " cannot be written");
}

}  // namespace esc::study
