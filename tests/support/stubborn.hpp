// A scheme that refuses, cuts or falsifies its steps as a test wants it.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include <escapement/schemes/moreau_jean.hpp>

namespace esc::testing {

struct StubbornOptions {
  std::function<double(double)> largest = [](double) { return std::numeric_limits<double>::infinity(); };
  double reach = std::numeric_limits<double>::infinity();
  double impulse_error = 0.0;  // N s, added to every record
  bool idle = false;           // accepts steps and does nothing
  int impacts = 0;             // reported at every time before it moves on; -1: without end
};

// A Moreau-Jean scheme that refuses, cuts, or falsifies.
class StubbornMethod final : public Method {
 public:
  StubbornMethod(const System& system, const StubbornOptions& options) : inner_(system), options_(options) {}
  std::span<Scheme* const> holds() const override { return {&held_, 1}; }
  std::span<const HistoryField> history() const override { return fields; }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override {
    if (h > options_.largest(x.t)) {
      report.status = StepStatus::newton_stalled;
      report.residual = 0.125;
      return;
    }
    if (options_.idle) return;
    if (history[0] != options_.impacts) {
      history[0] += 1.0;
      report.kind = StepKind::impact;
      x.h = x.impulse_time = 0.0;
      return;
    }
    history[0] = 0.0;
    report = inner_.step(x, std::min(h, options_.reach));
    for (ContactRecord& record : x.contacts) record.P[0] += options_.impulse_error;
  }

 private:
  static constexpr HistoryField fields[] = {{"impacts", "1", HistoryField::Over::number, "at this time"}};
  MoreauJean inner_;
  Scheme* held_ = &inner_;
  StubbornOptions options_;
};

struct Stubborn : Scheme {
  explicit Stubborn(const System& system, const StubbornOptions& options = {})
      : Scheme(system, "stubborn", {}, std::make_unique<StubbornMethod>(system, options)) {}
};

}  // namespace esc::testing
