#include <escapement/scheme.hpp>

#include <array>

#include <escapement/executor.hpp>

namespace esc {

namespace {

class Serial final : public Executor {
 public:
  int workers() const override { return 1; }
  void for_each(int n, const std::function<void(int, int)>& task) override {
    for (int i = 0; i < n; ++i) task(i, 0);
  }
};

struct StatusText {
  std::string_view name, advice;
};

constexpr std::array<StatusText, 9> status_text{{
    {"ok", ""},
    {"bad_step", "Give a step that is positive and finite."},
    {"foreign_state", "Use a state of this system and call start() before the first step."},
    {"not_finite", "Look for a force, a gap or an input that is NaN or infinite at this time and position."},
    {"singular_matrix",
     "Reduce the step, or check the stiffness and damping of the forces: the iteration matrix is singular."},
    {"newton_stalled",
     "Reduce the step, raise newton_max or loosen tol; joints or motors that contradict each other stall it too."},
    {"solver_failed",
     "Reduce the step; check for contacts that contradict each other and motors that drive into a limit; loosen "
     "solver_tol or raise solver_max."},
    {"contact_missed", "Reduce the step: a body moved further than the reach of contact detection."},
    {"projection_stalled",
     "Reduce the step or loosen gap_tol; contacts or joints whose positions contradict each other stall it too."},
}};

}  // namespace

Executor& serial() {
  static Serial executor;  // holds no data
  return executor;
}

std::string_view to_string(StepStatus status) { return status_text[static_cast<std::size_t>(status)].name; }
std::string_view advice(StepStatus status) { return status_text[static_cast<std::size_t>(status)].advice; }

}  // namespace esc
