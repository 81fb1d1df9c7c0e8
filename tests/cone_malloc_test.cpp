// Solving a problem of a size seen before allocates nothing. Counted at malloc; not under sanitizers, which own it.
#include <gtest/gtest.h>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "tests/cone_problems.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace esc {
namespace {

void expect_no_allocation(Solver& solver, const ConeProblem& problem) {
  ConeProblem first = problem;
  ASSERT_EQ(solver.solve(first).status, SolveStatus::solved) << solver.name();
  ConeProblem second = problem;
  second.u.resize(problem.b.size());
  const long before = allocations;
  const SolveReport report = solver.solve(second);
  EXPECT_EQ(allocations, before) << solver.name();
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(first.p, second.p);  // scratch left behind by another solve changes no bit
}

TEST(ConeMalloc, CountsAllocations) {
  const long before = allocations;
  const std::vector<double> x(10);
  EXPECT_GT(allocations, before) << x.size();
}

TEST(ConeMalloc, SecondSolveAllocatesNothing) {
  test::Random random(11);
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
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
    round.W = test::block_sparse(round);
    expect_no_allocation(impatient, round);
    const ConeProblem polygon = test::friction_problem(random, spatial, ConeKind::polyhedral, 6);
    expect_no_allocation(lemke, polygon);
    expect_no_allocation(nsgs, polygon);
  }
}

}  // namespace
}  // namespace esc

#else

TEST(ConeMalloc, SecondSolveAllocatesNothing) { GTEST_SKIP() << "the sanitizer owns malloc"; }

#endif
