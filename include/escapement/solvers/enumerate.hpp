// Exact solution of small problems: every complementary choice is a square linear system.
#pragma once

#include <cstdint>
#include <vector>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct EnumerateOptions {
  double tol = 1e-10;           // on residual(), dimensionless, > 0
  int max_combinations = 4096;  // 4^6, >= 1; a problem with more choices is too_large
};

template <>
struct Fields<EnumerateOptions> {
  using O = EnumerateOptions;
  static constexpr std::string_view owner = "enumerate";
  static constexpr auto table =
      std::tuple{number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
                 number("max_combinations", &O::max_combinations, "1", Range{1.0, 1e9},
                        "more complementary choices than this are too_large")};
};

// Cones free, positive and coulomb2. The choice that the guess p suggests is tried first (p = 0 open, p on the boundary
// of the cone slip, inside stick), then that of one sweep from it, then all others in a fixed order, those with a
// nonsingular system before the least-norm solutions of the singular ones. The first that fits is returned.
class ESC_API Enumerate final : public Solver {
 public:
  explicit Enumerate(const EnumerateOptions& options = {}) : options_(options) { validate(options); }

  std::string_view name() const override { return "enumerate"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  enum class Choice : std::uint8_t { open, closed, slip_plus, slip_minus };  // closed: u = 0; slip by the sign of u_T

  enum class Systems : std::uint8_t { any, regular, singular };

  // p = z e_row + z tangent e_(row + 1), with the equation u_row = 0.
  struct Unknown {
    int row = 0;
    double tangent = 0.0;
  };

  SolveReport solve_one_cone(ConeProblem& problem);
  SolveReport solve_many(ConeProblem& problem);
  double combinations(const ConeProblem& problem) const;
  void choose_from(const ConeProblem& problem, const std::vector<double>& impulses);
  bool choose_from_sweep(const ConeProblem& problem, const double* W);
  bool next_choice(const ConeProblem& problem);
  void collect_unknowns(const ConeProblem& problem);
  void write_system(const ConeProblem& problem, const double* W);
  bool solve_singular();
  bool fits(ConeProblem& problem, const double* W, Systems wanted, double& residual);
  bool impulses_fit(ConeProblem& problem) const;

  EnumerateOptions options_;
  std::vector<Choice> choice_;
  std::vector<Choice> refused_;  // that of the guess
  std::vector<Unknown> unknowns_;
  std::vector<double> dense_;
  std::vector<double> a_;
  std::vector<double> z_;
  std::vector<double> guess_, swept_;
  std::vector<double> work_;
  std::vector<double> scale_;
  std::vector<int> row_;
  std::vector<int> column_;
};

}  // namespace esc
