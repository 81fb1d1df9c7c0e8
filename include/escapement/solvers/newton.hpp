// Semismooth Newton steps on the whole problem: an active-set method where there is no friction.
#pragma once

#include <memory>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct NewtonOptions {
  double tol = 1e-12;       // on residual(), dimensionless, > 0
  int max_iterations = 30;  // >= 1
  int patience = 6;         // >= 1 steps that do not lessen the residual, one after the other: then it gives up
  double max_cost = 2e9;    // > 0: multiplications of a factorisation beyond which a problem is too_large
};

template <>
struct Fields<NewtonOptions> {
  using O = NewtonOptions;
  static constexpr std::string_view owner = "newton";
  static constexpr auto table =
      std::tuple{number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
                 number("max_iterations", &O::max_iterations, "1", Range{1.0, 1e6}, "steps before the solver gives up"),
                 number("patience", &O::patience, "1", Range{1.0, 1e6},
                        "steps without a smaller residual, one after the other, before the solver gives up"),
                 number("max_cost", &O::max_cost, "1", positive_range,
                        "problems whose factorisation takes more multiplications are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. Each step chooses a mode per cone and solves the linearised equations of
// all of them, block-sparse (Alart and Curnier 1991); started from the impulses of the last step it mostly takes one or
// two. A step that enlarges the residual is shortened.
class ESC_API Newton final : public Solver {
 public:
  explicit Newton(const NewtonOptions& options = {});
  Newton(Newton&&) noexcept;
  ~Newton() override;

  std::string_view name() const override { return "newton"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  struct Work;
  NewtonOptions options_;
  std::unique_ptr<Work> work_;
};

}  // namespace esc
