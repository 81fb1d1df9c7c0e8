// Pivoting on polygons that narrow, against Coulomb's law checked apart and the exact solutions of Enumerate.
#include <gtest/gtest.h>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/polygons.hpp>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

// Up to twelve contacts between two bodies: up to 36 rows of 12 velocities.
TEST(Polygons, SolveContactsThatDependOnEachOtherWithoutAGuess) {
  test::Random random(21);
  Polygons solver, one_round({.max_rounds = 1});
  int narrowed = 0;
  for (int k = 0; k < 200; ++k) {
    const test::ContactOptions options{.planar = false, .bodies = 2, .contacts = 1 + k % 12, .mu = 0.2 + 0.1 * (k % 5)};
    ConeProblem problem = test::friction_problem(random, options, ConeKind::coulomb3);
    ConeProblem same = problem;
    const SolveReport report = solver.solve(problem);
    ASSERT_EQ(report.status, SolveStatus::solved) << k << ": " << report.residual;
    EXPECT_LE(residual(problem, problem.p), 1e-12) << k;
    EXPECT_LE(test::coulomb_violation(problem, problem.p), 1e-6) << k;
    narrowed += one_round.solve(same).status != SolveStatus::solved;
  }
  EXPECT_GT(narrowed, 0);  // a regular polygon is not enough
}

TEST(Polygons, AgreeWithEnumerateInThePlane) {
  test::Random random(22);
  Polygons solver;
  Enumerate exact;
  for (int k = 0; k < 100; ++k) {
    const test::ContactOptions options{.planar = true, .bodies = 2, .contacts = 1 + k % 3, .mu = 0.3};
    ConeProblem problem = test::friction_problem(random, options, ConeKind::coulomb2);
    ConeProblem same = problem;
    ASSERT_EQ(solver.solve(problem).status, SolveStatus::solved) << k;
    ASSERT_EQ(exact.solve(same).status, SolveStatus::solved) << k;
    for (int i = 0; i < problem.rows(); ++i) EXPECT_NEAR(problem.u[i], same.u[i], 1e-9) << k << ", row " << i;
  }
}

TEST(Polygons, SayWhatTheyDoNotTake) {
  test::Random random(23);
  const test::ContactOptions options{.planar = false, .bodies = 2, .contacts = 4, .mu = 0.3};
  ConeProblem polygon = test::friction_problem(random, options, ConeKind::polyhedral, 6);
  Polygons any, small({.max_order = 30});
  EXPECT_EQ(any.solve(polygon).status, SolveStatus::not_supported);
  ConeProblem round = test::friction_problem(random, options, ConeKind::coulomb3);
  const std::vector<double> guess = round.p;
  EXPECT_EQ(small.solve(round).status, SolveStatus::too_large);
  EXPECT_EQ(round.p, guess);
  EXPECT_EQ(any.solve(round).status, SolveStatus::solved);
  round.b[0] = std::nan("");
  EXPECT_EQ(any.solve(round).status, SolveStatus::bad_input);
}

}  // namespace
}  // namespace esc
