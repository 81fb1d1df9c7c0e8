// escapement COMMAND ...: exit 0 done, 1 the run failed, 2 bad input.
#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include <escapement/error.hpp>
#include <escapement/io/results.hpp>

#include "cli/arguments.hpp"
#include "cli/json.hpp"
#include "cli/print.hpp"
#include "src/math/printable.hpp"
#include "src/math/spelling.hpp"

namespace {

using namespace esc::cli;

std::string overview() {
  std::string text = "escapement: nonsmooth multibody dynamics\n\n";
  for (const CommandRow& command : commands()) {
    std::string left = "  escapement " + std::string(command.name) + " " + std::string(command.operands);
    left.resize(std::max<std::size_t>(left.size() + 2, 38), ' ');
    text += left + std::string(command.what) + "\n";
  }
  return text + "\nescapement COMMAND --help explains a command; escapement --version prints the version.\n";
}

const CommandRow& find_command(const std::string& name) {
  std::vector<std::string_view> names;
  for (const CommandRow& command : commands()) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  throw UsageError("there is no command '" + name + "'" + esc::suggestion(name, names) +
                   " (escapement --help lists them)");
}

int run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || (words[0] == "help" && words.size() == 1)) {
    std::fputs(overview().c_str(), words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "help") return run({words[1], "--help"});
  if (words[0] == "--version") {
    print(stdout, "escapement %s (source %s)\n", esc::io::program_version().c_str(), esc::io::git_version().c_str());
    return 0;
  }
  const CommandRow& command = find_command(words[0]);
  const Arguments arguments(command, std::span(words).subspan(1));
  if (arguments.has("--help")) {
    std::fputs(help(command).c_str(), stdout);
    return 0;
  }
  return command.run(arguments);
}

// One line, whatever the names of files are.
void say(const std::exception& error) { print(stderr, "escapement: %s\n", esc::printable(error.what()).c_str()); }

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run({argv + 1, argv + argc});
    if (std::fflush(stdout) != 0) throw RunError("standard output cannot be written");
    return code;
  } catch (const RunError& error) {
    if (std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc)
      print(stdout, "%s\n",
            Json().object().value("status", "failed").value("message", error.what()).end().text().c_str());
    say(error);
    return 1;
  } catch (const std::bad_alloc&) {
    print(stderr, "escapement: there is not enough memory\n");
    return 1;
  } catch (const std::exception& error) {  // scenes, models, options, files, usage: all are bad input
    say(error);
    return 2;
  }
}
