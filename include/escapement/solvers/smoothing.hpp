// Friction problems as a sequence of convex ones, each solved by Newton steps on smoothed equations.
#pragma once

#include <memory>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct SmoothingOptions {
  double tol = 1e-12;        // on residual(), dimensionless, > 0
  int max_iterations = 100;  // >= 1, factorisations
  double first = 0.1;        // > 0: the first smoothing, of the mean size of p and b in the units of their cones
  double max_cost = 2e9;     // > 0: multiplications of a factorisation beyond which a problem is too_large
};

template <>
struct Fields<SmoothingOptions> {
  using O = SmoothingOptions;
  static constexpr std::string_view owner = "smoothing";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("max_iterations", &O::max_iterations, "1", Range{1.0, 1e6}, "iterations before the solver gives up"),
      number("first", &O::first, "1", positive_range, "first smoothing, as a share of the mean size of p and b"),
      number("max_cost", &O::max_cost, "1", positive_range,
             "problems whose factorisation takes more multiplications are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. De Saxce's shift mu |u_T| is held while the convex problem that is left
// is solved, then renewed. Unlike InteriorPoint it starts from the guess and cannot jam at the boundary of a cone.
class ESC_API Smoothing final : public Solver {
 public:
  explicit Smoothing(const SmoothingOptions& options = {});
  Smoothing(Smoothing&&) noexcept;
  ~Smoothing() override;

  std::string_view name() const override { return "smoothing"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  struct Work;
  SmoothingOptions options_;
  std::unique_ptr<Work> work_;
};

}  // namespace esc
