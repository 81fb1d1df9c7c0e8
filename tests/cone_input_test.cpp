// What is refused, what failure looks like, and that no input crashes or hangs a solver.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <limits>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

using test::Random;

ConeProblem good_problem() {
  ConeProblem problem = test::make_problem({{ConeKind::positive, 0}, {ConeKind::coulomb2, 1, 0.5}},
                                           {2, 0.5, 0, 0.5, 2, 0.25, 0, 0.25, 1}, {-1, -1, 0.5});
  problem.p = {0.125, 0.25, 0.0625};
  return problem;
}

void expect_refused(const std::function<void(ConeProblem&)>& spoil, const char* what) {
  Enumerate enumerate;
  Lemke lemke;
  Nsgs nsgs;
  Solver* const solvers[3] = {&enumerate, &lemke, &nsgs};
  for (Solver* solver : solvers) {
    for (const bool sparse : {false, true}) {
      ConeProblem problem = good_problem();
      ASSERT_EQ(solver->solve(problem).status, SolveStatus::solved);
      problem = good_problem();
      if (sparse) problem.W = test::block_sparse(problem);
      spoil(problem);
      const ConeProblem before = problem;
      const SolveReport report = solver->solve(problem);
      EXPECT_EQ(report.status, SolveStatus::bad_input) << what << ", " << solver->name();
      EXPECT_TRUE(std::isnan(report.residual));
      EXPECT_EQ(problem.p.size(), before.p.size());
      for (std::size_t i = 0; i < before.p.size(); ++i) {
        EXPECT_TRUE(problem.p[i] == before.p[i] || std::isnan(before.p[i]));
      }
    }
  }
}

double& entry_of_w(ConeProblem& problem, int i) {
  auto* dense = std::get_if<DenseW>(&problem.W);
  return dense != nullptr ? dense->a[i] : std::get<BlockSparseW>(problem.W).a[i];
}

TEST(ConeInput, RefusesNumbersThatAreNotFinite) {
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 3; ++i) {
      expect_refused([&](ConeProblem& problem) { problem.b[i] = x; }, "b");
      expect_refused([&](ConeProblem& problem) { problem.p[i] = x; }, "p");
      expect_refused([&](ConeProblem& problem) { entry_of_w(problem, 2 * i) = x; }, "W");
    }
    expect_refused([&](ConeProblem& problem) { problem.cones[1].mu = x; }, "mu");
  }
  expect_refused([](ConeProblem& problem) { problem.cones[1].mu = -0.1; }, "negative mu");
}

TEST(ConeInput, RefusesSizesThatDoNotFit) {
  expect_refused([](ConeProblem& problem) { problem.b.pop_back(); }, "short b");
  expect_refused([](ConeProblem& problem) { problem.p.push_back(0.0); }, "long p");
  expect_refused([](ConeProblem& problem) { problem.cones.pop_back(); }, "cones that leave rows out");
  expect_refused([](ConeProblem& problem) { problem.cones[1].first = 0; }, "overlapping cones");
  expect_refused([](ConeProblem& problem) { problem.cones[1].first = -7; }, "negative row");
  expect_refused([](ConeProblem& problem) { problem.cones[0].kind = static_cast<ConeKind>(77); }, "unknown cone");
  expect_refused([](ConeProblem& problem) { problem.W = DenseW{{1.0}}; }, "small W");
  const auto spoil_blocks = [](const std::function<void(BlockSparseW&)>& change) {
    expect_refused(
        [&](ConeProblem& problem) {
          if (std::holds_alternative<DenseW>(problem.W)) problem.W = test::block_sparse(problem);
          change(std::get<BlockSparseW>(problem.W));
        },
        "blocks");
  };
  spoil_blocks([](BlockSparseW& W) { W.row_start.clear(); });
  spoil_blocks([](BlockSparseW& W) { W.row_start[1] = 900; });
  spoil_blocks([](BlockSparseW& W) { W.row_start[1] = -1; });
  spoil_blocks([](BlockSparseW& W) { W.column[1] = 2; });
  spoil_blocks([](BlockSparseW& W) { W.column[1] = -1; });
  spoil_blocks([](BlockSparseW& W) { std::swap(W.column[0], W.column[1]); });
  spoil_blocks([](BlockSparseW& W) { W.value_start[3] = 1000; });
  spoil_blocks([](BlockSparseW& W) { W.value_start[3] = -1; });
  spoil_blocks([](BlockSparseW& W) { W.a.pop_back(); });
  spoil_blocks([](BlockSparseW& W) { W.column.pop_back(); });
  spoil_blocks([](BlockSparseW& W) { W = {{0, 1, 2}, {1, 0}, {0, 2}, {1, 1, 1, 1}}; });  // no diagonal
}

