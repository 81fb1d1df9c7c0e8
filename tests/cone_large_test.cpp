// Problems of more than 50 contacts, and of mass ratios to 1e6: solvable by construction, solved by whom the schemes
// ask.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/solvers/interior_point.hpp>
#include <escapement/solvers/newton.hpp>
#include <escapement/solvers/nsgs.hpp>
#include <escapement/solvers/proximal.hpp>
#include <escapement/solvers/smoothing.hpp>

#include "src/schemes/parts/cone_solvers.hpp"
#include "tests/cone_problems.hpp"
#include "tests/support/malloc_count.hpp"

namespace esc {
namespace {

// Many bodies with a few contacts each; the oracle of random_bodies: a velocity separates all of them strictly.
ConeProblem many_contacts(test::Random& random, bool planar, double mu, double mass_ratio) {
  const test::ContactOptions options{
      .planar = planar, .bodies = 40, .contacts = 80, .mu = mu, .mass_ratio = mass_ratio};
  ConeProblem problem = test::friction_problem(random, options, planar ? ConeKind::coulomb2 : ConeKind::coulomb3);
  problem.W = test::block_sparse(problem);
  return problem;
}

// Two bodies in many contacts: W is of rank 6 or 12.
ConeProblem few_bodies(test::Random& random, bool planar, double mu) {
  const test::ContactOptions options{.planar = planar, .bodies = 2, .contacts = 30, .mu = mu};
  ConeProblem problem = test::friction_problem(random, options, planar ? ConeKind::coulomb2 : ConeKind::coulomb3);
  problem.W = test::block_sparse(problem);
  return problem;
}

TEST(LargeProblems, FrictionIsSolvedAtEveryMassRatio) {
  test::Random random(31);
  ConeSolvers solvers({});
  for (int k = 0; k < 14; ++k) {
    ConeProblem problem = many_contacts(random, k % 2 == 0, random.real(0.0, 1.0), std::pow(10.0, k % 7));
    const SolveReport report = solvers.solve(problem);
    EXPECT_EQ(report.status, SolveStatus::solved) << k << ": " << report.residual;
    EXPECT_LE(residual(problem, problem.p), 1e-12) << k;
  }
}

TEST(LargeProblems, DependentContactsAreSolved) {
  test::Random random(32);
  ConeSolvers solvers({});
  for (int k = 0; k < 30; ++k) {
    ConeProblem problem = few_bodies(random, k % 2 == 0, random.real(0.0, 0.8));
    const SolveReport report = solvers.solve(problem);
    EXPECT_EQ(report.status, SolveStatus::solved) << k << ": " << report.residual;
  }
}

// The shift is gone where the impulses stand still: they solve the problem itself, with all modes of all contacts.
TEST(LargeProblems, TheProximalPointSolvesTheProblemItself) {
  test::Random random(35);
  Proximal proximal({.max_iterations = 16});  // a shift that stays in the problem needs twice as many
  for (int k = 0; k < 12; ++k) {
    const bool planar = k % 2 == 0;
    ConeProblem problem =
        k % 3 == 0 ? few_bodies(random, planar, 0.5) : many_contacts(random, planar, 0.8, k % 3 == 1 ? 1.0 : 1e4);
    const SolveReport report = proximal.solve(problem);
    EXPECT_EQ(report.status, SolveStatus::solved) << k << ": " << report.residual;
    EXPECT_LE(residual(problem, problem.p), 1e-12) << k;
  }
}

// A row of n equal balls on each other, without friction: W is tridiagonal, and every impulse carries what is above.
ConeProblem row_of_balls(int n, double b) {
  ConeProblem problem;
  BlockSparseW W;
  W.row_start.push_back(0);
  for (int i = 0; i < n; ++i) {
    test::add_cone(problem, ConeKind::positive);
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      W.column.push_back(j);
      W.value_start.push_back(static_cast<int>(W.a.size()));
      W.a.push_back(i != j ? -1.0 : i == 0 ? 1.0 : 2.0);
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
    problem.b.push_back(i == 0 ? b : 0.0);
  }
  problem.p.assign(problem.b.size(), 0.0);
  problem.W = W;
  return problem;
}

TEST(LargeProblems, NewtonStepsAreExactWithoutFriction) {
  constexpr int n = 1000;
  Newton newton;
  ConeProblem problem = row_of_balls(n, -1.0);
  const SolveReport report = newton.solve(problem);
  ASSERT_EQ(report.status, SolveStatus::solved) << report.residual;
  for (int i = 0; i < n; ++i) EXPECT_NEAR(problem.p[i], n - i, 1e-6 * n);
  ConeProblem again = problem;  // from the solution there is nothing left to do
  EXPECT_EQ(newton.solve(again).iterations, 0);
}

// What is asked of a heavy body does not depend on a light one beside it.
TEST(LargeProblems, ALightBodyDoesNotHideAnErrorOfAHeavyOne) {
  ConeProblem problem = test::make_problem({}, {1e-3, 0.0, 0.0, 1e3}, {-1e-2, -1e-2});
  test::add_cone(problem, ConeKind::positive);
  test::add_cone(problem, ConeKind::positive);
  const double error = 1e-6;
  EXPECT_LE(residual(problem, std::vector{10.0, 1e-5}), 1e-15);
  EXPECT_GE(residual(problem, std::vector{10.0 * (1.0 + error), 1e-5}), 0.1 * error);
}

TEST(LargeProblems, ASecondSolveAllocatesNothing) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  test::Random random(33);
  Newton newton;
  InteriorPoint interior_point;
  Smoothing smoothing;
  Proximal proximal;
  for (const bool planar : {true, false}) {
    const ConeProblem problem = many_contacts(random, planar, 0.3, 10.0);
    for (Solver* solver : {static_cast<Solver*>(&newton), static_cast<Solver*>(&interior_point),
                           static_cast<Solver*>(&smoothing), static_cast<Solver*>(&proximal)}) {
      ConeProblem first = problem, second = problem;
      first.u.resize(problem.b.size());
      second.u.resize(problem.b.size());
      static_cast<void>(solver->solve(first));
      EXPECT_EQ(testing::allocations([&] { static_cast<void>(solver->solve(second)); }), 0) << solver->name();
      EXPECT_EQ(first.p, second.p) << solver->name();
    }
  }
}

TEST(LargeProblems, EverySolverSaysWhatItDoesNotTake) {
  test::Random random(34);
  const test::ContactOptions options{.planar = false, .bodies = 2, .contacts = 3, .mu = 0.3};
  ConeProblem polyhedral = test::friction_problem(random, options, ConeKind::polyhedral, 6);
  ConeProblem round = test::friction_problem(random, options, ConeKind::coulomb3);
  Newton newton({.max_cost = 8.0}), any_newton;
  Smoothing smoothing({.max_cost = 8.0}), any_smoothing;
  Proximal proximal({.max_cost = 8.0}), any_proximal;
  const std::vector<Solver*> unbound{&any_newton, &any_smoothing, &any_proximal};
  for (Solver* solver : unbound)
    EXPECT_EQ(solver->solve(polyhedral).status, SolveStatus::not_supported) << solver->name();
  for (Solver* solver : std::vector<Solver*>{&newton, &smoothing, &proximal})
    EXPECT_EQ(solver->solve(round).status, SolveStatus::too_large) << solver->name();
  round.b[0] = std::nan("");
  for (Solver* solver : unbound) EXPECT_EQ(solver->solve(round).status, SolveStatus::bad_input) << solver->name();
}

}  // namespace
}  // namespace esc
