// What a run says of the step that stopped it.
#pragma once

#include <string>

#include <escapement/scheme.hpp>

namespace esc {

struct FailedStep {
  const State& from;
  double h;
};
std::string failure_text(const Scheme& scheme, const FailedStep& step, const StepReport& report);

}  // namespace esc
