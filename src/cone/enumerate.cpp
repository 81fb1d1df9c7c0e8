#include <escapement/solvers/enumerate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cone/local.hpp"
#include "src/cone/operator.hpp"
#include "src/math/dense_lu.hpp"
#include "src/math/vectors.hpp"

namespace esc {

SolveReport Enumerate::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::coulomb3 || c.kind == ConeKind::polyhedral) {
      return {SolveStatus::not_supported, 0, residual(problem, problem.p)};
    }
  }
  return problem.cones.size() == 1 ? solve_one_cone(problem) : solve_many(problem);
}

SolveReport Enumerate::solve_one_cone(ConeProblem& problem) {
  const ConeBlock& c = problem.cones[0];
  const auto* W = std::get_if<DenseW>(&problem.W);
  const double* w = W != nullptr ? W->a.data() : cone::dense(problem, dense_);
  const double guess[2] = {problem.p[0], problem.p.back()};
  if (c.kind == ConeKind::positive) {
    cone::solve_positive(w[0], problem.b[0], problem.p[0]);
  } else if (c.kind == ConeKind::free) {
    cone::solve_free(w[0], problem.b[0], problem.p[0]);
  } else {
    cone::solve_coulomb2(w, problem.b.data(), c.mu, problem.p.data());
  }

  const double r = cone::judge(problem);
  if (r <= options_.tol) return {SolveStatus::solved, 1, r};
  std::copy_n(guess, problem.p.size(), problem.p.begin());
  return {SolveStatus::no_solution, 1, cone::judge(problem)};
}

SolveReport Enumerate::solve_many(ConeProblem& problem) {
  if (combinations(problem) > options_.max_combinations) {
    return {SolveStatus::too_large, 0, residual(problem, problem.p)};
  }
  const double* W = cone::dense(problem, dense_);
  choice_.resize(problem.cones.size());
  guess_.assign(problem.p.begin(), problem.p.end());
  const auto rows = static_cast<std::size_t>(problem.rows());  // a singular choice may come late, and allocates nothing
  swept_.reserve(rows);
  z_.reserve(rows);
  a_.reserve(rows * rows);
  scale_.reserve(rows);
  row_.reserve(rows);
  column_.reserve(rows);
  work_.reserve(rows * (rows + 1));

  choose_from(problem, problem.p);
  SolveReport report{SolveStatus::solved, 1, 0.0};
  bool found = fits(problem, W, Systems::any, report.residual);
  refused_ = choice_;
  if (!found) {
    ++report.iterations;
    found = choose_from_sweep(problem, W) && fits(problem, W, Systems::regular, report.residual);
  }
  for (const Systems wanted : {Systems::regular, Systems::singular}) {
    if (found) break;
    std::fill(choice_.begin(), choice_.end(), Choice::open);
    do {
      ++report.iterations;
      found = choice_ != refused_ && fits(problem, W, wanted, report.residual);
    } while (!found && next_choice(problem));
  }

  if (found) return report;
  std::copy(guess_.begin(), guess_.end(), problem.p.begin());
  return {SolveStatus::no_solution, report.iterations, cone::judge(problem)};
}

double Enumerate::combinations(const ConeProblem& problem) const {
  double count = 1.0;
  for (const ConeBlock& c : problem.cones) {
    count *= c.kind == ConeKind::positive ? 2.0 : c.kind == ConeKind::coulomb2 ? 4.0 : 1.0;
  }
  return count;
}

// One sweep of exact local solutions from the guess; whether it suggests another choice than the guess itself.
bool Enumerate::choose_from_sweep(const ConeProblem& problem, const double* W) {
  const int n = problem.rows();
  swept_.assign(guess_.begin(), guess_.end());
  for (const ConeBlock& c : problem.cones) {
    double w[4], q[2];
    const int dim = dimension(c.kind);
    double* p = &swept_[c.first];
    for (int i = 0; i < dim; ++i) {
      const double* row = W + (c.first + i) * n;
      q[i] = problem.b[c.first + i];
      for (int j = 0; j < n; ++j)
        if (j < c.first || j >= c.first + dim) q[i] += row[j] * swept_[j];
      for (int j = 0; j < dim; ++j) w[i * dim + j] = row[c.first + j];
    }
    if (c.kind == ConeKind::coulomb2)
      static_cast<void>(cone::solve_coulomb2(w, q, c.mu, p));
    else if (c.kind == ConeKind::positive)
      static_cast<void>(cone::solve_positive(w[0], q[0], *p));
    else
      static_cast<void>(cone::solve_free(w[0], q[0], *p));
  }
  choose_from(problem, swept_);
  return choice_ != refused_;
}

