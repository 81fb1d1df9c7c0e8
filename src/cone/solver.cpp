#include <escapement/solver.hpp>

namespace esc {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::ray:
      return "ray";
    case SolveStatus::no_solution:
      return "no_solution";
    case SolveStatus::too_large:
      return "too_large";
    case SolveStatus::not_supported:
      return "not_supported";
    case SolveStatus::bad_input:
      return "bad_input";
  }
  return "unknown";
}

}  // namespace esc
