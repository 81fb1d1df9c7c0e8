// A solver takes a ConeProblem to its solution and reports; the shared residual() judges it, never the solver itself.
#pragma once

#include <cstdint>
#include <string_view>

#include <escapement/cone_problem.hpp>
#include <escapement/export.hpp>

namespace esc {

enum class SolveStatus : std::uint8_t {
  solved,         // residual <= tol: p and u are the solution
  stalled,        // iteration limit; p is the best point seen, residual says how good
  ray,            // pivoting ended on a ray after all retries; p is the first guess
  no_solution,    // every complementary choice was tried and none fits; p is the first guess
  too_large,      // the problem exceeds what this solver takes; p untouched
  not_supported,  // a cone this solver does not know; p untouched
  bad_input,      // NaN or infinity in W, b, p or mu, or inconsistent sizes; p untouched
};

struct SolveReport {
  SolveStatus status = SolveStatus::bad_input;
  int iterations = 0;     // sweeps, pivots or complementary choices tried: the solver's own unit of work
  double residual = 0.0;  // residual() of the returned p
};

// Scratch grows to a high-water mark and is then reused: solving a problem of a size seen before allocates nothing.
class ESC_API Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  [[nodiscard]] virtual SolveReport solve(ConeProblem& problem) = 0;
};

ESC_API std::string_view to_string(SolveStatus status);

}  // namespace esc
