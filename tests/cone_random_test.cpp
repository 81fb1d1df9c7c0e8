// Thousands of random problems: solvers agree, residual() and an independent check of Coulomb's law agree.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

using test::ContactOptions;
using test::Random;

constexpr int problems_per_case = 30;

double largest(const std::vector<double>& x) {
  double m = 0.0;
  for (const double xi : x) m = std::max(m, std::abs(xi));
  return m;
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double m = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) m = std::max(m, std::abs(x[i] - y[i]));
  return m;
}

// W = A A^T + shift, random b; cones positive, some free.
ConeProblem frictionless(Random& random, int dofs, double shift) {
  const int n = random.integer(1, 8);
  test::Bodies bodies{dofs, std::vector<double>(n * dofs), std::vector<double>(dofs, 1.0)};
  for (double& g : bodies.G) g = random.normal();
  std::vector<double> v(dofs);
  for (double& x : v) x = random.normal();
  std::vector<double> W = bodies.delassus();
  for (int i = 0; i < n; ++i) W[i * n + i] += shift;
  ConeProblem problem = test::make_problem({}, W, bodies.velocity(v));
  for (int c = 0; c < n; ++c) {
    test::add_cone(problem, random.integer(0, 5) == 0 ? ConeKind::free : ConeKind::positive);
  }
  return problem;
}

TEST(ConeRandom, FrictionlessDefinite) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs({.tol = 1e-13});
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < problems_per_case; ++k) {
      ConeProblem exact = frictionless(random, 10, 0.1);
      ConeProblem pivoted = exact;
      ConeProblem swept = exact;
      if (random.integer(0, 1) == 0) swept.W = test::block_sparse(exact);
      RC_ASSERT(enumerate.solve(exact).status == SolveStatus::solved);
      RC_ASSERT(lemke.solve(pivoted).status == SolveStatus::solved);
      RC_ASSERT(nsgs.solve(swept).status == SolveStatus::solved);
      RC_ASSERT(difference(exact.p, pivoted.p) <= 1e-9 * largest(exact.p));
      RC_ASSERT(difference(exact.p, swept.p) <= 1e-9 * largest(exact.p));
    }
  }));
}

// Rank-deficient W and b = G v, so that u = 0 at least is feasible: p may differ, u is
// unique, and known to the square root of the residual where W is nearly of lower rank.
TEST(ConeRandom, FrictionlessRankDeficient) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  int problems = 0, pivot_failures = 0, sweep_failures = 0;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < problems_per_case; ++k) {
      ConeProblem exact = frictionless(random, random.integer(1, 4), 0.0);
      ConeProblem pivoted = exact;
      ConeProblem swept = exact;
      RC_ASSERT(enumerate.solve(exact).status == SolveStatus::solved);
      const bool pivots_end = lemke.solve(pivoted).status == SolveStatus::solved;
      const double size = largest(exact.b) + largest(exact.u);
      const bool sweeps_converge = nsgs.solve(swept).status == SolveStatus::solved;
      ++problems;
      pivot_failures += !pivots_end;
      sweep_failures += !sweeps_converge;
      RC_ASSERT(!pivots_end || difference(exact.u, pivoted.u) <= 1e-5 * size);
      RC_ASSERT(!sweeps_converge || difference(exact.u, swept.u) <= 1e-5 * size);
    }
  }));
  EXPECT_LT(pivot_failures, 1e-3 * problems);
  EXPECT_LT(sweep_failures, 1e-3 * problems);
}

struct Tally {
  int problems = 0;
  int failures = 0;
};

// Solves, and checks a `solved` with the independent law. A failure must say so.
void attempt(Solver& solver, ConeProblem problem, double tol, Tally& tally) {
  ++tally.problems;
  const SolveReport report = solver.solve(problem);
  RC_ASSERT(!(report.residual > residual(problem, problem.p)) && !(report.residual < residual(problem, problem.p)));
  if (report.status != SolveStatus::solved) {
    ++tally.failures;
    RC_ASSERT(!(report.residual <= tol));
    return;
  }
  RC_ASSERT(report.residual <= tol);
  // Where slip and stick meet, a residual r leaves min(|u_T|, |p_T + mu p_N u_T / |u_T||) of order sqrt(r).
  RC_ASSERT(test::coulomb_violation(problem, problem.p) <= 10.0 * std::sqrt(tol));
}

ContactOptions random_contacts(Random& random, bool planar, int max_contacts) {
  ContactOptions options;
  options.planar = planar;
  options.bodies = random.integer(1, 4);
  options.contacts = random.integer(1, max_contacts);
  options.mu = random.real(0.0, 1.2);
  return options;
}

TEST(ConeRandom, PlanarFriction) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  Tally by_choice, by_pivoting, by_sweeps;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < problems_per_case; ++k) {
      const ConeProblem problem = test::friction_problem(random, random_contacts(random, true, 5), ConeKind::coulomb2);
      attempt(enumerate, problem, 1e-10, by_choice);
      attempt(lemke, problem, 1e-10, by_pivoting);
      attempt(nsgs, problem, 1e-12, by_sweeps);
    }
  }));
  for (const Tally& tally : {by_choice, by_pivoting, by_sweeps}) EXPECT_LT(tally.failures, 1e-3 * tally.problems);
}

