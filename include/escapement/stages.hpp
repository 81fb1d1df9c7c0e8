// Where the time of a step goes. Off unless asked for: a look at the clock costs as much as a part of a small step.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include <escapement/options.hpp>

namespace esc {

enum class Stage : std::uint8_t {
  other,          // what no stage below claims
  detection,      // which contacts are active
  evaluation,     // forces, masses, rows of joints and contacts
  factorisation,  // factors of the iteration matrix, and solutions with them
  contact,        // W and the contact problem
  projection,     // positions onto their constraints
};
inline constexpr std::array<ListLine, 6> stage_lines{{
    {"other", "other", "what no other stage claims"},
    {"detection", "detection", "which contacts are active"},
    {"evaluation", "evaluation", "forces, masses, rows of joints and contacts"},
    {"factorisation", "factorisation", "factors of the iteration matrix, and solutions with them"},
    {"contact", "contact", "W and the contact problem"},
    {"projection", "projection", "positions onto their constraints"},
}};

using StageTimes = std::array<double, stage_lines.size()>;  // s, by Stage

// A stopwatch that runs for the stage that was entered last.
class StageClock {
 public:
  void enable(bool on) { on_ = on; }

  void begin() {
    if (!on_) return;
    times_ = {};
    stage_ = Stage::other;
    since_ = Clock::now();
  }
  void enter(Stage stage) {
    if (on_) change(stage);
  }
  // Of the step, until the next begin(); null if the clock is off.
  const StageTimes* end() {
    if (!on_) return nullptr;
    change(Stage::other);
    return &times_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void change(Stage next) {
    const auto now = Clock::now();
    times_[static_cast<std::size_t>(stage_)] += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    stage_ = next;
  }

  bool on_ = false;
  Stage stage_ = Stage::other;
  Clock::time_point since_;
  StageTimes times_{};
};

}  // namespace esc
