// Lemke's complementary pivoting on the linear complementarity form of Stewart-Trinkle and Anitescu-Potra.
#pragma once

#include <cstdint>
#include <vector>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct LemkeOptions {
  double tol = 1e-10;          // on residual(), dimensionless, > 0
  int retries = 20;            // >= 0: further covering vectors, random, after a ray or an inaccurate end
  int pivots_per_row = 20;     // >= 1: a run stops after this many pivots per row of the complementarity problem
  int max_order = 2000;        // >= 1: order of the complementarity problem beyond which it is too_large
  std::uint64_t seed = 12345;  // of the covering vectors
};

template <>
struct Fields<LemkeOptions> {
  using O = LemkeOptions;
  static constexpr std::string_view owner = "lemke";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("retries", &O::retries, "1", Range{0.0, 1e6},
             "further random covering vectors after a ray or an inaccurate end"),
      number("pivots_per_row", &O::pivots_per_row, "1", Range{1.0, 1e6},
             "pivots per row of the complementarity problem before a run stops"),
      number("max_order", &O::max_order, "1", Range{1.0, 1e5}, "larger complementarity problems are too_large"),
      number("seed", &O::seed, "1", Range{0.0, 9007199254740992.0}, "of the covering vectors")};
};

// Cones free, positive, coulomb2 and polyhedral. Free rows are eliminated first (least norm if they are redundant).
class ESC_API Lemke final : public Solver {
 public:
  explicit Lemke(const LemkeOptions& options = {}) : options_(options) { validate(options); }

  std::string_view name() const override { return "lemke"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  // A variable z_j of the complementarity problem moves the impulse along sum of c[k] e_(row + k).
  struct Variable {
    int row = 0;
    double c[2] = {0.0, 0.0};  // c[1] = 0: one row only
  };
  enum class End : std::uint8_t { solution, ray, pivot_limit };

  int order(const ConeProblem& problem) const;
  void reduce(const ConeProblem& problem);
  void formulate(const ConeProblem& problem);
  double entry(int i, int j) const;
  void cover(bool after_a_ray);
  End pivot_to_end(int max_pivots, int& pivots);
  int leaving_row(int entering) const;
  int lexicographic(int entering, double tie) const;
  void pivot(int row, int entering);
  void read_tableau();
  void refine();
  void expand(const ConeProblem& problem);

  LemkeOptions options_;
  std::uint64_t random_ = 0;
  int n_ = 0;          // order of the complementarity problem w = M z + q
  int rows_ = 0;       // rows of the cone problem that are not free
  double unit_ = 1.0;  // of q
  double slack_ = 0.0;
  std::vector<int> kept_;  // row of the cone problem -> reduced row, or -1 - index among the free rows
  std::vector<double> dense_;
  std::vector<double> reduced_;  // rows_ x rows_: W without its free rows, scaled per cone
  std::vector<double> b_;
  std::vector<double> unit_of_row_;
  std::vector<double> elimination_;  // free rows x (rows_ + 1): p_free = -elimination (p, 1)
  std::vector<Variable> variables_;
  std::vector<double> M_;
  std::vector<double> q_;
  std::vector<double> cover_;
  std::vector<double> tableau_;  // n_ x (2 n_ + 2): w, z, z0, right-hand side
  std::vector<int> basis_;
  std::vector<double> z_;
  std::vector<double> p_;
  std::vector<double> best_;
  std::vector<double> a_;
  std::vector<double> work_;
  std::vector<double> scale_;
  std::vector<int> row_;
  std::vector<int> column_;
};

}  // namespace esc
