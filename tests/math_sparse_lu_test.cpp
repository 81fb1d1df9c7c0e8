// SparseLu against a dense LU: random patterns, block sizes one to three, the same memory for one matrix after another.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "src/math/dense_lu.hpp"
#include "src/math/sparse_lu.hpp"
#include "tests/component_matrices.hpp"
#include "tests/support/malloc_count.hpp"

namespace esc {
namespace {

struct BlockPattern {
  std::vector<int> sizes, row_start{0}, column;

  int rows() const {
    int sum = 0;
    for (const int n : sizes) sum += n;
    return sum;
  }
};

// Nodes on a line, each with its neighbours and a few others further away, by chance on one side of the diagonal only.
BlockPattern random_pattern(test::Random& random, int nodes, double density) {
  BlockPattern pattern;
  for (int i = 0; i < nodes; ++i) pattern.sizes.push_back(random.integer(1, 3));
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j < nodes; ++j)
      if (std::abs(i - j) <= 1 || random.real(0.0, 1.0) < density) pattern.column.push_back(j);
    pattern.row_start.push_back(static_cast<int>(pattern.column.size()));
  }
  return pattern;
}

// Random values with a diagonal that leads.
std::vector<double> fill_blocks(test::Random& random, const BlockPattern& pattern, SparseLu& lu) {
  const int n = pattern.rows();
  std::vector<double> dense(static_cast<std::size_t>(n) * n, 0.0);
  std::vector<int> first{0};
  for (const int size : pattern.sizes) first.push_back(first.back() + size);
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i)
    for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(pattern.column[k]);
      for (int r = 0; r < pattern.sizes[i]; ++r)
        for (int c = 0; c < pattern.sizes[j]; ++c) {
          const double value = random.real(-1.0, 1.0) + (i == j && r == c ? 4.0 + n : 0.0);
          lu.block(k)[r * pattern.sizes[j] + c] = value;
          dense[(first[i] + r) * n + first[j] + c] = value;
        }
    }
  return dense;
}

void expect_solution(test::Random& random, const BlockPattern& pattern, SparseLu& lu) {
  lu.analyse(pattern.sizes, pattern.row_start, pattern.column);
  std::vector<double> dense = fill_blocks(random, pattern, lu);
  ASSERT_EQ(lu.factor(), 0);
  std::vector<double> x(pattern.rows());
  for (double& value : x) value = random.real(-1.0, 1.0);
  std::vector<double> y = x;
  lu.solve(x.data());
  ASSERT_TRUE(solve_regular(pattern.rows(), dense.data(), y.data()));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * (1.0 + std::abs(y[i])));
}

TEST(SparseLu, AgreesWithADenseFactorisation) {
  test::Random random(1);
  SparseLu lu;
  for (int k = 0; k < 60; ++k)
    expect_solution(random, random_pattern(random, random.integer(1, 40), std::pow(10.0, random.real(-3.0, 0.0))), lu);
}

TEST(SparseLu, AChainCostsAsMuchAsItIsLong) {
  test::Random random(2);
  SparseLu lu;
  double cost[2];
  for (const int k : {0, 1}) {
    BlockPattern chain = random_pattern(random, k == 0 ? 200 : 2000, 0.0);
    std::fill(chain.sizes.begin(), chain.sizes.end(), 3);
    lu.analyse(chain.sizes, chain.row_start, chain.column);
    cost[k] = lu.cost();
  }
  EXPECT_NEAR(cost[1] / cost[0], 10.0, 0.5);
}

TEST(SparseLu, ASingularMatrixHasFiniteAnswers) {
  const BlockPattern pattern{{1, 1}, {0, 2, 4}, {0, 1, 0, 1}};
  SparseLu lu;
  lu.analyse(pattern.sizes, pattern.row_start, pattern.column);
  for (int k = 0; k < 4; ++k) *lu.block(k) = 1.0;
  EXPECT_EQ(lu.factor(), 1);
  double x[2] = {1.0, 1.0};
  lu.solve(x);
  EXPECT_NEAR(x[0] + x[1], 1.0, 1e-12);
}

TEST(SparseLu, ASecondTimeAllocatesNothing) {
  if (!testing::counts_malloc) GTEST_SKIP() << testing::why_no_count;
  test::Random random(3);
  const BlockPattern small = random_pattern(random, 20, 0.1), large = random_pattern(random, 60, 0.1);
  SparseLu lu;
  std::vector<double> x(large.rows(), 1.0);
  const auto run = [&] {
    for (const BlockPattern* pattern : {&large, &small}) {
      lu.analyse(pattern->sizes, pattern->row_start, pattern->column);
      std::fill_n(lu.block(0), 1, 1.0);
      lu.factor();
      lu.solve(x.data());
    }
  };
  run();
  EXPECT_EQ(testing::allocations(run), 0);
}

}  // namespace
}  // namespace esc
