// The exact local solvers and the rank-revealing LU under them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/cone/local.hpp"
#include "src/cone/quartic.hpp"
#include "src/math/dense_lu.hpp"
#include "tests/cone_problems.hpp"

namespace esc {
namespace {

using test::Random;

struct Lu {
  explicit Lu(int n) : a(n * n), scale(n), work(n * (n + 1)), row(n), column(n) {}
  LuFactors factors() {
    LuFactors lu{static_cast<int>(row.size()), a.data(), row.data(), column.data(), scale.data()};
    lu_factor(lu);
    return lu;
  }
  std::vector<double> a, scale, work;
  std::vector<int> row, column;
};

// A = X Y of rank r, x0 in the row space of A: the least-norm solution of A x = A x0 is x0 itself.
TEST(DenseLu, LeastNormSolutionOfRankDeficientSystems) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    const int n = random.integer(1, 8), r = random.integer(0, n);
    std::vector<double> X(n * r), Y(r * n), x0(n, 0.0), rhs(n, 0.0);
    for (double& x : X) x = random.normal();
    for (double& y : Y) y = random.normal();
    Lu lu(n);
    for (int i = 0; i < n * n; ++i) {
      for (int k = 0; k < r; ++k) lu.a[i] += X[i / n * r + k] * Y[k * n + i % n];
    }
    for (int k = 0; k < r; ++k) {
      const double c = random.normal();
      for (int j = 0; j < n; ++j) x0[j] += c * Y[k * n + j];
    }
    for (int i = 0; i < n * n; ++i) rhs[i / n] += lu.a[i] * x0[i % n];
    const LuFactors factors = lu.factors();
    RC_ASSERT(factors.rank == r);
    RC_ASSERT(lu_solve(factors, rhs.data(), lu.work.data()) < 1e-9);
    for (int j = 0; j < n; ++j) RC_ASSERT(std::abs(rhs[j] - x0[j]) < 1e-6);
  }));
}

TEST(DenseLu, SaysWhenInconsistent) {
  Lu lu(2);
  lu.a = {1, 1, 1, 1};
  std::vector<double> rhs = {1, 2};
  const LuFactors factors = lu.factors();
  EXPECT_EQ(factors.rank, 1);
  EXPECT_GT(lu_solve(factors, rhs.data(), lu.work.data()), 0.4);
}

TEST(Quartic, FindsItsRealRoots) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    double x[4];
    for (double& xi : x) xi = random.real(-3.0, 3.0);
    std::sort(x, x + 4);
    const double s = x[0] + x[1], m = x[0] * x[1], t = x[2] + x[3], k = x[2] * x[3];
    const double a[5] = {m * k, -s * k - t * m, m + k + s * t, -s - t, 1.0};
    const cone::Roots roots = cone::real_roots(a, 4);
    for (const double xi : x) {
      double nearest = 1.0;
      for (int i = 0; i < roots.count; ++i) nearest = std::min(nearest, std::abs(roots.x[i] - xi));
      RC_ASSERT(nearest < 1e-2);  // up to four roots may nearly coincide: error of order eps^(1/4)
    }
  }));
}

// Residual of one local problem by the disjunctive law, through the test's own formula.
double violation(ConeKind kind, double mu, const std::vector<double>& w, const std::vector<double>& q,
                 const std::vector<double>& p) {
  return test::coulomb_violation(test::make_problem({{kind, 0, mu}}, w, q), p);
}

