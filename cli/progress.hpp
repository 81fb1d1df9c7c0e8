// A line on a terminal that says how far a run is, and Ctrl-C, which stops it cleanly.
#pragma once

#include <chrono>
#include <string>

#include <escapement/simulate.hpp>

namespace esc::cli {

// While it lives, the first Ctrl-C or SIGTERM makes interrupted() true, the second one ends the process.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  static bool interrupted();
};

// Written to standard error, and only if that is a terminal; at most ten times a second.
class ProgressLine {
 public:
  ProgressLine(double from, double until);
  ~ProgressLine();  // removes the line
  void show(const State& x);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  double from_, until_;
  long long steps_ = 0;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace esc::cli