TEST(ConeInput, RefusesDirectionsThatDoNotSpan) {
  const std::vector<double> W = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto status = [&](std::vector<double> directions, int first, int count) {
    ConeProblem problem = test::make_problem({{ConeKind::polyhedral, 0, 0.5, first, count}}, W, {-1, 1, 1});
    problem.directions = std::move(directions);
    Nsgs nsgs;
    Lemke lemke;
    ConeProblem same = problem;
    EXPECT_EQ(lemke.solve(same).status == SolveStatus::bad_input, nsgs.solve(problem).status == SolveStatus::bad_input);
    return nsgs.solve(problem).status;
  };
  EXPECT_EQ(status({1, 0, 0, 1, -1, 0, 0, -1}, 0, 4), SolveStatus::solved);
  EXPECT_EQ(status({1, 0, 0, 1, -1, 0, 0, -1}, 0, 3), SolveStatus::bad_input);  // a half plane
  EXPECT_EQ(status({1, 0, 0, 1, -1, 0, 0, -1}, 1, 4), SolveStatus::bad_input);
  EXPECT_EQ(status({1, 0, 0, 1, -1, 0, 0, -1}, -1, 4), SolveStatus::bad_input);
  EXPECT_EQ(status({2, 0, 0, 1, -1, 0, 0, -1}, 0, 4), SolveStatus::bad_input);
  EXPECT_EQ(status({NAN, 0, 0, 1, -1, 0, 0, -1}, 0, 4), SolveStatus::bad_input);
  EXPECT_EQ(status({}, 0, 0), SolveStatus::bad_input);
  EXPECT_EQ(status({1, 0, 0, 1, -1, 0, 0, -1}, 0, 2147483647), SolveStatus::bad_input);
}

double odd_number(Random& random) {
  const double odd[] = {0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, 1e-18, 1e16, 5e-324, NAN, INFINITY};
  return random.integer(0, 3) > 0 ? random.normal() : odd[random.integer(0, random.integer(0, 9) == 0 ? 11 : 9)];
}

ConeProblem odd_problem(Random& random) {
  ConeProblem problem;
  problem.directions = {1, 0, -0.5, std::sqrt(0.75), -0.5, -std::sqrt(0.75)};
  const ConeKind kinds[] = {ConeKind::free, ConeKind::positive, ConeKind::coulomb2, ConeKind::coulomb3,
                            ConeKind::polyhedral};
  for (int c = random.integer(0, 4); c > 0; --c) {
    test::add_cone(problem, kinds[random.integer(0, 4)], std::abs(odd_number(random)));
  }
  int n = 0;
  for (const ConeBlock& cone : problem.cones) n += dimension(cone.kind);
  DenseW W{std::vector<double>(n * n)};
  const bool same = random.integer(0, 3) == 0;
  for (double& w : W.a) w = same ? 1.0 : odd_number(random);
  for (int i = 0; i < n; ++i) {
    problem.b.push_back(odd_number(random));
    problem.p.push_back(odd_number(random));
  }
  problem.W = W;
  if (random.integer(0, 1) == 0) problem.W = test::block_sparse(problem);
  return problem;
}

// Any numbers at all: the report is true, `solved` means a small residual, failure leaves finite numbers.
TEST(ConeInput, OddNumbersNeverMislead) {
  Enumerate enumerate;
  Lemke lemke({.retries = 3});
  Nsgs nsgs({.max_sweeps = 50, .patience = 10});
  Solver* const solvers[3] = {&enumerate, &lemke, &nsgs};
  EXPECT_TRUE(test::for_seeds([&](Random& random) {
    for (int k = 0; k < 50; ++k) {
      const ConeProblem problem = odd_problem(random);
      for (Solver* solver : solvers) {
        ConeProblem attempt = problem;
        const SolveReport report = solver->solve(attempt);
        if (report.status == SolveStatus::bad_input) continue;
        for (const double p : attempt.p) RC_ASSERT(std::isfinite(p));
        if (report.status == SolveStatus::solved) RC_ASSERT(residual(attempt, attempt.p) <= 1e-10);
      }
    }
  }));
}

}  // namespace
}  // namespace esc
