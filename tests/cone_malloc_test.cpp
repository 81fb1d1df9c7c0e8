// Solving a problem of a size seen before allocates nothing.
#include <gtest/gtest.h>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/interior_point.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>
#include <escapement/solvers/polygons.hpp>

#include "tests/cone_problems.hpp"
#include "tests/support/malloc_count.hpp"

namespace esc {
namespace {

void expect_no_allocation(Solver& solver, const ConeProblem& problem) {
  ConeProblem first = problem;
  ASSERT_EQ(solver.solve(first).status, SolveStatus::solved) << solver.name();
  ConeProblem second = problem;
  second.u.resize(problem.b.size());
  SolveReport report;
  EXPECT_EQ(testing::allocations([&] { report = solver.solve(second); }), 0) << solver.name();
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(first.p, second.p);  // scratch left behind by another solve changes no bit
}

TEST(ConeMalloc, SecondSolveAllocatesNothing) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  test::Random random(11);
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  InteriorPoint interior_point;
  Polygons polygons;
  Nsgs impatient({.patience = 1});  // takes Newton steps
  for (int k = 0; k < 20; ++k) {
    const test::ContactOptions planar{.planar = true, .bodies = 2, .contacts = 1 + k % 5, .mu = 0.3};
    const ConeProblem flat = test::friction_problem(random, planar, ConeKind::coulomb2);
    expect_no_allocation(enumerate, flat);
    expect_no_allocation(lemke, flat);
    expect_no_allocation(nsgs, flat);
    const test::ContactOptions spatial{.planar = false, .bodies = 2, .contacts = 1 + k % 5, .mu = 0.3};
    ConeProblem round = test::friction_problem(random, spatial, ConeKind::coulomb3);
    expect_no_allocation(impatient, round);
    expect_no_allocation(interior_point, round);
    expect_no_allocation(polygons, round);
    round.W = test::block_sparse(round);
    expect_no_allocation(impatient, round);
    const ConeProblem polygon = test::friction_problem(random, spatial, ConeKind::polyhedral, 6);
    expect_no_allocation(lemke, polygon);
    expect_no_allocation(nsgs, polygon);
  }
}

}  // namespace
}  // namespace esc
