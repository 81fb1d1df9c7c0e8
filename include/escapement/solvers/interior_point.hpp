// Interior-point solution of contact problems of any size, for contacts that depend on each other (W rank deficient).
#pragma once

#include <memory>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct InteriorPointOptions {
  double tol = 1e-12;        // on residual(), dimensionless, > 0
  int max_iterations = 300;  // >= 1
  double max_cost = 2e9;     // > 0: multiplications of a factorisation beyond which a problem is too_large
};

template <>
struct Fields<InteriorPointOptions> {
  using O = InteriorPointOptions;
  static constexpr std::string_view owner = "interior-point";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("max_iterations", &O::max_iterations, "1", Range{1.0, 1e6}, "iterations before the solver gives up"),
      number("max_cost", &O::max_cost, "1", positive_range,
             "problems whose factorisation takes more multiplications are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. With y = u + mu |u_T| e_N (De Saxce), p in C and y in C* are kept inside
// their cones while p o y = tau e (the product of the Jordan algebra) is followed to tau = 0; the shift mu |u_T| is
// that of the last iterate. Near the end the modes are plain, and Newton steps on their equations finish. The linear
// systems are block-sparse.
class ESC_API InteriorPoint final : public Solver {
 public:
  explicit InteriorPoint(const InteriorPointOptions& options = {});
  InteriorPoint(InteriorPoint&&) noexcept;
  ~InteriorPoint() override;

  std::string_view name() const override { return "interior_point"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;
  // Newton steps in the modes of p, a solution within tol, as far as they lessen the residual: slow slip then has its
  // direction. Not for polyhedral cones.
  void refine(ConeProblem& problem);

 private:
  struct Path;
  InteriorPointOptions options_;
  std::unique_ptr<Path> path_;
};

}  // namespace esc
