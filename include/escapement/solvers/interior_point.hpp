// Interior-point solution of dense friction problems, for contacts that depend on each other (W rank deficient).
#pragma once

#include <cstdint>
#include <vector>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct InteriorPointOptions {
  double tol = 1e-12;        // on residual(), dimensionless, > 0
  int max_iterations = 100;  // >= 1
  int max_rows = 150;        // >= 1: larger problems are too_large (the cost is rows^3 per iteration)
};

template <>
struct Fields<InteriorPointOptions> {
  using O = InteriorPointOptions;
  static constexpr std::string_view owner = "interior-point";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("max_iterations", &O::max_iterations, "1", Range{1.0, 1e6}, "iterations before the solver gives up"),
      number("max_rows", &O::max_rows, "1", Range{1.0, 1e5}, "problems with more rows are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. With y = u + mu |u_T| e_N (De Saxce), p in C and y in C* are kept inside
// their cones while p o y = tau e (the product of the Jordan algebra) is followed to tau = 0; the shift mu |u_T| is
// that of the last iterate. Near the end the modes are plain, and Newton steps on their equations finish.
class ESC_API InteriorPoint final : public Solver {
 public:
  explicit InteriorPoint(const InteriorPointOptions& options = {}) : options_(options) { validate(options); }

  std::string_view name() const override { return "interior_point"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;
  // Newton steps in the modes of p, a solution within tol, as far as they lessen the residual: slow slip then has its
  // direction. Not for polyhedral cones.
  void refine(ConeProblem& problem);

 private:
  enum class Mode : std::uint8_t { open, stick, slip };

  void size(const ConeProblem& problem);
  void start(const ConeProblem& problem);
  double complementarity(const ConeProblem& problem) const;
  void write_path_matrix(const ConeProblem& problem);
  double path_step(const ConeProblem& problem, double target, double correction);
  double longest_step(const ConeProblem& problem) const;
  void advance(double step);
  void choose_modes(const ConeProblem& problem, double inside);
  void write_mode_system(const ConeProblem& problem);
  void write_normal_equations();
  void polish(const ConeProblem& problem, double tol, SolveReport& report);
  void open_contacts(ConeProblem& problem, SolveReport& report);
  void factor();
  void judge(const ConeProblem& problem, const std::vector<double>& p, SolveReport& report);

  InteriorPointOptions options_;
  double unit_u_ = 1.0;
  double unit_p_ = 1.0;
  const double* W_ = nullptr;
  int rank_ = 0;
  std::vector<double> dense_;
  std::vector<double> p_, y_;
  std::vector<double> defect_;  // W p + b + mu |y_T| e_N - y
  std::vector<double> dp_, dy_;
  std::vector<double> u_, trial_, best_;
  std::vector<double> a_, normal_, scale_, work_;
  std::vector<int> row_, column_;
  std::vector<Mode> mode_;
};

}  // namespace esc
