// The proximal point method: a sequence of problems that are less hard than the one to be solved.
#pragma once

#include <memory>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct ProximalOptions {
  double tol = 1e-12;        // on residual(), dimensionless, > 0
  int max_iterations = 200;  // >= 1, problems of the sequence
  double first = 1e-2;       // > 0: the first shift of W, of its mean diagonal
  double max_cost = 2e9;     // > 0: multiplications of a factorisation beyond which a problem is too_large
};

template <>
struct Fields<ProximalOptions> {
  using O = ProximalOptions;
  static constexpr std::string_view owner = "proximal";
  static constexpr auto table =
      std::tuple{number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
                 number("max_iterations", &O::max_iterations, "1", Range{1.0, 1e6},
                        "problems of the sequence before the solver gives up"),
                 number("first", &O::first, "1", positive_range, "first shift of W, as a share of its mean diagonal"),
                 number("max_cost", &O::max_cost, "1", positive_range,
                        "problems whose factorisation takes more multiplications are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. Each problem has W + rho and b - rho p of the one before (Rockafellar
// 1976), so that contacts no longer depend on each other, and a solution near p. It is solved by Newton steps and
// sweeps. Where p stands still it solves the problem itself, whatever rho is.
class ESC_API Proximal final : public Solver {
 public:
  explicit Proximal(const ProximalOptions& options = {});
  Proximal(Proximal&&) noexcept;
  ~Proximal() override;

  std::string_view name() const override { return "proximal"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  struct Work;
  ProximalOptions options_;
  std::unique_ptr<Work> work_;
};

}  // namespace esc