// Symmetric definite blocks of any conditioning always have a solution; the local solver must find it.
TEST(LocalSolver, SymmetricBlocksOfAnyConditioning) {
  int problems = 0, failures = 0;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < 50; ++k) {
      const int n = random.integer(2, 3);
      const int dofs = random.integer(n, 6);
      test::Bodies bodies{dofs, std::vector<double>(n * dofs), std::vector<double>(dofs)};
      for (double& g : bodies.G) g = random.normal();
      for (double& m : bodies.inverse_mass) m = random.logarithmic(1e-3, 1e3);
      const std::vector<double> w = bodies.delassus();
      const double mu = random.integer(0, 9) == 0 ? 0.0 : random.logarithmic(1e-2, 10.0);
      std::vector<double> q(n), p(n, 0.0);
      for (double& x : q) x = random.normal();
      if (random.integer(0, 1) == 0) p[0] = 1.0;
      const bool found = n == 2 ? cone::solve_coulomb2(w.data(), q.data(), mu, p.data())
                                : cone::solve_coulomb3(w.data(), q.data(), mu, p.data());
      const ConeProblem problem = test::make_problem({{n == 2 ? ConeKind::coulomb2 : ConeKind::coulomb3, 0, mu}}, w, q);
      ++problems;
      failures += !found || residual(problem, p) > 1e-9;
    }
  }));
  EXPECT_LT(failures, 1e-3 * problems) << failures << " of " << problems;
}

// Nonsymmetric blocks made to slip: choose e, p_N and s, and b follows; the solver must return some solution.
TEST(LocalSolver, NonsymmetricSlipIsFound) {
  int problems = 0, failures = 0;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < 50; ++k) {
      std::vector<double> w(9);
      for (double& x : w) x = random.normal();
      for (int i = 0; i < 3; ++i) w[4 * i] += 3.0;
      const double mu = random.real(0.05, 1.0), n = random.logarithmic(0.1, 10.0), s = random.logarithmic(1e-3, 10.0);
      const double angle = random.real(0.0, 2.0 * M_PI);
      const double e[2] = {std::cos(angle), std::sin(angle)};
      const double x[3] = {n, -mu * n * e[0], -mu * n * e[1]};
      std::vector<double> q = {0.0, s * e[0], s * e[1]}, p(3, 0.0);
      for (int i = 0; i < 9; ++i) q[i / 3] -= w[i] * x[i % 3];
      const bool found = cone::solve_coulomb3(w.data(), q.data(), mu, p.data());
      ++problems;
      failures += !found || violation(ConeKind::coulomb3, mu, w, q, p) > 1e-9;
    }
  }));
  EXPECT_EQ(failures, 0) << " of " << problems;
}

// Contacts on few degrees of freedom: w of rank one or two, q in its range.
TEST(LocalSolver, SingularBlocks) {
  int problems = 0, failures = 0;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < 50; ++k) {
      const int n = random.integer(2, 3), dofs = random.integer(1, n - 1);
      const double mu = random.real(0.0, 1.0);
      test::Bodies bodies{dofs, std::vector<double>(n * dofs), std::vector<double>(dofs, 1.0)};
      for (double& g : bodies.G) g = random.normal();
      for (int j = 0; j < dofs; ++j) bodies.G[j] += 2.0 * (bodies.G[j] > 0.0 ? 1.0 : -1.0);
      std::vector<double> away(dofs), v(dofs);
      for (int j = 0; j < dofs; ++j) away[j] = bodies.G[j];
      const std::vector<double> separating = bodies.velocity(away);
      if (separating[0] <= 1.1 * mu * std::hypot(separating[1], n == 3 ? separating[2] : 0.0)) continue;
      for (double& x : v) x = random.normal();
      const std::vector<double> w = bodies.delassus(), q = bodies.velocity(v);
      std::vector<double> p(n, 0.0);
      const bool found = n == 2 ? cone::solve_coulomb2(w.data(), q.data(), mu, p.data())
                                : cone::solve_coulomb3(w.data(), q.data(), mu, p.data());
      ++problems;
      const ConeKind kind = n == 2 ? ConeKind::coulomb2 : ConeKind::coulomb3;
      failures += !found || violation(kind, mu, w, q, p) > 1e-7;
    }
  }));
  EXPECT_GT(problems, 1000);
  EXPECT_EQ(failures, 0) << " of " << problems;
}

}  // namespace
}  // namespace esc