TEST(ConeRandom, SpatialFriction) {
  Nsgs nsgs;
  Tally tally;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < problems_per_case; ++k) {
      attempt(nsgs, test::friction_problem(random, random_contacts(random, false, 8), ConeKind::coulomb3), 1e-12,
              tally);
    }
  }));
  EXPECT_LT(tally.failures, 1e-3 * tally.problems);
}

// Lemke and the sweeps judge polyhedral cones alike.
TEST(ConeRandom, PolyhedralFriction) {
  Lemke lemke;
  Nsgs nsgs;
  int problems = 0, pivot_failures = 0, sweep_failures = 0;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < 10; ++k) {
      ConeProblem problem =
          test::friction_problem(random, random_contacts(random, false, 4), ConeKind::polyhedral, random.integer(3, 8));
      ConeProblem swept = problem;
      ++problems;
      pivot_failures += lemke.solve(problem).status != SolveStatus::solved;
      sweep_failures += nsgs.solve(swept).status != SolveStatus::solved;
    }
  }));
  EXPECT_LT(pivot_failures, 1e-3 * problems);
  EXPECT_LT(sweep_failures, 5e-3 * problems);  // no Newton steps for polyhedral cones
}

// residual() small and the law kept are the same thing, also away from solutions.
TEST(ConeRandom, ResidualAgreesWithCoulombsLaw) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    for (int k = 0; k < problems_per_case; ++k) {
      const bool planar = random.integer(0, 1) == 0;
      ConeProblem problem = test::friction_problem(random, random_contacts(random, planar, 4),
                                                   planar ? ConeKind::coulomb2 : ConeKind::coulomb3);
      Nsgs nsgs;
      const SolveReport report = nsgs.solve(problem);
      if (report.status != SolveStatus::solved) continue;
      const double offset = random.logarithmic(1e-8, 1.0) * (largest(problem.p) + 1e-3);
      for (double& p : problem.p) p += offset * random.normal();
      const double r = residual(problem, problem.p);
      const double law = test::coulomb_violation(problem, problem.p);
      const double rows = std::sqrt(static_cast<double>(problem.rows()));
      RC_ASSERT(r <= 4.0 * rows * law);
      RC_ASSERT(law <= 10.0 * rows * std::sqrt(r));
    }
  }));
}

// W not symmetric (implicit forces, gyroscopic terms): a small skew part leaves the problem solvable.
TEST(ConeRandom, NonsymmetricOperator) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  Tally by_choice, by_pivoting, by_sweeps, spatial;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (const bool planar : {true, false}) {
      ContactOptions options = random_contacts(random, planar, 3);
      options.mu = random.real(0.0, 0.6);
      ConeProblem problem = test::friction_problem(random, options, planar ? ConeKind::coulomb2 : ConeKind::coulomb3);
      std::vector<double>& W = std::get<DenseW>(problem.W).a;
      const int n = problem.rows();
      const double size = largest(W);
      for (int i = 0; i < n; ++i) {
        W[i * n + i] += 0.05 * size;  // definite, so that the skew part cannot make it unsolvable
        for (int j = 0; j < i; ++j) {
          const double skew = 0.02 * size * random.normal();
          W[i * n + j] += skew;
          W[j * n + i] -= skew;
        }
      }
      attempt(nsgs, problem, 1e-12, planar ? by_sweeps : spatial);
      if (!planar) continue;
      attempt(enumerate, problem, 1e-10, by_choice);
      attempt(lemke, problem, 1e-10, by_pivoting);
    }
  }));
  for (const Tally& tally : {by_choice, by_pivoting, by_sweeps, spatial}) EXPECT_EQ(tally.failures, 0);
}

// Units: W -> s W, b -> t b gives p -> t/s p and the same residual.
TEST(ConeRandom, UnitsDoNotMatter) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    ConeProblem problem = test::friction_problem(random, random_contacts(random, true, 4), ConeKind::coulomb2);
    const double s = random.logarithmic(1e-6, 1e6), t = random.logarithmic(1e-6, 1e6);
    ConeProblem scaled = problem;
    for (double& w : std::get<DenseW>(scaled.W).a) w *= s;
    for (double& b : scaled.b) b *= t;
    Solver* const solvers[3] = {&enumerate, &lemke, &nsgs};
    for (Solver* solver : solvers) {
      ConeProblem one = problem;
      ConeProblem two = scaled;
      RC_ASSERT(solver->solve(one).status == solver->solve(two).status);
      for (double& u : two.u) u /= t;
      RC_ASSERT(difference(one.u, two.u) <= 1e-7 * (largest(one.u) + largest(one.b)));
    }
    std::vector<double> p(problem.p.size());
    for (double& x : p) x = random.normal();
    const double r = residual(problem, p);
    for (double& x : p) x *= t / s;
    RC_ASSERT(std::abs(residual(scaled, p) - r) <= 1e-10 * r);
  }));
}

}  // namespace
}  // namespace esc
