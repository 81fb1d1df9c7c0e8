#include <cstdio>
#include <string>

#include "cli/commands.hpp"

namespace esc::cli {

int completion_command(const Arguments& arguments) {
  if (arguments.operands()[0] != "bash")
    throw UsageError("there is completion for bash, not for '" + arguments.operands()[0] + "'");
  std::string names, cases;
  for (const CommandRow& command : commands()) {
    names += (names.empty() ? "" : " ") + std::string(command.name);
    std::string options = "--help";
    for (const OptionRow& row : command.options) options += " " + std::string(row.name);
    cases += "    " + std::string(command.name) + ") words=\"" + options + "\" ;;\n";
  }
  std::printf(
      "_escapement() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n%s  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _escapement escapement\n",
      names.c_str(), cases.c_str());
  return 0;
}

}  // namespace esc::cli