void Enumerate::choose_from(const ConeProblem& problem, const std::vector<double>& impulses) {
  for (int k = 0; k < static_cast<int>(problem.cones.size()); ++k) {
    const ConeBlock& c = problem.cones[k];
    const double* p = &impulses[c.first];
    choice_[k] = p[0] > 0.0 ? Choice::closed : Choice::open;
    if (c.kind != ConeKind::coulomb2 || choice_[k] == Choice::open) continue;
    if (std::abs(p[1]) >= (1.0 - 1e-12) * c.mu * p[0]) choice_[k] = p[1] > 0.0 ? Choice::slip_minus : Choice::slip_plus;
  }
}

// Counts in mixed radix, the first cone fastest; a free cone has one digit only.
bool Enumerate::next_choice(const ConeProblem& problem) {
  for (int k = 0; k < static_cast<int>(problem.cones.size()); ++k) {
    const ConeKind kind = problem.cones[k].kind;
    if (kind == ConeKind::free) continue;
    const Choice last = kind == ConeKind::positive ? Choice::closed : Choice::slip_minus;
    if (choice_[k] != last) {
      choice_[k] = static_cast<Choice>(static_cast<int>(choice_[k]) + 1);
      return true;
    }
    choice_[k] = Choice::open;
  }
  return false;
}

void Enumerate::collect_unknowns(const ConeProblem& problem) {
  unknowns_.clear();
  for (int k = 0; k < static_cast<int>(problem.cones.size()); ++k) {
    const ConeBlock& c = problem.cones[k];
    if (c.kind == ConeKind::free) {
      unknowns_.push_back({c.first, 0.0});
    } else if (choice_[k] == Choice::closed) {
      unknowns_.push_back({c.first, 0.0});
      if (c.kind == ConeKind::coulomb2) unknowns_.push_back({c.first + 1, 0.0});
    } else if (choice_[k] != Choice::open) {
      unknowns_.push_back({c.first, choice_[k] == Choice::slip_plus ? -c.mu : c.mu});
    }
  }
}

// The square system of the present choice: a_ z = z_, z_ being the right-hand side.
void Enumerate::write_system(const ConeProblem& problem, const double* W) {
  const int m = static_cast<int>(unknowns_.size());
  const int n = problem.rows();
  fit(a_, static_cast<std::size_t>(m) * m);
  fit(z_, static_cast<std::size_t>(m));
  const Unknown* unknowns = unknowns_.data();
  const double* b = problem.b.data();
  double *a = a_.data(), *z = z_.data();
  for (int i = 0; i < m; ++i) {
    const double* row = W + unknowns[i].row * n;
    z[i] = -b[unknowns[i].row];
    for (int j = 0; j < m; ++j) {
      const auto [r, tangent] = unknowns[j];
      *a++ = row[r] + (tangent != 0.0 ? tangent * row[r + 1] : 0.0);
    }
  }
}

// The least-norm solution of a consistent singular system.
bool Enumerate::solve_singular() {
  const int m = static_cast<int>(z_.size());
  scale_.resize(m);
  row_.resize(m);
  column_.resize(m);
  LuFactors lu{m, a_.data(), row_.data(), column_.data(), scale_.data()};
  lu_factor(lu);
  work_.resize(m * (m - lu.rank + 1));
  return lu_solve(lu, z_.data(), work_.data()) <= 1e-9;
}

// Solves the present choice into problem.p and asks residual() whether it is a solution.
bool Enumerate::fits(ConeProblem& problem, const double* W, Systems wanted, double& residual) {
  collect_unknowns(problem);
  const int m = static_cast<int>(unknowns_.size());
  write_system(problem, W);
  if (solve_regular(m, a_.data(), z_.data())) {
    if (wanted == Systems::singular) return false;
  } else {
    if (wanted == Systems::regular) return false;
    write_system(problem, W);
    if (!solve_singular()) return false;
  }

  std::fill(problem.p.begin(), problem.p.end(), 0.0);
  double* p = problem.p.data();
  for (int j = 0; j < m; ++j) {
    const auto [row, tangent] = unknowns_[j];
    p[row] += z_[j];
    if (tangent != 0.0) p[row + 1] = tangent * z_[j];
  }
  if (!impulses_fit(problem)) return false;
  residual = cone::judge(problem);
  return residual <= options_.tol;
}

// Rejects impulses outside their cones by more than rounding before the residual is spent on them; p is then projected.
bool Enumerate::impulses_fit(ConeProblem& problem) const {
  double largest = 0.0;
  for (const double p : problem.p) largest = std::max(largest, std::abs(p));
  const double slack = options_.tol * largest * std::sqrt(static_cast<double>(problem.p.size()));
  for (const ConeBlock& c : problem.cones) {
    if (c.kind == ConeKind::free) continue;
    const double* p = &problem.p[c.first];
    if (p[0] < -slack) return false;
    if (c.kind == ConeKind::coulomb2 && std::abs(p[1]) > c.mu * p[0] + slack * (1.0 + c.mu)) return false;
    project(problem, c, std::span(problem.p).subspan(c.first, dimension(c.kind)));
  }
  return true;
}

}  // namespace esc
