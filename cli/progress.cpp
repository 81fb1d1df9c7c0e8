#include "cli/progress.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdio>

#include <algorithm>

namespace esc::cli {

namespace {

volatile std::sig_atomic_t interrupts = 0;  // a signal handler has nowhere else to write

void on_interrupt(int) {
  interrupts = 1;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  interrupts = 0;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, on_interrupt);
}
Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}
bool Interrupt::interrupted() { return interrupts != 0; }

ProgressLine::ProgressLine(double from, double until)
    : on_terminal_(isatty(STDERR_FILENO) != 0), from_(from), until_(until) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const State& x) {
  ++steps_;
  if (!on_terminal_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const double done = std::max(1e-12, (x.t - from_) / (until_ - from_));
  std::fprintf(stderr, "\r\033[Kstep %lld, t = %.6g s of %.6g s, %zu active contacts, %.0f s left", steps_, x.t, until_,
               x.contacts.size(), spent / done - spent);
  shown_ = true;
}

}  // namespace esc::cli
