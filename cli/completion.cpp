#include <cstdio>
#include <string>

#include <escapement/schemes/registry.hpp>

#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"

namespace esc::cli {

namespace {

std::string joined(const auto& rows) {
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : " ") + std::string(row.name);
  return text;
}

// What the operands of a command may be besides files.
std::string operands_of(const CommandRow& command) {
  if (command.operands.find("NAME") != std::string_view::npos || command.operands.find("EXAMPLE") != std::string::npos)
    return joined(example_scenes());
  std::string words(command.operands);  // "schemes|solvers|examples"
  if (words.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos) return "";
  for (char& c : words)
    if (c == '|') c = ' ';
  return words;
}

}  // namespace

int completion_command(const Arguments& arguments) {
  if (arguments.operands()[0] != "bash")
    throw UsageError("there is completion for bash, not for '" + arguments.operands()[0] + "'");
  std::string cases;
  for (const CommandRow& command : commands())
    cases += "    " + std::string(command.name) + ") options=\"--help " + joined(command.options) + "\" words=\"" +
             operands_of(command) + "\" ;;\n";
  std::printf(
      "_escapement() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n%s  esac\n"
      "  case $before in\n"
      "    --scheme|--schemes) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n"
      "  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _escapement escapement\n",
      joined(commands()).c_str(), cases.c_str(), joined(schemes()).c_str());
  return 0;
}

}  // namespace esc::cli
