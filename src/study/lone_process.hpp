// A program that cannot start another one.
#pragma once

#include <string>

namespace esc::study {

// Descriptors that become its standard streams, and where it runs.
struct ProcessPlace {
  int input, output, error;
  std::string folder;
};

// How a program ended, or why it was not started.
struct ProcessEnd {
  int status = -1;  // as waitpid gives it; -1: it was not started
  int reason = 0;   // errno, if it was not
};

// Finds the program in PATH, runs it with its arguments until it ends. Whatever it is made to do, no child of it comes
// into being: on Linux the kernel refuses the call, elsewhere there is no room for another process of this user.
ProcessEnd run_alone(const char* program, const char* const* arguments, const ProcessPlace& place);

}  // namespace esc::study
