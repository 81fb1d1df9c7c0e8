// Nonsmooth Gauss-Seidel: cone after cone, each local problem solved exactly.
#pragma once

#include <vector>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>
#include <escapement/solvers/newton.hpp>

namespace esc {

struct NsgsOptions {
  double tol = 1e-12;      // on residual(), dimensionless, > 0
  int max_sweeps = 10000;  // >= 1
  int patience = 100;      // >= 1 sweeps without halving the residual: then Newton steps, then a smaller relaxation
  int newton_tries = 6;  // >= 0 times that Newton steps are tried: where these do not help, further ones do not either
};

template <>
struct Fields<NsgsOptions> {
  using O = NsgsOptions;
  static constexpr std::string_view owner = "nsgs";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("max_sweeps", &O::max_sweeps, "1", Range{1.0, 1e9}, "sweeps before the solver gives up"),
      number("patience", &O::patience, "1", Range{1.0, 1e9},
             "sweeps without halving the residual before Newton steps and a smaller relaxation"),
      number("newton_tries", &O::newton_tries, "1", Range{0.0, 1e5}, "how often Newton steps are tried at most")};
};

// Every kind of cone, dense or block-sparse W. One cone alone is one local solve. Where the sweeps cycle or crawl
// (large friction, many contacts on one body), a few semismooth Newton steps are tried from the point reached, then the
// sweeps go on with half the relaxation; the best point is kept.
class ESC_API Nsgs final : public Solver {
 public:
  explicit Nsgs(const NsgsOptions& options = {})
      : options_(options), newton_({.tol = options.tol, .max_iterations = 12}) {
    validate(options);
  }

  std::string_view name() const override { return "nsgs"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  template <class Operator>
  SolveReport iterate(const Operator& W, ConeProblem& problem);

  template <class Operator>
  void sweep(const Operator& W, ConeProblem& problem, double relaxation);
  void newton(ConeProblem& problem, SolveReport& report);
  void judge(const ConeProblem& problem, const std::vector<double>& p, SolveReport& report);

  NsgsOptions options_;
  Newton newton_;
  std::vector<double> best_;
  std::vector<double> swept_;
};

}  // namespace esc
